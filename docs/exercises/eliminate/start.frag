// SPDX-License-Identifier: MIT
// Step k of Gauss-Jordan elimination: column k becomes that of the unit matrix. Rows are equations.
//@ size 5x4
//@ steps 1
//@ set k=1
//@ input x=(x == y ? 8 : x * x - 3 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float pivot = x_cell(vec2(k, k));
    if (here.y == k)
        return x_at(0.0, 0.0) / pivot;
    return x_at(0.0, 0.0); // change this
}
