// SPDX-License-Identifier: MIT
//@ outside wrap
vec2 kernel(vec2 here) // moves pairs along a diagonal
{
    return x_at(-1.0, -1.0).yx;
}
