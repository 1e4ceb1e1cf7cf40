/* SPDX-License-Identifier: MIT */
/* Room 9: the reference's steps, and the witness's that judge it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/watch.h"
#include "plan/op.h"
#include "plan/problem.h"

/* Steps of the reference or its witness, and how many. */
struct course {
    qp_step *step;
    int iterations;
    const volatile sig_atomic_t *interrupt;
};

/* One system's steps, unless they are interrupted; the answer is in *old. */
static void iterate_system(const struct qp_problem *problem, const struct course *course,
                           double **old, double **new, double *scale)
{
    size_t cells = qp_problem_answers(problem);
    bool settled = qp_problem_kind_row(problem)->settles;
    int steps = settled && course->iterations > 1 ? 1 : course->iterations;
    for (size_t i = 0; i < cells; i++)
        (*old)[i] = problem->field[problem->op->state].values[i];
    struct qp_problem now = *problem;
    for (int k = 0; k < steps && !qp_is_interrupted(course->interrupt); k++) {
        now.weight = qp_problem_step_weight(problem, k);
        course->step(&now, *old, *new, scale);
        double *newest = *new;
        *new = *old;
        *old = newest;
    }
}

/* All systems' steps from the start; the caller frees *answer, which is the last step's own array where
 * there is one system. */
static enum qp_status iterate(const struct qp_problem *problem, const struct course *course,
                              double **answer, double *scale)
{
    size_t all = qp_problem_answers(problem), cells = all / (size_t)problem->systems;
    bool alone = problem->systems == 1;
    double *old = qp_alloc(cells, sizeof *old, "the reference");
    double *new = qp_alloc(cells, sizeof *new, "the reference");
    double *whole = alone ? NULL : qp_alloc(all, sizeof *whole, "the reference");
    bool good = (alone || whole != NULL) && old != NULL && new != NULL;
    for (int s = 0; s < problem->systems && good; s++) {
        struct qp_problem view = qp_problem_system(problem, s);
        iterate_system(&view, course, &old, &new, scale);
        if (!alone)
            memcpy(whole + (size_t)s * cells, old, cells * sizeof *old);
    }
    const bool left = qp_watch_left(),
               whole_way = good && !left && !qp_is_interrupted(course->interrupt);
    *answer = whole_way ? alone ? old : whole : NULL;
    if (*answer != old)
        free(old);
    if (*answer != whole)
        free(whole);
    free(new);
    if (good && !whole_way)
        return qp_watch_fail();
    return good ? QP_OK : QP_NO_MEMORY;
}

/* Refuses a reference with a cell that is not finite, which could judge nothing. */
static enum qp_status check_finite(const struct qp_problem *problem, const double *answer,
                                   int iterations)
{
    size_t width = (size_t)problem->answer_width, cells = qp_problem_answers(problem);
    for (size_t i = 0; i < cells; i++) {
        if (!isfinite(answer[i]))
            return qp_fail(QP_BAD_INPUT,
                           "room 9, reference: cell (%zu, %zu) of %s is %g after %d steps, which "
                           "can judge nothing",
                           i % width, i / width, problem->op->name,
                           isnan(answer[i]) ? NAN : answer[i], iterations);
    }
    return QP_OK;
}

enum qp_status qp_problem_reference(struct qp_problem *problem, int iterations,
                                    const volatile sig_atomic_t *interrupt)
{
    const struct course course = {problem->op->step, iterations, interrupt};
    if (problem->reference != NULL && problem->reference_iterations == iterations &&
        problem->weights == NULL)
        return QP_OK;
    double *answer, scale = 0.0;
    enum qp_status status = iterate(problem, &course, &answer, &scale);
    if (status != QP_OK)
        return status;
    status = check_finite(problem, answer, iterations);
    if (status != QP_OK) {
        free(answer);
        return status;
    }
    free(problem->reference);
    problem->reference = answer;
    problem->reference_iterations = iterations;
    problem->reference_scale = scale > 0.0 ? scale : 1.0;
    return QP_OK;
}

enum qp_status qp_problem_witness(const struct qp_problem *problem, int iterations,
                                  const volatile sig_atomic_t *interrupt, double **answer)
{
    const struct course course = {problem->op->witness, iterations, interrupt};
    double scale = 0.0;
    return iterate(problem, &course, answer, &scale);
}
