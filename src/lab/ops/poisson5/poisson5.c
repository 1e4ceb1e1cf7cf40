/* SPDX-License-Identifier: MIT */
/* Poisson's equation -laplace(u) = f on a rectangle with u = 0 on its rim (paper 5, figure 1), in
 * centred differences on (width + 2) x (height + 2) points, the rim among them, a distance h = 1 /
 * (width + 1) apart:
 *
 *     4 u[x, y] - u[x-1, y] - u[x+1, y] - u[x, y-1] - u[x, y+1] = h^2 f[x, y]
 *
 * A step with weight w (1: Jacobi's, the paper's) is
 *
 *     u'[x, y] = u[x, y] + w (t - u[x, y]),
 *     t = ((u[x-1, y] + u[x+1, y]) + (u[x, y-1] + u[x, y+1]) + h^2 f[x, y]) / 4
 *
 * Variants in one precision add in this order, so that they agree bit for bit where nothing is
 * contracted and subnormal numbers are treated alike. The paper's grid is square; on another one
 * the rectangle is as high as its rows make it, with the same h both ways. */
#include "lab/ops/poisson5/poisson5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/async.h"
#include "lab/plan/problem.h"
#include "toolkit/base/bands.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"

static const struct qp_field fields[QP_POISSON5_ALL_FIELDS] = {
    {"f", 0.0f}, {"x", 0.0f}, {"h^2 f", 0.0f}, {"4/(w |h^2 f|)", 0.0f}};

static const struct qp_kind kinds[QP_POISSON5_KINDS + 1] = {
    [QP_POISSON5_FIELD] = {.name = "field",
                           .what = "random right-hand side, h^2 f from -1 to 1; random start"},
    [QP_POISSON5_SPIKE] = {.name = "spike",
                           .what = "h^2 f = 1 in the middle, by a formula: no array of it is read; "
                                   "start 0",
                           .inputs = QP_NO_INPUTS,
                           .benched = true},
    [QP_POISSON5_SINE] = {.name = "sine",
                          .what = "a product of sines, which is also the solution and an "
                                  "eigenvector; start 0"},
};

/* ---- Stage 9: the reference ---- */

static double update(const struct qp_problem *problem, int kind, const double *u, int x, int y,
                     double *scale)
{
    const double w = problem->weight, old = qp_poisson5_value_at(problem, u, x, y);
    const double left = qp_poisson5_value_at(problem, u, x - 1, y),
                 right = qp_poisson5_value_at(problem, u, x + 1, y);
    const double below = qp_poisson5_value_at(problem, u, x, y - 1),
                 above = qp_poisson5_value_at(problem, u, x, y + 1);
    const double rhs = qp_poisson5_rhs_of(problem, kind, x, y);
    const double sum = (fabs(left) + fabs(right) + fabs(below) + fabs(above) + fabs(rhs)) / 4.0;
    const double size = w == 1.0 ? sum : fabs(old) + fabs(w) * (sum + fabs(old));
    *scale = size > *scale ? size : *scale;
    return old + w * ((left + right + below + above + rhs) / 4.0 - old);
}

/* All cells of these rows, or those whose x + y leaves `colour` over by 2: cells of one colour read
 * none of their own. */
static double step_cells(const struct qp_problem *problem, const double *old, double *new,
                         size_t first, size_t end, int colour)
{
    const int kind = qp_problem_kind(problem), apart = colour < 0 ? 1 : 2;
    double largest = 0.0;
    for (int y = (int)first; y < (int)end; y++) {
        for (int x = colour < 0 ? 0 : (y + colour) % 2; x < problem->width; x += apart)
            new[(size_t)y * (size_t)problem->width + (size_t)x] =
                update(problem, kind, old, x, y, &largest);
    }
    return largest;
}

static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    return step_cells(problem, old, new, first, end, -1);
}

static double step_red(const struct qp_problem *problem, const double *old, double *new,
                       size_t first, size_t end)
{
    return step_cells(problem, old, new, first, end, 0);
}

static double step_black(const struct qp_problem *problem, const double *old, double *new,
                         size_t first, size_t end)
{
    return step_cells(problem, old, new, first, end, 1);
}

