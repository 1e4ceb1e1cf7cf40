/* SPDX-License-Identifier: MIT */
#include "tools/tune/equal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/walk/samples.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

enum { MOST_RUNS = 100 };

static const double warm = 0.1;   /* seconds, as benchmarks have them */
static const double never = 1e18; /* launches */

/* ---- Distances ---- */

/* Largest magnitude and 2-norm of what is wanted. */
static void measure(const struct qp_problem *problem, const double *wanted,
                    double size[QP_EQUAL_NORMS])
{
    double largest = 0.0, squares = 0.0;
    for (size_t i = 0; i < qp_problem_answers(problem); i++) {
        largest = fmax(largest, fabs(wanted[i]));
        squares += wanted[i] * wanted[i];
    }
    size[QP_EQUAL_LARGEST] = largest > 0.0 ? largest : 1.0;
    size[QP_EQUAL_TWO] = largest > 0.0 ? sqrt(squares) : 1.0;
}

/* A run under way. */
struct course {
    const double *enough;
    double size[QP_EQUAL_NORMS], distance[QP_EQUAL_NORMS];

    /* The launch from which on it was near enough, up to now, 0 where it is not; and its
     * distances. */
    int first[QP_EQUAL_NORMS];
    double near[QP_EQUAL_NORMS];
};

static void note(struct course *c, double largest, double norm)
{
    c->distance[QP_EQUAL_LARGEST] = largest / c->size[QP_EQUAL_LARGEST];
    c->distance[QP_EQUAL_TWO] = norm / c->size[QP_EQUAL_TWO];
}

static bool keep_distance(void *user, int step, double largest, double norm)
{
    (void)step;
    note(user, largest, norm);
    return true;
}

/* Goes on until both have stayed near enough for as long as they must. */
static bool follow(void *user, int step, double largest, double norm)
{
    struct course *c = user;
    bool done = true;
    note(c, largest, norm);
    for (int k = 0; k < QP_EQUAL_NORMS; k++) {
        if (!(c->distance[k] <= c->enough[k]))
            c->first[k] = 0;
        else if (c->first[k] == 0) {
            c->first[k] = step;
            c->near[k] = c->distance[k];
        }
        done = done && c->first[k] > 0 && step >= QP_EQUAL_STAYS * c->first[k];
    }
    return !done;
}

/* ---- Walks ---- */

static struct qp_walk_desc walk_of(const struct qp_equal_desc *desc, int launches)
{
    return (struct qp_walk_desc){.iterations = launches,
                                 .block = desc->block,
                                 .unchecked = true,
                                 .interrupt = desc->interrupt,
                                 .parts = {.alpha = desc->alpha}};
}

/* An unchecked walk that was not cut short. */
static enum qp_status walk(struct qp_context *context, const struct qp_variant *variant,
                           struct qp_problem *problem, const struct qp_walk_desc *desc,
                           struct qp_result *result)
{
    const enum qp_status status = qp_walk(context, variant, problem, desc, result);
    if (status != QP_OK)
        return status;
    if (qp_is_interrupted(desc->interrupt))
        return qp_fail(QP_UNSUPPORTED, "%s was interrupted", variant->name);
    if (result->verdict == QP_SKIP)
        return qp_fail(QP_UNSUPPORTED, "%s: %s", variant->name, result->reason);
    return result->verdict == QP_PASS ? QP_OK
                                      : qp_fail(QP_DEVICE, "%s: %s", variant->name, result->reason);
}

/* ---- Times ---- */

static int runs_of(const struct qp_equal_desc *desc, int most)
{
    return qp_least(desc->runs > 0 ? desc->runs : QP_EQUAL_RUNS, most);
}

/* Seconds of `launches` launches, again and again. */
static enum qp_status time_launches(struct qp_context *context, struct qp_problem *problem,
                                    const struct qp_equal_desc *desc, int launches,
                                    struct qp_equal *out)
{
    struct qp_walk_desc timed = walk_of(desc, launches);
    struct qp_result result;
    enum qp_status status = QP_OK;
    timed.warm_seconds = warm;
    while (out->timed < runs_of(desc, QP_EQUAL_TIMED) && status == QP_OK) {
        status = walk(context, desc->variant, problem, &timed, &result);
        timed.warm_seconds = 0.0; /* each run follows the one before */
        out->samples[out->timed++] = result.run_seconds;
    }
    out->seconds = qp_quantile(out->samples, out->timed, 0.5);
    out->seconds_least = qp_quantile(out->samples, out->timed, 0.0);
    out->seconds_most = qp_quantile(out->samples, out->timed, 1.0);
    return status;
}

