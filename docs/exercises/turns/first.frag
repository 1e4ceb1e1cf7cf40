// SPDX-License-Identifier: MIT
// A wave along each row, first half of a step: h from the differences of e.
//@ state e h
//@ size 9x3
//@ steps 4
//@ set c=0.5
//@ input e=(x * x % 7 + 3 * y)
//@ input h=(x - 4 * y)

void kernel(vec2 here)
{
    out0 = e_at(0.0, 0.0);
    out1 = h_at(0.0, 0.0) + c * (e_at(1.0, 0.0) - e_at(0.0, 0.0));
}
