/* SPDX-License-Identifier: MIT */
/* The CUDA variants of nine-band Jacobi: the places of their arrays and their counts need no device
 * to be checked; the kernels do. */
#include "support/support.h"

#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/problem.h"

static const struct qp_recipe *recipe_of(const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    assert_non_null(variant);
    assert_int_equal(variant->backend, QP_CUDA);
    return variant->recipe;
}

/* Paper 3: 33 flops with a texture and 30 with shared memory (table 5), 48 and 56 bytes (table 8).
 * A band that is never read is not counted, and ours count what they move. */
TEST(rows_count_as_the_paper_does)
{
    static const struct {
        const char *name;
        double bytes, flops;
    } rows[] = {{"jacobi9/cuda_simple", 48, 33},    {"jacobi9/cuda_aligned", 48, 33},
                {"jacobi9/cuda_2d", 48, 33},        {"jacobi9/cuda_shared", 56, 30},
                {"jacobi9/cuda_texture", 48, 33},   {"jacobi9/cuda_shared_diagonal", 52, 30},
                {"jacobi9/cuda_symmetric", 32, 30}, {"jacobi9/cuda_double", 96, 33},
                {"jacobi9/cuda_streaming", 48, 20}, {"jacobi9/cuda_streaming_divided", 44, 20},
                {"jacobi9/cuda_resident", 44, 20}};
    for (int i = 0; i < COUNT(rows); i++) {
        struct qp_cost cost = qp_variant_cost(qp_variant_find(rows[i].name));
        assert_true(cost.bytes == rows[i].bytes);
        assert_true(cost.flops == rows[i].flops);
    }
}

/* ---- Places of arrays ---- */

static const int widths[] = {1, 15, 16, 31, 32, 33, 508, 511, 512, 513, 516, 1024};

static struct qp_layout layout_of(struct qp_shape shape, int width)
{
    return qp_layout_make(shape, width, 5, 1);
}

/* Values from the storage's first to the first cell of row y. */
static int begin_of(const struct qp_layout *layout, int y)
{
    return (layout->origin_y + y) * layout->storage_x + layout->origin_x;
}

/* Sections 6.1 and 6.2, and the texture's own demand: how far after the first ghost cell, or after
 * a multiple of how many values, the first cell is. */
TEST(flat_rows_begin_where_they_say)
{
    for (int i = 0; i < COUNT(widths); i++) {
        struct qp_layout simple = layout_of(recipe_of("jacobi9/cuda_simple")->state, widths[i]);
        struct qp_layout aligned = layout_of(recipe_of("jacobi9/cuda_aligned")->state, widths[i]);
        struct qp_layout texture = layout_of(recipe_of("jacobi9/cuda_texture")->state, widths[i]);
        assert_int_equal(simple.pad_x, widths[i] + 1);
        assert_int_equal(aligned.pad_x, widths[i] + 1);
        assert_int_equal(aligned.origin_x % 16, 0);
        assert_int_equal(texture.origin_x % 128, 0); /* 512 bytes */
    }
}

/* From section 6.3 on one index serves x and all bands, and every row begins on a line. */
TEST(padded_rows_stand_alike)
{
    static const char *const names[] = {"jacobi9/cuda_2d",
                                        "jacobi9/cuda_shared",
                                        "jacobi9/cuda_shared_diagonal",
                                        "jacobi9/cuda_symmetric",
                                        "jacobi9/cuda_double",
                                        "jacobi9/cuda_streaming",
                                        "jacobi9/cuda_streaming_divided",
                                        "jacobi9/cuda_resident"};
    for (int i = 0; i < COUNT(names) * COUNT(widths); i++) {
        const struct qp_recipe *recipe = recipe_of(names[i / COUNT(widths)]);
        struct qp_layout x = layout_of(recipe->state, widths[i % COUNT(widths)]);
        for (int y = 0; y < 5; y++)
            assert_int_equal(begin_of(&x, y) % 32, 0);
        for (int k = 0; k < qp_recipe_inputs(recipe); k++) {
            struct qp_layout band = layout_of(recipe->input[k].shape, widths[i % COUNT(widths)]);
            assert_int_equal(band.storage_x, x.storage_x);
            assert_int_equal(begin_of(&band, 0), begin_of(&x, 0));
        }
    }
}

/* Kernels know their arrays by their number (lab/ops/jacobi9/kernels.cuh). */
TEST(inputs_come_in_the_kernels_order)
{
    static const int order[] = {QP_JACOBI9_DD, QP_JACOBI9_LL, QP_JACOBI9_LD, QP_JACOBI9_LU,
                                QP_JACOBI9_DU, QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU,
                                QP_JACOBI9_B,  QP_JACOBI9_DL};
    static const char *const names[] = {
        "jacobi9/cuda_simple",         "jacobi9/cuda_aligned", "jacobi9/cuda_2d",
        "jacobi9/cuda_shared",         "jacobi9/cuda_texture", "jacobi9/cuda_double",
        "jacobi9/cuda_shared_diagonal"};
    for (int i = 0; i < COUNT(names); i++) {
        const struct qp_recipe *recipe = recipe_of(names[i]);
        assert_int_equal(qp_recipe_inputs(recipe), COUNT(order) - (i == COUNT(names) - 1));
        for (int k = 0; k < qp_recipe_inputs(recipe); k++)
            assert_int_equal(recipe->input[k].field[0], order[k]);
    }
}

