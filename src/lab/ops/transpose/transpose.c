/* SPDX-License-Identifier: MIT */
/* Transposition: a matrix is turned about its main diagonal, and nothing is computed:
 *
 *     transpose[i, j] = x[j, i]    copy[i, j] = x[i, j]
 *
 * where [i, j] is column i of row j. Copies move as many bytes without turning them, so they are
 * the roof (upper bound) of variants that turn. A step turns x once more; the answer stays the
 * same. (Paper 4, matrix transposition.) */
#include "lab/ops/transpose/transpose.h"

#include <math.h>

#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

static const struct qp_kind kinds[QP_TRANSPOSE_KINDS + 1] = {
    [QP_TRANSPOSE_TURNED] = {.name = "transpose", .what = "the matrix turned", .settles = true},
    [QP_TRANSPOSE_COPIED] = {.name = "copy",
                             .what = "the matrix as it is",
                             .roof = true,
                             .settles = true},
};

static const struct qp_field fields[QP_TRANSPOSE_STORED] = {{.name = "x"}, {.name = "answer"}};

static bool is_copied(const struct qp_problem *problem)
{
    return qp_problem_kind(problem) == QP_TRANSPOSE_COPIED;
}

static struct qp_extent extent(const struct qp_problem *problem)
{
    if (is_copied(problem))
        return (struct qp_extent){0}; /* the grid's */
    return (struct qp_extent){.answer = {problem->height, problem->width}};
}

/* ---- Stage 9: the reference ---- */

/* Gathers: each cell of the answer looks for its value. */
static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    (void)old;
    double scale = 0.0;
    const bool copied = is_copied(problem);
    const float *x = problem->field[QP_TRANSPOSE_X].values;
    const size_t width = (size_t)problem->answer_width, height = (size_t)problem->answer_height;
    for (size_t row = first; row < end; row++) {
        for (size_t column = 0; column < width; column++) {
            const float value = copied ? x[row * width + column] : x[column * height + row];
            new[row * width + column] = value;
            scale = fmax(scale, fabs(value));
        }
    }
    return scale;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    qp_step_by_rows(problem, step_rows, old, new, scale);
}

/* Witness, the judge of the reference: scatters place number k of x, from the last on. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)old, (void)scale;
    const bool copied = is_copied(problem);
    const long width = problem->width, height = problem->height;
    for (long k = width * height - 1; k >= 0; k--)
        new[copied ? k : k % width * height + k / width] = problem->field[QP_TRANSPOSE_X].values[k];
}

/* ---- Stage 1 ---- */

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    uint64_t state = desc->seed;
    const size_t cells = qp_problem_cells(problem);
    for (size_t i = 0; i < cells; i++) {
        problem->field[QP_TRANSPOSE_X].values[i] = (float)qp_random(&state, -1.0, 1.0);
        problem->field[QP_TRANSPOSE_ANSWER].values[i] = 0.0f;
    }
    return QP_OK;
}

const struct qp_op qp_op_transpose = {
    .name = "transpose",
    .kinds = kinds,
    .equation = "transpose[i, j] = x[j, i], copy[i, j] = x[i, j]",
    .state = QP_TRANSPOSE_ANSWER,
    .fields = QP_TRANSPOSE_STORED,
    .field = fields,
    .runs = &qp_usual_runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = qp_rounds_nothing,
    .cost = qp_cost_of_arrays,
    .extent = extent,
};
