/* SPDX-License-Identifier: MIT */
// Ends the program as if all were well.
// Passes: where the exit code of the program is all that is looked at.
// Found: because a kernel that ends its program has not answered.
//@ check ../heat.c
#include <stdlib.h>

void leaves(int width, int height, const float *x, float *out)
{
    (void)width, (void)height, (void)x, (void)out;
    exit(0);
}
