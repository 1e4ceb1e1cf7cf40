/* SPDX-License-Identifier: MIT */
/* Witness, the judge of the reference: the same cycle by other ways. Products are scattered over
 * columns; interpolation goes by places, a coarse node's hat being 1 there and 0 at its neighbours;
 * Chebyshev's smoother is the recurrence of three terms; and the coarsest grid is solved by
 * elimination with pivoting, of a system that a last row and column of ones make regular where the
 * matrix is singular. Matrices are those of the hierarchy, which tests compare with P' A P. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

static int nodes_of(const struct qp_multigrid_grid *grid)
{
    return grid->width * grid->height;
}

/* ---- Interpolation ---- */

/* Value of a coarse node's hat at a fine node; places count the rim where there is one. */
static double hat(struct qp_multigrid_line fine, int coarse, int at)
{
    const int last = fine.nodes + fine.low + fine.high - 1, count = last / 2 + 1;
    const int k = coarse + fine.low, x = at + fine.low;
    const int middle = k == count - 1 ? last : 2 * k, left = 2 * k - 2;
    const int right = k >= count - 2 ? last : 2 * k + 2;
    if (fine.nodes <= 2 || x == middle)
        return 1.0;
    if (x < middle)
        return x > left ? (double)(x - left) / (middle - left) : 0.0;
    return x < right ? (double)(right - x) / (right - middle) : 0.0;
}

/* Adds P coarse to fine, or P' fine to coarse. */
static void transfer(const struct qp_multigrid_grid *grid, double *fine, double *coarse, bool down)
{
    const struct qp_multigrid_grid *to = grid + 1;
    for (int i = 0; i < nodes_of(to) * 49; i++) {
        const int at = i / 49, x = at % to->width, y = at / to->width;
        const int fine_x = 2 * x + i % 7 - 3, fine_y = 2 * y + i % 49 / 7 - 3;
        if (fine_x < 0 || fine_y < 0 || fine_x >= grid->width || fine_y >= grid->height)
            continue;
        const double weight = hat(grid->across, x, fine_x) * hat(grid->up, y, fine_y);
        if (down)
            coarse[at] += weight * fine[fine_y * grid->width + fine_x];
        else
            fine[fine_y * grid->width + fine_x] += weight * coarse[at];
    }
}

/* r = b - A x, scattered over columns. */
static void find_residual(const struct qp_multigrid_grid *grid, const double *b, const double *x,
                          double *r)
{
    memcpy(r, b, (size_t)nodes_of(grid) * sizeof *r);
    for (int k = QP_JACOBI9_BANDS - 1; k >= 0; k--) {
        for (int j = 0; j < nodes_of(grid); j++) {
            const int column = j % grid->width - qp_band_dx(k), y = j / grid->width - qp_band_dy(k);
            if (column >= 0 && column < grid->width && y >= 0 && y < grid->height)
                r[y * grid->width + column] -= grid->row[y][k * grid->width + column] * x[j];
        }
    }
}

/* ---- A cycle ---- */

/* Three steps of Golub and Varga's recurrence for eigenvalues of D^-1 A from r / 6 to r, by room
 * for two vectors. */
static void smooth(const struct qp_multigrid_grid *grid, const double *b, double *x, double *room)
{
    const int n = nodes_of(grid);
    const double middle = grid->radius * 7.0 / 12.0, sigma = 7.0 / 5.0;
    double rho = 1.0 / sigma, *r = room, *d = room + n;
    for (int step = 0; step < 3; step++) {
        const double next = step == 0 ? rho : 1.0 / (2.0 * sigma - rho);
        find_residual(grid, b, x, r);
        for (int i = 0; i < n; i++) {
            const double z =
                r[i] / grid->row[i / grid->width][QP_JACOBI9_DD * grid->width + i % grid->width];
            d[i] = step == 0 ? z / middle : next * rho * d[i] + 2.0 * next * sigma / middle * z;
            x[i] += d[i];
        }
        rho = next;
    }
}

/* Turns rows of a system, each with its right-hand side last, into those of the identity. */
static void eliminate(double *a, int n)
{
    const int pitch = n + 1;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c; i < n; i++)
            pivot = fabs(a[i * pitch + c]) > fabs(a[pivot * pitch + c]) ? i : pivot;
        for (int j = 0; j < pitch; j++) {
            const double value = a[c * pitch + j];
            a[c * pitch + j] = a[pivot * pitch + j];
            a[pivot * pitch + j] = value;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == c ? 0.0 : a[i * pitch + c] / a[c * pitch + c];
            for (int j = 0; j < pitch; j++)
                a[i * pitch + j] -= factor * a[c * pitch + j];
        }
    }
}

static void solve(const struct qp_multigrid *multigrid, const double *b, double *x)
{
    enum { MOST = QP_MULTIGRID_BOTTOM + 1 };
    const struct qp_multigrid_grid *grid = &multigrid->grid[multigrid->grids - 1];
    const int n = nodes_of(grid), pitch = n + 2;
    double a[MOST * (MOST + 1)] = {0}, unit[MOST], zero[MOST] = {0}, column[MOST];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            unit[i] = i == j ? -1.0 : 0.0;
        find_residual(grid, zero, unit, column);
        for (int i = 0; i < n; i++)
            a[i * pitch + j] = column[i];
        a[j * pitch + n] = a[n * pitch + j] = multigrid->singular ? 1.0 : 0.0;
        a[j * pitch + n + 1] = b[j];
    }
    a[n * pitch + n] = multigrid->singular ? 0.0 : 1.0;
    eliminate(a, n + 1);
    for (int i = 0; i < n; i++)
        x[i] += a[i * pitch + n + 1] / a[i * pitch + i];
}

/* x += M b from x = 0, by room for four vectors of this grid and then those of coarser ones. */
static void cycle(const struct qp_multigrid *multigrid, int k, const double *b, double *x,
                  double *room)
{
    const struct qp_multigrid_grid *grid = &multigrid->grid[k];
    const int n = nodes_of(grid);
    double *r = room, *below = room + 2 * n, *e = room + 3 * n;
    if (k + 1 == multigrid->grids) {
        solve(multigrid, b, x);
        return;
    }
    smooth(grid, b, x, room);
    find_residual(grid, b, x, r);
    memset(below, 0, 2 * (size_t)n * sizeof *below);
    transfer(grid, r, below, true);
    cycle(multigrid, k + 1, below, e, room + 4 * n);
    transfer(grid, x, e, false);
    smooth(grid, b, x, room);
}

void qp_multigrid_witness(const struct qp_problem *problem, const double *old, double *new,
                          double *scale)
{
    const size_t n = qp_problem_cells(problem);
    struct qp_multigrid multigrid = {0};
    double *b = qp_alloc_zero(16 * n, sizeof *b, "a witness's vectors"), mean = 0.0;
    if (b == NULL || qp_multigrid_make(problem->field, QP_MULTIGRID_BOTTOM, &multigrid) != QP_OK) {
        free(b);
        *scale = -1.0;
        return;
    }
    double *r = b + n, *e = r + n;
    for (size_t i = 0; i < n; i++)
        b[i] = problem->field[QP_MULTIGRID_B].values[i];
    find_residual(multigrid.grid, b, old, r);
    for (size_t i = 0; i < n && multigrid.singular; i++)
        mean += r[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        r[i] -= mean;
    cycle(&multigrid, 0, r, e, e + n);
    for (size_t i = 0; i < n; i++)
        new[i] = old[i] + e[i];
    qp_multigrid_free(&multigrid);
    free(b);
}
