/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"

/* ---- Interpolation ---- */

/* Nodes with those of the rim, which two nodes or fewer do without. */
static int all_of(struct qp_multigrid_line line)
{
    return line.nodes <= 2 ? line.nodes : line.nodes + line.low + line.high;
}

struct qp_multigrid_line qp_multigrid_coarse(struct qp_multigrid_line line)
{
    const int all = all_of(line);
    line.nodes = line.nodes <= 2 ? 1 : (all + all % 2) / 2 - line.low - line.high;
    return line;
}

struct qp_multigrid_share qp_multigrid_share_of(struct qp_multigrid_line line, int fine)
{
    const int all = all_of(line), i = fine + line.low;
    const int wide = all % 2 == 0 ? all - 4 : all; /* begin of the wide element */
    if (line.nodes <= 2)
        return (struct qp_multigrid_share){0, {1.0, 0.0}};
    const bool is_last = i == all - 1;
    const double high = is_last ? 0.0 : i > wide ? (i - wide) / 3.0 : i % 2 / 2.0;
    const int at = is_last || i <= wide ? i / 2 : wide / 2;
    struct qp_multigrid_share share = {at - line.low, {1.0 - high, high}};
    if (line.low && at == 0)
        share.weight[0] = 0.0;
    if (line.high && at + 1 == (all + all % 2) / 2 - 1)
        share.weight[1] = 0.0;
    return share;
}

/* ---- Rows ---- */

static bool owns_row(const struct qp_multigrid_grid *grid, int y)
{
    return y == 0 || grid->row[y] != grid->row[y - 1];
}

