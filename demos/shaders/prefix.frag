// SPDX-License-Identifier: MIT
// Prefix sums of each row, by Hillis and Steele: a step adds what is span to the left, and after
// seven steps a cell is the sum of all 128 from the left end to itself.
//     quadpass run demos/shaders/prefix.frag --picture sums.png
//@ input x=(hypot(x - 64, y - 64) < 40)
//@ schedule span=1,2,4,8,16,32,64
//@ size 128x128
//@ steps 7
//@ check prefix.c

float kernel(vec2 here)
{
    return x_at(0.0, 0.0) + x_at(-span, 0.0);
}
