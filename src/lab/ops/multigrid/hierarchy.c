/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/bands.h"
#include "toolkit/base/sets.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"

/* Sums of a coarse row: of three rows that it is coupled to, and three fine columns. */
enum { SUMS = 9 };

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

static size_t row_bytes(const struct qp_multigrid_grid *grid)
{
    return (size_t)grid->width * QP_JACOBI9_BANDS * sizeof(double);
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

/* Rows of a grid, which all cores make: the finest from the problem's bands, others from the grid
 * above. */
struct making {
    const struct qp_matrix *band;
    const struct qp_multigrid_grid *fine;
    const struct qp_multigrid_share *share; /* interpolation of each fine column */
    double *sums;                           /* nine rows of the fine grid for each band of rows */
    bool *repeats;
    struct qp_multigrid_grid *grid;
};

static double find_repeats(void *user, size_t first, size_t end)
{
    const struct making *making = user;
    for (size_t y = first; y < end; y++)
        making->repeats[y] = repeats(making->band, (int)y);
    return 0.0;
}

static double copy_rows(void *user, size_t first, size_t end)
{
    const struct making *making = user;
    const size_t width = (size_t)making->grid->width;
    for (size_t i = first * QP_JACOBI9_BANDS; i < end * QP_JACOBI9_BANDS; i++) {
        const size_t y = i / QP_JACOBI9_BANDS, k = i % QP_JACOBI9_BANDS;
        const struct qp_matrix *from = &making->band[k];
        double *to = making->grid->row[y] + k * width;
        for (size_t x = 0; x < width && owns_row(making->grid, (int)y); x++)
            to[x] = qp_matrix_value(from, y * width + x);
    }
    return 0.0;
}

/* Rows without values yet, and the same one for those that repeat the one before. */
static enum qp_status name_rows(struct qp_multigrid_grid *grid, const bool *repeats)
{
    enum qp_status status = QP_OK;
    for (int y = 0; y < grid->height && status == QP_OK; y++) {
        if (repeats[y])
            grid->row[y] = grid->row[y - 1];
        else
            grid->row[y] = qp_alloc(1, row_bytes(grid), "a row of a multigrid's matrix");
        if (grid->row[y] == NULL)
            status = QP_NO_MEMORY;
    }
    return status;
}

static enum qp_status take_rows(const struct qp_matrix band[], struct qp_multigrid_grid *grid)
{
    const size_t width = (size_t)band->width, height = (size_t)band->height;
    const struct qp_multigrid_line across = {.nodes = band->width}, up = {.nodes = band->height};
    enum qp_status status = make_rows(grid, across, up);
    struct making making = {.band = band, .grid = grid};
    making.repeats = qp_alloc(height, sizeof *making.repeats, "repeated rows");
    if (making.repeats == NULL)
        status = QP_NO_MEMORY;
    if (status == QP_OK) {
        qp_bands(height, width * QP_JACOBI9_BANDS, find_repeats, &making);
        status = name_rows(grid, making.repeats);
    }
    if (status == QP_OK)
        qp_bands(height, width * QP_JACOBI9_BANDS, copy_rows, &making);
    free(making.repeats);
    return status;
}

/* ---- P' A P, first up, then across ---- */

/* Sums over the fine rows of coarse row `coarse`: for each of three coarse rows that it is coupled
 * to, and three fine columns, a row of the fine grid's width. */
QP_EACH_VECTOR_SET
static void gather_up(const struct qp_multigrid_grid *fine, int coarse, double *sums)
{
    const int width = fine->width, height = fine->height;
    memset(sums, 0, sizeof *sums * SUMS * (size_t)width);
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

static double fill_rows(void *user, size_t first, size_t end)
{
    const struct making *making = user;
    const int width = making->fine->width;
    double *sums = making->sums + first / qp_band_rows((size_t)width * SUMS) * SUMS * (size_t)width;
    for (int y = (int)first; y < (int)end; y++) {
        if (!owns_row(making->grid, y))
            continue;
        memset(making->grid->row[y], 0, row_bytes(making->grid));
        gather_up(making->fine, y, sums);
        gather_across(width, making->share, sums, making->grid->width, making->grid->row[y]);
    }
    return 0.0;
}

/* Makes the coarse grid's rows by room for weights, sums and what repeats. */
static enum qp_status make_coarse(struct making *making, struct qp_multigrid_share *share)
{
    struct qp_multigrid_grid *coarse = making->grid;
    for (int x = 0; x < making->fine->width; x++)
        share[x] = qp_multigrid_share_of(making->fine->across, x);
    for (int y = 0; y < coarse->height; y++)
        making->repeats[y] = is_alike(making->fine, y);
    const enum qp_status status = name_rows(coarse, making->repeats);
    if (status == QP_OK)
        qp_bands((size_t)coarse->height, (size_t)making->fine->width * SUMS, fill_rows, making);
    return status;
}

static enum qp_status coarsen(const struct qp_multigrid_grid *fine,
                              struct qp_multigrid_grid *coarse)
{
    enum qp_status status =
        make_rows(coarse, qp_multigrid_coarse(fine->across), qp_multigrid_coarse(fine->up));
    const size_t width = (size_t)fine->width, height = (size_t)coarse->height;
    const size_t bands = height / qp_band_rows(width * SUMS) + 1;
    struct qp_multigrid_share *share = qp_alloc(width, sizeof *share, "a multigrid's weights");
    struct making making = {.fine = fine, .grid = coarse, .share = share};
    making.sums = qp_alloc(width * SUMS * bands, sizeof *making.sums, "sums of a matrix's rows");
    making.repeats = qp_alloc(height, sizeof *making.repeats, "repeated rows");
    if (share == NULL || making.sums == NULL || making.repeats == NULL)
        status = QP_NO_MEMORY;
    if (status == QP_OK)
        status = make_coarse(&making, share);
    free(share);
    free(making.sums);
    free(making.repeats);
    return status;
}

/* ---- Numbers of a matrix ---- */

struct looking {
    const struct qp_multigrid_grid *grid;
    double *sums; /* receives each line's largest row sum beside the row's size */
};

/* Returns the largest radius, INFINITY for a line whose rows are not all those of a positive
 * definite matrix. */
QP_EACH_VECTOR_SET
static double look_at_lines(void *user, size_t first, size_t end)
{
    const struct looking *looking = user;
    const int width = looking->grid->width;
    double radius = 0.0;
    for (size_t y = first; y < end; y++) {
        const double *row = looking->grid->row[y], *diagonal = row + QP_JACOBI9_DD * width;
        double most = 0.0;
        bool good = true;
#pragma omp simd reduction(max : radius, most) reduction(&& : good)
        for (int x = 0; x < width; x++) {
            double sum = 0.0, size = 0.0;
            for (int k = 0; k < QP_JACOBI9_BANDS; k++) {
                sum += row[k * width + x];
                size += fabs(row[k * width + x]);
            }
            good = good && diagonal[x] > 0.0 && size < INFINITY;
            const double own = size / diagonal[x], part = fabs(sum) / size;
            radius = own > radius ? own : radius;
            most = part > most ? part : most;
        }
        looking->sums[y] = most;
        radius = good ? radius : INFINITY;
    }
    return radius;
}

/* Names the first row that is none of a positive definite matrix. */
static enum qp_status refuse(const struct qp_multigrid_grid *grid)
{
    const int width = grid->width;
    int at = 0;
    while (at + 1 < width * grid->height &&
           grid->row[at / width][QP_JACOBI9_DD * width + at % width] > 0.0)
        at++;
    return qp_fail(QP_BAD_INPUT,
                   "the diagonal is %g in row %d of a grid of %d x %d nodes; multigrid takes "
                   "positive definite matrices, whose diagonal is positive",
                   grid->row[at / width][QP_JACOBI9_DD * width + at % width], at + 1, width,
                   grid->height);
}

/* Finds the radius, and the largest row sum beside the row's size. */
static enum qp_status look_at_rows(struct qp_multigrid_grid *grid, double *largest_sum)
{
    const size_t width = (size_t)grid->width, height = (size_t)grid->height;
    double *sums = qp_alloc(height, sizeof *sums, "a matrix's row sums");
    const struct looking looking = {grid, sums};
    if (sums == NULL)
        return QP_NO_MEMORY;
    grid->radius = qp_bands(height, width * QP_JACOBI9_BANDS, look_at_lines, (void *)&looking);
    for (size_t y = 0; y < height; y++)
        *largest_sum = fmax(*largest_sum, sums[y]);
    free(sums);
    return grid->radius < INFINITY ? QP_OK : refuse(grid);
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
