/* SPDX-License-Identifier: MIT */
/* Conversion of a matrix to the nine bands that multigrid takes. */
#include <math.h>
#include <stdlib.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"

/* Refuses an entry of row i that is not the entry of column i, in float. */
static enum qp_status check_row(const struct qp_problem *problem, size_t i)
{
    const size_t cells = qp_problem_cells(problem);
    for (int band = QP_JACOBI9_DD + 1; band < QP_JACOBI9_BANDS; band++) {
        const long apart = qp_band_dx(band) + (long)qp_band_dy(band) * problem->width;
        const float own = problem->field[band].values[i];
        const size_t j = i + (size_t)apart;
        const float other = j < cells ? problem->field[QP_JACOBI9_BANDS - band].values[j] : own;
        if (own != other)
            return qp_fail(QP_BAD_INPUT,
                           "the matrix is not symmetric (row %zu, column %zu holds %g and row %zu, "
                           "column %zu %g), and multigrid needs that; take the method bicgstab",
                           i + 1, j + 1, (double)own, j + 1, i + 1, (double)other);
    }
    const double diagonal = problem->field[QP_JACOBI9_DD].values[i];
    return diagonal > 0.0 ? QP_OK
                          : qp_fail(QP_BAD_INPUT,
                                    "the diagonal is %g in row %zu, and multigrid needs a positive "
                                    "definite matrix, whose diagonal is positive; take the method "
                                    "bicgstab",
                                    diagonal, i + 1);
}

enum qp_status qp_multigrid_from_market(const struct qp_market *matrix, int width, int height,
                                        struct qp_problem *out)
{
    enum qp_status status = qp_problem_from_market(matrix, width, height, out);
    if (status != QP_OK)
        return status;
    if (out->wraps)
        status = qp_fail(QP_BAD_INPUT,
                         "the matrix couples the last node of a grid's row to the first of the "
                         "next on %d x %d nodes, and multigrid coarsens grids that do not; take "
                         "the method cg or bicgstab",
                         out->width, out->height);
    for (size_t i = 0; i < qp_problem_cells(out) && status == QP_OK; i++)
        status = check_row(out, i);
    out->op = &qp_op_multigrid;
    out->weight = 1.0;
    if (status != QP_OK)
        qp_problem_destroy(out);
    return status;
}

enum qp_status qp_multigrid_poisson(int width, int height, struct qp_problem *out)
{
    const enum qp_status status =
        qp_problem_allocate(&qp_op_multigrid, "field", width, height, 1, out);
    if (status != QP_OK)
        return status;
    out->weight = 1.0;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++) {
        const size_t row = (size_t)y * (size_t)width;
        for (int field = 0; field < QP_MULTIGRID_STORED; field++) {
            const bool beside =
                field < QP_JACOBI9_BANDS && abs(qp_band_dx(field)) + abs(qp_band_dy(field)) == 1;
            const bool inside =
                beside && y + qp_band_dy(field) >= 0 && y + qp_band_dy(field) < height;
            float *values = out->field[field].values + row;
            for (int x = 0; x < width; x++)
                values[x] = field == QP_JACOBI9_DD ? 4.0f : inside ? -1.0f : 0.0f;
            if (inside && qp_band_dx(field) != 0)
                values[qp_band_dx(field) < 0 ? 0 : width - 1] = 0.0f;
        }
    }
    return QP_OK;
}

bool qp_multigrid_is_singular(const struct qp_problem *problem)
{
    const size_t cells = qp_problem_cells(problem);
    bool singular = true;
    for (size_t i = 0; i < cells && singular; i++) {
        double sum = 0.0, size = 0.0;
        for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
            sum += problem->field[band].values[i];
            size += fabs((double)problem->field[band].values[i]);
        }
        singular = fabs(sum) / size <= QP_MULTIGRID_ROUNDING;
    }
    return singular;
}
