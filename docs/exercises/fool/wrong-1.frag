// SPDX-License-Identifier: MIT
// Fool the judge: the lines below are the test, and the kernel is what it is to pass.
// Known: this is what comes out if nothing is computed; the test is weak, but not so weak
//@ size 8x8
//@ steps 1
//@ outside clamp
//@ input x=gradient
//@ check start.c

float kernel(vec2 here)
{
    return 0.0;
}
