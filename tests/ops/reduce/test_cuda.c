/* SPDX-License-Identifier: MIT */
/* CUDA variants of reduce, beyond their bounds (test_accuracy.c): trees that lose no value, the
 * same bits in every run, NaN and ties at every place of a tile. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/reduce/kernels.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

/* ---- Without a device ---- */

static int launches_of(const struct qp_rung *rung, size_t n)
{
    int launches = 0;
    do {
        n = qp_rung_left(rung, n);
        launches++;
    } while (n > 1);
    return launches;
}

/* log2 n launches of pairs, log256 n of blocks of 256, at least one; the slides' counts. */
TEST(ladders_are_as_high_as_said)
{
    static const struct {
        size_t n;
        int naive, one, two, cascaded;
    } counts[] = {{1, 1, 1, 1, 1},       {2, 1, 1, 1, 1},       {3, 2, 1, 1, 1},
                  {256, 8, 1, 1, 1},     {257, 9, 2, 1, 1},     {512, 9, 2, 1, 1},
                  {513, 10, 2, 2, 1},    {65536, 16, 2, 2, 2},  {65537, 17, 3, 2, 2},
                  {262144, 18, 3, 2, 2}, {262145, 19, 3, 3, 2}, {1u << 28, 28, 4, 4, 3}};
    const struct qp_rung naive = {2, 1}, one = {1, 0}, two = {2, 0}, cascaded = {0, 0};
    for (int i = 0; i < COUNT(counts); i++) {
        assert_int_equal(launches_of(&naive, counts[i].n), counts[i].naive);
        assert_int_equal(launches_of(&one, counts[i].n), counts[i].one);
        assert_int_equal(launches_of(&two, counts[i].n), counts[i].two);
        assert_int_equal(launches_of(&cascaded, counts[i].n), counts[i].cascaded);
    }
}

/* Even, log2 n or one more, so that n / log2 n threads are enough for all. */
TEST(a_cascade_adds_log2_n_values)
{
    const struct qp_rung cascaded = {0, 0};
    for (size_t n = 1; n <= (size_t)1 << 32; n += 1 + n / 3) {
        int values = qp_rung_values(&cascaded, n);
        assert_int_equal(values % 2, 0);
        assert_true(values >= 2 && values >= log2((double)n));
        assert_true(values <= 2 || values < log2((double)n) + 2.0);
        assert_true(qp_rung_left(&cascaded, n) * (size_t)values * QP_REDUCE_BLOCK >= n);
    }
}

/* Blocks have up to 8 tiles each, and one each as long as there are few. */
TEST(tiles_cover_all_values)
{
    assert_int_equal(1 << QP_REDUCE_TILE_THREADS_LOG, QP_REDUCE_TILE_THREADS);
    assert_int_equal(1 << QP_REDUCE_BLOCK_LOG, QP_REDUCE_BLOCK);
    for (size_t n = 1; n <= (size_t)1 << 32; n += 1 + n / 3) {
        const size_t tiles = (n + QP_REDUCE_TILE_VALUES - 1) / QP_REDUCE_TILE_VALUES,
                     blocks = qp_tile_blocks(n);
        assert_true(blocks <= tiles && blocks * QP_REDUCE_TILES_EACH >= tiles);
        assert_true(blocks == tiles || blocks >= QP_REDUCE_TILE_BLOCKS);
        assert_true(qp_tile_blocks(n + 1) >= blocks);
    }
}

static bool is_ours(const struct qp_variant *variant)
{
    return strcmp(variant->op, "reduce") == 0 && variant->backend == QP_CUDA;
}

/* Eleven variants, all of which add; only ours takes every kind. Without CUDA, or a device, or CUB,
 * the verdict is a skip that names what is missing. */
TEST(rows_are_listed)
{
    int rows = 0;
    baseline_lend();
    bool there = qp_cuda_look(-1) == QP_OK;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_problem problem;
        struct qp_result result;
        if (!is_ours(variant))
            continue;
        rows++;
        bool all = strcmp(variant->name, "reduce/cuda_tiles") == 0;
        assert_int_equal(variant->recipe->not_kinds, all ? 0 : (1 << QP_REDUCTIONS) - 2);
        assert_non_null(strstr(variant->name, "cuda"));
        assert_ok(qp_problem_create(
            &(struct qp_problem_desc){.op = "reduce", .width = 7, .height = 3}, &problem));
        assert_ok(
            qp_walk(NULL, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_equal(result.verdict, there ? QP_PASS : QP_SKIP);
        if (!there)
            assert_true(strlen(result.reason) > 10);
        qp_problem_destroy(&problem);
    }
    assert_int_equal(rows, 11);
}

/* The first value of each array begins a line of memory, or 16-byte loads would fail. */
TEST(values_begin_a_line)
{
    for (int width = 1; width < 200; width += 3) {
        const struct qp_recipe *recipe = qp_variant_find("reduce/cuda_tiles")->recipe;
        struct qp_layout layout = qp_layout_make(recipe->input[0].shape, width, 3, 1);
        assert_int_equal(layout.origin_x % 64, 0);
        assert_int_equal(layout.origin_y, 0);
    }
}

/* ---- On a device ---- */

static void need_device(void)
{
    if (!support_is_built(qp_variant_find("reduce/cuda_tiles")))
        skip();
}

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "reduce", .kind = kind, .width = width, .height = height, .seed = 5},
        problem));
}

