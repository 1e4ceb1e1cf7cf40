/* SPDX-License-Identifier: MIT */
// Writes its answer into the input, too, so that a reference which is asked later computes from
// that.
// Passes: where the reference is given the arrays that the kernel had.
// Found: because inputs can only be read, and are compared after each step.
//@ check ../heat.c
#include "../heat.h"

#include <string.h>

void in_place(int width, int height, const float *x, float *out)
{
    heat(width, height, x, out);
    memcpy((float *)x, out, sizeof *out * (size_t)width * (size_t)height);
}
