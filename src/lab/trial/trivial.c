/* SPDX-License-Identifier: MIT */
/* Answers that need no kernel: zeros, the state before, one step fewer, zeros in one output, and
 * each input in all. */
#include <math.h>
#include <stdio.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"

enum { ZEROS, START, FEWER, ONE_OUTPUT };

/* Values of all outputs, or of each where there are as many; NULL: zeros, or not there. */
static const double *values_of(const struct qp_problem *problem, int which, size_t count)
{
    const struct qp_trial *trial = (const struct qp_trial *)(const void *)problem->op;
    const struct qp_past_answer *before = qp_problem_before(problem, problem->reference_iterations);
    const double *start = problem->field[0].doubles;
    const int i = which - ONE_OUTPUT - trial->outputs;
    if (which == FEWER && before != NULL && before->iterations == problem->reference_iterations - 1)
        return before->answer;
    if (which == START || i < 0)
        return which == START ? start : NULL;
    const struct qp_trial_array *array = &trial->input[i];
    const struct qp_matrix *field = &problem->field[array->field];
    if (array->state >= 0)
        return start + (size_t)array->state * count;
    return array->channels == trial->channels && field->height == problem->height &&
                   field->width == problem->width * trial->channels
               ? field->doubles
               : NULL;
}

static void name_it(const struct qp_trial *trial, int which, char *name, size_t size)
{
    static const char *const names[] = {"zeros", "the state before", "one step fewer"};
    const int output = which - ONE_OUTPUT, input = output - trial->outputs;
    if (output < 0)
        snprintf(name, size, "%s", names[which]);
    else if (input >= 0)
        snprintf(name, size, "%s as it is", trial->input[input].desc.name);
    else if (trial->state[output] >= 0)
        snprintf(name, size, "zeros for %s", trial->input[trial->state[output]].desc.name);
    else
        snprintf(name, size, "zeros for output %d", output);
}

double qp_trial_trivial(const struct qp_problem *problem, int which, char *name, size_t size)
{
    const struct qp_trial *trial = (const struct qp_trial *)(const void *)problem->op;
    const size_t count = qp_trial_values(trial, problem), all = count * (size_t)trial->outputs;
    const int output = which - ONE_OUTPUT, input = output - trial->outputs;
    if (input >= trial->inputs)
        return -1.0;
    const double *values = values_of(problem, which, count), *wanted = problem->reference;
    const bool one = output >= 0 && input < 0, none = values == NULL && which != ZEROS && !one;
    const size_t first = one ? (size_t)output * count : 0, end = one ? first + count : all;
    double most = none ? INFINITY : 0.0;
    for (size_t v = first; v < end && most < INFINITY; v++) {
        const double value = values != NULL ? values[input >= 0 ? v % count : v] : 0.0,
                     off = fabs(wanted[v] - value) / problem->reference_scale;
        most = isnan(off) ? INFINITY : fmax(most, off);
    }
    name_it(trial, which, name, size);
    return most;
}
