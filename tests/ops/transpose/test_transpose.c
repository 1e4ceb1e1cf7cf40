/* SPDX-License-Identifier: MIT */
/* Transposition: every variant moves every bit to its place, at awkward sizes and in all styles, or
 * is caught when it does not. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/transpose/transpose.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/gl/context/context.h"

/* No multiple of any tile, one above, one row, one column, one value. */
static const struct qp_size sizes[] = {{1, 1},  {7, 1},  {1, 7},   {3, 2},    {4, 4},   {13, 11},
                                       {5, 64}, {65, 9}, {48, 49}, {130, 63}, {64, 64}, {33, 300}};

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    struct qp_problem_desc desc = {
        .op = "transpose", .kind = kind, .width = width, .height = height, .seed = 3};
    assert_ok(qp_problem_create(&desc, problem));
}

static bool copies(const struct qp_variant *variant)
{
    return (variant->recipe->not_kinds & QP_TRANSPOSE_ONLY_COPIES) != 0;
}

static bool turns(const struct qp_variant *variant)
{
    return (variant->recipe->not_kinds & QP_TRANSPOSE_ONLY_TURNS) == QP_TRANSPOSE_ONLY_TURNS;
}

/* Walks and compares bit by bit with what a loop of its own says; false for a skip, which is for
 * variants that this OpenGL cannot draw. */
static bool walk(void **state, const struct qp_variant *variant, struct qp_problem *problem,
                 struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(*state, variant, problem, &desc, &result));
    if (result.verdict == QP_SKIP && variant->backend == QP_GL)
        return false;
    if (result.verdict != QP_PASS || result.error != 0.0 || result.tolerance != 0.0)
        fail_msg("%s, %d x %d: %s", variant->name, problem->width, problem->height, result.reason);
    const float *x = problem->field[QP_TRANSPOSE_X].values;
    const bool copied = strcmp(problem->kind, "copy") == 0;
    for (int j = 0; j < problem->height; j++) {
        for (int i = 0; i < problem->width; i++) {
            int to = copied ? j * problem->width + i : i * problem->height + j;
            assert_memory_equal(&result.solution.values[to], &x[j * problem->width + i], 4);
        }
    }
    qp_matrix_destroy(&result.solution);
    return true;
}

/* All variants of the kind of this problem; returns how many ran. */
static int walk_rows(void **state, struct qp_problem *problem, struct qp_walk_desc desc)
{
    int rows = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "transpose") != 0 || (variant->backend == QP_GL && *state == NULL))
            continue;
        if (variant->recipe->not_kinds >> qp_problem_kind(problem) & 1 ||
            !support_is_built(variant))
            continue;
        const struct qp_block_rule *rule = variant->recipe->blocks;
        const int *block = rule != NULL ? rule->listed : NULL;
        do {
            desc.block = block != NULL ? *block : 0;
            rows += walk(state, variant, problem, desc);
        } while (block != NULL && *++block > 0);
    }
    return rows;
}