/* Chaotic variants have a lower bound for a reference (below): Jacobi's step, or that of the blocks
 * that a variant keeps together, in double. The variant whose blocks exchange nothing has itself,
 * in floats, bit for bit. */
static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    switch (problem->order) {
    case QP_POISSON5_RED_BLACK:
        memcpy(new, old, qp_problem_cells(problem) * sizeof *new);
        qp_step_by_rows(problem, step_red, new, new, scale);
        qp_step_by_rows(problem, step_black, new, new, scale);
        return;
    case QP_POISSON5_BLOCKS:
    case QP_POISSON5_ASYNC_BLOCKS:
        qp_poisson5_step_blocks(problem, QP_ASYNC_ACROSS, problem->block, old, new, scale);
        return;
    case QP_POISSON5_ASYNC_COLUMNS:
        qp_poisson5_step_blocks(problem, 1, problem->block, old, new, scale);
        return;
    default:
        qp_step_by_rows(problem, step_rows, old, new, scale);
    }
}

/* Witness, the judge of the reference: each cell scatters a quarter of its value to its
 * neighbours. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)scale;
    const int width = problem->width, height = problem->height;
    const double w = problem->weight;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            new[i] = (1.0 - w) * old[i] + 0.25 * w *qp_poisson5_rhs(problem, x, y);
        }
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            const double part = 0.25 * w * old[i];
            if (x > 0)
                new[i - 1] += part;
            if (x < width - 1)
                new[i + 1] += part;
            if (y > 0)
                new[i - (size_t)width] += part;
            if (y < height - 1)
                new[i + (size_t)width] += part;
        }
    }
}

/* ---- Stage 10 ---- */

double qp_poisson5_grown(const struct qp_problem *problem, int iterations)
{
    const int halves = problem->order == QP_POISSON5_RED_BLACK ? 2 : problem->alpha + 1;
    double all = 0.0;
    for (int k = 0; k < iterations * halves; k++) {
        const double w = qp_problem_step_weight(problem, k / halves);
        all = all * fmax(1.0, fabs(1.0 - w) + fabs(w)) + 1.0;
    }
    return all;
}

/* Tolerance in units of u S, u = 2^-24, S the largest (sum |u| + |h^2 f|) / 4, or with another
 * weight than 1 the largest |u| + w (S + |u|). A step rounds h^2 f and four sums, each by u S at
 * most; a quarter is exact. The weight rounds itself, a difference, a product and a sum more: 9.
 * Earlier errors grow by |1 - w| + |w|, which is 1 up to w = 1. In double u = 2^-53, and the
 * reference rounds as often as the variant. A chaotic step may hand an error on from cell to cell,
 * along as many as lie between two corners. Blocks that exchange nothing have the bits of their
 * model. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    const bool plain = problem->weights == NULL && problem->weight == 1.0;
    const double path =
        qp_poisson5_is_chaotic(problem->order) ? problem->width + problem->height : 1;
    const double unit = precision == QP_DOUBLES ? 2.0 * 0x1p-53 : 0x1p-24;
    if (problem->order == QP_POISSON5_BLOCKS)
        return 0.0;
    return (plain ? 5.0 : 9.0) * unit * path * qp_poisson5_grown(problem, iterations);
}

/* ---- Stage 1 ---- */

/* A spike outside would leave a right-hand side of zeros, which every variant solves. */
static enum qp_status check_mark(const struct qp_problem *problem)
{
    const long x = (long)problem->width / 2 + problem->mark_x,
               y = (long)problem->height / 2 + problem->mark_y;
    if (x >= 0 && x < problem->width && y >= 0 && y < problem->height)
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "a spike (%d, %d) cells from the middle is not on the grid of %d x %d",
                   problem->mark_x, problem->mark_y, problem->width, problem->height);
}

/* Values that a problem gets. */
struct filling {
    struct qp_problem *problem;
    int kind;
    uint64_t seed;
};

