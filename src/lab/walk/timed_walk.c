/* SPDX-License-Identifier: MIT */
#include "lab/walk/timed_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "lab/walk/patches.h"
#include "toolkit/base/compare.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

/* ---- A hash of an answer ---- */

/* Adds up hashes of rows, each of which depends on its row's number. */
static void hash_answer(const struct qp_matrix *x, uint64_t out[2])
{
    const size_t row = (size_t)x->width * qp_value_bytes(x->precision);
    const char *values = qp_matrix_values(x);
    uint64_t one = 0, other = 0;
#pragma omp parallel for reduction(+ : one, other)
    for (int y = 0; y < x->height; y++) {
        uint64_t state[2] = {(uint64_t)y, ~(uint64_t)y};
        for (size_t at = (size_t)y * row; at < ((size_t)y + 1) * row; at += sizeof(float)) {
            uint32_t word;
            memcpy(&word, values + at, sizeof word);
            state[0] = (state[0] ^ word) * 0x9e3779b97f4a7c15u;
            state[1] = (state[1] + word) * 0xd1342543de82ef95u + (state[1] >> 32);
        }
        one += qp_random_bits(&state[0]);
        other += qp_random_bits(&state[1]);
    }
    out[0] = one;
    out[1] = other;
}

/* ---- Runs ---- */

/* A variant's runs at work. */
struct runs {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
    const struct qp_walk_desc *walk;
    struct qp_earlier_runs *timed;
};

/* A run of fewer steps, without a clock; unchecked ones keep their answer. */
static enum qp_status walk_some(const struct runs *runs, int steps, bool unchecked,
                                struct qp_result *result)
{
    struct qp_walk_desc desc = *runs->walk;
    desc.iterations = steps;
    desc.warm_seconds = 0.0;
    desc.on_end = NULL;
    desc.timed = false;
    desc.unchecked = desc.keep_solution = unchecked;
    return qp_walk(runs->context, runs->variant, runs->problem, &desc, result);
}

/* Checks the first steps; `where` says on which grid, if it is not the timed one. */
static enum qp_status check_first(const struct runs *runs, int steps, const char *where)
{
    struct qp_result *result = &runs->timed->checked;
    const enum qp_status status = walk_some(runs, steps, false, result);
    char reason[sizeof result->reason];
    memcpy(reason, result->reason, sizeof reason);
    if (result->verdict == QP_FAIL)
        snprintf(result->reason, sizeof reason, "%safter %d steps: %.440s", where, steps, reason);
    return status;
}

/* Checks the first steps and all on a small grid of odd sides, all its cells. A variant or a kind
 * of problem that does not take it is judged otherwise: no verdict then. */
static enum qp_status check_small(const struct runs *runs, int steps)
{
    const struct qp_problem *large = runs->problem;
    const double side =
        sqrt(0x1p25 / runs->walk->iterations); /* an eighth of what is judged whole */
    const struct qp_problem_desc desc = {
        .kind = large->kind,
        .width = qp_least(qp_clamp(1.2 * side, 2, 4000) | 1, large->width),
        .height = qp_least(qp_clamp(side / 1.2, 2, 4000) | 1, large->height),
        .weight = large->weight,
        .parameter = large->parameter,
        .seed = 1};
    struct qp_problem small;
    struct runs one = *runs;
    char where[64];
    one.problem = &small;
    if (qp_problem_make(large->op, &desc, &small) != QP_OK)
        return QP_OK;
    qp_problem_start_at_random(&small, large->random_start);
    snprintf(where, sizeof where, "on %d x %d cells, ", small.width, small.height);
    enum qp_status status = check_first(&one, steps, where);
    if (status == QP_OK && runs->timed->checked.verdict == QP_PASS)
        status = check_first(&one, runs->walk->iterations, where);
    if (runs->timed->checked.verdict == QP_SKIP && !qp_is_interrupted(runs->walk->interrupt))
        runs->timed->checked.verdict = QP_NO_VERDICT;
    qp_problem_destroy(&small);
    return status;
}

/* Compares an answer with the reference's steps from an iterate of the variant's own. */
static enum qp_status compare_from(const struct runs *runs, const struct qp_matrix *iterate,
                                   int steps, struct qp_result *result)
{
    const double tolerance = runs->timed->checked.tolerance;
    double *wanted, scale;
    char place[96];
    const enum qp_status status =
        qp_problem_go_on(runs->problem, iterate, steps, runs->walk->interrupt, &wanted, &scale);
    if (status != QP_OK)
        return status;
    struct qp_comparison worst = qp_compare(&result->solution, wanted, scale > 0.0 ? scale : 1.0);
    free(wanted);
    if (worst.error <= tolerance)
        return QP_OK;
    const int used = snprintf(result->reason, sizeof result->reason,
                              "the last %d of %d steps: ", steps, result->iterations);
    qp_problem_name(runs->problem, &worst.x, &worst.y, place, sizeof place);
    qp_comparison_tell(&worst, NULL, place, tolerance, result->reason + used,
                       sizeof result->reason - (size_t)used);
    result->verdict = QP_FAIL;
    return QP_OK;
}

/* Checks the last launch of the first timed run, from the iterate before it: a variant may go wrong
 * late. */