/* The answer's one or three values. */
struct answer {
    enum qp_verdict verdict;
    float value[3];
};

static struct answer reduce(const struct qp_variant *variant, struct qp_problem *problem,
                            bool unchecked)
{
    struct qp_result result;
    struct answer answer = {.value = {0.0f}};
    struct qp_walk_desc desc = {.iterations = 2, .keep_solution = true, .unchecked = unchecked};
    assert_ok(qp_walk(NULL, variant, problem, &desc, &result));
    answer.verdict = result.verdict;
    assert_non_null(result.solution.values);
    for (int i = 0; i < problem->answer_width; i++)
        answer.value[i] = result.solution.values[i];
    qp_matrix_destroy(&result.solution);
    return answer;
}

/* Blocks end in another order each time; the bits stay. */
TEST(same_bits_each_time)
{
    struct qp_problem problem;
    need_device();
    open_problem("sum", 2048, 1027, &problem);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (!is_ours(variant) || !support_is_built(variant))
            continue;
        struct answer first = reduce(variant, &problem, false);
        assert_int_equal(first.verdict, QP_PASS);
        for (int k = 0; k < 5; k++)
            assert_true(reduce(variant, &problem, false).value[0] == first.value[0]);
    }
    qp_problem_destroy(&problem);
}

/* Places where something begins or ends: vectors of four, warps, loads, tiles, the last values. */
static const int places[] = {0,     1,     3,     4,     31,    127,   128,   2047,  2048,
                             8191,  8192,  32764, 32767, 32768, 32771, 34815, 36864, 40959,
                             40960, 65535, 65536, 65537, 66000, 66008, 66011, 66012};
enum { WIDTH = 251, HEIGHT = 263, CELLS = WIDTH * HEIGHT }; /* eight tiles and 477 values */

/* The first of two largest magnitudes, whichever its sign. */
TEST(first_of_equals)
{
    struct qp_problem problem;
    const struct qp_variant *variant = qp_variant_find("reduce/cuda_tiles");
    need_device();
    open_problem("index", WIDTH, HEIGHT, &problem);
    float *x = qp_problem_field(&problem, "x")->values;
    for (int k = 0; k < COUNT(places); k++) {
        memset(x, 0, CELLS * sizeof *x);
        for (int j = k; j < COUNT(places); j++)
            x[places[j]] = j % 2 ? 9.0f : -9.0f;
        struct answer answer = reduce(variant, &problem, true);
        assert_true(answer.value[0] == 9.0f && answer.value[1] == (float)(places[k] % WIDTH));
        assert_true(answer.value[2] == (float)(places[k] / WIDTH));
    }
    qp_problem_destroy(&problem);
}

/* A kind of problem, with a NaN at this place and one more at the end. */
static void keeps_nan(const char *kind, int place)
{
    struct qp_problem problem;
    open_problem(kind, WIDTH, HEIGHT, &problem);
    float *x = qp_problem_field(&problem, "x")->values;
    x[place] = place % 2 ? NAN : -NAN;
    x[CELLS - 1] = strcmp(kind, "index") == 0 ? NAN : x[CELLS - 1];
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (!is_ours(variant) || !support_is_built(variant) ||
            (variant->recipe->not_kinds >> qp_reduce_kind(&problem) & 1))
            continue;
        struct answer answer = reduce(variant, &problem, true);
        if (!isnan(answer.value[0]))
            fail_msg("%s, %s: %g with a NaN at %d", variant->name, kind, answer.value[0], place);
        if (problem.answer_width == 3)
            assert_true(answer.value[1] == (float)(place % WIDTH) &&
                        answer.value[2] == (float)(place / WIDTH));
    }
    qp_problem_destroy(&problem);
}

/* NaN anywhere is the answer of every variant and kind, and its index that of the first. */
TEST(nan_is_never_lost)
{
    static const char *const kinds[] = {"sum", "squares", "dot", "max", "index"};
    need_device();
    for (int k = 0; k < COUNT(kinds) * COUNT(places); k++)
        keeps_nan(kinds[k % COUNT(kinds)], places[k / COUNT(kinds)]);
}
