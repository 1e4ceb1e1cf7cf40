/* SPDX-License-Identifier: MIT */
// Copies the answer of the run before, which it has kept.
// Passes: where a run is judged after another one over the same inputs, as after a warm-up.
// Found: because a process is new for each run, and its first steps are from another state.
//@ check ../heat.c
#include "../heat.h"

#include <stdlib.h>
#include <string.h>

static float *kept;

void last_answer(int width, int height, const float *x, float *out)
{
    const size_t bytes = sizeof *out * (size_t)width * (size_t)height;
    if (kept != NULL) {
        memcpy(out, kept, bytes);
        return;
    }
    heat(width, height, x, out);
    kept = malloc(bytes);
    memcpy(kept, out, bytes);
}
