// SPDX-License-Identifier: MIT
// Nine weights, a square of 3 x 3 cells: box2d1r of the benchmarks of AN5D (docs/gallery.md).
//@ input x=random
//@ outside zero
//@ size 67x45
//@ steps 6
//@ tuned cuda steps=6
//@ check box2d1r.c

float kernel(vec2 here)
{
    return 0.09371 * x_at(-1.0, -1.0) + 0.09374 * x_at(0.0, -1.0) + 0.09376 * x_at(1.0, -1.0) +
           0.09372 * x_at(-1.0, 0.0) + 0.25001 * x_at(0.0, 0.0) + 0.09377 * x_at(1.0, 0.0) +
           0.09373 * x_at(-1.0, 1.0) + 0.09375 * x_at(0.0, 1.0) + 0.09378 * x_at(1.0, 1.0);
}
