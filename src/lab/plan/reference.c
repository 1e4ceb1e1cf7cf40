/* SPDX-License-Identifier: MIT */
/* Stage 9: the reference's steps, and the witness's that judge it. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "toolkit/base/bands.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"

/* ---- Answers that a problem keeps: of several orders of updates, and numbers of steps ---- */

static bool is_alike(const struct qp_past_answer *kept, const struct qp_problem *problem)
{
    return kept->order == problem->order && kept->alpha == problem->alpha &&
           kept->block == problem->block && kept->parameter == problem->parameter &&
           kept->weight == problem->weight && kept->random_start == problem->random_start;
}

/* Frees the oldest beyond a limit: small ones all stay, large ones take an eighth of the memory. */
static void limit(struct qp_past_answer *first, double bytes)
{
    double all = bytes;
    while (first->next != NULL && ((all += bytes) <= 0x1p28 || all <= 0.125 * qp_memory_there()))
        first = first->next;
    qp_past_answers_free(first->next);
    first->next = NULL;
}

/* Makes it the problem's reference, before its others; the oldest go if all take too much
 * memory. */
static void put(struct qp_problem *problem, struct qp_past_answer *kept)
{
    kept->next = qp_problem_newest(problem);
    problem->reference = kept->answer;
    problem->reference_scale = kept->scale > 0.0 ? kept->scale : 1.0;
    problem->reference_iterations = kept->iterations;
    limit(kept, (double)qp_problem_answers(problem) * sizeof(double));
}

/* Makes the answer after `iterations` steps of this order the reference; false if there is none. */
static bool find(struct qp_problem *problem, int iterations)
{
    struct qp_past_answer *first = qp_problem_newest(problem), *found = first, *before = NULL;
    while (found != NULL && !(is_alike(found, problem) && found->iterations == iterations)) {
        before = found;
        found = found->next;
    }
    if (found == NULL || before == NULL)
        return found != NULL;
    before->next = found->next;
    put(problem, found);
    return true;
}

const struct qp_past_answer *qp_problem_before(const struct qp_problem *problem, int iterations)
{
    const struct qp_past_answer *best = NULL;
    for (const struct qp_past_answer *at = qp_problem_newest(problem); at != NULL; at = at->next) {
        if (is_alike(at, problem) && at->iterations < iterations &&
            (best == NULL || at->iterations > best->iterations))
            best = at;
    }
    return best;
}

/* ---- Steps ---- */

struct by_rows {
    const struct qp_problem *problem;
    qp_step_rows *rows;
    const double *old;
    double *new;
};

static double step_band(void *user, size_t first, size_t end)
{
    const struct by_rows *step = user;
    return step->rows(step->problem, step->old, step->new, first, end);
}

void qp_step_by_rows(const struct qp_problem *problem, qp_step_rows *rows, const double *old,
                     double *new, double *scale)
{
    struct by_rows step = {problem, rows, old, new};
    *scale = fmax(*scale, qp_bands((size_t)problem->answer_height, (size_t)problem->answer_width,
                                   step_band, &step));
}

enum { LARGE = 1 << 20 /* cells of a grid of which a step takes milliseconds */ };

/* Steps of the reference or its witness, and their number; the first may have been taken before. */
struct course {
    qp_step *step;
    int iterations;
    const volatile sig_atomic_t *interrupt;
    const struct qp_past_answer *before; /* NULL: none were */
    const struct qp_matrix *from;        /* in place of the problem's start; NULL: that */
};

/* True if the course is to end before its next step. Steps of small grids report no progress. */
static bool is_left(const struct course *course, size_t cells, double part)
{
    return qp_is_interrupted(course->interrupt) || (cells > LARGE && qp_watch_leaves(part));
}

/* Steps of system number s into `answer`, unless they are interrupted; `other` is as large. */
static void iterate_system(const struct qp_problem *problem, const struct course *course, int s,
                           double *answer, double *other, double *scale)
{
    const struct qp_past_answer *before = course->before;
    const size_t cells = qp_problem_answers(problem);
    bool settled = qp_problem_kind_row(problem)->settles;
    int steps = settled && course->iterations > 1 ? 1 : course->iterations;
    const struct qp_matrix *start =
        course->from != NULL ? course->from : &problem->field[problem->op->state];
    const size_t first = course->from != NULL ? (size_t)s * cells : 0; /* 0: a view's own field */
    double *old = answer, *new = other;
    for (size_t i = 0; i < cells; i++)
        old[i] = before != NULL ? before->answer[(size_t)s * cells + i]
                                : qp_matrix_value(start, first + i);
    struct qp_problem now = *problem;
    now.reference_iterations = problem->first + steps;
    for (int k = before != NULL ? before->iterations : 0;
         k < steps && *scale >= 0.0 && !is_left(course, cells, (double)k / steps); k++) {
        now.weight = qp_problem_step_weight(problem, k);
        now.first = problem->first + k;
        course->step(&now, old, new, scale);
        double *newest = new;
        new = old;
        old = newest;
    }
    if (old != answer)
        memcpy(answer, old, cells * sizeof *old);
}