static enum qp_status add_row(struct qp_multigrid_grid *grid, int y)
{
    grid->row[y] = qp_alloc_zero((size_t)grid->width * QP_JACOBI9_BANDS, sizeof(double),
                                 "a row of a multigrid's matrix");
    return grid->row[y] != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status make_rows(struct qp_multigrid_grid *grid, struct qp_multigrid_line across,
                                struct qp_multigrid_line up)
{
    grid->across = across;
    grid->up = up;
    grid->width = across.nodes;
    grid->height = up.nodes;
    grid->row =
        qp_alloc_zero((size_t)grid->height, sizeof *grid->row, "rows of a multigrid's matrix");
    return grid->row != NULL ? QP_OK : QP_NO_MEMORY;
}

/* True if row y of the problem's matrix has the values of the row before. */
static bool repeats(const struct qp_matrix band[], int y)
{
    const size_t width = (size_t)band->width, bytes = width * qp_value_bytes(band->precision);
    for (int k = 0; k < QP_JACOBI9_BANDS && y > 0; k++) {
        const char *row =
            qp_value_at(qp_matrix_values(&band[k]), band->precision, (size_t)(y - 1) * width);
        if (memcmp(row, row + bytes, bytes) != 0)
            return false;
    }
    return y > 0;
}

static enum qp_status take_rows(const struct qp_matrix band[], struct qp_multigrid_grid *grid)
{
    const size_t width = (size_t)band->width;
    const struct qp_multigrid_line across = {.nodes = band->width}, up = {.nodes = band->height};
    enum qp_status status = make_rows(grid, across, up);
    for (int y = 0; y < band->height && status == QP_OK; y++) {
        if (repeats(band, y)) {
            grid->row[y] = grid->row[y - 1];
            continue;
        }
        status = add_row(grid, y);
        for (size_t k = 0; k < QP_JACOBI9_BANDS && status == QP_OK; k++) {
            for (size_t x = 0; x < width; x++)
                grid->row[y][k * width + x] = qp_matrix_value(&band[k], (size_t)y * width + x);
        }
    }
    return status;
}

/* ---- P' A P, first up, then across ---- */

/* Sums over the fine rows of coarse row `coarse`: for each of three coarse rows that it is coupled
 * to, and three fine columns, a row of the fine grid's width. */
static void gather_up(const struct qp_multigrid_grid *fine, int coarse, double *sums)
{
    const int width = fine->width, height = fine->height;
    memset(sums, 0, sizeof *sums * 9 * (size_t)width);
    const int middle = 2 * coarse + fine->up.low;
    for (int y = qp_most(middle - 1, 0); y < height && y <= middle + 2; y++) {
        const struct qp_multigrid_share own = qp_multigrid_share_of(fine->up, y);
        const double weight = own.at == coarse       ? own.weight[0]
                              : own.at == coarse - 1 ? own.weight[1]
                                                     : 0.0;
        for (int k = 0; k < QP_JACOBI9_BANDS && weight != 0.0; k++) {
            const int to = y + qp_band_dy(k);
            const struct qp_multigrid_share other = qp_multigrid_share_of(fine->up, to);
            for (int side = 0; side < 2 && to >= 0 && to < height; side++) {
                const double factor = weight * other.weight[side];
                const int up = other.at + side - coarse + 1, across = qp_band_dx(k) + 1;
                for (int x = 0; x < width && factor != 0.0; x++)
                    sums[(up * 3 + across) * width + x] += factor * fine->row[y][k * width + x];
            }
        }
    }
}

/* The band between neighbours so far apart. */
static int band_to(int dx, int dy)
{
    int band = 0;
    while (qp_band_dx(band) != dx || qp_band_dy(band) != dy)
        band++;
    return band;
}

/* The same across, of a row of coarse nodes; `share` is the interpolation of each fine column. */
static void gather_across(int width, const struct qp_multigrid_share *share, const double *sums,
                          int coarse_width, double *row)
{
    for (int part = 0; part < 9; part++) {
        const int dy = part / 3 - 1, dx = part % 3 - 1;
        const int band[3] = {band_to(-1, dy), band_to(0, dy), band_to(1, dy)};
        for (int x = qp_most(0, -dx); x < width && x + dx < width; x++) {
            const struct qp_multigrid_share own = share[x], other = share[x + dx];
            for (int k = 0; k < 4; k++) {
                const double factor = own.weight[k / 2] * other.weight[k % 2];
                const int from = own.at + k / 2, to = other.at + k % 2;
                if (factor != 0.0)
                    row[band[to - from + 1] * coarse_width + from] +=
                        factor * sums[part * width + x];
            }
        }
    }
}

/* True if coarse row y is made of the same rows, by the same weights, as the one before. */
static bool is_alike(const struct qp_multigrid_grid *fine, int y)
{
    const int all = all_of(fine->up), middle = 2 * y + fine->up.low;
    const int last = qp_least(fine->height - 1, all - (all % 2 == 0 ? 4 : 1) - fine->up.low);
    return y >= 2 && middle + 2 <= last && fine->row[middle - 3] == fine->row[middle + 1];
}

/* Row y of the coarse matrix, by room for sums of a fine row's width. */
static enum qp_status fill_row(const struct qp_multigrid_grid *fine,
                               const struct qp_multigrid_share *share, double *sums, int y,
                               struct qp_multigrid_grid *coarse)
{
    if (is_alike(fine, y)) {
        coarse->row[y] = coarse->row[y - 1];
        return QP_OK;
    }
    if (add_row(coarse, y) != QP_OK)
        return QP_NO_MEMORY;
    gather_up(fine, y, sums);
    gather_across(fine->width, share, sums, coarse->width, coarse->row[y]);
    return QP_OK;
}

static enum qp_status coarsen(const struct qp_multigrid_grid *fine,
                              struct qp_multigrid_grid *coarse)
{
    const size_t width = (size_t)fine->width;
    enum qp_status status =
        make_rows(coarse, qp_multigrid_coarse(fine->across), qp_multigrid_coarse(fine->up));
    struct qp_multigrid_share *share = qp_alloc(width, sizeof *share, "a multigrid's weights");
    double *sums = qp_alloc(width * 9, sizeof *sums, "sums of a multigrid's rows");
    if (share == NULL || sums == NULL)
        status = QP_NO_MEMORY;
    for (int x = 0; x < fine->width && status == QP_OK; x++)
        share[x] = qp_multigrid_share_of(fine->across, x);
    for (int y = 0; y < coarse->height && status == QP_OK; y++)
        status = fill_row(fine, share, sums, y, coarse);
    free(share);
    free(sums);
    return status;
}

/* ---- Numbers of a matrix ---- */

/* Finds the radius, and the largest row sum beside the row's size. */
static enum qp_status look_at_rows(struct qp_multigrid_grid *grid, double *largest_sum)
{
    const int width = grid->width;
    for (int y = 0; y < grid->height; y++) {
        for (int x = 0; x < width && owns_row(grid, y); x++) {
            double sum = 0.0, size = 0.0;
            for (int k = 0; k < QP_JACOBI9_BANDS; k++) {
                sum += grid->row[y][k * width + x];
                size += fabs(grid->row[y][k * width + x]);
            }
            const double diagonal = grid->row[y][QP_JACOBI9_DD * width + x];
            if (!(diagonal > 0.0) || !isfinite(size))
                return qp_fail(QP_BAD_INPUT,
                               "the diagonal is %g in row %d of a grid of %d x %d nodes; multigrid "
                               "takes positive definite matrices, whose diagonal is positive",
                               diagonal, y * width + x + 1, width, grid->height);
            grid->radius = fmax(grid->radius, size / diagonal);
            *largest_sum = fmax(*largest_sum, fabs(sum) / size);
        }
    }
    return QP_OK;
}

/* Beside a rim of x = 0 that was left out of the system, a node's row sum is what couples it to the
 * rim. A node that is coupled to nothing is the rim itself. */
static bool is_by_rim(const struct qp_multigrid_grid *grid, int x, int y)
{
    double sum = 0.0;
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        sum += grid->row[y][k * grid->width + x];
    const double part = sum / grid->row[y][QP_JACOBI9_DD * grid->width + x];
    return part >= 1.0 / 16.0 && part <= 15.0 / 16.0;
}

static void find_rim(struct qp_multigrid_grid *grid)
{
    struct qp_multigrid_line *across = &grid->across, *up = &grid->up;
    across->low = across->high = up->low = up->high = true;
    for (int y = 0; y < grid->height; y++) {
        across->low &= is_by_rim(grid, 0, y);
        across->high &= is_by_rim(grid, grid->width - 1, y);
    }
    for (int x = 0; x < grid->width; x++) {
        up->low &= is_by_rim(grid, x, 0);
        up->high &= is_by_rim(grid, x, grid->height - 1);
    }
}

/* ---- The coarsest grid ---- */

/* Replaces the symmetric n x n matrix by its inverse, by Gauss and Jordan without pivoting, which a
 * positive definite matrix does without. */
static enum qp_status invert(double *a, int n)
{
    for (int k = 0; k < n; k++) {
        const double pivot = a[k * n + k];
        if (!(pivot > 0.0))
            return qp_fail(QP_BAD_INPUT,
                           "the coarsest grid's matrix has a pivot of %g, so the matrix is not "
                           "positive definite, which multigrid needs",
                           pivot);
        a[k * n + k] = 1.0;
        for (int j = 0; j < n; j++)
            a[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = a[i * n + k];
            if (i == k)
                continue;
            a[i * n + k] = 0.0;
            for (int j = 0; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return QP_OK;
}

/* A singular matrix gets the eigenvalue `share` for the constant, and loses 1 / share again when it
 * is inverted: the pseudoinverse, which takes a right-hand side's constant part to 0. */
static enum qp_status invert_bottom(struct qp_multigrid *multigrid)
{
    const struct qp_multigrid_grid *grid = &multigrid->grid[multigrid->grids - 1];
    const int width = grid->width, n = width * grid->height;
    const double share = multigrid->singular ? grid->row[0][QP_JACOBI9_DD * width] : 0.0;
    double *a = qp_alloc_zero((size_t)n * (size_t)n, sizeof *a, "a multigrid's inverse");
    multigrid->inverse = a;
    if (a == NULL)
        return QP_NO_MEMORY;
    for (int i = 0; i < n * QP_JACOBI9_BANDS; i++) {
        const int band = i / n, x = i % width, y = i % n / width;
        const int column = x + qp_band_dx(band), line = y + qp_band_dy(band);
        if (column >= 0 && column < width && line >= 0 && line < grid->height)
            a[i % n * n + line * width + column] = grid->row[y][band * width + x];
    }
    for (int i = 0; i < n * n; i++)
        a[i] += share / n;
    const enum qp_status status = invert(a, n);
    for (int i = 0; i < n * n && multigrid->singular; i++)
        a[i] -= 1.0 / (share * n);
    return status;
}

/* ---- All grids ---- */

enum qp_status qp_multigrid_make(const struct qp_matrix band[QP_JACOBI9_BANDS], int bottom,
                                 struct qp_multigrid *out)
{
    double sum = 0.0, ignored = 0.0;
    *out = (struct qp_multigrid){.grids = 1};
    struct qp_multigrid_grid *grid = out->grid;
    enum qp_status status = take_rows(band, grid);
    if (status == QP_OK)
        status = look_at_rows(grid, &sum);
    out->singular = sum <= QP_MULTIGRID_ROUNDING;
    if (status == QP_OK)
        find_rim(grid);
    for (; status == QP_OK && (double)grid->width * grid->height > bottom; grid++) {
        out->grids++;
        status = coarsen(grid, grid + 1);
        if (status == QP_OK)
            status = look_at_rows(grid + 1, &ignored);
    }
    if (status == QP_OK)
        status = invert_bottom(out);
    if (status != QP_OK)
        qp_multigrid_free(out);
    return status;
}

void qp_multigrid_free(struct qp_multigrid *multigrid)
{
    for (int k = 0; k < multigrid->grids; k++) {
        struct qp_multigrid_grid *grid = &multigrid->grid[k];
        for (int y = grid->height - 1; y >= 0 && grid->row != NULL; y--) {
            if (owns_row(grid, y))
                free(grid->row[y]);
        }
        free(grid->row);
    }
    free(multigrid->inverse);
    *multigrid = (struct qp_multigrid){0};
}
