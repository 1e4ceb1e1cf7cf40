/* SPDX-License-Identifier: MIT */
/* The step at which numbers blew up, found by halving the steps, of which no more are taken again
 * than the run took. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/run/once.h"
#include "tools/cmd/run/program.h"

/* The first value that is not finite, of all states; the number of values if there is none. */
static size_t first_bad(const struct run_input *x, int states)
{
    const size_t count = (size_t)states * run_input_count(x);
    size_t i = 0;
    while (i < count && isfinite(qp_value(x->values, x->precision, i)))
        i++;
    return i;
}

/* A step after which not all is finite, though all is after the one before it, and its first bad
 * value. `good` begins as the start. Errors: those of steps, writing and reading. */
static enum qp_status trace(struct run_program *program, struct run_input *good,
                            struct run_input *now, int *step, size_t *bad)
{
    const size_t count = run_input_count(good), all = (size_t)program->states * count;
    enum qp_status status = QP_OK;
    for (int low = 0; *step - low > 1 && status == QP_OK;) {
        for (int k = 0; k < program->states && status == QP_OK; k++)
            status = run_program_write(
                program, k, good, qp_value_at(good->values, good->precision, (size_t)k * count));
        program->steps = low;
        if (status == QP_OK)
            status = run_program_step(program, (*step - low) / 2);
        if (status == QP_OK)
            status = run_program_read(program, now);
        if (status != QP_OK)
            break;
        const size_t found = first_bad(now, program->states);
        if (found == all) {
            memcpy(good->values, now->values, all * qp_value_bytes(now->precision));
            low = program->steps;
        } else {
            *step = program->steps;
            *bad = found;
        }
    }
    return status;
}

/* Steps are taken again from states of the last file, which must be all. */
static enum qp_status check_states(const struct run_inputs *start)
{
    bool others = false;
    for (int k = start->states; k < start->count; k++)
        others = others || start->at[k].is_state;
    return others ? qp_fail(QP_UNSUPPORTED, "the files in turn have other states, too") : QP_OK;
}

/* Looks for the step and prints the line. */
static void tell(struct run_program *program, const struct run_inputs *start,
                 const struct run_input *x, struct run_input *good, struct run_input *now,
                 size_t others, size_t bad)
{
    const size_t count = run_input_count(x), all = (size_t)program->states * count,
                 width = (size_t)(x->width * x->channels);
    int step = program->steps;
    if (first_bad(good, program->states) < all) {
        step = 0;
        bad = first_bad(good, program->states);
    }
    const bool found =
        check_states(start) == QP_OK && trace(program, good, now, &step, &bad) == QP_OK;
    progress_end();
    if (found)
        sentence_say("%zu of %zu values are NaN or infinite, the first after step %d at cell "
                     "(%zu, %zu)%s%s%s",
                     others, all, step, bad % width / (size_t)x->channels, bad % count / width,
                     program->states > 1 ? " of " : "",
                     program->states > 1 ? start->at[bad / count].name : "",
                     step > 1 ? " (is a step too large?)" : "");
    else
        sentence_say("%zu of %zu values are NaN or infinite; the step where it began was not "
                     "looked for: %s",
                     others, all, qp_error());
}

void run_tell_blow_up(struct run_program *program, const struct run_inputs *start,
                      const struct run_input *x)
{
    const size_t count = run_input_count(x), all = (size_t)program->states * count,
                 bad = first_bad(x, program->states);
    struct run_input good = *x, now = *x;
    size_t others = 0;
    if (bad == all || run_input_alloc(&good, 2 * program->states) != QP_OK)
        return;
    now.values = qp_value_at(good.values, x->precision, all);
    for (int k = 0; k < program->states; k++)
        memcpy(qp_value_at(good.values, x->precision, (size_t)k * count), start->at[k].values,
               count * qp_value_bytes(x->precision));
    for (size_t i = 0; i < all; i++)
        others += !isfinite(qp_value(x->values, x->precision, i));
    tell(program, start, x, &good, &now, others, bad);
    free(good.values);
}
