/* SPDX-License-Identifier: MIT */
/* Sparse products:
 *
 *     y_i = sum_j a_ij x_j    over the entries of row i
 *
 * An update is an entry: a product and an addition. A step computes y from the same x once more, so
 * the answer stays the same. */
#include "lab/ops/spmv/spmv.h"

#include <math.h>

#include "lab/engines/engines.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

#define KIND(called, is)                            \
    {                                               \
        .name = called, .what = is, .settles = true \
    }

static const struct qp_kind kinds[QP_SPMV_KINDS + 1] = {
    [QP_SPMV_NINE] = KIND("nine", "nine bands of a grid, each cell and its neighbours"),
    [QP_SPMV_SEVEN] = KIND(
        "seven", "seven bands of a 3-D grid, whose height is split into its two nearest divisors"),
    [QP_SPMV_RANDOM] = KIND("random", "8 entries a row in random columns"),
    [QP_SPMV_POWER_LAW] =
        KIND("power_law", "rows whose lengths follow a power law, 8 entries on average"),
    [QP_SPMV_EMPTY_ROWS] =
        KIND("empty_rows", "half of all rows are empty, the others have 16 entries"),
    [QP_SPMV_FULL_ROW] = KIND("full_row", "one row is full, the others have 7 entries"),
    [QP_SPMV_ARROW] = KIND("arrow", "the first row, the first column and the diagonal are full"),
    [QP_SPMV_IDENTITY] = KIND("identity", "ones on the diagonal: the least that a row can be"),
};

/* Derived ones have padding, too: 0. */
static const struct qp_field fields[QP_SPMV_FIELDS] = {{.name = "x"}, {.name = "answer"}};

static const struct qp_size sizes[] = {{1, 1},   {1, 7},  {7, 1},     {3, 3},    {13, 11}, {30, 30},
                                       {64, 64}, {65, 9}, {128, 130}, {2048, 3}, {0}},
                            bench_sizes[] = {{128, 128}, {256, 256}, {512, 512}, {768, 768}, {0}};
static const int steps[] = {1, 2, 0};

/* 2^24 entries of about 8 a row, in 10 to 200 steps. */
static int bench_steps(const struct qp_problem *problem)
{
    const double count = (double)problem->sparse->count + (double)problem->sparse->rows;
    return (int)fmin(200.0, fmax(10.0, 0x1p24 / count));
}

static const struct qp_runs runs = {
    .sizes = sizes, .steps = steps, .bench_sizes = bench_sizes, .bench_steps = bench_steps};

static struct qp_extent extent(const struct qp_problem *problem)
{
    return (struct qp_extent){.updates =
                                  problem->sparse != NULL ? (double)problem->sparse->count : 0.0};
}

/* ---- Stage 9: the reference ---- */

/* Product of row i, and the sum of its magnitudes, which its rounding is in proportion to. */
static double product(const struct qp_problem *problem, size_t i, double *magnitude)
{
    const struct qp_sparse *a = problem->sparse;
    const float *x = problem->field[QP_SPMV_X].values;
    double sum = 0.0;
    *magnitude = 0.0;
    for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
        sum += (double)a->value[k] * x[a->column[k]];
        *magnitude += fabs((double)a->value[k] * x[a->column[k]]);
    }
    return sum;
}

static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    const size_t width = (size_t)problem->width;
    double scale = 0.0;
    (void)old;
    for (size_t i = first * width; i < end * width; i++) {
        double magnitude;
        new[i] = product(problem, i, &magnitude);
        scale = fmax(scale, magnitude);
    }
    return scale;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    qp_step_by_rows(problem, step_rows, old, new, scale);
}

