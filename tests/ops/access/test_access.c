/* SPDX-License-Identifier: MIT */
/* Patterns of access: each against answers worked out by hand, all variants at awkward sizes with
 * parameters at their ends, and what must be noticed is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/access/access.h"
#include "lab/plan/problem.h"
#include "support/support.h"
#include "toolkit/base/random.h"

static struct qp_problem make(int kind, int parameter, int width, int height)
{
    const struct qp_problem_desc desc = {.op = "access",
                                         .kind = qp_access_kinds[kind].name,
                                         .width = width,
                                         .height = height,
                                         .parameter = parameter,
                                         .seed = 5};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(struct qp_context *context, const struct qp_variant *variant,
                             struct qp_problem *problem, int steps)
{
    const struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    return result;
}

/* x is 10, 11, 12 ... of width x height cells; after one step it is `wanted`. */
struct by_hand {
    int kind, parameter, width, height;
    float wanted[12];
};

CLEAN_TEST(the_reference_is_right)
{
    static const struct by_hand cases[] = {
        {QP_ACCESS_OFFSET, 3, 4, 2, {13, 14, 15, 16, 17, 10, 11, 12}},
        {QP_ACCESS_OFFSET, 17, 4, 2, {11, 12, 13, 14, 15, 16, 17, 10}},
        {QP_ACCESS_STRIDE, 1, 4, 2, {10, 11, 12, 13, 14, 15, 16, 17}},
        {QP_ACCESS_STRIDE, 4, 4, 2, {10, 14, 11, 15, 12, 16, 13, 17}},
        {QP_ACCESS_STRIDE, 3, 4, 2, {10, 13, 11, 14, 12, 15, 16, 17}},
        {QP_ACCESS_STRIDE, 9, 4, 2, {10, 11, 12, 13, 14, 15, 16, 17}},
        {QP_ACCESS_COLUMNS, 1, 2, 3, {10, 13, 11, 14, 12, 15}},
        {QP_ACCESS_PERMUTED, 1, 3, 1, {11, 10, 12}},
        {QP_ACCESS_PERMUTED, 6, 4, 2, {16, 17, 14, 15, 12, 13, 10, 11}},
        {QP_ACCESS_IDLE, 29, 5, 1, {10, 11, 12, 0, 0}},
        {QP_ACCESS_GATHER, 32, 5, 1, {10, 11, 12, 13, 14}},
        {QP_ACCESS_OCCUPANCY, 2, 2, 1, {10, 11}},
        {QP_ACCESS_BANKS, 31, 2, 1, {21, 0}}, /* words 0 to 63, words 31 to 94 */
        {QP_ACCESS_MULTICAST, 2, 3, 1, {33, 33, 23}},
        {QP_ACCESS_PAIRS, 1, 4, 1, {46, 25, 0, 0}},
        {QP_ACCESS_UNROLLING, 1, 2, 1, {62, 69}}, /* 8050 and 8855 over 128 */
    };
    const struct qp_variant *variant = qp_variant_find("access/reference");
    for (int k = 0; k < COUNT(cases); k++) {
        const struct by_hand *hand = &cases[k];
        struct qp_problem problem = make(hand->kind, hand->parameter, hand->width, hand->height);
        for (int i = 0; i < hand->width * hand->height; i++)
            problem.field[QP_ACCESS_X].values[i] = (float)(10 + i);
        struct qp_result result = walk(NULL, variant, &problem, 1);
        assert_int_equal(result.verdict, QP_PASS);
        for (int i = 0; i < hand->width * hand->height; i++) {
            if (result.solution.values[i] != hand->wanted[i])
                fail_msg("case %d, %s: cell %d is %g, not %g", k, problem.kind, i,
                         result.solution.values[i], hand->wanted[i]);
        }
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* Each cell is read once, and `parameter` neighbours are together. */
CLEAN_TEST(gathering_is_a_permutation)
{
    for (int p = 1; p <= 32; p += 31) {
        enum { WIDTH = 37, HEIGHT = 29, CELLS = WIDTH * HEIGHT };
        struct qp_problem problem = make(QP_ACCESS_GATHER, p, WIDTH, HEIGHT);
        int seen[CELLS] = {0}, moved = 0;
        for (int i = 0; i < CELLS; i++) {
            int from = (int)problem.field[QP_ACCESS_V].values[i] * WIDTH +
                       (int)problem.field[QP_ACCESS_U].values[i];
            assert_in_range(from, 0, CELLS - 1);
            assert_int_equal(seen[from]++, 0);
            moved += from != i;
            if (i < CELLS / p * p)
                assert_int_equal(from % p, i % p);
        }
        assert_true(moved > CELLS / 2);
        qp_problem_destroy(&problem);
    }
}

/* A column that float does not hold would be another cell's, and the last one's none at all. */
CLEAN_TEST(places_are_numbers_that_float_holds)
{
    const struct qp_problem_desc desc = {
        .op = "access", .kind = "gather", .width = 1, .height = (1 << 24) + 1};
    struct qp_problem problem;
    enum qp_status status = qp_problem_create(&desc, &problem);
    if (status == QP_NO_MEMORY)
        skip();
    assert_int_equal(status, QP_BAD_USE);
    support_assert_sentence("keeps columns and rows in floats, which count to 16777216");
}

/* ---- All variants ---- */

static const int sizes[][2] = {{1, 1},    {1, 9},    {9, 1},    {2, 3},   {31, 33},
                               {1023, 1}, {1024, 1}, {1, 1025}, {130, 17}};

/* Within its tolerance, or skipped for a reason that is right. */
static void expect_good(const struct qp_variant *variant, const struct qp_problem *problem,
                        const struct qp_result *result, int steps)
{
    const bool takes = qp_variant_takes(variant, problem) == QP_OK;
    const bool exact = !qp_access_calls(qp_problem_kind(problem));
    bool good = takes ? result->verdict == QP_PASS && result->error <= result->tolerance
                      : result->verdict == QP_SKIP;
    if (takes && exact)
        good = good && result->error == 0.0 && result->tolerance == 0.0;
    if (!good)
        fail_msg("%s, %s with %d, %d x %d, %d steps: %s, %s", variant->name, problem->kind,
                 problem->parameter, problem->width, problem->height, steps,
                 qp_verdict_name(result->verdict), result->reason);
}

static void walk_all_rows(struct qp_context *context, struct qp_problem *problem, int steps)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "access") != 0 || (variant->backend == QP_GL && context == NULL) ||
            !support_is_built(variant))
            continue;
        struct qp_result result =
            walk(variant->backend == QP_CPU ? NULL : context, variant, problem, steps);
        expect_good(variant, problem, &result, steps);
        qp_matrix_destroy(&result.solution);
    }
}

