/* SPDX-License-Identifier: MIT */
/* Sums that check and bench make are exact or wrong: at every size what is plausible and wrong
 * fails, and no order of additions that a variant takes rounds. */
#include "support/reduce_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/reduce/kernels.h"
#include "toolkit/base/compare.h"

/* Small, awkward, a benchmark's, more than 2^24 values; with LONG=1 one sum of the largest
 * benchmark's too, whose two gigabytes of values take a minute and more, and all three of the size
 * before. */
static const struct {
    int width, height;
    int sums[2]; /* numbers of sums without LONG=1, and with it */
} sizes[] = {{1, 1, {3, 3}},       {7, 3, {3, 3}},       {251, 263, {3, 3}},
             {2048, 2048, {3, 3}}, {4096, 4099, {1, 3}}, {16384, 16384, {0, 1}}};
static const char *const sums[] = {"sum", "squares", "dot"};

static size_t count_of(const struct qp_problem *problem)
{
    return (size_t)problem->width * (size_t)problem->height;
}

/* Problems of a test are the next one's too, with their references, but for the largest. */
static struct qp_problem made[COUNT(sizes) * COUNT(sums)];

static void each_problem(void (*test)(struct qp_problem *problem))
{
    for (int k = 0; k < COUNT(made); k++) {
        const int size = k / COUNT(sums);
        if (k % COUNT(sums) >= sizes[size].sums[support_takes_long()])
            continue;
        if (made[k].op == NULL)
            made[k] = reduce_problem(sums[k % COUNT(sums)], sizes[size].width, sizes[size].height);
        test(&made[k]);
        if (count_of(&made[k]) > (size_t)1 << 25)
            qp_problem_destroy(&made[k]);
    }
}

static void need_reference(struct qp_problem *problem)
{
    if (problem->reference == NULL)
        assert_ok(qp_problem_reference(problem, 1, NULL));
}

static int destroy_problems(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(made); k++)
        qp_problem_destroy(&made[k]);
    return 0;
}

static double term(const struct qp_problem *problem, size_t i)
{
    const double x = problem->field[QP_REDUCE_X].values[i],
                 y = problem->field[QP_REDUCE_Y].values[i];
    const enum qp_reduction_kind kind = qp_reduce_kind(problem);
    return kind == QP_SUM ? x : kind == QP_DOT ? x * y : x * x;
}

/* ---- The judge alone ---- */

/* True if a variant before this one has the same function. */
static bool is_told_before(size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (strcmp(qp_variant_at(i)->op, "reduce") == 0 &&
            qp_variant_at(i)->recipe->tolerance == qp_variant_at(row)->recipe->tolerance)
            return true;
    }
    return false;
}

/* The largest error that any variant that takes the problem is allowed. Each looks at all values,
 * so of variants with one function, which differ in their roundings, one is asked where there are
 * many: all of them are at the small sizes. */
static double allowed(const struct qp_problem *problem)
{
    double most = problem->op->tolerance(problem, 1, QP_FLOATS);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_recipe *recipe = qp_variant_at(i)->recipe;
        if (strcmp(qp_variant_at(i)->op, "reduce") == 0 && recipe->tolerance != NULL &&
            !(recipe->not_kinds >> qp_reduce_kind(problem) & 1) &&
            (count_of(problem) < 1 << 20 || support_takes_long() || !is_told_before(i)))
            most = fmax(most, recipe->tolerance(recipe, problem));
    }
    return most;
}

/* Expects stage 10 to accept or refuse such an answer. */
static void expect(const struct qp_problem *problem, double tolerance, double answer, bool right,
                   const char *what)
{
    float value = (float)answer;
    const struct qp_matrix got = {.width = 1, .height = 1, .values = &value};
    const double error = qp_compare(&got, problem->reference, problem->reference_scale).error;
    if ((error <= tolerance) != right)
        fail_msg("%s of %zu: %s, %.9g of %.9g, error %g of %g allowed", problem->kind,
                 count_of(problem), what, value, problem->reference[0], error, tolerance);
}

/* The sum of `terms` terms from `first` on; ends with the last value. */
static double part(const struct qp_problem *problem, size_t first, size_t terms)
{
    double sum = 0.0;
    for (size_t i = first; i < first + terms && i < count_of(problem); i++)
        sum += term(problem, i);
    return sum;
}