static enum qp_status check_last(const struct runs *runs, int steps, struct qp_result *result)
{
    struct qp_result before;
    enum qp_status status = walk_some(runs, result->iterations - steps, true, &before);
    if (status == QP_OK && before.verdict != QP_PASS) {
        result->verdict = before.verdict;
        memcpy(result->reason, before.reason, sizeof before.reason);
    } else if (status == QP_OK) {
        status = compare_from(runs, &before.solution, steps, result);
    }
    qp_matrix_destroy(&before.solution);
    runs->timed->judged_steps = runs->timed->checked.iterations + steps;
    runs->timed->judged_cells = (double)qp_problem_answers(runs->problem);
    return status;
}

/* ---- On patches ---- */

/* Up to as many updates as the last launch has, which each variant would be checked by otherwise:
 * the first steps are those of all variants. */
static int choose_patches(const struct runs *runs, int steps, const struct qp_parts_desc *parts,
                          struct qp_patch patch[QP_PATCHES])
{
    const double most = 0.5 * steps * (double)qp_problem_answers(runs->problem);
    return qp_patches_choose(runs->variant, runs->problem, runs->walk->iterations, parts, most,
                             patch);
}

/* Checks patches of the first timed run's answer. */
static enum qp_status check_patches(const struct runs *runs, int steps, struct qp_result *result)
{
    struct qp_earlier_runs *timed = runs->timed;
    struct qp_patch patch[QP_PATCHES];
    const int count = choose_patches(runs, steps, &result->parts, patch);
    const enum qp_status status =
        qp_patches_judge(runs->variant, runs->problem, patch, count, runs->walk->interrupt, result);
    timed->judged_steps = result->iterations;
    for (int i = 0; i < count; i++)
        timed->judged_cells += (double)patch[i].width * patch[i].height;
    timed->checked.error = fmax(timed->checked.error, result->error);
    timed->checked.error_rms = fmax(timed->checked.error_rms, result->error_rms);
    return status;
}

/* ---- All runs ---- */

/* Checks the first timed run's answer. */
static enum qp_status check_answer(const struct runs *runs, int steps, struct qp_result *result)
{
    const enum qp_status status = runs->timed->on_patches ? check_patches(runs, steps, result)
                                                          : check_last(runs, steps / 2, result);
    if (!qp_is_interrupted(runs->walk->interrupt))
        return status;
    result->verdict = QP_SKIP; /* neither right nor wrong */
    return QP_OK;
}

/* Fails a run whose answer is another than the first one's, which is checked. */
static enum qp_status judge(const struct runs *runs, int steps, struct qp_result *result)
{
    struct qp_earlier_runs *timed = runs->timed;
    uint64_t answer[2];
    hash_answer(&result->solution, answer);
    if (timed->runs++ == 0) {
        memcpy(timed->answer, answer, sizeof answer);
        return check_answer(runs, steps, result);
    }
    if (memcmp(timed->answer, answer, sizeof answer) == 0)
        return QP_OK;
    result->verdict = QP_FAIL;
    snprintf(result->reason, sizeof result->reason,
             "run %d has another answer after %d steps than run 1: they must agree bit for bit",
             timed->runs, result->iterations);
    return QP_OK;
}

/* Checks that come before the first timed run. */
static enum qp_status prepare(const struct runs *runs, int steps)
{
    static const struct qp_parts_desc whole;
    struct qp_patch patch[QP_PATCHES];
    struct qp_earlier_runs *timed = runs->timed;
    enum qp_status status = QP_OK;
    if (choose_patches(runs, steps, &whole, patch) > 0)
        status = check_small(runs, steps);
    timed->on_patches = timed->checked.verdict != QP_NO_VERDICT;
    return timed->on_patches || status != QP_OK ? status : check_first(runs, steps, "");
}

enum qp_status qp_timed_walk(struct qp_context *context, const struct qp_variant *variant,
                             struct qp_problem *problem, const struct qp_walk_desc *walk,
                             struct qp_earlier_runs *timed, struct qp_result *result)
{
    const struct runs runs = {context, variant, problem, walk, timed};
    const int steps = qp_checked_steps(variant, problem, walk->iterations, walk->parts.depth);
    struct qp_result *checked = &timed->checked;
    enum qp_status status = QP_OK;
    if (steps == walk->iterations || walk->unchecked || variant->backend == QP_MPI ||
        qp_variant_is_bound(variant))
        return qp_walk(context, variant, problem, walk, result);
    if (checked->verdict == QP_NO_VERDICT)
        status = prepare(&runs, steps);
    if (status != QP_OK || checked->verdict != QP_PASS) {
        *result = *checked;
        return status;
    }
    if (qp_races(variant, problem))
        return qp_walk(context, variant, problem, walk, result);
    struct qp_walk_desc desc = *walk;
    desc.unchecked = desc.keep_solution = true;
    status = qp_walk(context, variant, problem, &desc, result);
    if (status == QP_OK && result->verdict == QP_PASS && !qp_is_interrupted(walk->interrupt))
        status = judge(&runs, steps, result);
    qp_matrix_destroy(&result->solution);
    result->error = checked->error;
    result->error_rms = checked->error_rms;
    result->tolerance = checked->tolerance;
    return status;
}
