/* SPDX-License-Identifier: MIT */
/* The blocked elimination: sizes around its blocks, its passes by formula, two ways of searching,
 * and what it cannot do by name. */
#include "support/blocked_variants.h"

#include <math.h>
#include <string.h>

#include "lab/plan/plan.h"
#include "toolkit/gl/context/context.h"

/* The variant itself; or one that lists candidates, as GPUs do where rows are many, however few
 * they are. */
static const struct qp_blocked often = {
    .actions = &qp_blocked_drawn, .form = {{1, QP_ANY_ROWS, 56}}, .many = 1, .group = 8};
static struct blocked_variant variant = {.name = "gauss_jordan/blocked", .own = &often};

static int columns(void)
{
    const struct qp_blocked *sizes = qp_variant_find(variant.name)->recipe->own;
    return sizes->form[0].columns;
}

/* Sizes one less and one more than a block, and two blocks and a bit. */
CLEAN_TEST(awkward_sizes)
{
    const int b = columns(), sizes[] = {1, 2, 3, 4, 5, 13, b - 1, b, b + 1, 65, 2 * b + 3, 130};
    blocked_sizes_pass(state, &variant, sizes, COUNT(sizes));
}

CLEAN_TEST(same_again)
{
    blocked_is_the_same_again(state, &variant, columns() + 9);
}

CLEAN_TEST(leaves_the_identity)
{
    blocked_leaves_the_identity(state, &variant, columns() + 1);
}

/* Four columns a pass. Of each block: panel, exchange, factors, product, lower, upper and back, but
 * for the last one no product, and nothing above the first; the sides and the answer; and unknowns
 * that are no multiple of four are padded. With lists of candidates four passes make them before
 * every one that eliminates. */
static size_t passes_of(int n)
{
    const size_t fours = (size_t)(n + 3) / 4, blocks = (size_t)((n + columns() - 1) / columns());
    return fours * (variant.changed ? 5 : 1) + 7 * blocks - 2 + 2 + (n % 4 != 0);
}

CLEAN_TEST(passes_are_counted)
{
    const int b = columns(), sizes[] = {4, b, b + 1, 3 * b, 3 * b + 4};
    for (int i = 0; i < COUNT(sizes); i++)
        assert_int_equal(blocked_passes(state, &variant, sizes[i]), passes_of(sizes[i]));
}

/* Small whole numbers have many equals. Both ways of searching take the same pivots, of equal
 * elements the first, and so compute the same, but where a compiler may round products and sums at
 * once, and does so as it likes. */
CLEAN_TEST(both_searches_agree)
{
    static const char *const kinds[] = {"general", "permuted", "orthogonal"};
    const bool software = support_need_context(state)->device.software;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct qp_problem problem = blocked_problem(kinds[i], 2 * columns() + 3, 2 * columns() + 2);
        for (int k = 0; i == 0 && k < problem.width * problem.height; k++)
            problem.field[0].values[k] = roundf(problem.field[0].values[k]);
        struct qp_result result[2];
        struct blocked_variant either = variant;
        for (int form = 0; form < 2; form++) {
            either.changed = form == 1;
            result[form] =
                blocked_walk(state, &either, &problem, (struct qp_walk_desc){.iterations = 1});
        }
        const struct qp_matrix *x = &result[0].solution;
        assert_int_equal(result[0].verdict, QP_PASS);
        assert_int_equal(result[1].verdict, QP_PASS);
        if (software)
            assert_memory_equal(x->values, result[1].solution.values,
                                (size_t)x->width * (size_t)x->height * sizeof *x->values);
        for (int form = 0; form < 2; form++)
            qp_matrix_destroy(&result[form].solution);
        qp_problem_destroy(&problem);
    }
}

/* In the first block and after it, at their ends, and the last. */
CLEAN_TEST(singular_columns_are_named)
{
    const int b = columns(), singular[] = {3, 6, b - 1, b + 5, b + 9};
    blocked_names_columns(state, &variant, b + 10, singular, COUNT(singular));
}

/* The factors have a texel row for every unknown, where the matrix itself has one for eight. */
CLEAN_TEST(the_limit_is_named)
{
    enum { LIMIT = 64 };
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    struct qp_problem problem = blocked_problem("dominant", LIMIT + 1, LIMIT + 1);
    context->device.rectangle_limit = LIMIT;
    struct qp_result result =
        blocked_walk(state, &variant, &problem, (struct qp_walk_desc){.iterations = 1});
    context->device.rectangle_limit = limit;
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "is above this device's limit of 64"));
    qp_problem_destroy(&problem);
}

static int with_lists(void **state)
{
    variant.changed = true;
    return support_open_context(state);
}

GROUP(support_open_context, support_close_context)
GROUP(with_lists, support_close_context)
