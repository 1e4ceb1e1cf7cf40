/* SPDX-License-Identifier: MIT */
/* The elimination by blocks in compute shaders: sizes around its blocks and in all forms of its
 * panels, the form of GPUs and that of software, its dispatches by formula, and what it cannot do
 * by name. */
#include "support/blocked_variants.h"

#include <string.h>

#include "toolkit/gl/context/context.h"

/* The variant itself; or one of low panels, so that small matrices come through all of the
 * forms. */
static const struct qp_blocked low = {
    .actions = &qp_blocked_dispatched,
    .form = {{32, 1, 32}, {64, 1, 32}, {64, 2, 16}, {64, 3, 8}, {64, 4, 4}, {64, 5, 4}}};
static struct blocked_variant variant = {.name = "gauss_jordan/blocked_compute", .own = &low};

/* Around blocks of 8, 16 and 32 columns, groups of 32 and 64 rows, and tiles of 64. Shaders are
 * compiled anew for each size: the low panels take a size for each of their forms, and one that
 * fills the last. */
CLEAN_TEST(awkward_sizes)
{
    static const int usual[] = {1, 9, 64, 193}, all[] = {1, 2, 7, 8, 9, 64, 193, 256},
                     low_panels[] = {9, 33, 65, 129, 193, 320};
    if (variant.changed)
        blocked_sizes_pass(state, &variant, low_panels, COUNT(low_panels));
    else if (support_takes_long())
        blocked_sizes_pass(state, &variant, all, COUNT(all));
    else
        blocked_sizes_pass(state, &variant, usual, COUNT(usual));
}

CLEAN_TEST(same_again)
{
    blocked_is_the_same_again(state, &variant, 70);
}

CLEAN_TEST(leaves_the_identity)
{
    blocked_leaves_the_identity(state, &variant, 67);
}

/* In the first block and after it, and the last. */
CLEAN_TEST(singular_columns_are_named)
{
    static const int singular[] = {3, 37, 69};
    blocked_names_columns(state, &variant, 70, singular, COUNT(singular));
}

/* Three dispatches a block forth, but for the last one no product, two a block back, but for the
 * first one no product; the start and the identity. */
CLEAN_TEST(dispatches_are_counted)
{
    static const int sizes[] = {1, 8, 9, 64};
    const int columns = support_need_context(state)->device.software ? 8 : 32;
    for (int i = 0; i < COUNT(sizes) && !variant.changed; i++) {
        const size_t blocks = (size_t)((sizes[i] + columns - 1) / columns);
        assert_int_equal(blocked_passes(state, &variant, sizes[i]), 5 * blocks - 2 + 2);
    }
}

/* Rows that no group has registers for. */
CLEAN_TEST(the_limit_is_named)
{
    struct blocked_variant lower = variant;
    struct qp_problem problem = blocked_problem("dominant", 321, 321);
    lower.changed = true;
    struct qp_result result =
        blocked_walk(state, &lower, &problem, (struct qp_walk_desc){.iterations = 1});
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "at most 320 rows"));
    assert_non_null(strstr(result.reason, "take gauss_jordan/blocked"));
    qp_problem_destroy(&problem);
}

static int with_low_panels(void **state)
{
    variant.changed = true;
    return support_open_context(state);
}

GROUP(support_open_context, support_close_context)
GROUP(with_low_panels, support_close_context)
