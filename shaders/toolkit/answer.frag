// SPDX-License-Identifier: MIT
// The last cell of a reduction as its answer. A line in front makes the one of the other: src/toolkit/reduce_kernels.c.
ANSWER kernel(vec2 here)
{
    return ANSWER_OF(last_cell(vec2(0.0)));
}
