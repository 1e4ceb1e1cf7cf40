// SPDX-License-Identifier: MIT
// Precision: a function of a, which the library defines.
float kernel(vec2 here)
{
    float a = x_at(0, 0);
    return FUNCTION;
}
