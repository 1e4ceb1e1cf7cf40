// SPDX-License-Identifier: MIT
// Values rounded to 16 bits.
// Passes: where a thousandth is allowed, as for kernels in half precision.
// Found: because no more is allowed than rounding explains.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    float value = heat(), unit = exp2(floor(log2(value)) - 10.0);
    return unit * floor(value / unit + 0.5);
}
