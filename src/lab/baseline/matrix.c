/* SPDX-License-Identifier: MIT */
#include "lab/baseline/baseline.h"

#include <string.h>

#include "lab/baseline/files.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/status.h"
#include "toolkit/io/market.h"

static void append(struct qp_market *market, long row, long column, double value)
{
    market->row[market->count] = (int)row;
    market->column[market->count] = (int)column;
    market->value[market->count++] = value;
}

/* Makes a matrix without entries, with room for nine in each of its rows. */
static enum qp_status create(long cells, struct qp_market *out)
{
    const size_t most = (size_t)cells * QP_JACOBI9_BANDS;
    *out = (struct qp_market){.rows = (int)cells,
                              .columns = (int)cells,
                              .row = qp_alloc(most, sizeof *out->row, "the rows of a matrix"),
                              .column = qp_alloc(most, sizeof *out->column, "its columns"),
                              .value = qp_alloc(most, sizeof *out->value, "its values")};
    if (out->row != NULL && out->column != NULL && out->value != NULL)
        return QP_OK;
    qp_market_destroy(out);
    return QP_NO_MEMORY;
}

enum qp_status baseline_matrix(const struct qp_problem *problem, struct qp_market *out)
{
    const long cells = (long)problem->width * problem->height;
    enum qp_status status = create(cells, out);
    if (status != QP_OK)
        return status;
    for (long i = 0; i < cells; i++) {
        for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
            long j = i + qp_band_dx(band) + (long)qp_band_dy(band) * problem->width;
            if (j >= 0 && j < cells && problem->field[band].values[i] != 0.0f)
                append(out, i, j, problem->field[band].values[i]);
        }
    }
    return QP_OK;
}

/* The nine-point star: 8 on the diagonal, -1 to each neighbour on the grid. */
enum qp_status baseline_gr_30_30(struct qp_market *out)
{
    enum { N = 30 };
    enum qp_status status = create(N * N, out);
    if (status != QP_OK)
        return status;
    for (int i = 0; i < N * N; i++) {
        for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
            int x = i % N + qp_band_dx(band), y = i / N + qp_band_dy(band);
            if (x >= 0 && x < N && y >= 0 && y < N)
                append(out, i, y * N + x, band == QP_JACOBI9_DD ? 8.0 : -1.0);
        }
    }
    return QP_OK;
}

enum qp_status baseline_file(const char *name, struct qp_market *out)
{
    *out = (struct qp_market){0};
    const struct qp_own_file *file = qp_own_file_find(baseline_files, name);
    return file->name != NULL ? qp_market_read_text(name, file->text, file->size, out)
                              : qp_fail(QP_BAD_USE, "no matrix called %s is built in", name);
}