static double fill_rows(void *user, size_t first, size_t end)
{
    const struct filling *filling = user;
    struct qp_matrix *field = filling->problem->field;
    const size_t width = (size_t)filling->problem->width;
    const double h = qp_poisson5_h(filling->problem);
    const bool random = filling->kind == QP_POISSON5_FIELD;
    uint64_t state = qp_random_after(filling->seed, 2 * first * width);
    for (size_t i = first * width; i < end * width; i++) {
        const double rhs = random ? qp_random(&state, -1.0, 1.0)
                                  : qp_poisson5_rhs_of(filling->problem, filling->kind,
                                                       (int)(i % width), (int)(i / width));
        field[QP_POISSON5_F].values[i] = (float)(rhs / (h * h));
        field[QP_POISSON5_X].values[i] = random ? (float)qp_random(&state, -1.0, 1.0) : 0.0f;
    }
    return 0.0;
}

static double start_rows(void *user, size_t first, size_t end)
{
    const struct filling *filling = user;
    const size_t width = (size_t)filling->problem->width;
    uint64_t state = qp_random_after(filling->seed, first * width);
    for (size_t i = first * width; i < end * width; i++)
        filling->problem->field[QP_POISSON5_X].values[i] = (float)qp_random(&state, -1.0, 1.0);
    return 0.0;
}

/* Kinds that start from zeros have a size of 1: so do their random starts. */
static void start(struct qp_problem *problem, bool random)
{
    struct qp_matrix *x = &problem->field[QP_POISSON5_X];
    struct filling filling = {problem, qp_problem_kind(problem), 1};
    if (filling.kind == QP_POISSON5_FIELD)
        return;
    problem->random_start = random;
    if (random)
        qp_bands((size_t)problem->height, (size_t)problem->width, start_rows, &filling);
    else
        memset(x->values, 0, qp_problem_cells(problem) * sizeof *x->values);
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem);
    if (kind == QP_POISSON5_SPIKE && check_mark(problem) != QP_OK)
        return QP_BAD_USE;
    if (problem->weight == 0.0)
        problem->weight = 1.0;
    struct filling filling = {problem, kind, desc->seed};
    qp_bands((size_t)problem->height, (size_t)problem->width, fill_rows, &filling);
    return QP_OK;
}

/* h^2 f of all cells, and what is made of it where it is not NULL. */
struct rhs {
    const struct qp_problem *problem;
    int kind;
    enum qp_precision precision;
    void *values;
    double *squares; /* sum of each row */
};

static double find_rhs_rows(void *user, size_t first, size_t end)
{
    const struct rhs *rhs = user;
    const size_t width = (size_t)rhs->problem->width;
    for (size_t y = first; y < end; y++) {
        double sum = 0.0;
        for (size_t x = 0; x < width; x++) {
            const double value = qp_poisson5_rhs_of(rhs->problem, rhs->kind, (int)x, (int)y);
            sum += value * value;
            if (rhs->values != NULL)
                qp_set_value(rhs->values, rhs->precision, y * width + x, value);
        }
        if (rhs->squares != NULL)
            rhs->squares[y] = sum;
    }
    return 0.0;
}

static void find_rhs(const struct qp_problem *problem, enum qp_precision precision, void *values,
                     double *squares)
{
    struct rhs rhs = {problem, qp_problem_kind(problem), precision, values, squares};
    qp_bands((size_t)problem->height, (size_t)problem->width, find_rhs_rows, &rhs);
}

static enum qp_status derive(const struct qp_problem *problem, int field,
                             enum qp_precision precision, size_t room, void *values)
{
    (void)room; /* a value a cell */
    if (field == QP_POISSON5_RHS) {
        find_rhs(problem, precision, values, NULL);
        return QP_OK;
    }
    const struct qp_problem *whole = qp_problem_whole(problem);
    double *squares = qp_alloc((size_t)whole->height, sizeof *squares, "sums of h^2 f"), sum = 0.0;
    if (squares == NULL)
        return QP_NO_MEMORY;
    find_rhs(whole, precision, NULL, squares);
    for (int y = 0; y < whole->height; y++)
        sum += squares[y];
    free(squares);
    const double factor = 4.0 / (problem->weight * (sum > 0.0 ? sqrt(sum) : 1.0));
    for (size_t i = 0; i < qp_problem_cells(problem); i++)
        qp_set_value(values, precision, i, factor);
    return QP_OK;
}

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int weights = problem->weights != NULL ? problem->weights->count : 1;
    const bool chaotic = qp_poisson5_is_chaotic(qp_poisson5_variant(recipe)->order);
    for (int k = 0; k < weights && chaotic; k++) {
        const double weight = qp_problem_step_weight(problem, k);
        if (!(weight > 0.0 && weight <= 1.0))
            return qp_fail(QP_UNSUPPORTED, "a chaotic order takes weights above 0 up to 1, not %g",
                           weight);
    }
    return QP_OK;
}

