/* SPDX-License-Identifier: MIT */
#include "support/reduce_rows.h"

#include <string.h>

/* How many variants gave an answer, and the last one that did. */
static const struct qp_variant *walked;
static int walks;

static bool takes(const struct row *row)
{
    return (row->variant->recipe->not_kinds >> qp_reduce_kind(row->problem) & 1) == 0;
}

static bool can(const struct row *row)
{
    if (row->variant->backend != QP_GL)
        return support_is_built(row->variant);
    return row->context != NULL &&
           (row->variant->needs & ~qp_context_device(row->context)->abilities) == 0;
}

struct qp_problem reduce_problem(const char *kind, int width, int height)
{
    struct qp_problem_desc desc = {
        .op = "reduce", .kind = kind, .width = width, .height = height, .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

bool reduce_walk(const struct row *row, const struct qp_walk_desc *desc, struct qp_result *result)
{
    struct qp_walk_desc keep = *desc;
    keep.keep_solution = true;
    if (!can(row))
        return false;
    assert_ok(qp_walk(row->variant->backend == QP_GL ? row->context : NULL, row->variant,
                      row->problem, &keep, result));
    if (!takes(row)) {
        assert_int_equal(result->verdict, QP_SKIP);
        assert_non_null(strstr(result->reason, "is not for the problem"));
        return false;
    }
    if (result->verdict != QP_PASS)
        fail_msg("%s, %s, %d x %d: %s", row->variant->name, row->problem->kind, row->problem->width,
                 row->problem->height, result->reason);
    assert_int_equal(result->solution.width, row->problem->answer_width);
    assert_int_equal(result->solution.height, 1);
    walks += walked != row->variant;
    walked = row->variant;
    return true;
}

void reduce_each_row(void **state, struct qp_problem *problem, void (*test)(const struct row *row))
{
    int able = 0;
    walked = NULL;
    walks = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        struct row row = {*state, qp_variant_at(i), problem};
        if (strcmp(row.variant->op, "reduce") != 0)
            continue;
        able += can(&row) && takes(&row);
        test(&row);
    }
    assert_true(able >= (*state != NULL ? 5 : 1));
    assert_int_equal(walks, able);
}
