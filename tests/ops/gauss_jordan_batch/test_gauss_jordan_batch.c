/* SPDX-License-Identifier: MIT */
/* Many small systems at once: any size and any number of them, in tiles where one texture is too
 * small, and a member without a solution spoils no other. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/watch.h"
#include "toolkit/gl/context/context.h"

enum { FIRST_IN_TEXTURES = 5 };

static const char *const rows[] = {
    "gauss_jordan_batch/reference",        "gauss_jordan_batch/loop",
    "gauss_jordan_batch/openmp",           "gauss_jordan_batch/sgesv",
    "gauss_jordan_batch/cuda_registers",   "gauss_jordan_batch/passes",
    "gauss_jordan_batch/planes",           "gauss_jordan_batch/registers",
    "gauss_jordan_batch/registers_compute"};

/* Name of the variant that exchanges no rows, like the report's algorithm. */
static const char unpivoted[] = "gauss_jordan_batch/unpivoted";

static struct qp_problem make(const char *kind, int unknowns, int count)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan_batch", .kind = kind, .width = unknowns, .height = count, .seed = 11};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_int_equal(qp_batch_unknowns(&problem), unknowns);
    assert_int_equal(qp_batch_count(&problem), count);
    return problem;
}

static struct qp_result walk(void **state, const char *name, struct qp_problem *problem)
{
    const struct qp_walk_desc desc = {.iterations = 1, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(support_need_context(state), qp_variant_find(name), problem, &desc, &result));
    return result;
}

/* Shaders for more unknowns take seconds to compile. */
static bool is_too_large(const char *name, int unknowns)
{
    const struct qp_batch_variant *own = qp_variant_find(name)->recipe->own;
    return own != NULL && unknowns > own->most_unknowns;
}

/* ---- Any size, any number ---- */

CLEAN_TEST(any_size_and_any_number)
{
    static const int sizes[] = {1, 2, 3, 12, 16, 13, 33, 28, 64}, counts[] = {1, 3, 17, 1009};
    for (int i = 0; i < COUNT(sizes) * COUNT(counts); i++) {
        int n = sizes[i / COUNT(counts)], count = counts[i % COUNT(counts)];
        if ((n > 16 && count > 17) || !support_takes(i / COUNT(counts), 2))
            continue;
        struct qp_problem problem = make("general", n, count);
        for (int r = 0; r < COUNT(rows); r++) {
            if (is_too_large(rows[r], n) || !support_is_built(qp_variant_find(rows[r])))
                continue;
            struct qp_result result = walk(state, rows[r], &problem);
            if (result.verdict != QP_PASS)
                fail_msg("%s, %d systems of %d: %s", rows[r], count, n, result.reason);
            qp_matrix_destroy(&result.solution);
        }
        qp_problem_destroy(&problem);
    }
}

/* The same without pivots where none are needed, in tiles too; other kinds are left to others by
 * name. */
CLEAN_TEST(without_pivots)
{
    static const int sizes[][2] = {{1, 1}, {1, 7}, {2, 3}, {12, 1009}, {13, 21}, {64, 3}};
    static const char *const others[] = {"general", "kinetics"};
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    for (int i = 0; i < 2 * COUNT(sizes); i++) {
        struct qp_problem problem = make("dominant", sizes[i / 2][0], sizes[i / 2][1]);
        const struct qp_walk_desc twice = {
            .iterations = 2, .pingpong = (enum qp_pingpong_style)(i % QP_PINGPONG_STYLES)};
        struct qp_result result;
        context->device.rectangle_limit = i % 2 ? 70 : limit;
        enum qp_status status =
            qp_walk(context, qp_variant_find(unpivoted), &problem, &twice, &result);
        context->device.rectangle_limit = limit;
        assert_ok(status);
        if (result.verdict != QP_PASS)
            fail_msg("%d systems of %d: %s", sizes[i / 2][1], sizes[i / 2][0], result.reason);
        qp_problem_destroy(&problem);
    }
    for (int i = 0; i < COUNT(others); i++) {
        struct qp_problem problem = make(others[i], 12, 3);
        struct qp_result result = walk(state, unpivoted, &problem);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, others[i]));
        qp_problem_destroy(&problem);
    }
}

