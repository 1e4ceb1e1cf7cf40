/* SPDX-License-Identifier: MIT */
#include "baseline/baseline.h"

#include "ops/jacobi9.h"

static void append(struct qp_market *market, long row, long column, double value)
{
    market->row[market->count] = (int)row;
    market->column[market->count] = (int)column;
    market->value[market->count++] = value;
}

enum qp_status baseline_matrix(const struct qp_problem *problem, struct qp_market *out)
{
    const long cells = (long)problem->width * problem->height;
    const size_t most = (size_t)cells * QP_BANDS;
    *out = (struct qp_market){.rows = (int)cells,
                              .columns = (int)cells,
                              .row = qp_alloc(most, sizeof *out->row, "the rows of a matrix"),
                              .column = qp_alloc(most, sizeof *out->column, "its columns"),
                              .value = qp_alloc(most, sizeof *out->value, "its values")};
    if (out->row == NULL || out->column == NULL || out->value == NULL) {
        qp_market_destroy(out);
        return QP_NO_MEMORY;
    }
    for (long i = 0; i < cells; i++) {
        for (int band = 0; band < QP_BANDS; band++) {
            long j = i + qp_band_dx(band) + (long)qp_band_dy(band) * problem->width;
            if (j >= 0 && j < cells && problem->field[band].values[i] != 0.0f)
                append(out, i, j, problem->field[band].values[i]);
        }
    }
    return QP_OK;
}
