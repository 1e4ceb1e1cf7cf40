/* SPDX-License-Identifier: MIT */
/* Multigrid for A x = b with a matrix of nine bands that is symmetric and positive definite, or
 * whose null space is the constant. A step is one cycle M:
 *
 *     x' = x + M (b - A x)
 *
 * On each grid a few smoothing steps reduce what is rough of the error; the rest is smooth, so that
 * the next coarser grid holds it: its matrix is P' A P (Galerkin), P the bilinear interpolation,
 * and its right-hand side P' times the residual. M is fixed by the grids (hierarchy.h), by the
 * smoother and by the order of the grids (scheme.h). */
#include "lab/ops/multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"

static const struct qp_field fields[QP_MULTIGRID_STORED] = {
    {"DD", 1.0f}, {"LL", 0.0f}, {"LD", 0.0f}, {"LU", 0.0f}, {"DL", 0.0f}, {"DU", 0.0f},
    {"UL", 0.0f}, {"UD", 0.0f}, {"UU", 0.0f}, {"b", 0.0f},  {"x", 0.0f}};

static const struct qp_kind kinds[QP_MULTIGRID_KINDS + 1] = {
    [QP_MULTIGRID_FIELD] = {.name = "field",
                            .what = "Poisson's equation, random right-hand side, random start",
                            .benched = true,
                            .followed = true},
    [QP_MULTIGRID_SINE] = {.name = "sine",
                           .what = "poisson5's of this name, a product of sines; start 0"},
    [QP_MULTIGRID_BIDOMAIN] = {.name = "bidomain", .what = "jacobi9's heart model; start 0"},
    [QP_MULTIGRID_JUMPS] = {.name = "jumps",
                            .what =
                                "the coefficient is 10 in 16 islands and 1 around them; random"},
    [QP_MULTIGRID_INSULATED] = {.name = "insulated",
                                .what =
                                    "no flow through the rim, so x is known but for a constant; "
                                    "random"},
};

/* ---- Stage 9: the reference ---- */

