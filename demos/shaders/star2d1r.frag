// SPDX-License-Identifier: MIT
// Five weights, a star that reaches one cell: star2d1r of the benchmarks of AN5D (docs/gallery.md).
//@ input x=random
//@ outside zero
//@ size 67x45
//@ steps 6
//@ check star2d1r.c

float kernel(vec2 here)
{
    return 0.1873 * x_at(0.0, -1.0) + 0.1876 * x_at(-1.0, 0.0) + 0.25 * x_at(0.0, 0.0) +
           0.1877 * x_at(1.0, 0.0) + 0.1874 * x_at(0.0, 1.0);
}
