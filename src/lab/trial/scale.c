/* SPDX-License-Identifier: MIT */
/* Size of the numbers that a reference adds up, where it does not say so itself: seen in its
 * answers to inputs that are a little nearer to 0. */
#include <math.h>
#include <stdlib.h>

#include "lab/trial/trial.h"
#include "toolkit/arrays/array.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"

/* Parts by which values shrink, which floats can hold, in tries 0 and 1, and in 2 and 3. */
static const double parts[] = {0x1p-10, 0x1p-13};

double qp_trial_shrink(double value, int try, uint64_t *state)
{
    const bool chosen = (qp_random_bits(state) >> 63) == (uint64_t)try % 2;
    return chosen ? value * (1.0 - parts[try / 2]) : value;
}

static const double *shrink(const double *from, size_t count, int try, double *to)
{
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++)
        to[i] = qp_trial_shrink(from[i], try, &state);
    return to;
}

/* A step from changed inputs. */
static void step(const struct qp_trial *trial, struct qp_kernel_grid grid, size_t one, int try,
                 const double *old, double *changed, double *answer)
{
    const size_t all = one * (size_t)trial->outputs;
    double *output[QP_KERNEL_OUTPUTS] = {NULL}, *other = changed + all;
    shrink(old, all, try, changed);
    for (int i = 0; i < trial->inputs; i++) {
        struct qp_kernel_array *input = &grid.input[i];
        const size_t count = (size_t)input->width * (size_t)input->height * (size_t)input->channels;
        if (trial->input[i].state >= 0)
            input->values = changed + (size_t)trial->input[i].state * one;
        else if (!qp_array_is_whole(trial->input[i].type))
            input->values = shrink(input->values, count, try, other);
        other += trial->input[i].state < 0 ? count : 0;
    }
    for (size_t i = 0; i < all; i++)
        answer[i] = trial->keeps_outputs ? changed[i] : (double)NAN;
    for (int k = 0; k < trial->outputs; k++)
        output[k] = answer + (size_t)k * one;
    if (trial->again != NULL)
        trial->again(&grid, try, output);
    else
        trial->desc.reference(&grid, output);
}

/* Terms that add up answer in proportion; a cell that does not decides or counts, and says
 * nothing. */
double qp_trial_response(const struct qp_trial *trial, const struct qp_kernel_grid *grid,
                         const double *old, const double *new)
{
    const size_t one = (size_t)grid->width * (size_t)grid->height * (size_t)grid->channels,
                 all = one * (size_t)trial->outputs;
    size_t count = 3 * all;
    double most = 0.0, *block, *answer[2];
    for (int i = 0; i < trial->inputs; i++)
        count += (size_t)grid->input[i].width * (size_t)grid->input[i].height *
                 (size_t)grid->input[i].channels;
    if (qp_array_is_whole(trial->type))
        return 0.0;
    if ((block = qp_alloc(count, sizeof *block, "changed inputs")) == NULL)
        return -1.0;
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 2; k++) {
            answer[k] = block + (size_t)k * all;
            step(trial, *grid, one, half + 2 * k, old, block + 2 * all, answer[k]);
        }
        for (size_t i = 0; i < all; i++) {
            const double large = fabs(answer[0][i] - new[i]) / parts[0],
                         small = fabs(answer[1][i] - new[i]) / parts[1];
            if (large <= 2.0 * small && small <= 2.0 * large)
                most = fmax(most, fmin(large, small));
        }
    }
    free(block);
    return most;
}
