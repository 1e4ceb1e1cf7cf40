/* SPDX-License-Identifier: MIT */
/* Answers that need no kernel: zeros, the state before, one step fewer, the mean of each output,
 * the answer of another seed, zeros in one output, and each input in all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "toolkit/base/caller.h"

enum { ZEROS, START, FEWER, MEAN, OTHER_SEED, ONE_OUTPUT };

static const struct qp_trial *trial_of(const struct qp_problem *problem)
{
    return (const struct qp_trial *)(const void *)problem->op;
}

/* ---- The answer of another seed ---- */

static bool reads_random(const struct qp_trial *trial)
{
    bool reads = trial->keeps_outputs;
    for (int i = 0; i < trial->inputs; i++)
        reads |= trial->input[i].desc.fill == NULL && trial->input[i].table.width == 0;
    return reads;
}

/* The reference's answer for inputs of another seed, which the caller frees; NULL: there is none.
 * Errors: QP_NO_MEMORY, here and below; what else goes wrong with that seed is its own affair. */
static enum qp_status find_other(const struct qp_problem *problem, double **out)
{
    const struct qp_trial *trial = trial_of(problem);
    const size_t all = qp_problem_answers(problem);
    struct qp_problem other = {.op = NULL};
    double *answer = qp_alloc(all, sizeof *answer, "the answer of another seed");
    enum qp_status status = answer != NULL ? QP_OK : QP_NO_MEMORY;
    bool there = false;
    if (status == QP_OK && trial->other_seed != NULL) {
        status = trial->other_seed(trial->desc.user, problem, answer);
        there = status == QP_OK;
    } else if (status == QP_OK && reads_random(trial)) {
        status =
            qp_trial_problem(trial, problem->width, problem->height, QP_TRIAL_OTHER_SEED, &other);
        if (status == QP_OK)
            status = qp_problem_reference(&other, problem->reference_iterations, NULL);
        there = status == QP_OK;
        if (there)
            memcpy(answer, other.reference, all * sizeof *answer);
    }
    qp_problem_destroy(&other);
    if (!there)
        free(answer);
    *out = there ? answer : NULL;
    return status == QP_NO_MEMORY ? status : QP_OK;
}

/* ---- The mean ---- */

/* True if each part of so many values is one number in all its places. */
static bool is_even(const double *values, size_t all, size_t part)
{
    size_t v = 0;
    while (v < all && values[v] == values[v - v % part])
        v++;
    return v == all;
}

/* Inputs too; outputs that are none begin unwritten, and have no part in it. */
static bool has_even_inputs(const struct qp_problem *problem, size_t count)
{
    const struct qp_trial *trial = trial_of(problem);
    bool even = true;
    for (int i = 0; i < trial->inputs; i++) {
        const struct qp_trial_array *array = &trial->input[i];
        const struct qp_matrix *field = &problem->field[array->field];
        const size_t all = (size_t)field->width * (size_t)field->height;
        even &= array->state >= 0
                    ? is_even(field->doubles + (size_t)array->state * count, count, count)
                    : is_even(field->doubles, all, all);
    }
    return even;
}

/* Fills each output with its mean. A number that is the same in all cells and comes of inputs that
 * are not takes a kernel to find: then it is the other seed's mean, if there is one. */
static enum qp_status fill_means(const struct qp_problem *problem, size_t count, double *values,
                                 bool *there)
{
    const size_t all = qp_problem_answers(problem);
    const bool found = is_even(problem->reference, all, count) && !has_even_inputs(problem, count);
    double *other = NULL;
    const enum qp_status status = found ? find_other(problem, &other) : QP_OK;
    const double *from = found ? other : problem->reference;
    for (size_t first = 0; first < all && from != NULL; first += count) {
        double sum = 0.0;
        for (size_t v = first; v < first + count; v++)
            sum += from[v];
        for (size_t v = first; v < first + count; v++)
            values[v] = sum / (double)count;
    }
    *there = from != NULL;
    free(other);
    return status;
}

static enum qp_status find_means(const struct qp_problem *problem, size_t count, double **out)
{
    double *values = qp_alloc(qp_problem_answers(problem), sizeof *values, "means");
    bool there = false;
    const enum qp_status status =
        values != NULL ? fill_means(problem, count, values, &there) : QP_NO_MEMORY;
    if (!there)
        free(values);
    *out = there ? values : NULL;
    return status;
}

/* ---- All of them ---- */

/* Values of all outputs, or of each where there are as many; NULL: zeros, or not there. `made` are
 * those that were computed, or NULL. */
static const double *values_of(const struct qp_problem *problem, int which, size_t count,
                               const double *made)
{
    const struct qp_trial *trial = trial_of(problem);
    const struct qp_past_answer *before = qp_problem_before(problem, problem->reference_iterations);
    const double *start = problem->field[0].doubles;
    const int i = which - ONE_OUTPUT - trial->outputs;
    if (which == FEWER && before != NULL && before->iterations == problem->reference_iterations - 1)
        return before->answer;
    if (which == START || i < 0)
        return which == START ? start : made;
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
    static const char *const names[] = {"zeros", "the state before", "one step fewer", "the mean",
                                        "the answer of another seed"};
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
    const struct qp_trial *trial = trial_of(problem);
    const size_t count = qp_trial_values(trial, problem), all = count * (size_t)trial->outputs;
    const int output = which - ONE_OUTPUT, input = output - trial->outputs;
    if (input >= trial->inputs)
        return -1.0;
    double *made = NULL;
    const enum qp_status status = which == MEAN         ? find_means(problem, count, &made)
                                  : which == OTHER_SEED ? find_other(problem, &made)
                                                        : QP_OK;
    if (status != QP_OK)
        return NAN;
    const double *values = values_of(problem, which, count, made), *wanted = problem->reference;
    const bool one = output >= 0 && input < 0,
               none = (values == NULL && which != ZEROS && !one) ||
                      (which == OTHER_SEED && memcmp(values, wanted, all * sizeof *wanted) == 0);
    const size_t first = one ? (size_t)output * count : 0, end = one ? first + count : all;
    double most = none ? INFINITY : 0.0;
    for (size_t v = first; v < end && most < INFINITY; v++) {
        const double value = values != NULL ? values[input >= 0 ? v % count : v] : 0.0,
                     off = fabs(wanted[v] - value) / problem->reference_scale;
        most = isnan(off) ? INFINITY : fmax(most, off);
    }
    free(made);
    name_it(trial, which, name, size);
    return most;
}
