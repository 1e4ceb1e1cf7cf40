/* SPDX-License-Identifier: MIT */
#include "support/awkward.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "toolkit/base/random.h"

static uint64_t seed = 7;

int whole(int low, int high)
{
    return low + (int)(qp_random_bits(&seed) % (uint64_t)(high - low + 1));
}

static void fill_signs(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = whole(-1, 1);
}

static void fill_digits(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = whole(-9, 9);
}

static void fill_reals(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = qp_random(&seed, -1.0, 1.0);
}

static void fill_equal_columns(int n, double *a)
{
    fill_signs(n, a);
    const int from = whole(0, n - 1), to = whole(0, n - 1);
    memmove(a + to * n, a + from * n, (size_t)n * sizeof *a);
}

/* A column is the sum or difference of some others, none if there is but one. */
static void fill_dependent(int n, double *a)
{
    whole(0, 1) ? fill_signs(n, a) : fill_digits(n, a);
    const int to = whole(0, n - 1);
    for (int i = 0; i < n; i++)
        a[to * n + i] = 0.0;
    for (int times = whole(1, 3); times > 0; times--) {
        const int from = whole(0, n - 1), sign = whole(0, 1) ? 1 : -1;
        for (int i = 0; i < n && from != to; i++)
            a[to * n + i] += sign * a[from * n + i];
    }
}

/* Every row's sum is 0. */
static void fill_laplacian(int n, double *a)
{
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int edges = whole(n, 3 * n); edges > 0; edges--) {
        const int i = whole(0, n - 1), j = whole(0, n - 1), weight = whole(1, 3);
        a[j * n + i] -= weight;
        a[i * n + j] -= weight;
        a[i * n + i] += weight;
        a[j * n + j] += weight;
    }
}

/* A five-point Laplacian, or a three-point one; its edges may be open, and then rows' sums are
 * 0. */
static void fill_grid(int n, double *a)
{
    const bool open = whole(0, 1);
    const double diagonal = whole(2, 4);
    int width = whole(3, 6);
    width = n % width == 0 ? width : n;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n; i++) {
        const int others[] = {i % width > 0 ? i - 1 : -1, i % width < width - 1 ? i + 1 : -1,
                              i - width, i + width};
        for (int k = 0; k < 4; k++) {
            if (others[k] >= 0 && others[k] < n) {
                a[others[k] * n + i] = -1.0;
                a[i * n + i] += 1.0;
            }
        }
        a[i * n + i] = open ? a[i * n + i] : diagonal;
    }
}

static void fill_low_rank(int n, double *a)
{
    double left[MOST * MOST], right[MOST * MOST];
    const int rank = whole(1, n);
    fill_digits(n, left);
    fill_digits(n, right);
    for (int k = 0; k < n * n; k++) {
        a[k] = 0.0;
        for (int q = 0; q < rank; q++)
            a[k] += left[q * n + k % n] * right[q * n + k / n];
    }
}

/* [1 1; 1 1 + 2^-k] among others. */
static void fill_near(int n, double *a)
{
    fill_digits(n, a);
    const double small = ldexp(1.0, -whole(1, 52));
    for (int i = 0; i < n; i++)
        a[(n - 1) * n + i] = a[i];
    a[n * n - 1] *= 1.0 + small;
    a[n * n - 1] += a[n * n - 1] == 0.0 ? small : 0.0;
}

static void fill_hilbert(int n, double *a)
{
    const int from = whole(1, 3);
    for (int k = 0; k < n * n; k++)
        a[k] = 1.0 / (k % n + k / n + from);
}

static void fill_pascal(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == 0 || k / n == 0 ? 1.0 : a[k - 1] + a[k - n];
}

static void fill_wilkinson(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == k / n || k / n == n - 1 ? 1.0 : k % n > k / n ? -1.0 : 0.0;
}

/* Its least singular value is some 2^-n. */
static void fill_triangle(int n, double *a)
{
    for (int k = 0; k < n * n; k++)
        a[k] = k % n == k / n ? 1.0 : k % n < k / n ? -1.0 : 0.0;
}

static void fill_graded(int n, double *a)
{
    const double step = pow(10.0, -whole(1, 4));
    fill_digits(n, a);
    for (int k = 0; k < n * n; k++)
        a[k] *= pow(step, k % n + k / n);
}

/* By powers of ten, which round and so leave no column dependent; or of two, which do neither. */
static void scale(int n, double *a, bool rows, bool columns, double base, int most)
{
    double row[MOST], column[MOST];
    for (int i = 0; i < n; i++) {
        row[i] = rows ? pow(base, whole(-1, 1) * most) : 1.0;
        column[i] = columns ? pow(base, whole(-most, most)) : 1.0;
    }
    for (int k = 0; k < n * n; k++)
        a[k] *= row[k % n] * column[k / n];
}

static void fill_scaled_rows(int n, double *a)
{
    fill_digits(n, a);
    scale(n, a, true, false, 10.0, 15);
}

static void fill_scaled_columns(int n, double *a)
{
    fill_digits(n, a);
    scale(n, a, false, true, 10.0, 15);
}

static void fill_scaled(int n, double *a)
{
    fill_reals(n, a);
    scale(n, a, true, true, 10.0, 15);
}

static void fill_scaled_dependent(int n, double *a)
{
    fill_dependent(n, a);
    scale(n, a, true, true, 2.0, 50);
}

const struct kind kinds[] = {
    {"signs", MOST, fill_signs},
    {"digits", MOST, fill_digits},
    {"reals", 20, fill_reals},
    {"equal columns", MOST, fill_equal_columns},
    {"dependent", MOST, fill_dependent},
    {"laplacian", MOST, fill_laplacian},
    {"grid", MOST, fill_grid},
    {"low rank", 30, fill_low_rank},
    {"near", 20, fill_near},
    {"hilbert", 13, fill_hilbert},
    {"pascal", 20, fill_pascal},
    {"wilkinson", MOST, fill_wilkinson},
    {"triangle", MOST, fill_triangle},
    {"graded", 8, fill_graded},
    {"scaled rows", 20, fill_scaled_rows},
    {"scaled columns", 20, fill_scaled_columns},
    {"scaled", 16, fill_scaled},
    {"scaled dependent", 16, fill_scaled_dependent},
};

const int kind_count = sizeof kinds / sizeof kinds[0];