enum qp_status qp_equal_distance(struct qp_context *context, struct qp_problem *problem,
                                 const struct qp_equal_desc *desc, int launches,
                                 struct qp_equal *out)
{
    struct course course = {0};
    struct qp_result result;
    struct qp_walk_desc look = walk_of(desc, launches);
    measure(problem, desc->wanted, course.size);
    look.every = launches;
    look.on_distance = keep_distance;
    look.wanted = desc->wanted;
    look.user = &course;
    enum qp_status status = walk(context, desc->variant, problem, &look, &result);
    *out = (struct qp_equal){0};
    memcpy(out->distance, course.distance, sizeof course.distance);
    return status == QP_OK ? time_launches(context, problem, desc, launches, out) : status;
}

/* Launches within which a part of the runs came near enough; 0: never. */
static int quantile(const double *launches, int runs, double part)
{
    const double found = ceil(qp_quantile(launches, runs, part));
    return found < INT_MAX ? (int)found : 0;
}

/* Follows one run after the other, each looked at after every launch. */
static enum qp_status follow_runs(struct qp_context *context, struct qp_problem *problem,
                                  const struct qp_equal_desc *desc, int runs,
                                  double first[QP_EQUAL_NORMS][MOST_RUNS], struct qp_equal *out)
{
    enum qp_status status = QP_OK;
    struct qp_walk_desc look = walk_of(desc, desc->most);
    struct qp_result result;
    look.every = 1;
    look.on_distance = follow;
    look.wanted = desc->wanted;
    for (int k = 0; k < runs && status == QP_OK; k++) {
        struct course course = {.enough = desc->enough};
        measure(problem, desc->wanted, course.size);
        look.user = &course;
        status = walk(context, desc->variant, problem, &look, &result);
        for (int norm = 0; norm < QP_EQUAL_NORMS && status == QP_OK; norm++) {
            const int launch = course.first[norm];
            const bool stays = launch > 0 && result.iterations >= QP_EQUAL_STAYS * launch;
            first[norm][k] = stays ? launch : never;
            if (stays)
                out->distance[norm] = course.near[norm];
        }
        out->alpha = result.parts.alpha;
    }
    return status;
}

enum qp_status qp_equal_run(struct qp_context *context, struct qp_problem *problem,
                            const struct qp_equal_desc *desc, struct qp_equal *out)
{
    double first[QP_EQUAL_NORMS][MOST_RUNS];
    const int runs = runs_of(desc, MOST_RUNS);
    *out = (struct qp_equal){.seconds = NAN, .seconds_least = NAN, .seconds_most = NAN};
    const int looks = desc->same ? 1 : runs;
    enum qp_status status = follow_runs(context, problem, desc, looks, first, out);
    for (int norm = 0; norm < QP_EQUAL_NORMS && status == QP_OK; norm++) {
        out->least[norm] = quantile(first[norm], looks, 0.0);
        out->launches[norm] = quantile(first[norm], looks, 0.5);
        out->most[norm] = quantile(first[norm], looks, 1.0);
    }
    if (status == QP_OK && out->launches[QP_EQUAL_LARGEST] > 0)
        status = time_launches(context, problem, desc, out->launches[QP_EQUAL_LARGEST], out);
    return status;
}

/* ---- The wanted answer ---- */

static enum qp_status copy_out(struct qp_matrix *solution, double **wanted)
{
    const size_t count = (size_t)solution->width * (size_t)solution->height;
    *wanted = qp_alloc(count, sizeof **wanted, "the answer of many steps");
    for (size_t i = 0; i < count && *wanted != NULL; i++)
        (*wanted)[i] = qp_matrix_value(solution, i);
    return *wanted != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_equal_wanted(struct qp_context *context, struct qp_problem *problem,
                               const char *const rows[], int steps,
                               const volatile sig_atomic_t *interrupt, const char **name,
                               double **wanted)
{
    const struct qp_walk_desc desc = {
        .iterations = steps, .unchecked = true, .keep_solution = true, .interrupt = interrupt};
    struct qp_result result;
    enum qp_status status = qp_fail(QP_UNSUPPORTED, "there is no variant in double");
    *wanted = NULL;
    for (; *rows != NULL && status == QP_UNSUPPORTED; rows++) {
        const struct qp_variant *variant = qp_variant_find(*rows);
        if (variant == NULL || qp_is_interrupted(interrupt))
            continue;
        *name = *rows;
        status = walk(context, variant, problem, &desc, &result);
        if (status == QP_OK)
            status = copy_out(&result.solution, wanted);
        qp_matrix_destroy(&result.solution);
    }
    return status;
}