CLEAN_TEST(all_rows_at_the_ends)
{
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++) {
        const struct qp_range *range = &qp_access_kinds[kind].range;
        const int ends[] = {range->least, range->most < 2048 ? range->most : 2048, 7};
        for (int k = 0; k < 3 * COUNT(sizes); k++) {
            struct qp_problem problem = make(kind, ends[k % 3], sizes[k / 3][0], sizes[k / 3][1]);
            walk_all_rows(*state, &problem, 1 + k % 2);
            qp_problem_destroy(&problem);
        }
    }
    support_need_context(state);
}

/* ---- Errors that a check must notice ---- */

static qp_sweep_function *victim_sweep;
static int wrong_by;

/* The loop with another parameter. */
static void sweep_wrongly(const struct qp_sweep *s)
{
    struct qp_sweep wrong = *s;
    wrong.parameter += wrong_by;
    victim_sweep(&wrong);
}

static void sweep_nothing(const struct qp_sweep *s)
{
    (void)s;
}

/* On 67 x 31 cells, with a parameter that its neighbour differs from. */
static enum qp_verdict verdict_of(int kind, qp_sweep_function *sweep, int by)
{
    struct qp_variant variant = *qp_variant_find("access/loop");
    struct qp_recipe recipe = *variant.recipe;
    victim_sweep = recipe.sweep;
    recipe.sweep = sweep;
    variant.recipe = &recipe;
    wrong_by = by;
    struct qp_problem problem = make(kind, 3, 67, 31);
    struct qp_result result = walk(NULL, &variant, &problem, 1);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return result.verdict;
}

/* Gathering takes its places from u and v, and blocks on a multiprocessor change nothing. */
CLEAN_TEST(another_parameter_is_noticed)
{
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++) {
        bool shows = kind != QP_ACCESS_GATHER && kind != QP_ACCESS_OCCUPANCY;
        assert_int_equal(verdict_of(kind, sweep_wrongly, 0), QP_PASS);
        assert_int_equal(verdict_of(kind, sweep_wrongly, 1), shows ? QP_FAIL : QP_PASS);
        assert_int_equal(verdict_of(kind, sweep_nothing, 0), QP_FAIL);
    }
}

/* Functions by some ten tolerances of the largest sum. */
static void sweep_a_little_off(const struct qp_sweep *s)
{
    float largest = 0.0f;
    victim_sweep(s);
    for (int i = 0; i < s->width * s->height; i++)
        largest = fmaxf(largest, fabsf(s->out[i]));
    s->out[s->width] += s->kind < QP_ACCESS_SIN ? 1.0f : 1e-5f * largest;
}

CLEAN_TEST(one_cell_is_noticed)
{
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++)
        assert_int_equal(verdict_of(kind, sweep_a_little_off, 0), QP_FAIL);
}

/* ---- Words ---- */

static void refuse(const char *op, const char *kind, int parameter, const char *words)
{
    const struct qp_problem_desc desc = {
        .op = op, .kind = kind, .width = 8, .height = 8, .parameter = parameter};
    struct qp_problem problem;
    assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
    support_assert_sentence(words);
    assert_null(problem.op);
}

