/* SPDX-License-Identifier: MIT */
#include "cmd/output/grid.h"

#include <quadpass/market.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/values.h"
#include "cmd/output/grey.h"
#include "io/market.h"
#include "io/npy.h"

enum format { MARKET, NPY, PNG, FORMATS };

static const char *const ends[] = {[MARKET] = ".mtx", [NPY] = ".npy", [PNG] = ".png"};

/* FORMATS for a name that ends otherwise. */
static enum format format_of(const char *path)
{
    const char *end = strrchr(path, '.');
    enum format format = strcmp(path, "-") == 0 ? MARKET : FORMATS;
    for (int i = 0; end != NULL && i < FORMATS; i++)
        format = strcasecmp(end, ends[i]) == 0 ? (enum format)i : format;
    return format;
}

enum qp_status grid_check_name(const char *path)
{
    if (path == NULL || format_of(path) != FORMATS)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: the name must end in .mtx, .npy or .png, which says the format",
                   path);
}

/* A sparse file may promise far more places than it has entries. */
static enum qp_status check_memory(const char *path, const struct qp_market *market)
{
    const double need = (double)market->rows * market->columns * sizeof(double);
    if (need <= qp_memory_there())
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s: %d x %d values need %.1f GiB, and %.1f are there (take a smaller grid)",
                   path, market->columns, market->rows, need / 0x1p30, qp_memory_there() / 0x1p30);
}

static enum qp_status read_market(const char *path, struct qp_matrix *out)
{
    struct qp_market market;
    enum qp_status status = qp_market_read(path, &market);
    if (status == QP_OK)
        status = check_memory(path, &market);
    if (status == QP_OK)
        status = qp_matrix_make(market.columns, market.rows, QP_DOUBLES, out);
    if (status == QP_NO_MEMORY)
        qp_fail_within(status, "%s", path);
    if (status == QP_OK) {
        memset(out->doubles, 0, (size_t)out->width * (size_t)out->height * sizeof *out->doubles);
        for (size_t k = 0; k < market.count; k++) {
            int row, column;
            qp_market_place(&market, k, &row, &column);
            out->doubles[(size_t)row * (size_t)out->width + (size_t)column] = market.value[k];
        }
    }
    qp_market_destroy(&market);
    return status;
}

enum qp_status grid_read(const char *path, struct qp_matrix *out, int *channels)
{
    enum qp_status status = grid_check_name(path);
    *out = (struct qp_matrix){0};
    *channels = 1;
    if (status != QP_OK)
        return status;
    switch (format_of(path)) {
    case NPY:
        return qp_npy_read(path, out, channels);
    case PNG:
        return grey_read(path, out);
    default:
        return read_market(path, out);
    }
}

/* Files go column by column, grids row by row. */
static enum qp_status write_market(const char *path, const struct qp_matrix *matrix)
{
    const size_t rows = (size_t)matrix->height, columns = (size_t)matrix->width;
    double *values = qp_alloc(rows * columns, sizeof *values, "the columns of a grid");
    if (values == NULL)
        return qp_fail_within(QP_NO_MEMORY, "%s", path);
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < rows; i++)
            values[j * rows + i] = qp_matrix_value(matrix, i * columns + j);
    }
    const enum qp_status status = qp_market_write(path, matrix->height, matrix->width, values);
    free(values);
    return status;
}

enum qp_status grid_write(const char *path, const struct qp_matrix *matrix, int channels,
                          double *low, double *high)
{
    const enum qp_status status = grid_check_name(path);
    const enum format format = format_of(path);
    if (low != NULL)
        *low = 0.0;
    if (high != NULL)
        *high = 1.0;
    if (status != QP_OK)
        return status;
    if (format == NPY)
        return qp_npy_write(path, matrix, channels);
    if (channels != 1)
        return qp_fail(QP_BAD_USE,
                       "%s: holds one value a cell, and these have %d; write a .npy file", path,
                       channels);
    return format == PNG ? grey_write(path, matrix, low, high) : write_market(path, matrix);
}