/* The chemistry's own matrices, whose elements differ by eight decades; LAPACK's x beside ours. */
CLEAN_TEST(kinetics)
{
    struct qp_problem problem = make("kinetics", 12, 1009);
    for (int r = 0; r < COUNT(rows); r++) {
        if (!support_is_built(qp_variant_find(rows[r])))
            continue;
        struct qp_result result = walk(state, rows[r], &problem);
        if (result.verdict != QP_PASS)
            fail_msg("%s: %s", rows[r], result.reason);
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

CLEAN_TEST(sizes_that_are_none)
{
    static const struct {
        const char *kind, *words;
        int width, height;
    } cases[] = {{NULL, "up to 64", 65, 3},
                 {"kinetics", "kinetics has systems of 12 unknowns, not of 13", 13, 3},
                 {NULL, "both must be at least 1", 0, 3},
                 {NULL, "above the limit of", 64, 1000000},
                 {NULL, "are too many to be counted", 64, 2000000000}};
    for (int i = 0; i < COUNT(cases); i++) {
        const struct qp_problem_desc desc = {.op = "gauss_jordan_batch",
                                             .kind = cases[i].kind,
                                             .width = cases[i].width,
                                             .height = cases[i].height};
        struct qp_problem problem;
        assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
        support_assert_sentence(cases[i].words);
    }
}

/* ---- Tiles ---- */

static void look_at_tiles(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    const struct qp_batch *batch = &plan->input_layout[0].batch;
    const int fours = plan->layout.shape.standing == QP_AS_PLANES ? 4 : 1;
    (void)seconds;
    if (stage != QP_STAGE_PACK)
        return;
    assert_true(fours * batch->across * batch->up * batch->tiles >= batch->count);
    assert_true(fours * batch->across * batch->up * (batch->tiles - 1) < batch->count);
    *(int *)user = batch->tiles;
}

static double last_part;

static void tile_after_tile(void *user, double part)
{
    (void)user;
    assert_true(part == 0.0 || part > last_part);
    assert_true(part < 1.0);
    last_part = part;
}

/* A smaller limit means more tiles and the same bits, and who watches hears of each. */
CLEAN_TEST(same_bits_in_tiles)
{
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    struct qp_problem problem = make("general", 5, 1009);
    for (int r = FIRST_IN_TEXTURES; r < COUNT(rows); r++) {
        struct qp_result whole = walk(state, rows[r], &problem), tiled;
        int tiles = 0;
        const struct qp_walk_desc desc = {
            .iterations = 2, .keep_solution = true, .on_stage = look_at_tiles, .user = &tiles};
        context->device.rectangle_limit = 70;
        const struct qp_watch before = qp_watch_set((struct qp_watch){.on_part = tile_after_tile});
        assert_ok(qp_walk(context, qp_variant_find(rows[r]), &problem, &desc, &tiled));
        qp_watch_set(before);
        context->device.rectangle_limit = limit;
        assert_int_equal(whole.verdict, QP_PASS);
        assert_int_equal(tiled.verdict, QP_PASS);
        assert_true(tiles > 1 && last_part == (tiles - 1.0) / tiles);
        assert_memory_equal(whole.solution.values, tiled.solution.values, sizeof(float) * 6 * 1009);
        qp_matrix_destroy(&whole.solution);
        qp_matrix_destroy(&tiled.solution);
    }
    qp_problem_destroy(&problem);
}

/* Skipped by name: a system that no texture holds, or that has more unknowns than render
 * targets, or than a compiler cares to unroll. */
CLEAN_TEST(limits_are_named)
{
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit, buffers = context->device.draw_buffers;
    struct qp_problem problem = make("dominant", 12, 3);
    context->device.rectangle_limit = 12;
    struct qp_result result = walk(state, "gauss_jordan_batch/passes", &problem);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "13 x 12 texels for a system where this device's limit"));
    context->device.rectangle_limit = limit;
    context->device.draw_buffers = 3;
    result = walk(state, "gauss_jordan_batch/registers", &problem);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "take gauss_jordan_batch/planes"));
    context->device.draw_buffers = buffers;
    qp_problem_destroy(&problem);
    problem = make("dominant", 17, 3);
    result = walk(state, "gauss_jordan_batch/registers", &problem);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "takes systems of at most 16 unknowns"));
    qp_problem_destroy(&problem);
}