CLEAN_TEST(awkward_sizes)
{
    for (int k = 0; k < 2 * COUNT(sizes); k++) {
        struct qp_problem problem;
        open_problem(k % 2 ? "copy" : NULL, sizes[k / 2].width, sizes[k / 2].height, &problem);
        for (int steps = 1; steps <= 2; steps++) {
            int rows = walk_rows(state, &problem, (struct qp_walk_desc){.iterations = steps});
            assert_true(rows >= (*state == NULL ? 1 : k % 2 ? 3 : 9));
        }
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}

/* More blocks of two rows of threads than a grid takes above each other, in variants without
 * OpenGL, whose textures are never as high. */
CLEAN_TEST(higher_than_a_grid)
{
    enum { LONG = 2 * 65535 + 30 };
    void *no_context = NULL;
    for (int k = 0; k < 4; k++) {
        struct qp_problem problem;
        open_problem(k % 2 ? "copy" : NULL, k / 2 ? LONG : 1, k / 2 ? 1 : LONG, &problem);
        assert_true(walk_rows(&no_context, &problem, (struct qp_walk_desc){.iterations = 1}) >=
                    (k % 2 ? 1 : 3));
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(styles_and_targets)
{
    struct qp_problem problem;
    support_need_context(state);
    open_problem(NULL, 29, 18, &problem);
    for (int k = 0; k < 2 * QP_PINGPONG_STYLES; k++)
        assert_true(walk_rows(state, &problem,
                              (struct qp_walk_desc){.iterations = 3,
                                                    .pingpong = (enum qp_pingpong_style)(k / 2),
                                                    .target = k % 2 ? QP_2D : QP_RECTANGLE}) >= 9);
    qp_problem_destroy(&problem);
}

/* All that a normal float can be: nothing may be rounded, scaled or clamped on the way. */
CLEAN_TEST(every_magnitude)
{
    struct qp_problem problem;
    uint64_t seed = 5;
    for (int copied = 0; copied < 2; copied++) {
        open_problem(copied ? "copy" : NULL, 37, 22, &problem);
        float *x = problem.field[QP_TRANSPOSE_X].values;
        for (int i = 0; i < 37 * 22; i++)
            x[i] = (float)ldexp(qp_random(&seed, 1.0, 2.0) * (i % 2 ? -1.0 : 1.0), i % 254 - 126);
        x[40] = FLT_MAX;
        x[41] = -FLT_MAX;
        x[42] = FLT_MIN;
        assert_true(walk_rows(state, &problem, (struct qp_walk_desc){.iterations = 1}) >=
                    (*state == NULL ? 1
                     : copied       ? 3
                                    : 9));
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}

/* A 3 x 2 matrix worked out with a pencil, by the reference and its witness too. */
CLEAN_TEST(by_hand)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    static const double turned[] = {1, 4, 2, 5, 3, 6};
    for (int copied = 0; copied < 2; copied++) {
        struct qp_problem problem;
        double *witness;
        open_problem(copied ? "copy" : "transpose", 3, 2, &problem);
        assert_int_equal(problem.answer_width, copied ? 3 : 2);
        assert_int_equal(problem.answer_height, copied ? 2 : 3);
        memcpy(problem.field[QP_TRANSPOSE_X].values, x, sizeof x);
        assert_ok(qp_problem_reference(&problem, 1, NULL));
        assert_ok(qp_problem_witness(&problem, 2, NULL, &witness));
        for (int i = 0; i < 6; i++) {
            assert_true(problem.reference[i] == (copied ? x[i] : turned[i]));
            assert_true(witness[i] == problem.reference[i]);
        }
        assert_true(problem.reference_scale == 6.0);
        free(witness);
        qp_problem_destroy(&problem);
    }
}

/* Variants copy or turn, as their names say; the reference does both. */
CLEAN_TEST(kinds)
{
    int both = 0, copying = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "transpose") != 0)
            continue;
        assert_true(qp_variant_cost(variant).bytes == 8.0 && qp_variant_cost(variant).flops == 0.0);
        assert_int_equal(copies(variant), strstr(variant->name, "copy") != NULL);
        both += !copies(variant) && !turns(variant);
        copying += copies(variant);
    }
    assert_int_equal(both, 1);
    assert_int_equal(copying, 7);
    struct qp_problem_desc desc = {.op = "transpose", .kind = "invert", .width = 2, .height = 2};
    struct qp_problem problem;
    assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
    support_assert_sentence("transpose has no problem 'invert'; it has transpose, copy");
}

CLEAN_TEST(other_kinds_are_skipped_by_name)
{
    struct qp_problem problem;
    struct qp_result result;
    const struct qp_walk_desc desc = {.iterations = 1};
    open_problem("copy", 4, 3, &problem);
    assert_ok(qp_walk(NULL, qp_variant_find("transpose/loop"), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_string_equal(result.reason, "is not for the problem 'copy'");
    qp_problem_destroy(&problem);
    support_need_context(state);
    open_problem("transpose", 4, 3, &problem);
    assert_ok(qp_walk(*state, qp_variant_find("transpose/copy_rgba"), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_string_equal(result.reason, "is not for the problem 'transpose'");
    qp_problem_destroy(&problem);
}

/* A block's rows divide its tile, or else cells would be left out. */
CLEAN_TEST(block_rows)
{
    static const struct {
        const char *name;
        int tile;
    } tiles[] = {{"transpose/cuda_tiled_16", 16},
                 {"transpose/cuda_tiled_32", 32},
                 {"transpose/cuda_tiled_48", 48},
                 {"transpose/cuda_padded", 32},
                 {"transpose/cuda_copy_shared", 32}};
    for (int i = 0; i < COUNT(tiles); i++) {
        const int *rows = qp_variant_find(tiles[i].name)->recipe->blocks->listed;
        assert_int_equal(rows[0], 8);
        for (; *rows > 0; rows++)
            assert_true(tiles[i].tile % *rows == 0 && tiles[i].tile * *rows <= 1024);
    }
    const struct qp_variant *variant = qp_variant_find("transpose/cuda_tiled_32");
    if (!support_is_built(variant))
        skip();
    struct qp_problem problem;
    struct qp_result result;
    open_problem(NULL, 40, 20, &problem);
    assert_ok(qp_walk(*state, variant, &problem,
                      &(struct qp_walk_desc){.iterations = 1, .block = 5}, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "takes no blocks of 5 rows of threads"));
    qp_problem_destroy(&problem);
}

/* A quad has four vertices, a scatter one for every value. */
CLEAN_TEST(vertices_are_counted)
{
    struct qp_problem problem;
    struct qp_result result;
    support_need_context(state);
    open_problem(NULL, 21, 10, &problem);
    for (int k = 0; k < 2; k++) {
        assert_ok(qp_walk(*state, qp_variant_find(k ? "transpose/points" : "transpose/corners"),
                          &problem, &(struct qp_walk_desc){.iterations = 3}, &result));
        assert_int_equal(result.verdict, QP_PASS);
        assert_true(result.vertices == (k ? 210.0 : 4.0));
    }
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
