/* SPDX-License-Identifier: MIT */
/* Forecasts are those of a mesh. Let q be the factor by which one step of Jacobi makes the slowest
 * part of an error smaller. Strict dominance bounds it, q <= max_i sum_j |a_ij / a_ii|. Of a mesh
 * whose rows are up to `depth` entries away from its boundary it is about cos(pi / (2 depth)), as
 * for the Laplacian of a square. Then the condition of D^-1 A is about (1 + q) / (1 - q), and
 * conjugate gradients need at most half its root times the logarithm of 2 / factor. */
#include "lab/solve/traits.h"

#include <math.h>
#include <stdlib.h>

#include "toolkit/base/status.h"

/* Share of the others in a row of a mesh's boundary: one neighbour in ten is missing. */
static const double boundary = 0.9;

/* Sums of a row's magnitudes that differ by this part of it differ by rounding. */
static const double rounding = 1e-12;

/* ---- Symmetry ---- */

/* Compares entries below the diagonal with those above times `sign`. Entries of row j above it are
 * met in the order of their columns, as rows i below go on: `next` is the one that has not been met
 * yet. */
static bool compare(const struct qp_sparse *a, double sign, size_t *next, struct qp_traits *out)
{
    out->symmetric = true;
    for (int i = 0; i < a->rows; i++) {
        size_t k = a->first[i];
        for (; k < a->first[i + 1] && a->column[k] < i && out->symmetric; k++) {
            const int j = a->column[k];
            const int mirror = next[j] < a->first[j + 1] ? a->column[next[j]] : a->rows;
            out->symmetric = mirror == i && sign * a->given[next[j]++] == a->given[k];
            out->row = j;
            out->column = mirror < i ? mirror : i;
        }
        while (k < a->first[i + 1] && a->column[k] <= i)
            k++;
        next[i] = k;
    }
    for (int j = 0; j < a->rows && out->symmetric; j++) {
        out->symmetric = next[j] == a->first[j + 1];
        out->row = j;
        out->column = out->symmetric ? j : a->column[next[j]];
    }
    return out->symmetric;
}

/* ---- Diagonal ---- */

/* The entry in this place, 0 where there is none: the columns of a row rise. */
static double entry_at(const struct qp_sparse *a, int i, int j)
{
    size_t low = a->first[i], high = a->first[i + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->first[i + 1] && a->column[low] == j ? a->given[low] : 0.0;
}

/* Part that others have of a row, sum_j |a_ij / a_ii|; NaN for a row of zeros. */
static double share_of(const struct qp_sparse *a, int i)
{
    double others = 0.0;
    for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
        others += a->column[k] == i ? 0.0 : fabs(a->given[k]);
    return others / fabs(entry_at(a, i, i)); /* also 0 / 0 */
}

/* Finds the parts that others have of rows whatever the units of rows and unknowns, as in D A E:
 * sum_j sqrt |a_ij a_ji / (a_ii a_jj)|. Returns the largest; infinite where a_ij alone is 0. *sum:
 * that of all parts, each with the sign of its a_ij. */
static double find_shares(const struct qp_sparse *a, bool symmetric, double *share, double *root,
                          double *sum)
{
    double largest = 0.0;
    for (int i = 0; i < a->rows; i++)
        root[i] = sqrt(fabs(entry_at(a, i, i)));
    for (int i = 0; i < a->rows; i++) {
        share[i] = 0.0;
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
            const int j = a->column[k];
            const double own = sqrt(fabs(a->given[k])),
                         other = symmetric ? own : sqrt(fabs(entry_at(a, j, i)));
            const double part = j == i || own == 0.0 ? 0.0
                                : other > 0.0        ? own / root[i] * (other / root[j])
                                                     : INFINITY;
            share[i] += part;
            *sum += copysign(part, a->given[k]);
        }
        largest = fmax(largest, share[i]);
    }
    return largest;
}

