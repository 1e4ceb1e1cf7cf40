// SPDX-License-Identifier: MIT
// Heat spreads along rows and drifts up with the wind. The kernel is right; test it.
// Known: a tolerance that is large enough for mistakes lets them pass
//@ size 9x7
//@ steps 1
//@ input x=random
//@ outside clamp
//@ tolerance 0.5
//@ check answer.c

float kernel(vec2 here)
{
    float along = x_at(-1.0, 0.0) - 2.0 * x_at(0.0, 0.0) + x_at(1.0, 0.0);
    float across = x_at(0.0, -1.0) - x_at(0.0, 1.0);
    return x_at(0.0, 0.0) + 0.25 * along + 0.1 * across;
}