/* Lost are values at both ends and in between, a block of the ladder, a tile, the last odd ones. */
static void wrong_answers_fail(struct qp_problem *problem)
{
    const size_t n = count_of(problem);
    const struct {
        size_t first, terms;
    } lost[] = {
        {0, 1}, {n / 2, 1}, {n - 1, 1}, {0, QP_REDUCE_BLOCK}, {n / 2, QP_REDUCE_TILE_VALUES}};
    need_reference(problem);
    const double sum = problem->reference[0], most = allowed(problem);
    expect(problem, most, sum, true, "the sum");
    expect(problem, most, 0.0, false, "nothing");
    expect(problem, most, nextafterf((float)sum, INFINITY), false, "the next float");
    for (int k = 0; k < COUNT(lost); k++) {
        const double some = part(problem, lost[k].first, lost[k].terms);
        if (some == 0.0) /* squares of which most are 0 */
            continue;
        expect(problem, most, sum - some, false, "some terms lost");
        expect(problem, most, sum + some, false, "some terms twice");
    }
}

TEST(wrong_answers_fail_at_every_size)
{
    each_problem(wrong_answers_fail);
}

/* Enough terms are there to be lost. */
static void most_terms_count(struct qp_problem *problem)
{
    const size_t n = count_of(problem);
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        zeros += term(problem, i) == 0.0;
    if (n <= (size_t)1 << 24 || qp_reduce_kind(problem) != QP_SUM_OF_SQUARES)
        assert_int_equal(zeros, 0);
    else
        assert_true(n - zeros > (size_t)1 << 22);
}

TEST(no_term_is_for_nothing)
{
    each_problem(most_terms_count);
}

/* ---- Orders of additions ---- */

/* Every `stride`-th term in a row, in float: loops, lanes, threads of a grid. */
static float strided_sum(const struct qp_problem *problem, size_t stride)
{
    float all = 0.0f;
    for (size_t lane = 0; lane < stride && lane < count_of(problem); lane++) {
        float sum = 0.0f;
        for (size_t i = lane; i < count_of(problem); i += stride)
            sum += (float)term(problem, i);
        all += sum;
    }
    return all;
}

/* Blocks of neighbours. */
static float blocked_sum(const struct qp_problem *problem, size_t block)
{
    float all = 0.0f;
    for (size_t first = 0; first < count_of(problem); first += block) {
        float sum = 0.0f;
        for (size_t i = first; i < first + block && i < count_of(problem); i++)
            sum += (float)term(problem, i);
        all += sum;
    }
    return all;
}

static void adds_exactly(struct qp_problem *problem)
{
    static const size_t strides[] = {1, 1 << 16, 4, 256};
    const bool few = count_of(problem) > (size_t)1 << 24 && !support_takes_long();
    if (count_of(problem) > (size_t)1 << 25)
        return; /* it would take minutes */
    need_reference(problem);
    for (int k = 0; k < (few ? 2 : COUNT(strides)); k++) {
        assert_true(strided_sum(problem, strides[k]) == problem->reference[0]);
        assert_true(blocked_sum(problem, strides[k]) == problem->reference[0]);
    }
}

TEST(no_order_rounds)
{
    each_problem(adds_exactly);
}

/* ---- Values that somebody else puts there ---- */

/* They are judged by the variants' bounds, whatever hides among them. */
TEST(others_may_round)
{
    static const float values[] = {0.1f, 0x1p-24f, 0x1p25f, NAN, INFINITY};
    for (int k = 0; k < COUNT(values); k++) {
        struct qp_problem problem = reduce_problem("sum", 64, 64);
        assert_true(qp_reduce_is_exact(&problem));
        problem.field[QP_REDUCE_X].values[4095] = values[k];
        assert_false(qp_reduce_is_exact(&problem));
        qp_problem_destroy(&problem);
    }
    struct qp_problem problem = reduce_problem("max", 64, 64);
    problem.field[QP_REDUCE_X].values[17] = 0.1f;
    assert_true(qp_reduce_is_exact(&problem));
    qp_problem_destroy(&problem);
}

/* Values of one sign drift out of 24 bits, though each is whole. */
TEST(long_drifts_round)
{
    struct qp_problem problem = reduce_problem("sum", 4096, 4096);
    float *x = problem.field[QP_REDUCE_X].values;
    for (size_t i = 0; i < count_of(&problem); i++)
        x[i] = i < count_of(&problem) / 2 ? 1.0f : -1.0f;
    assert_false(qp_reduce_is_exact(&problem));
    qp_problem_destroy(&problem);
}

GROUP(NULL, destroy_problems)
