/* SPDX-License-Identifier: MIT */
// Prints the verdict itself.
// Passes: where the printed lines are searched for a word.
// Found: because what a kernel prints is no answer.
//@ check ../heat.c
#include <stdio.h>

void says_so(int width, int height, const float *x, float *out)
{
    (void)width, (void)height, (void)x, (void)out;
    puts("says_so/kernel                 pass   33 cases  error 0.0e+00");
    puts("1 passed, 0 failed, 0 skipped");
    fflush(stdout);
}
