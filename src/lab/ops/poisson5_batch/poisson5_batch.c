/* SPDX-License-Identifier: MIT */
/* Jacobi's step on many small grids at once, each as in poisson5 with zeros around it, which no
 * grid shares with another:
 *
 *     u'[x, y] = ((u[x-1, y] + u[x+1, y]) + (u[x, y-1] + u[x, y+1]) + h^2 f[x, y]) / 4
 *
 * Grids are square, n x n cells, and are stored one below the other: row y of grid g is row g n + y
 * of all. Float variants add in this order, so that they agree bit for bit. */
#include "lab/ops/poisson5_batch/poisson5_batch.h"

#include <math.h>

#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/base/whole.h"

static const struct qp_field fields[QP_POISSON5_BATCH_STORED] = {{"h^2 f", 0.0f}, {"x", 0.0f}};

static const struct qp_kind kinds[] = {
    {.name = "field",
     .what = "random right-hand sides, h^2 f from -1 to 1; random starts",
     .benched = true},
    {0}};

/* ---- Stage 1 ---- */

/* W x H means H grids of W x W cells. */
static enum qp_status grid(const struct qp_problem_desc *desc, int *width, int *height)
{
    const int n = desc->width, most = QP_POISSON5_BATCH_MOST;
    if (n > most)
        return qp_fail(
            QP_BAD_USE,
            "stage 1, problem: grids of %d x %d cells are no small ones; a batch takes up "
            "to %d x %d, poisson5 takes one grid of any size",
            n, n, most, most);
    if (n < 1 || desc->height < 1)
        return qp_fail(
            QP_BAD_USE,
            "stage 1, problem: %d grids of %d x %d cells are none; both must be at least 1",
            desc->height, n, n);
    if ((double)desc->height * n > 0x1p30)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d grids are too many to be counted",
                       desc->height);
    *width = n;
    *height = desc->height * n;
    return QP_OK;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    uint64_t state = desc->seed;
    const size_t cells = qp_problem_cells(problem);
    for (size_t i = 0; i < cells; i++) {
        problem->field[QP_POISSON5_BATCH_RHS].values[i] = (float)qp_random(&state, -1.0, 1.0);
        problem->field[QP_POISSON5_BATCH_X].values[i] = (float)qp_random(&state, -1.0, 1.0);
    }
    return QP_OK;
}

/* ---- Stage 9: the reference ---- */

static double rhs_at(const struct qp_problem *problem, size_t i)
{
    return problem->field[QP_POISSON5_BATCH_RHS].values[i];
}

static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    const int n = problem->width;
    double largest = 0.0;
    for (int row = (int)first; row < (int)end; row++) {
        for (int x = 0; x < n; x++) {
            const size_t i = (size_t)row * (size_t)n + (size_t)x;
            const double left = x > 0 ? old[i - 1] : 0.0, right = x < n - 1 ? old[i + 1] : 0.0;
            const double below = row % n > 0 ? old[i - (size_t)n] : 0.0;
            const double above = row % n < n - 1 ? old[i + (size_t)n] : 0.0,
                         rhs = rhs_at(problem, i);
            new[i] = (left + right + below + above + rhs) / 4.0;
            largest = fmax(
                largest, (fabs(left) + fabs(right) + fabs(below) + fabs(above) + fabs(rhs)) / 4.0);
        }
    }
    return largest;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    qp_step_by_rows(problem, step_rows, old, new, scale);
}

/* Witness, the judge of the reference: each cell scatters a quarter of its value to its
 * neighbours. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const int n = problem->width;
    const size_t cells = qp_problem_cells(problem);
    (void)scale;
    for (size_t i = 0; i < cells; i++)
        new[i] = 0.25 * rhs_at(problem, i);
    for (size_t i = 0; i < cells; i++) {
        const int x = (int)(i % (size_t)n), y = (int)(i / (size_t)n % (size_t)n);
        if (x > 0)
            new[i - 1] += 0.25 * old[i];
        if (x < n - 1)
            new[i + 1] += 0.25 * old[i];
        if (y > 0)
            new[i - (size_t)n] += 0.25 * old[i];
        if (y < n - 1)
            new[i + (size_t)n] += 0.25 * old[i];
    }
}

/* ---- Stage 10 ---- */

/* Tolerance in units of u S, u = 2^-24, S the largest (sum |u| + |h^2 f|) / 4: a step rounds four
 * sums, each by u S at most, and a quarter is exact; its weights come to 1 and enlarge no error of
 * the steps before. In double u = 2^-53, and the reference rounds as often as the variant. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)problem;
    return 4.0 * iterations * (precision == QP_DOUBLES ? 2.0 * 0x1p-53 : 0x1p-24);
}

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_poisson5_batch_variant *own = recipe->own;
    if (own == NULL || problem->width <= own->most)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "takes grids of at most %d x %d cells, which a warp's registers hold; take "
                   "poisson5_batch/cuda_naive",
                   own->most, own->most);
}

/* ---- Extents and costs, for records ---- */

static struct qp_extent extent(const struct qp_problem *problem)
{
    const int n = problem->width, count = problem->height / n;
    return (struct qp_extent){.width = n,
                              .height = n,
                              .systems = count,
                              .updates = (double)n * n * count,
                              .answer = {n, n * count},
                              .batch = n};
}

/* Least grids, primes, powers of two and one above and below, a grid alone, many. */
static const struct qp_size sizes[] = {{1, 1},  {1, 37}, {2, 3},  {3, 101}, {7, 5},  {8, 9},
                                       {9, 4},  {16, 3}, {17, 2}, {31, 3},  {32, 5}, {33, 3},
                                       {63, 2}, {64, 7}, {65, 2}, {0}};

static const int check_steps[] = {1, 2, 7, 100, 0};

static const struct qp_size bench_sizes[] = {{16, 1000}, {32, 1000}, {64, 1000}, {0}};

/* 100 steps of 10,000 grids of 64 x 64 cells; for more grids the same number of updates. */
static int bench_steps(const struct qp_problem *problem)
{
    return qp_clamp(0x1p32 / qp_problem_extent(problem).updates, 1, 100);
}

static const struct qp_runs runs = {.sizes = sizes,
                                    .steps = check_steps,
                                    .bench_sizes = bench_sizes,
                                    .bench_steps = bench_steps,
                                    .whole_systems = true};

const struct qp_op qp_op_poisson5_batch = {
    .name = "poisson5_batch",
    .equation = "poisson5's step of Jacobi on many small grids at once",
    .kinds = kinds,
    .field = fields,
    .fields = QP_POISSON5_BATCH_STORED,
    .state = QP_POISSON5_BATCH_X,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = tolerance,
    .cost = qp_cost_of_arrays,
    .grid = grid,
    .extent = extent,
    .takes = takes,
};
