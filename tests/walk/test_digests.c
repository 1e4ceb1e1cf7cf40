/* SPDX-License-Identifier: MIT */
/* Digests of answers: a variant that orders its work gives the same bits each time. With
 * DIGESTS=FILE all kinds of problems at several sizes go there, a line each, so that two builds can
 * be compared on one machine: variant, kind, size, steps and the digest of the answer's bytes.
 * Variants that race are left out. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"

/* FNV-1a of 64 bits. */
static uint64_t digest(const struct qp_matrix *answer)
{
    const bool doubles = answer->precision == QP_DOUBLES;
    const unsigned char *byte =
        doubles ? (const unsigned char *)answer->doubles : (const unsigned char *)answer->values;
    const size_t bytes =
        (size_t)answer->width * (size_t)answer->height * (doubles ? sizeof(double) : sizeof(float));
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ byte[i]) * 1099511628211u;
    return sum;
}

/* False where the variant is skipped here. */
static bool walk(struct qp_context *context, const struct qp_variant *variant,
                 struct qp_problem *problem, int steps, uint64_t *out)
{
    const struct qp_walk_desc desc = {
        .iterations = steps, .unchecked = true, .keep_solution = true};
    struct qp_result result;
    assert_ok(
        qp_walk(qp_variant_draws(variant) ? context : NULL, variant, problem, &desc, &result));
    if (result.verdict == QP_PASS || result.verdict == QP_BOUND)
        *out = digest(&result.solution);
    else if (result.verdict != QP_SKIP)
        fail_msg("%s: %s", variant->name, result.reason);
    qp_matrix_destroy(&result.solution);
    return result.verdict != QP_SKIP;
}

/* False for variants of no order, which cuSPARSE has too, and for those that cannot run here. */
static bool is_repeatable(struct qp_context *context, const struct qp_variant *variant,
                          const struct qp_problem *problem)
{
    return !qp_races(variant, problem) && strcmp(variant->name, "spmv/cuda_cusparse") != 0 &&
           support_is_built(variant) && support_can_share(context, variant) &&
           (context != NULL || !qp_variant_draws(variant));
}

static int compare(struct qp_context *context, const struct qp_variant *variant)
{
    struct qp_problem problem;
    uint64_t once, again;
    int ran = 0;
    if (!support_small_problem(variant, &problem))
        return 0;
    if (is_repeatable(context, variant, &problem) && walk(context, variant, &problem, 3, &once)) {
        ran = 1;
        if (!walk(context, variant, &problem, 3, &again) || once != again)
            fail_msg("%s: two runs differ", variant->name);
    }
    qp_problem_destroy(&problem);
    return ran;
}

TEST(answers_repeat)
{
    int ran = 0;
    for (size_t i = 0; i < qp_variant_count(); i++)
        ran += compare(*state, qp_variant_at(i));
    assert_true(ran > (*state != NULL ? 150 : 30));
}

static void write_problem(FILE *to, struct qp_context *context, const struct qp_variant *variant,
                          const struct qp_problem_desc *desc)
{
    struct qp_problem problem;
    uint64_t sum;
    if (qp_problem_create(desc, &problem) != QP_OK)
        return; /* a kind that has no such size */
    for (int steps = 1; steps <= 7; steps += 6) {
        if (qp_variant_takes(variant, &problem) == QP_OK &&
            is_repeatable(context, variant, &problem) &&
            walk(context, variant, &problem, steps, &sum))
            fprintf(to, "%s %s %dx%d %d %016llx\n", variant->name, desc->kind, desc->width,
                    desc->height, steps, (unsigned long long)sum);
    }
    qp_problem_destroy(&problem);
}

TEST(digests_are_written)
{
    static const int sizes[][2] = {{1, 1}, {12, 12}, {13, 7}, {30, 30}, {64, 48}};
    const char *path = getenv("DIGESTS");
    if (path == NULL)
        skip(); /* nobody asks for them */
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        for (const struct qp_kind *kind = qp_op_find(variant->op)->kinds; kind->name != NULL;
             kind++) {
            for (int k = 0; k < COUNT(sizes); k++)
                write_problem(to, *state, variant,
                              &(struct qp_problem_desc){.op = variant->op,
                                                        .kind = kind->name,
                                                        .width = sizes[k][0],
                                                        .height = sizes[k][1],
                                                        .seed = 3,
                                                        .systems = qp_variant_systems(variant)});
        }
    }
    assert_int_equal(fclose(to), 0);
}

GROUP(support_open_context, support_close_context)