/* Takes what differs from 1 by rounding as 1. */
static double round_off(double dominance)
{
    return fabs(dominance - 1.0) <= rounding ? 1.0 : dominance;
}

static void look(const struct qp_sparse *a, struct qp_traits *out)
{
    const double first = entry_at(a, 0, 0);
    for (int i = 0; i < a->rows; i++) {
        const double diagonal = entry_at(a, i, i);
        out->dominance = fmax(out->dominance, share_of(a, i));
        out->skew = out->skew && diagonal == 0.0;
        if (diagonal == 0.0 && out->zero < 0)
            out->zero = i;
        if (diagonal * first < 0.0 && out->other < 0)
            out->other = i;
    }
    out->dominance = round_off(out->dominance);
    out->sign = out->zero >= 0 || out->other >= 0 ? 0 : first > 0.0 ? 1 : -1;
}

/* ---- Reach ---- */

/* Follows entries from the first `count` rows of the queue, breadth first. */
static int follow(const struct qp_sparse *a, int *distance, int *queue, int count)
{
    int farthest = -1;
    for (int at = 0; at < count; at++) {
        const int i = queue[at];
        farthest = distance[i];
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
            const int j = a->column[k];
            if (distance[j] >= 0)
                continue;
            distance[j] = distance[i] + 1;
            queue[count++] = j;
        }
    }
    return farthest;
}

int qp_traits_distances(const struct qp_sparse *matrix, const double *shares, double share,
                        int *distance, int *queue)
{
    int count = 0;
    for (int i = 0; i < matrix->rows; i++) {
        distance[i] = (shares != NULL ? shares[i] : share_of(matrix, i)) < share ? 0 : -1;
        if (distance[i] == 0)
            queue[count++] = i;
    }
    return follow(matrix, distance, queue, count);
}

enum qp_status qp_traits_find(const struct qp_sparse *matrix, struct qp_traits *out)
{
    const size_t n = (size_t)matrix->rows;
    size_t *next = qp_alloc(n, sizeof *next, "marks of rows");
    int *distance = qp_alloc(n, 2 * sizeof *distance, "distances of rows");
    double *shares = qp_alloc(n, 2 * sizeof *shares, "parts of rows");
    *out = (struct qp_traits){.zero = -1, .other = -1};
    const bool made = next != NULL && distance != NULL && shares != NULL;
    if (made) {
        int *queue = distance + n;
        out->skew = compare(matrix, -1.0, next, out);
        compare(matrix, 1.0, next, out);
        look(matrix, out);
        double most = INFINITY, others = 0.0;
        if (out->zero < 0 && out->dominance > 1.0)
            most = find_shares(matrix, out->symmetric, shares, shares + n, &others);
        out->definite = out->symmetric && out->sign != 0 &&
                        !(out->sign * others < -(1.0 + rounding) * (double)n);
        out->balanced = fmin(out->dominance, round_off(most));
        out->depth =
            qp_traits_distances(matrix, isfinite(most) ? shares : NULL, boundary, distance, queue);
        if (out->depth < 0) {
            distance[0] = queue[0] = 0;
            out->depth = follow(matrix, distance, queue, 1) / 2;
        }
    }
    free(shares);
    free(next);
    free(distance);
    return made ? QP_OK : QP_NO_MEMORY;
}

/* ---- Forecasts ---- */

/* The factor of a step of Jacobi. */
static double factor_of(const struct qp_traits *t)
{
    const double mesh = t->depth > 0 ? cos(acos(-1.0) / (2.0 * (t->depth + 1))) : 1.0 - 1e-6;
    return fmin(t->dominance, mesh);
}

double qp_traits_jacobi_steps(const struct qp_traits *t, double factor)
{
    return fmax(log(factor) / log(fmax(factor_of(t), 1e-3)), 1.0);
}

double qp_traits_krylov_steps(const struct qp_traits *t, double factor)
{
    const double q = factor_of(t);
    return fmax(0.5 * sqrt((1.0 + q) / (1.0 - q)) * log(2.0 / factor), 1.0);
}
