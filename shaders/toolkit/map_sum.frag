// SPDX-License-Identifier: MIT
// Appended to a program's own function: adds its values at 4 x 4 cells as a tree four deep.
// Lines before it define the grid's size, and the term that a value becomes: src/toolkit/reduce/reduce_kernels.c.

// A cell beyond the edge is pulled onto it and its value dropped. Gathers are relative to qp_here (kernel_text.c).
vec4 qp_term(vec2 cell)
{
    qp_here = min(cell, size - 1.0);
    float value = map(qp_here);
    return qp_here == cell ? TERM_OF(value) : vec4(0.0);
}

vec4 qp_row(vec2 cell)
{
    return (qp_term(cell) + qp_term(cell + vec2(1.0, 0.0))) +
           (qp_term(cell + vec2(2.0, 0.0)) + qp_term(cell + vec2(3.0, 0.0)));
}

vec4 kernel(vec2 here)
{
    vec2 cell = 4.0 * here;
    return (qp_row(cell) + qp_row(cell + vec2(0.0, 1.0))) +
           (qp_row(cell + vec2(0.0, 2.0)) + qp_row(cell + vec2(0.0, 3.0)));
}
