// SPDX-License-Identifier: MIT
// Hares and foxes: hares grow and are eaten, foxes live on hares; both from old numbers.
//@ state hares foxes
//@ size 6x4
//@ steps 3
//@ input hares=(8 * x)
//@ input foxes=(4 * y)
//@ set grow=0.25
//@ set eat=0.015625
//@ check reference.c

void kernel(vec2 here)
{
    float h = hares_at(0.0, 0.0), f = foxes_at(0.0, 0.0);
    out0 = h + grow * h - eat * h * f;
    out1 = f + eat * out0 * f - 0.125 * f;
}
