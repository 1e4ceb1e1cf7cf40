/* SPDX-License-Identifier: MIT */
/* Our variants of poisson5 on CUDA that take several steps at once, or keep values on the chip,
 * have the bits of single steps on the CPU: awkward sizes, numbers of steps, kinds, weights,
 * blocks. */
#include "support/poisson.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/engines/check.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

static const struct {
    const char *row, *judge;
} rows[] = {
    {"cuda_sweep", "sequential"},
    {"cuda_temporal", "sequential"},
    {"cuda_resident", "sequential"},
    {"cuda_red_black", "openmp_red_black"},
    {"cuda_red_black_resident", "openmp_red_black"},
};

static const double cycle[] = {0.7, 1.0, 1.9, 0.31, 1.2};
static const struct qp_weights weights = {cycle, COUNT(cycle)};

static const struct qp_variant *find(const char *name, bool doubles)
{
    char full[64];
    snprintf(full, sizeof full, "poisson5/%s%s", name, doubles ? "_double" : "");
    const struct qp_variant *variant = qp_variant_find(full);
    if (variant == NULL)
        fail_msg("there is no row %s", full);
    return variant;
}

static void open_problem(const char *kind, int width, int height, double weight,
                         struct qp_problem *problem)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .weight = weight,
                                         .seed = 7};
    assert_ok(qp_problem_create(&desc, problem));
}

/* ---- Comparing ---- */

/* True if the values are the same. The CPU takes subnormal numbers, in float those below 2^-126,
 * for 0, and CUDA does not. In a hundred steps that changes last bits of numbers up to 2^-98 (37 x
 * 1000 cells with a spike, computed on the CPU both ways: 944 cells differ, 12 of them above
 * 2^-100), so far from a spike small ones may differ. */
static bool same_value(double a, double b, bool doubles)
{
    const double tiny = doubles ? 0x1p-960 : 0x1p-92;
    return a == b || (fabs(a) < tiny && fabs(b) < tiny);
}

/* Cells in which the answers differ. */
static int differences(const struct qp_matrix *a, const struct qp_matrix *b, bool doubles)
{
    const size_t cells = (size_t)a->width * (size_t)a->height;
    int count = 0;
    for (size_t i = 0; i < cells; i++)
        count += !same_value(qp_matrix_value(a, i), qp_matrix_value(b, i), doubles);
    return count;
}

static struct qp_result walk(const struct qp_variant *variant, struct qp_problem *problem,
                             struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    desc.unchecked = true;
    assert_ok(qp_walk(NULL, variant, problem, &desc, &result));
    return result;
}

/* Walks a variant with one of its blocks and its judge. */
static void compare(int r, bool doubles, struct qp_problem *problem, struct qp_walk_desc desc)
{
    const struct qp_variant *variant = find(rows[r].row, doubles);
    struct qp_result expected =
        walk(find(rows[r].judge, doubles), problem,
             (struct qp_walk_desc){.iterations = desc.iterations, .weights = desc.weights});
    struct qp_result result = walk(variant, problem, desc);
    if (result.verdict == QP_SKIP) { /* too large for the chip */
        qp_matrix_destroy(&expected.solution);
        return;
    }
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d x %d: %s", variant->name, problem->width, problem->height, result.reason);
    const int wrong = differences(&result.solution, &expected.solution, doubles);
    if (wrong != 0)
        fail_msg("%s, %s, %d x %d, %d steps, block %d: %d cells differ", variant->name,
                 problem->kind, problem->width, problem->height, desc.iterations, desc.block,
                 wrong);
    qp_matrix_destroy(&expected.solution);
    qp_matrix_destroy(&result.solution);
}

static void need_cuda(void)
{
    if (qp_cuda_look(-1) != QP_OK) {
        print_message("%s\n", qp_error());
        skip();
    }
}

/* ---- Tests ---- */

/* Sizes below, at and above a warp's strip, what it stores of it, and a piece of 16 bytes; not
 * square; several chunks. */
static const struct qp_size sizes[] = {{1, 1},    {2, 2},    {3, 1},     {1, 3},     {63, 64},
                                       {64, 63},  {65, 65},  {104, 105}, {105, 104}, {127, 127},
                                       {128, 31}, {129, 70}, {1000, 37}, {37, 1000}, {530, 517}};