/* Witness, the judge of the reference: entries from the last to the first, each added to its row in
 * long double. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const struct qp_sparse *a = problem->sparse;
    const float *x = problem->field[QP_SPMV_X].values;
    size_t k = a->count;
    (void)old, (void)scale;
    for (int i = a->rows - 1; i >= 0; i--) {
        long double sum = 0.0L;
        for (; k > a->first[i]; k--)
            sum += (long double)a->value[k - 1] * x[a->column[k - 1]];
        new[i] = (double)sum;
    }
}

/* ---- Stage 10: each row by its own bound ----
 *
 * A row of m entries is a sum of m products. In whatever order they are added, with or without
 * fused operations, its error is at most m u s, where s is the sum of magnitudes and u = 2^-24
 * (Jeannerod and Rump 2013), and none is allowed where s is 0. Pairs of floats lose u |y| when they
 * are rounded at the end, and before it 8 (m + 2)^2 u^2 s at most (Ogita, Rump and Oishi 2005 have
 * a smaller bound of sums that are nearly the same). Errors are judged in units of u times that
 * bound, so that every row has the tolerance u. */

enum { ANY_ORDER, TWOFOLD, REFERENCE };

static int order(const struct qp_recipe *recipe)
{
    const struct qp_spmv_variant *own = recipe->own;
    if (recipe->engine == &qp_engine_reference)
        return REFERENCE;
    return own != NULL && own->twofold ? TWOFOLD : ANY_ORDER;
}

static double judge_cell(const void *user, size_t i, double got, double *wanted)
{
    const struct qp_problem *problem = user;
    const double m = (double)qp_sparse_length(problem->sparse, (int)i);
    double s;
    product(problem, i, &s);
    *wanted = problem->reference[i];
    const double bound = problem->order == TWOFOLD
                             ? fabs(*wanted) + 8.0 * (m + 2.0) * (m + 2.0) * 0x1p-24 * s
                             : m * s;
    if (!isfinite(got))
        return INFINITY;
    return got == *wanted ? 0.0 : fabs(got - *wanted) / bound; /* infinite where s is 0 */
}

/* The reference's own variant is left to the witness. */
static bool measure(const struct qp_problem *problem, const struct qp_matrix *answer,
                    struct qp_comparison *worst)
{
    if (problem->order == REFERENCE)
        return false;
    *worst = qp_compare_by(answer, judge_cell, problem);
    return true;
}

static const struct qp_judge judge = {
    .measure = measure, .measured = "its row's product beside its bound", .order = order};

/* + the reference's own rounding, in double. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)problem, (void)iterations, (void)precision;
    return 0x1p-24 * (1.0 + 0x1p-20);
}

/* ---- Cost ---- */

/* Each entry's value and column are read once, or what its row says; and of each row x, y, and
 * where it begins, once. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const double entry = recipe->bytes > 0.0 ? recipe->bytes : 8.0;
    const struct qp_sparse *a = problem->sparse;
    const double rows = a != NULL && a->count > 0 ? (double)a->rows / (double)a->count : 0.0;
    return (struct qp_cost){.bytes = entry + 12.0 * rows, .flops = 2.0};
}

/* ---- Stage 1 ---- */

static enum qp_status grid(const struct qp_problem_desc *desc, int *width, int *height)
{
    (void)width, (void)height;
    return desc->systems > 1
               ? qp_fail(QP_BAD_USE, "stage 1, problem: spmv multiplies one matrix, not %d",
                         desc->systems)
               : QP_OK;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    uint64_t state = desc->seed + 1;
    float *x = problem->field[QP_SPMV_X].values, *y = problem->field[QP_SPMV_ANSWER].values;
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        x[i] = (float)qp_random(&state, -1.0, 1.0);
        y[i] = 0.0f;
    }
    problem->sparse = qp_alloc_zero(1, sizeof *problem->sparse, "a sparse matrix");
    return problem->sparse != NULL ? qp_spmv_make_kind(problem, desc->seed) : QP_NO_MEMORY;
}

const struct qp_op qp_op_spmv = {
    .name = "spmv",
    .kinds = kinds,
    .equation = "y_i = sum_j a_ij x_j, over the entries of row i",
    .state = QP_SPMV_ANSWER,
    .fields = QP_SPMV_STORED,
    .field = fields,
    .cell_bytes = 400.0,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = tolerance,
    .cost = cost,
    .field_size = qp_spmv_field_size,
    .derive = qp_spmv_derive,
    .takes = qp_spmv_takes,
    .judge = &judge,
    .grid = grid,
    .extent = extent,
};