/* ---- Members without a solution ---- */

static float *element(const struct qp_problem *problem, int system, int i, int j)
{
    const int n = qp_batch_unknowns(problem);
    return problem->field[QP_BATCH_AUGMENTED].values + (system * n + i) * (n + 1) + j;
}

static void clear_column(const struct qp_problem *problem, int system, int column)
{
    for (int i = 0; i < qp_batch_unknowns(problem); i++)
        *element(problem, system, i, column) = 0.0f;
}

/* Its zeros, its column, and that the others' unknowns are those they have without it. */
static void check_member(const struct qp_problem *problem, const struct qp_matrix *alone,
                         const struct qp_matrix *got, int singular, int column)
{
    const int n = qp_batch_unknowns(problem);
    for (int s = 0; s < qp_batch_count(problem); s++) {
        const float *x = got->values + s * (n + 1), *before = alone->values + s * (n + 1);
        assert_true(x[n] == (s == singular ? (float)column : 0.0f));
        for (int i = 0; i < n; i++)
            assert_true(x[i] == (s == singular ? 0.0f : before[i]));
    }
}

/* A zero that is divided by is seen, in its own system alone: the verdict names that. */
CLEAN_TEST(a_zero_without_pivots)
{
    enum { UNKNOWNS = 5, SYSTEMS = 37, BAD = 23 };
    struct qp_problem problem = make("dominant", UNKNOWNS, SYSTEMS);
    struct qp_result before = walk(state, unpivoted, &problem);
    *element(&problem, BAD, 0, 0) = 0.0f;
    struct qp_result after = walk(state, unpivoted, &problem);
    const size_t row = (UNKNOWNS + 1) * sizeof(float);
    assert_int_equal(before.verdict, QP_PASS);
    assert_int_equal(after.verdict, QP_FAIL);
    assert_int_equal(after.worst_y, BAD);
    for (int s = 0; s < SYSTEMS; s++) {
        const float *x = before.solution.values + s * (UNKNOWNS + 1),
                    *y = after.solution.values + s * (UNKNOWNS + 1);
        assert_true((memcmp(x, y, row) == 0) == (s != BAD));
    }
    qp_matrix_destroy(&before.solution);
    qp_matrix_destroy(&after.solution);
    qp_problem_destroy(&problem);
}