/* ---- Which problems they take ---- */

static enum qp_status take(const char *name, const char *kind, int width, int height)
{
    struct qp_problem_desc desc = {.kind = kind, .width = width, .height = height, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    enum qp_status status = qp_variant_takes(qp_variant_find(name), &problem);
    qp_problem_destroy(&problem);
    return status;
}

TEST(refusals_say_why)
{
    assert_ok(take("jacobi9/cuda_simple", "wraps", 7, 5));
    assert_ok(take("jacobi9/cuda_aligned", "wraps", 7, 5));
    assert_ok(take("jacobi9/cuda_texture", "wraps", 7, 5));
    assert_int_equal(take("jacobi9/cuda_2d", "wraps", 7, 5), QP_UNSUPPORTED);
    assert_int_equal(take("jacobi9/cuda_streaming", "wraps", 7, 5), QP_UNSUPPORTED);
    assert_int_equal(take("jacobi9/cuda_symmetric", "random", 7, 5), QP_UNSUPPORTED);
    support_assert_sentence("symmetric");
    assert_ok(take("jacobi9/cuda_symmetric", "symmetric", 7, 5));
    assert_ok(take("jacobi9/cuda_shared_diagonal", "symmetric", 7, 5));
}

/* ---- On the device ---- */

enum { STEPS = 9 };

struct watcher {
    double residual[STEPS + 1];
};

static bool watch(void *user, int step, double residual)
{
    ((struct watcher *)user)->residual[step] = residual;
    return true;
}

/* A grid of several tiles, the last of them not whole. The caller frees the solution. */
static struct qp_result walk(void **state, const char *name, int width, int height, int every,
                             struct watcher *watcher)
{
    struct qp_problem_desc desc = {.width = width, .height = height, .seed = 3, .weight = 0.8};
    struct qp_walk_desc how = {.iterations = STEPS,
                               .keep_solution = true,
                               .every = every,
                               .on_residual = every > 0 ? watch : NULL,
                               .user = watcher};
    struct qp_problem problem;
    struct qp_result result;
    if (!support_is_built(qp_variant_find(name)))
        skip();
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(*state, qp_variant_find(name), &problem, &how, &result));
    qp_problem_destroy(&problem);
    return result;
}

/* All steps in one launch, some in each, or one: every bit is the same, and so is the change
 * between the last two iterates, which only a launch of several steps could forget. */
static void many_steps_agree(void **state, int width, int height)
{
    struct watcher each = {0}, fourth = {0};
    const size_t bytes = (size_t)width * (size_t)height * sizeof(float);
    struct qp_result once = walk(state, "jacobi9/cuda_resident", width, height, 0, NULL);
    if (once.verdict == QP_SKIP) {
        assert_non_null(strstr(once.reason, "multiprocessor"));
        return;
    }
    struct qp_result one = walk(state, "jacobi9/cuda_resident", width, height, 1, &each);
    struct qp_result four = walk(state, "jacobi9/cuda_resident", width, height, 4, &fourth);
    assert_int_equal(once.verdict, QP_PASS);
    assert_int_equal(one.verdict, QP_PASS);
    assert_int_equal(four.verdict, QP_PASS);
    assert_memory_equal(once.solution.values, one.solution.values, bytes);
    assert_memory_equal(once.solution.values, four.solution.values, bytes);
    assert_true(each.residual[4] > 0.0 && each.residual[4] == fourth.residual[4]);
    assert_true(each.residual[8] > 0.0 && each.residual[8] == fourth.residual[8]);
    qp_matrix_destroy(&once.solution);
    qp_matrix_destroy(&one.solution);
    qp_matrix_destroy(&four.solution);
}

/* With 132 multiprocessors a warp has one row of these, then two, then four; a device with few of
 * them skips the larger ones. */
CLEAN_TEST(launches_of_many_steps_agree)
{
    many_steps_agree(state, 300, 150);
    many_steps_agree(state, 301, 797);
    many_steps_agree(state, 1000, 701);
}

/* Its grid must fit, a tile a multiprocessor; there are not 3000 yet. */
CLEAN_TEST(what_does_not_fit_is_skipped)
{
    struct qp_result result = walk(state, "jacobi9/cuda_resident", 128 * 3000, 1, 0, NULL);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "multiprocessor"));
}

GROUP(support_open_context, support_close_context)
