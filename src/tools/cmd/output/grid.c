/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/io/market.h"
#include "toolkit/io/npy.h"
#include "tools/cmd/output/pixels.h"
#include "tools/cmd/output/sentence.h"

enum format { MARKET, NPY, PNG, FORMATS };

static const char *const ends[] = {[MARKET] = ".mtx", [NPY] = ".npy", [PNG] = ".png"};

/* FORMATS for a name that ends otherwise, unless it is no file: a pipe or a device gets the text of
 * standard output. */
static enum format format_of(const char *path)
{
    const char *end = strrchr(path, '.');
    struct stat found;
    for (int i = 0; end != NULL && i < FORMATS; i++) {
        if (strcasecmp(end, ends[i]) == 0)
            return (enum format)i;
    }
    const bool flows =
        strcmp(path, "-") == 0 ||
        (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
    return flows ? MARKET : FORMATS;
}

enum qp_status grid_check_name(const char *path, bool pictures)
{
    if (path == NULL || format_of(path) < (pictures ? FORMATS : PNG))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: the name must end in .mtx%s, which says the format", path,
                   pictures ? ", .npy or .png" : " or .npy");
}

bool grid_is_array(const char *path)
{
    return format_of(path) == NPY;
}

bool grid_is_picture(const char *path)
{
    return format_of(path) == PNG;
}

/* A sparse file may promise far more places than it has entries. */
static enum qp_status check_memory(const char *path, int rows, int columns)
{
    const double need = (double)rows * columns * sizeof(double);
    if (need <= qp_memory_there())
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s: %d x %d values need %.1f GiB, and %.1f are there (take a smaller grid)",
                   path, columns, rows, need / 0x1p30, qp_memory_there() / 0x1p30);
}

/* A Matrix Market file, with a line for the user where entries were added. */
static enum qp_status read_entries(const char *path, struct qp_market *out)
{
    size_t added;
    const enum qp_status status = qp_market_read_adding(path, out, &added);
    if (added > 0)
        sentence_say("%s: %zu of its entries %s at a place of another one, and added to it", path,
                     added, added == 1 ? "is" : "are");
    return status;
}

static enum qp_status read_market(const char *path, struct qp_matrix *out)
{
    struct qp_market market;
    enum qp_status status = read_entries(path, &market);
    if (status == QP_OK)
        status = check_memory(path, market.rows, market.columns);
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
    *out = (struct qp_matrix){0};
    *channels = 1;
    switch (format_of(path)) {
    case NPY:
        return qp_npy_read(path, out, channels);
    case PNG:
        return pixels_read(path, 1, out);
    default:
        return read_market(path, out);
    }
}

/* ---- Columns ---- */

enum qp_status grid_read_columns(const char *path, struct qp_market *out)
{
    struct qp_matrix array;
    int channels;
    *out = (struct qp_market){0};
    if (!grid_is_array(path))
        return read_entries(path, out);
    enum qp_status status = qp_npy_read(path, &array, &channels);
    if (status == QP_OK && channels > 1)
        status =
            qp_fail(QP_BAD_INPUT, "%s: has 3 axes, and a matrix has 2 (save a[:, :, 0])", path);
    if (status == QP_OK)
        status = check_memory(path, array.height, array.width);
    const size_t rows = (size_t)array.height, columns = (size_t)array.width, count = rows * columns;
    if (status == QP_OK && (out->value = qp_alloc(count, sizeof *out->value, "columns")) == NULL)
        status = qp_fail_within(QP_NO_MEMORY, "%s", path);
    for (size_t k = 0; status == QP_OK && k < count; k++) {
        const double value = qp_matrix_value(&array, k % rows * columns + k / rows);
        out->value[k] = value;
        if (!isfinite(value))
            status = qp_fail(QP_BAD_INPUT,
                             "%s: row %zu, column %zu is %g, which is no finite number (correct "
                             "it)",
                             path, k % rows + 1, k / rows + 1, value);
    }
    *out = (struct qp_market){.rows = array.height,
                              .columns = array.width,
                              .count = count,
                              .dense = true,
                              .value = out->value};
    qp_matrix_destroy(&array);
    if (status != QP_OK)
        qp_market_destroy(out);
    return status;
}

enum qp_status grid_write_columns(const char *path, int rows, int columns, const double *value)
{
    const size_t height = (size_t)rows, width = (size_t)columns;
    struct qp_matrix array;
    if (!grid_is_array(path))
        return qp_market_write(path, rows, columns, value);
    enum qp_status status = qp_matrix_make(columns, rows, QP_DOUBLES, &array);
    if (status != QP_OK)
        return qp_fail_within(status, "%s", path);
    for (size_t k = 0; k < height * width; k++)
        array.doubles[k % height * width + k / height] = value[k];
    status = qp_npy_write(path, &array, columns == 1 ? QP_NPY_VECTOR : 1);
    qp_matrix_destroy(&array);
    return status;
}

/* ---- Grids ---- */

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
    const enum qp_status status = grid_check_name(path, true);
    const enum format format = format_of(path);
    if (low != NULL)
        *low = 0.0;
    if (high != NULL)
        *high = 1.0;
    if (status != QP_OK)
        return status;
    if (format == NPY)
        return qp_npy_write(path, matrix, channels);
    if (format == PNG)
        return pixels_write(path, matrix, channels, 1, low, high);
    if (channels != 1)
        return qp_fail(QP_BAD_USE,
                       "%s: holds one value a cell, and these have %d; write a .npy file", path,
                       channels);
    return write_market(path, matrix);
}