CLEAN_TEST(parameters_are_looked_at)
{
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++) {
        const struct qp_range *range = &qp_access_kinds[kind].range;
        struct qp_problem problem = make(kind, 0, 3, 3);
        assert_int_equal(problem.parameter, range->usual);
        assert_in_range(range->usual, range->least, range->most);
        assert_true(range->least == 0 ? range->usual == 0 : range->usual > 0);
        qp_problem_destroy(&problem);
        refuse("access", qp_access_kinds[kind].name, range->most + 1, "lies between");
        refuse("access", qp_access_kinds[kind].name, -1, range->what);
        assert_true(qp_kind_sweep(&qp_access_kinds[kind]) >= 4);
        for (const int *value = range->sweep; *value >= 0; value++)
            assert_true(*value >= range->least && *value <= range->most &&
                        (value == range->sweep || *value > value[-1]));
    }
    refuse("access", "banks", 33, "'banks' (words from one thread's to the next one's)");
    refuse("jacobi9", "random", 3, "jacobi9 takes no parameter");
    refuse("access", "sideways", 0, "access has no problem 'sideways'");
}

/* Kinds whose second step changes nothing, by the formulas, say so, and no others. */
TEST(kinds_that_settle_say_so)
{
    static const char settled[] = " idle occupancy chase sin cos sincos exp log rsqrt reciprocal ";
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++) {
        char name[32];
        snprintf(name, sizeof name, " %s ", qp_access_kinds[kind].name);
        assert_int_equal(qp_access_kinds[kind].settles, strstr(settled, name) != NULL);
    }
}

/* Cells after the last one, here 9, count as 0 in a tile that is not full. */
CLEAN_TEST(tiles_end_with_the_domain)
{
    const float x[] = {1.0f, 2.0f, 4.0f, 9.0f};
    float out[3] = {0.0f};
    enum qp_status status = QP_OK;
    qp_variant_find("access/loop")
        ->recipe->sweep(&(struct qp_sweep){.width = 3,
                                           .height = 1,
                                           .kind = QP_ACCESS_BANKS,
                                           .parameter = 1,
                                           .x = x,
                                           .out = out,
                                           .status = &status});
    assert_true(out[0] == 7.0f && out[1] == 6.0f && out[2] == 4.0f);
}

CLEAN_TEST(skips_say_why)
{
    struct qp_problem problem = make(QP_ACCESS_DIVISION, 12, 5, 5);
    assert_int_equal(qp_variant_takes(qp_variant_find("access/cuda_shifts"), &problem),
                     QP_UNSUPPORTED);
    support_assert_sentence("takes powers of two, not 12");
    assert_int_equal(qp_variant_takes(qp_variant_find("access/cuda_umul24"), &problem),
                     QP_UNSUPPORTED);
    support_assert_sentence("is not for the problem 'division'");
    assert_ok(qp_variant_takes(qp_variant_find("access/cuda_operators"), &problem));
    qp_problem_destroy(&problem);
    for (int k = 0; k < 4; k++) { /* places in float, an offset and a stride, and a cell too many */
        const char *row = k < 2 ? "access/fetch_offset" : "access/fetch_stride";
        problem = (struct qp_problem){
            .op = &qp_op_access, .kind = qp_access_kinds[k / 2].name, .systems = 1};
        problem.width = (1 << 23) - 1 + k % 2;
        problem.height = 1;
        assert_int_equal(qp_variant_takes(qp_variant_find(row), &problem) == QP_OK, k % 2 == 0);
    }
    support_assert_sentence("which is exact up to 8388607 cells, not 8388608");
}

/* An effect needs a variant that shows it, and most need one that does not. */
CLEAN_TEST(each_kind_has_its_rows)
{
    for (int kind = 0; kind < QP_ACCESS_KINDS; kind++) {
        int cpu = 0, cuda = 0;
        for (size_t i = 0; i < qp_variant_count(); i++) {
            const struct qp_variant *variant = qp_variant_at(i);
            bool takes =
                strcmp(variant->op, "access") == 0 && !(variant->recipe->not_kinds >> kind & 1);
            cpu += takes && variant->backend == QP_CPU;
            cuda += takes && variant->backend == QP_CUDA;
        }
        assert_int_equal(cpu, 3);
        assert_true(cuda >= 2);
    }
}

/* Fewer digits are promised of the fast functions, but not none. */
CLEAN_TEST(tolerances_are_ordered)
{
    for (int kind = QP_ACCESS_SIN; kind < QP_ACCESS_KINDS; kind++) {
        struct qp_problem problem = make(kind, 16, 60, 50);
        const struct qp_recipe *fast = qp_variant_find("access/cuda_fast_functions")->recipe;
        assert_ok(qp_problem_reference(&problem, 1, NULL));
        double usual = qp_op_access.tolerance(&problem, 1, QP_FLOATS),
               more = fast->tolerance(fast, &problem);
        assert_true(usual > 16 * 0x1p-24 && usual < 1e-5);
        assert_true(more > usual && more < 1e-5);
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