static const int steps[] = {1, 2, 3, 7, 8, 9, 17, 100};
static const char *const kinds[] = {"field", "spike", "sine"};

static int block_of(const struct qp_variant *variant, int turn)
{
    const struct qp_block_rule *rule = variant->recipe->blocks;
    int count = 0;
    if (rule == NULL || rule->listed == NULL)
        return 0;
    while (rule->listed[count] > 0)
        count++;
    return rule->listed[turn % count];
}

/* Every size with four numbers of steps; kinds, weights and blocks in turn. */
CLEAN_TEST(have_the_bits_of_single_steps)
{
    need_cuda();
    for (int r = 0; r < 2 * COUNT(rows); r++) {
        const bool doubles = r % 2;
        for (int k = 0; k < 4 * COUNT(sizes); k++) {
            struct qp_problem problem;
            const struct qp_size size = sizes[k / 4];
            const int turn = k + k / 4 + r, count = steps[(2 * k + k / 4) % COUNT(steps)];
            open_problem(kinds[turn % 3], size.width, size.height, turn % 4 == 1 ? 1.3 : 1.0,
                         &problem);
            compare(r / 2, doubles, &problem,
                    (struct qp_walk_desc){.iterations = count,
                                          .weights = turn % 4 == 3 ? &weights : NULL,
                                          .block = block_of(find(rows[r / 2].row, doubles), turn)});
            qp_problem_destroy(&problem);
        }
    }
}

/* Looking at the residual every few steps changes nothing, and it is the one of an iterate. */
CLEAN_TEST(residuals_are_those_of_iterates)
{
    need_cuda();
    for (int r = 0; r < COUNT(rows); r++) {
        for (int every = 1; every <= 50; every = 7 * every + 1) {
            struct qp_problem problem;
            struct heard heard = {0}, single = {0};
            open_problem("field", 133, 97, 1.0, &problem);
            struct qp_walk_desc desc = {
                .iterations = 50, .every = every, .on_residual = poisson_hear, .user = &heard};
            compare(r, true, &problem, desc);
            desc.user = &single;
            struct qp_result judge = walk(find(rows[r].judge, true), &problem, desc);
            assert_int_equal(heard.calls, single.calls);
            assert_true(fabs(heard.residual - single.residual) <= 1e-9 * single.residual);
            qp_matrix_destroy(&judge.solution);
            qp_problem_destroy(&problem);
        }
    }
}

/* High grids are worth 12 steps at once, low ones and weighted steps 8. */
CLEAN_TEST(blocks_suit_height_and_weight)
{
    static const struct {
        int height;
        double weight;
        const struct qp_weights *list;
        int block;
    } cases[] = {
        {6200, 1.0, NULL, 12}, {6200, 0.8, NULL, 8}, {6200, 1.0, &weights, 8}, {100, 1.0, NULL, 8}};
    need_cuda();
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_problem problem;
        open_problem("spike", 9, cases[k].height, cases[k].weight, &problem);
        struct qp_result result =
            walk(find("cuda_temporal", false), &problem,
                 (struct qp_walk_desc){.iterations = 1, .weights = cases[k].list});
        assert_int_equal(result.block, cases[k].block);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* Four million cells are more than registers hold, of any device there is; whoever chooses a
 * variant hears of it. */
CLEAN_TEST(what_does_not_fit_is_skipped)
{
    struct qp_problem problem;
    need_cuda();
    open_problem("spike", 2100, 2000, 1.0, &problem);
    const struct qp_result result =
        walk(find("cuda_resident", true), &problem, (struct qp_walk_desc){.iterations = 1});
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "are too many"));
    assert_int_equal(qp_plan_check(NULL, find("cuda_resident", true), &problem, QP_RECTANGLE),
                     QP_UNSUPPORTED);
    support_assert_sentence("are too many");
    qp_problem_destroy(&problem);
}

/* The comparison finds a cell. */
TEST(one_cell_is_found)
{
    float a[] = {1.0f, 1e-38f, 3.0f}, b[] = {1.0f, 0.0f, 3.0000002f};
    const struct qp_matrix x = {.width = 3, .height = 1, .values = a},
                           y = {.width = 3, .height = 1, .values = b};
    assert_int_equal(differences(&x, &y, false), 1);
}
