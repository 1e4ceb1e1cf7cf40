/* SPDX-License-Identifier: MIT */
#include "support/matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"

static double *at(double *a, int n, int i, int j)
{
    return &a[(size_t)i * (size_t)n + (size_t)j];
}

static int any(uint64_t *seed, int count)
{
    return (int)qp_random(seed, 0.0, count - 1e-6);
}

/* The five-point star, `diagonal` in its middle. */
static void fill_mesh(double *a, int n, double diagonal)
{
    for (int i = 0; i < n; i++) {
        *at(a, n, i, i) = diagonal;
        if (i % MATRICES_WIDTH > 0)
            *at(a, n, i, i - 1) = *at(a, n, i - 1, i) = -1.0;
        if (i >= MATRICES_WIDTH)
            *at(a, n, i, i - MATRICES_WIDTH) = *at(a, n, i - MATRICES_WIDTH, i) = -1.0;
    }
}

/* Its rows in another order. */
void matrices_permuted(double *a, int n, uint64_t *seed)
{
    double *row = malloc((size_t)n * sizeof *row);
    fill_mesh(a, n, 4.0);
    for (int i = n - 1; i > 0; i--) {
        double *one = at(a, n, i, 0), *other = at(a, n, any(seed, i + 1), 0);
        memcpy(row, one, (size_t)n * sizeof *row);
        memmove(one, other, (size_t)n * sizeof *row);
        memcpy(other, row, (size_t)n * sizeof *row);
    }
    free(row);
}

void matrices_skew(double *a, int n, uint64_t *seed)
{
    for (int i = 0; i + 1 < n; i++)
        *at(a, n, i + 1, i) = -(*at(a, n, i, i + 1) = (4 + any(seed, 9)) / 8.0);
}

/* Conductances of 2^-20 to 1, and eight voltage sources, whose rows have a zero on the diagonal. */
void matrices_circuit(double *a, int n, uint64_t *seed)
{
    const int nodes = n - 8;
    *at(a, n, 0, 0) = 1.0;
    for (int k = 1; k < 2 * nodes; k++) {
        const int i = k < nodes ? k : 1 + any(seed, nodes - 1), j = any(seed, i);
        const double g = ldexp(1.0, -any(seed, 21));
        *at(a, n, i, i) += g;
        *at(a, n, j, j) += g;
        *at(a, n, i, j) -= g;
        *at(a, n, j, i) -= g;
    }
    for (int k = nodes; k < n; k++)
        *at(a, n, k, 7 * (k - nodes) + 3) = *at(a, n, 7 * (k - nodes) + 3, k) = 1.0;
}

/* Eleven bands, not dominant. */
void matrices_banded(double *a, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        for (int j = i > 5 ? i - 5 : 0; j < n && j <= i + 5; j++)
            *at(a, n, i, j) = (any(seed, 63) - 31) / 16.0 + 1.0 / 32.0;
    }
}

void matrices_arrow(double *a, int n, uint64_t *seed)
{
    for (int i = 0; i < n; i++) {
        *at(a, n, i, i) = any(seed, 2) ? 1.0 : -1.5;
        if (i > 0)
            *at(a, n, 0, i) = *at(a, n, i, 0) = (1 + any(seed, 15)) / 8.0;
    }
}

void matrices_helmholtz(double *a, int n, uint64_t *seed)
{
    (void)seed;
    fill_mesh(a, n, 3.3125);
}

void matrices_convection(double *a, int n, uint64_t *seed)
{
    (void)seed;
    fill_mesh(a, n, 4.0);
    for (int i = 1; i < n; i++) {
        if (*at(a, n, i, i - 1) != 0.0) {
            *at(a, n, i, i - 1) = -51.0;
            *at(a, n, i - 1, i) = 49.0;
        }
    }
}

/* The sum of rows 3 and 4 in row 9, which no two rows show. */
void matrices_dependent(double *a, int n, uint64_t *seed)
{
    matrices_banded(a, n, seed);
    for (int j = 0; j < n; j++)
        *at(a, n, 9, j) = *at(a, n, 3, j) + *at(a, n, 4, j);
}

struct qp_market matrices_make(matrices_fill *fill, int n)
{
    uint64_t seed = 5;
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    struct qp_market out = {.rows = n, .columns = n};
    fill(a, n, &seed);
    for (int k = 0; k < n * n; k++)
        out.count += a[k] != 0.0;
    out.row = malloc(out.count * sizeof *out.row);
    out.column = malloc(out.count * sizeof *out.column);
    out.value = malloc(out.count * sizeof *out.value);
    out.count = 0;
    for (int k = 0; k < n * n; k++) {
        if (a[k] == 0.0)
            continue;
        out.row[out.count] = k / n;
        out.column[out.count] = k % n;
        out.value[out.count++] = a[k];
    }
    free(a);
    return out;
}

struct qp_market matrices_repeat(matrices_fill *fill, int n, int times)
{
    struct qp_market one = matrices_make(fill, n), all = one;
    all.count = (size_t)times * one.count;
    all.rows = all.columns = times * n;
    all.row = malloc(all.count * sizeof *all.row);
    all.column = malloc(all.count * sizeof *all.column);
    all.value = malloc(all.count * sizeof *all.value);
    for (size_t k = 0; k < all.count; k++) {
        const int first = (int)(k / one.count) * n;
        all.row[k] = first + one.row[k % one.count];
        all.column[k] = first + one.column[k % one.count];
        all.value[k] = one.value[k % one.count];
    }
    qp_market_destroy(&one);
    return all;
}
