// SPDX-License-Identifier: MIT
// Heat in a plate, its left side held at 1.
//@ input x=zeros
//@ outside clamp
//@ set rate=0.2
//@ steps 10
//@ size 33x17
//@ tolerance 1e-5
//@ check heat.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return here.x == 0.0 ? 1.0 : old + rate * (around - 4.0 * old);
}