CLEAN_TEST(one_singular_member)
{
    enum { N = 5, SYSTEMS = 100, SINGULAR = 16, COLUMN = 2 };
    struct qp_problem problem = make("general", N, SYSTEMS);
    for (int r = 0; r < COUNT(rows); r++) {
        float kept[N];
        if (!support_is_built(qp_variant_find(rows[r])))
            continue;
        struct qp_result alone = walk(state, rows[r], &problem);
        for (int i = 0; i < N; i++)
            kept[i] = *element(&problem, SINGULAR, i, COLUMN);
        clear_column(&problem, SINGULAR, COLUMN);
        struct qp_result result = walk(state, rows[r], &problem);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_string_equal(result.reason, "system 17 of 100 is singular: column 3 has no pivot; "
                                           "the other 99 are solved");
        check_member(&problem, &alone.solution, &result.solution, SINGULAR, COLUMN + 1);
        for (int i = 0; i < N; i++)
            *element(&problem, SINGULAR, i, COLUMN) = kept[i];
        qp_matrix_destroy(&alone.solution);
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* Systems without a first pivot in each of four lanes, which variants with a system a channel have
 * side by side. */
CLEAN_TEST(singular_in_each_lane)
{
    enum { N = 5, SYSTEMS = 100, FIRST = 16, LANES = 4 };
    struct qp_problem problem = make("general", N, SYSTEMS);
    for (int s = FIRST; s < FIRST + LANES; s++)
        clear_column(&problem, s, 0);
    for (int r = FIRST_IN_TEXTURES; r < COUNT(rows); r++) {
        struct qp_result result = walk(state, rows[r], &problem);
        assert_int_equal(result.verdict, QP_FAIL);
        for (int s = FIRST; s < FIRST + LANES; s++) {
            const float *x = result.solution.values + s * (N + 1);
            for (int i = 0; i <= N; i++)
                assert_true(x[i] == (i == N ? 1.0f : 0.0f));
        }
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* Rows that a system has twice cancel exactly where a quotient of equal numbers is 1: on a graphics
 * card it need not be, and LAPACK multiplies by an inverse. */
static bool divides(void **state, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    return qp_variant_library(variant) == NULL &&
           (variant->backend == QP_CPU ||
            (variant->backend == QP_GL &&
             qp_context_device(support_need_context(state))->software));
}

/* Members are counted and the first of them is named, by the judge and without it. */
CLEAN_TEST(several_singular_members)
{
    struct qp_context *context = support_need_context(state);
    for (int r = 0; r < COUNT(rows); r++) {
        struct qp_problem problem = make("general", 7, 40);
        const struct qp_walk_desc unchecked = {.iterations = 1, .unchecked = true};
        const char *words = "2 of 40 systems are singular, system 7 the first: column 1 has no "
                            "pivot; the other 38 are solved";
        if (!support_is_built(qp_variant_find(rows[r])))
            words = qp_variant_library(qp_variant_find(rows[r])) != NULL ? "built without LAPACK"
                                                                         : qp_error();
        clear_column(&problem, 6, 0);
        clear_column(&problem, 39, 6);
        for (int s = 8; s < 40 && divides(state, rows[r]); s++) {
            memcpy(element(&problem, s, 5, 0), element(&problem, s, 2, 0), 7 * sizeof(float));
            words = "33 of 40 systems are singular, system 7 the first: column 1 has no pivot; "
                    "the other 7 are solved";
        }
        struct qp_result result = walk(state, rows[r], &problem);
        assert_string_equal(result.reason, words);
        qp_matrix_destroy(&result.solution);
        assert_ok(qp_walk(context, qp_variant_find(rows[r]), &problem, &unchecked, &result));
        assert_int_not_equal(result.verdict, QP_PASS);
        assert_string_equal(result.reason, words);
        qp_problem_destroy(&problem);
    }
}

/* ---- Stage 10 ---- */

/* Wrong unknowns, NaN, a column that is none, and unknowns of a member that has none. */
CLEAN_TEST(the_judge_sees_every_member)
{
    static const struct {
        int place;
        float value;
    } wrong[] = {{3 * 5 + 1, 9.0f},  {0, NAN},          {9 * 5 + 4, 0.5f}, {9 * 5 + 4, NAN},
                 {4 * 5 + 4, -1.0f}, {4 * 5 + 4, 5.0f}, {9 * 5 + 4, 2.0f}};
    struct qp_problem problem = make("general", 4, 10);
    struct qp_result result = walk(state, "gauss_jordan_batch/loop", &problem);
    struct qp_comparison worst;
    assert_int_equal(result.verdict, QP_PASS);
    for (int i = 0; i < COUNT(wrong); i++) {
        float *x = result.solution.values + wrong[i].place, old = *x;
        *x = wrong[i].value;
        problem.op->judge->measure(&problem, &result.solution, &worst);
        assert_true(worst.error > result.tolerance);
        assert_int_equal(worst.y, wrong[i].place / 5);
        *x = old;
    }
    problem.op->judge->measure(&problem, &result.solution, &worst);
    assert_true(worst.error == result.error);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