/* Largest |b| + sum |A x| of a node. */
static double size_of_sums(const struct qp_problem *problem, const double *b, const double *x)
{
    const long cells = (long)qp_problem_cells(problem);
    const struct qp_matrix *a = problem->field;
    double most = 0.0;
    int offset[QP_JACOBI9_BANDS];
    for (int band = 0; band < QP_JACOBI9_BANDS; band++)
        offset[band] = qp_band_dx(band) + qp_band_dy(band) * problem->width;
    for (long i = 0; i < cells; i++) {
        double sum = fabs(b[i]);
        for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
            const long j = i + offset[band];
            if (j >= 0 && j < cells)
                sum += fabs((double)a[band].values[i] * x[j]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* r = b - A x. Returns its largest magnitude. */
static double find_residual(const struct qp_multigrid_grid *grid, const double *b, const double *x,
                            double *r)
{
    const int n = grid->width * grid->height;
    double most = 0.0;
    qp_multigrid_apply(grid, x, r);
    for (int i = 0; i < n; i++) {
        r[i] = b[i] - r[i];
        most = fmax(most, fabs(r[i]));
    }
    return most;
}

/* A refined cycle rounds in float by the sums of its own right-hand side r and answer e, in double
 * by those of x; the tolerance is of double. What earlier steps rounded has gone through this cycle
 * since, which left as much of it as of the residual, or a fourth at least. */
static double scale_of_refined(double sums, double sums_of_cycle, double left, double scale)
{
    return fmax(sums, 0x1p28 * sums_of_cycle + fmin(fmax(left, 0.25), 1.0) * scale);
}

/* new = old + M (b - A old), by room for three vectors. */
static enum qp_status take_step(const struct qp_problem *problem,
                                const struct qp_multigrid *multigrid, const double *old,
                                double *new, double *scale, double *room)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[problem->order];
    const size_t cells = qp_problem_cells(problem);
    double *b = room, *residual = b + cells, *correction = residual + cells;
    for (size_t i = 0; i < cells; i++)
        b[i] = problem->field[QP_MULTIGRID_B].values[i];
    const double most = find_residual(multigrid->grid, b, old, residual);
    const enum qp_status status = qp_multigrid_cycle(multigrid, scheme, residual, correction);
    if (status != QP_OK)
        return status;
    for (size_t i = 0; i < cells; i++)
        new[i] = old[i] + correction[i];
    const double sums = fmax(size_of_sums(problem, b, old), size_of_sums(problem, b, new));
    const double of_cycle = scheme->refined ? size_of_sums(problem, residual, correction) : 0.0;
    *scale =
        !scheme->refined
            ? fmax(*scale, sums)
            : scale_of_refined(sums, of_cycle,
                               find_residual(multigrid->grid, b, new, residual) / most, *scale);
    return QP_OK;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    struct qp_multigrid multigrid = {0};
    double *room = qp_alloc(3 * qp_problem_cells(problem), sizeof *room, "a cycle's residual");
    enum qp_status status = QP_NO_MEMORY;
    if (room != NULL)
        status = qp_multigrid_make(problem->field, qp_multigrid_schemes[problem->order].bottom,
                                   &multigrid);
    if (status == QP_OK)
        status = take_step(problem, &multigrid, old, new, scale, room);
    qp_multigrid_free(&multigrid);
    free(room);
    if (status != QP_OK)
        *scale = -1.0;
}

/* ---- Stage 10 ---- */

struct judged {
    const struct qp_problem *problem;
    const struct qp_matrix *answer;
};

/* Row i of A times the answer's distance from the reference, in scales. */
static double judge_cell(const void *user, size_t i, double got, double *wanted)
{
    const struct judged *judged = user;
    const struct qp_problem *problem = judged->problem;
    double sum = 0.0;
    for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
        const double a = problem->field[band].values[i];
        const size_t j = i + (size_t)(qp_band_dx(band) + (long)qp_band_dy(band) * problem->width);
        if (a != 0.0 && j < qp_problem_cells(problem))
            sum += a * (qp_matrix_value(judged->answer, j) - problem->reference[j]);
    }
    *wanted = problem->reference[i];
    if (!isfinite(got))
        return INFINITY;
    return isfinite(sum) ? fabs(sum) / problem->reference_scale : 0.0; /* a neighbour is to blame */
}

/* The error is a residual: A times the distance from the reference. Rounding leaves errors in x
 * that are smooth, and so as large as the condition of A allows; their residual is of the size of
 * the sums that were rounded, on any grid. A singular matrix hides the constant, which is free. The
 * reference's own variant is left to the witness. */
static bool measure(const struct qp_problem *problem, const struct qp_matrix *answer,
                    struct qp_comparison *worst)
{
    const struct judged judged = {problem, answer};
    if (problem->order == QP_MULTIGRID_REFERENCE)
        return false;
    *worst = qp_compare_by(answer, judge_cell, &judged);
    return true;
}

int qp_multigrid_scheme_of(const struct qp_recipe *recipe)
{
    const struct qp_multigrid_variant *own = recipe->own;
    return own != NULL ? own->scheme : QP_MULTIGRID_REFERENCE;
}

static const struct qp_judge judge = {
    .measure = measure,
    .measured = "the residual of its distance from the reference",
    .order = qp_multigrid_scheme_of,
};

/* Tolerance in units of u S, u = 2^-24, S the largest |b| + sum |A x| of a node, x before or after
 * the step. A smoothing step adds ten products to a residual, each rounded twice at most, scales it
 * and adds it to x: 13 roundings of u S. After the correction come three, which shrink what was
 * rounded before them, on this grid in four sweeps and on the coarser ones in as much again, to a
 * fourth at most: 3 * 13 + (4 + 4) * 13 / 4 = 65. Errors of earlier cycles shrink by the cycle's
 * factor. In double u = 2^-53, and the reference rounds, too. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)problem, (void)iterations;
    return 65.0 * (precision == QP_DOUBLES ? 2.0 * 0x1p-53 : 0x1p-24);
}

/* ---- Stage 1 ---- */

/* The coefficient of a node: islands are the odd ones of eight stripes both ways. */
static double coefficient(const struct qp_problem *problem, int x, int y)
{
    const bool island = (long)x * 8 / problem->width % 2 == 1 && (long)y * 8 / problem->height % 2;
    return island && qp_problem_kind(problem) == QP_MULTIGRID_JUMPS ? 10.0 : 1.0;
}

/* The five bands of -div(c grad): a coupling is the harmonic mean of two nodes' coefficients. To
 * the rim, where x is 0, it is the node's own; an insulated grid has none, and its only node, where
 * it is one alone, is held by 1. */
static void fill_node(struct qp_problem *problem, int x, int y)
{
    static const int bands[] = {QP_JACOBI9_LD, QP_JACOBI9_DL, QP_JACOBI9_DU, QP_JACOBI9_UD};
    const size_t i = (size_t)y * (size_t)problem->width + (size_t)x;
    const bool insulated = qp_problem_kind(problem) == QP_MULTIGRID_INSULATED;
    const double own = coefficient(problem, x, y);
    double sum = qp_problem_cells(problem) == 1 && insulated ? 1.0 : 0.0;
    for (int band = 0; band < QP_JACOBI9_BANDS; band++)
        problem->field[band].values[i] = 0.0f;
    for (int k = 0; k < 4; k++) {
        const int to_x = x + qp_band_dx(bands[k]), to_y = y + qp_band_dy(bands[k]);
        const bool inside =
            to_x >= 0 && to_x < problem->width && to_y >= 0 && to_y < problem->height;
        const double other = inside ? coefficient(problem, to_x, to_y) : own;
        const float coupling = (float)(2.0 * own * other / (own + other));
        if (inside)
            problem->field[bands[k]].values[i] = -coupling;
        if (inside || !insulated)
            sum += coupling;
    }
    problem->field[QP_JACOBI9_DD].values[i] = (float)sum;
}

static void fill(struct qp_problem *problem, uint64_t seed)
{
    const bool sine = qp_problem_kind(problem) == QP_MULTIGRID_SINE;
    uint64_t state = seed;
    for (int y = 0; y < problem->height; y++) {
        for (int x = 0; x < problem->width; x++) {
            const size_t i = (size_t)y * (size_t)problem->width + (size_t)x;
            fill_node(problem, x, y);
            problem->field[QP_MULTIGRID_B].values[i] =
                (float)(sine ? qp_poisson5_rhs_of(problem, QP_POISSON5_SINE, x, y)
                             : qp_random(&state, -1.0, 1.0));
            problem->field[QP_MULTIGRID_X].values[i] =
                sine ? 0.0f : (float)qp_random(&state, -1.0, 1.0);
        }
    }
}

static enum qp_status fill_bidomain(struct qp_problem *problem)
{
    const size_t cells = qp_problem_cells(problem);
    double *block = qp_alloc_zero(cells, QP_MULTIGRID_STORED * sizeof *block, "the heart model");
    double *band[QP_JACOBI9_BANDS];
    if (block == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < QP_JACOBI9_BANDS; k++)
        band[k] = block + k * cells;
    const enum qp_status status =
        qp_bidomain_assemble(problem->width, problem->height, band, block + QP_MULTIGRID_B * cells);
    for (size_t i = 0; i < cells * QP_MULTIGRID_STORED && status == QP_OK; i++)
        problem->field[i / cells].values[i % cells] = (float)block[i];
    free(block);
    return status;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    problem->weight = 1.0;
    if (qp_problem_kind(problem) == QP_MULTIGRID_BIDOMAIN)
        return fill_bidomain(problem);
    fill(problem, desc->seed);
    return QP_OK;
}

/* ---- Checks, benchmarks, costs ---- */

/* The least grids, where a direction has 1 to 7 nodes; powers of two and one above and two above;
 * even and odd numbers of nodes on coarser grids, long and thin grids. */
static const struct qp_size sizes[] = {{1, 1},   {1, 7},   {7, 1},   {2, 2},   {3, 3},     {4, 5},
                                       {6, 7},   {5, 40},  {13, 11}, {17, 31}, {31, 17},   {64, 64},
                                       {65, 65}, {66, 66}, {63, 34}, {2, 257}, {300, 100}, {0}};

static const int steps[] = {1, 2, 5, 0};

static const struct qp_size bench_sizes[] = {{257, 257}, {511, 511}, {1023, 1023}, {0}};

static int bench_steps(const struct qp_problem *problem)
{
    return qp_problem_cells(problem) > 0 ? 5 : 0;
}

static const struct qp_runs runs = {
    .sizes = sizes, .steps = steps, .bench_sizes = bench_sizes, .bench_steps = bench_steps};

/* A cycle's sweeps over all grids: nine products and sums, and three more flops that make a step of
 * a residual; each reads ten numbers of the matrix, x and b, and writes x. */
static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_multigrid_scheme *scheme =
        &qp_multigrid_schemes[qp_multigrid_scheme_of(recipe)];
    const double work = qp_multigrid_work(scheme), one = qp_format_bytes(recipe->state.format);
    (void)problem;
    return (struct qp_cost){.flops = 21.0 * (work + scheme->refined),
                            .bytes = scheme->refined ? 13.0 * (work * 0.5 + 1.0) * one
                                                     : 13.0 * work * one};
}

enum { CELL_BYTES = 3 * 11 * 4 + 16 * 8 * 2 };

const struct qp_op qp_op_multigrid = {
    .name = "multigrid",
    .equation = "x' = x + M (b - A x), M a cycle over all grids",
    .kinds = kinds,
    .field = fields,
    .fields = QP_MULTIGRID_STORED,
    .state = QP_MULTIGRID_X,
    .cell_bytes = CELL_BYTES,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = qp_multigrid_witness,
    .tolerance = tolerance,
    .cost = cost,
    .judge = &judge,
};