/* ---- Checks and benchmarks ---- */

/* Steps: fewer than a pass of eight fuses, as many, and no multiple of any. */
static const int check_steps[] = {1, 2, 7, 8, 19, 0};

static const struct qp_size bench_sizes[] = {{512, 512}, {1024, 1024}, {2048, 2048}, {0}};

/* 2^25 updates, in 8 to 256 steps: multiples of 8, for variants that fuse them. */
static int bench_steps(const struct qp_problem *problem)
{
    return 8 * qp_clamp(0x1p22 / ((double)problem->width * problem->height), 1, 32);
}

/* Steps on a GPU: several hundred, so that it draws its full power; a multiple of the steps that
 * variants fuse (12, 16, 8, 6, 5). None of variants whose lower part the CPU computes. */
static int gpu_steps(const struct qp_recipe *recipe)
{
    const struct qp_recipe *lowest = qp_parts_run(&qp_poisson5_variant(recipe)->parts, 0);
    return lowest != NULL && lowest->backend == QP_CPU ? 0 : 240;
}

/* A launch of an asynchronous variant counts as one step; others fuse 16 at most, or as many as lie
 * between exchanges. */
static int launch(const struct qp_recipe *recipe)
{
    return qp_recipe_alpha_rule(recipe) != NULL
               ? 1
               : qp_most(16, qp_poisson5_variant(recipe)->parts.depth);
}

/* A half step of red cells reads a cell each way, and so does that of black ones. Blocks begin at
 * the grid's corner, and so does what they keep together. */
static int reach(const struct qp_recipe *recipe)
{
    const enum qp_poisson5_order order = qp_poisson5_variant(recipe)->order;
    return order == QP_POISSON5_TOGETHER ? 1 : order == QP_POISSON5_RED_BLACK ? 2 : 0;
}

static const struct qp_runs runs = {.sizes = qp_usual_sizes,
                                    .steps = check_steps,
                                    .bench_sizes = bench_sizes,
                                    .bench_steps = bench_steps,
                                    .gpu_steps = gpu_steps,
                                    .launch = launch,
                                    .reach = reach,
                                    .start = start};

enum { PAPER_ACROSS = 64, PAPER_UP = 8 /* unknowns of the thesis's block */ };

/* The thesis counts a block's unknowns as they are written, and with their fringes as they are
 * read: 9.125 bytes an update in float and 18.25 in double. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const double written = PAPER_ACROSS * PAPER_UP;
    const double read = written + 2 * PAPER_ACROSS + 2 * PAPER_UP;
    struct qp_cost cost = qp_cost_of_arrays(recipe, problem);
    cost.paper_bytes = qp_format_bytes(recipe->state.format) * (written + read) / written;
    return cost;
}

/* Cell of the spike, and the size of the thesis's blocks: its place in one decides which thread has
 * it. */
static struct qp_extent extent(const struct qp_problem *problem)
{
    struct qp_extent extent = {0};
    if (qp_problem_kind(problem) == QP_POISSON5_SPIKE) {
        qp_poisson5_spike(problem, &extent.cell.x, &extent.cell.y);
        extent.cell.block_x = PAPER_ACROSS;
        extent.cell.block_y = PAPER_UP;
    }
    return extent;
}

const struct qp_op qp_op_poisson5 = {
    .name = "poisson5",
    .equation = "u' = (u[x-1,y] + u[x+1,y] + u[x,y-1] + u[x,y+1] + h^2 f) / 4",
    .kinds = kinds,
    .field = fields,
    .fields = QP_POISSON5_STORED,
    .state = QP_POISSON5_X,
    .change_scale = QP_POISSON5_CHANGE,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = tolerance,
    .cost = cost,
    .extent = extent,
    .derive = derive,
    .takes = takes,
    .judge = &qp_poisson5_judge,
};
