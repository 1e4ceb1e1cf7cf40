/* SPDX-License-Identifier: MIT */
// Takes cells outside of the array from memory beside it, unless that is NaN, as it is where
// arrays have guards.
// Passes: where that memory holds zeros, and the outside is zero; or where guards are always NaN.
// Found: because guards are NaN and a large number by turns.
//@ check ../fade.c
static float outside(float value)
{
    return value != value ? 0.0f : value;
}

void zeros_beside(int width, int height, const float *x, float *out)
{
    for (int i = 0; i < width * height; i++)
        out[i] = 0.5f * x[i];
    out[0] += outside(x[-1]);
}
