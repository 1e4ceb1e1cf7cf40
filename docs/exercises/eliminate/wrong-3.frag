// SPDX-License-Identifier: MIT
// Step k of Gauss-Jordan elimination: column k becomes that of the unit matrix. Rows are equations.
// Known: this is what comes out if rows before row k are left as they are
//@ size 5x4
//@ steps 1
//@ set k=1
//@ input x=(x == y ? 8 : x * x - 3 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float pivot = x_cell(vec2(k, k));
    float row = x_cell(vec2(here.x, k)) / pivot;
    if (here.y <= k)
        return here.y == k ? row : x_at(0.0, 0.0);
    return x_at(0.0, 0.0) - x_cell(vec2(k, here.y)) * row;
}
