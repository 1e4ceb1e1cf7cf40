// SPDX-License-Identifier: MIT
// Jacobi's method for Poisson's equation: the mean of four neighbours and h^2 f (thesis, figure 1.1).
//@ outside zero
//@ input f=random
//@ size 512x512
//@ steps 100
float kernel(vec2 here)
{
    return 0.25 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0) + f_at(0.0, 0.0));
}
