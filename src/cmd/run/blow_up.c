/* SPDX-License-Identifier: MIT */
/* Where numbers blew up: by halving the steps, of which no more are taken again than the run took. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "cmd/run/once.h"
#include "cmd/run/program.h"

/* The first value that is not finite; the number of values if there is none. */
static size_t first_bad(const struct run_input *x, const float *values)
{
    size_t i = 0;
    while (i < run_input_count(x) && isfinite(values[i]))
        i++;
    return i;
}

/* A step after which not all is finite, though all is after the one before it, and its first bad value. `good` begins as the
 * start. Errors: those of steps, writing and reading. */
static enum qp_status trace(struct run_program *program, const struct run_input *x, float *good,
                            float *now, int *step, size_t *bad)
{
    enum qp_status status = QP_OK;
    for (int low = 0; *step - low > 1 && status == QP_OK;) {
        status = qp_array_write(program->array[0], NULL, good, 0);
        program->steps = low;
        if (status == QP_OK)
            status = run_program_step(program, (*step - low) / 2);
        if (status == QP_OK)
            status = run_program_read(program, now);
        if (status != QP_OK)
            break;
        const size_t found = first_bad(x, now);
        if (found == run_input_count(x)) {
            memcpy(good, now, found * sizeof *good);
            low = program->steps;
        } else {
            *step = program->steps;
            *bad = found;
        }
    }
    return status;
}

void run_tell_blow_up(struct run_program *program, const struct run_input *start,
                      const struct run_input *x)
{
    const size_t count = run_input_count(x), width = (size_t)(x->width * x->channels);
    size_t bad = first_bad(x, x->values);
    int step = program->steps;
    float *good = bad < count ? qp_alloc_floats(2 * count, "a look back at the steps") : NULL;
    if (good == NULL)
        return;
    memcpy(good, start->values, count * sizeof *good);
    if (first_bad(x, good) < count) {
        step = 0;
        bad = first_bad(x, good);
    }
    const bool found = trace(program, x, good, good + count, &step, &bad) == QP_OK;
    free(good);
    progress_end();
    if (found)
        sentence_say("%zu of %zu values are NaN or infinite, the first after step %d at cell "
                     "(%zu, %zu)%s",
                     outcome_range(x).others, count, step, bad % width / (size_t)x->channels,
                     bad / width, step > 1 ? " (is a step too large?)" : "");
    else
        sentence_say("%zu of %zu values are NaN or infinite; the step where it began was not "
                     "looked for: %s",
                     outcome_range(x).others, count, qp_error());
}
