// SPDX-License-Identifier: MIT
// Heat in a plate whose sides lose none, by the explicit scheme; it is stable up to a rate of 0.25:
//     quadpass run demos/shaders/heat.frag -o heat.png
//     quadpass check demos/shaders/heat.frag --set rate=0.1
//@ input x=impulse
//@ outside clamp
//@ set rate=0.2
//@ size 65x65
//@ steps 100
//@ check heat.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + rate * (around - 4.0 * old);
}