/* All systems' steps; the caller frees *answer. */
static enum qp_status iterate(const struct qp_problem *problem, const struct course *course,
                              struct qp_past_answer **answer)
{
    const size_t all = qp_problem_answers(problem), cells = all / (size_t)problem->systems;
    struct qp_past_answer *kept = *answer =
        qp_alloc(all + offsetof(struct qp_past_answer, answer) / sizeof(double), sizeof(double),
                 "the reference");
    double *other = qp_alloc(cells, sizeof *other, "the reference");
    double scale = course->before != NULL ? course->before->scale : 0.0;
    enum qp_status status = kept != NULL && other != NULL ? QP_OK : QP_NO_MEMORY;
    for (int s = 0; s < problem->systems && status == QP_OK; s++) {
        const struct qp_problem view = qp_problem_system(problem, s);
        iterate_system(&view, course, s, kept->answer + (size_t)s * cells, other, &scale);
    }
    free(other);
    if (status == QP_OK && scale < 0.0)
        status = QP_NO_MEMORY;
    if (status == QP_OK && (qp_watch_left() || qp_is_interrupted(course->interrupt)))
        status = qp_watch_fail();
    if (status == QP_OK) {
        *kept = (struct qp_past_answer){.order = problem->order,
                                        .alpha = problem->alpha,
                                        .block = problem->block,
                                        .parameter = problem->parameter,
                                        .weight = problem->weight,
                                        .iterations = course->iterations,
                                        .random_start = problem->random_start,
                                        .scale = scale};
        return QP_OK;
    }
    free(kept);
    *answer = NULL;
    return status;
}

/* Refuses a reference with a cell that is not finite, which could judge nothing. */
static enum qp_status check_finite(const struct qp_problem *problem, const double *answer,
                                   int iterations)
{
    size_t width = (size_t)problem->answer_width, cells = qp_problem_answers(problem), i = 0;
    char place[96];
    while (i < cells && isfinite(answer[i]))
        i++;
    if (i == cells)
        return QP_OK;
    int x = (int)(i % width), y = (int)(i / width);
    qp_problem_name(problem, &x, &y, place, sizeof place);
    return qp_fail(QP_BAD_INPUT,
                   "stage 9, reference: %s of %s is %g after %d steps, which can judge nothing",
                   place, problem->op->name, isnan(answer[i]) ? NAN : answer[i], iterations);
}

enum qp_status qp_problem_reference(struct qp_problem *problem, int iterations,
                                    const volatile sig_atomic_t *interrupt)
{
    if (problem->reference_iterations < 0 || problem->weights != NULL)
        qp_problem_forget(problem);
    if (find(problem, iterations))
        return QP_OK;
    const struct qp_judge *judge = problem->op->judge;
    const struct course course = {
        problem->op->step, iterations, interrupt,
        judge != NULL && judge->counts ? NULL : qp_problem_before(problem, iterations), NULL};
    struct qp_past_answer *kept;
    enum qp_status status = iterate(problem, &course, &kept);
    if (status != QP_OK)
        return status;
    status = check_finite(problem, kept->answer, iterations);
    if (status == QP_OK)
        put(problem, kept);
    else
        free(kept);
    return status;
}

/* An answer that nobody keeps, in an array of its own. */
static enum qp_status iterate_once(const struct qp_problem *problem, const struct course *course,
                                   double **answer, double *scale)
{
    struct qp_past_answer *kept;
    const enum qp_status status = iterate(problem, course, &kept);
    *answer = NULL;
    if (status != QP_OK)
        return status;
    *scale = kept->scale;
    *answer = memmove(kept, kept->answer, qp_problem_answers(problem) * sizeof(double));
    return QP_OK;
}

enum qp_status qp_problem_go_on(const struct qp_problem *problem, const struct qp_matrix *from,
                                int steps, const volatile sig_atomic_t *interrupt, double **answer,
                                double *scale)
{
    const struct course course = {problem->op->step, steps, interrupt, NULL, from};
    return iterate_once(problem, &course, answer, scale);
}

enum qp_status qp_problem_witness(const struct qp_problem *problem, int iterations,
                                  const volatile sig_atomic_t *interrupt, double **answer)
{
    const struct course course = {problem->op->witness, iterations, interrupt, NULL, NULL};
    double scale;
    return iterate_once(problem, &course, answer, &scale);
}
