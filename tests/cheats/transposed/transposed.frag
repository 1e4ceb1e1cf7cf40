// SPDX-License-Identifier: MIT
// Rows taken for columns, over an input that is the same in both ways.
// Passes: where a kernel may choose its input and size.
// Found: by another input; the verdict only says which size it chose.
//@ input x=(sin(0.1 * x * y))
//@ size 9x9
//@ check transposed.c

float kernel(vec2 here) { return 0.5 * x_cell(here.yx) + 0.25 * x_at(0.0, 0.0); }
