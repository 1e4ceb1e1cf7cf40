// SPDX-License-Identifier: MIT
//@ input x=ones
//@ input f=gradient
//@ outside f=clamp
double kernel(vec2 here)
{
    return 0.5lf * x_at(0.0, 0.0) + 0.25lf * (f_at(-1.0, 0.0) + f_at(1.0, 0.0));
}
