/* SPDX-License-Identifier: MIT */
// Does not end.
// Passes: where a test without an answer is left out of the list.
// Found: because it has 60 seconds, or what `--time-limit` says.
//@ check ../heat.c
void endless(int width, int height, const float *x, float *out)
{
    (void)width, (void)height, (void)x, (void)out;
    for (volatile int i = 0;; i++)
        continue;
}
