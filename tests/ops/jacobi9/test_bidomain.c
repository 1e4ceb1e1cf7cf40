/* SPDX-License-Identifier: MIT */
/* The bidomain problem against theory: but for tolerances no number here comes from a run. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/jacobi9/bidomain.h"

/* cmocka's assert_float_equal rounds to float. */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Clerc 1976 in S/m, written out a second time: a slip of a digit on either side fails. */
static const double INSIDE[2] = {0.174, 0.0193}, TOTAL[2] = {0.174 + 0.625, 0.0193 + 0.236};
enum { SIDE = 129, CELLS = SIDE * SIDE }; /* the largest grid */
struct problem {
    int width, height, count, grounded;
    double *band[QP_JACOBI9_BANDS], *b, x[CELLS], cells[QP_JACOBI9_BANDS + 1][CELLS + 2];
};

/* Bands and b start as NaN between NaN guards: a value that nobody wrote fails every comparison. */
static struct problem *lay(int slot, int width, int height)
{
    static struct problem problems[2];
    struct problem *p = &problems[slot];
    *p = (struct problem){.width = width, .height = height, .count = width * height};
    p->grounded = height > 1 ? width : 1;
    memset(p->cells, 0xff, sizeof p->cells); /* all bits set is a NaN */
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        p->band[k] = p->cells[k] + 1;
    p->b = p->cells[QP_JACOBI9_BANDS] + 1;
    assert_int_equal(qp_bidomain_assemble(width, height, p->band, p->b), QP_OK);
    for (int k = 0; k <= QP_JACOBI9_BANDS; k++)
        assert_true(isnan(p->cells[k][0]) && isnan(p->cells[k][p->count + 1]));
    return p;
}

/* The node that band k of node i points at, or -1 outside the grid. */
static int neighbour(const struct problem *p, int i, int k)
{
    static const int DX[] = {0, -1, 0, 1, -1, 1, -1, 0, 1}, DY[] = {0, -1, -1, -1, 0, 0, 1, 1, 1};
    int x = i % p->width + DX[k], y = i / p->width + DY[k];
    return x < 0 || y < 0 || x >= p->width || y >= p->height ? -1 : y * p->width + x;
}

/* Row i of A x. */
static double apply(const struct problem *p, int i)
{
    double sum = 0;
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        if (neighbour(p, i, k) >= 0)
            sum += p->band[k][i] * p->x[neighbour(p, i, k)];
    return sum;
}

/* x = A^-1 b by symmetric elimination, A = L D L^T inside the half bandwidth. All pivots D are
 * positive if and only if A is positive definite. */
static struct problem *solve(struct problem *p)
{
    static double upper[CELLS][SIDE + 2]; /* a(i, i + d) at [i][d] */
    int half = p->height > 1 ? p->width + 1 : 1, n = p->count;
    memset(upper, 0, sizeof upper);
    memcpy(p->x, p->b, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < QP_JACOBI9_BANDS; k++)
            if (neighbour(p, i, k) >= i)
                upper[i][neighbour(p, i, k) - i] = p->band[k][i];
    for (int i = 0; i < n; i++) {
        assert_true(upper[i][0] > 0);
        for (int d = 1; d <= half && i + d < n; d++) {
            double factor = upper[i][d] / upper[i][0];
            for (int e = d; e <= half; e++)
                upper[i + d][e - d] -= factor * upper[i][e];
            p->x[i + d] -= factor * p->x[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int d = 1; d <= half && i + d < n; d++)
            p->x[i] -= upper[i][d] * p->x[i + d];
        p->x[i] /= upper[i][0];
    }
    return p;
}

TEST(test_refuses)
{
    double cell[1], *band[] = {cell, cell, cell, cell, cell, cell, cell, cell, cell};
    assert_int_equal(qp_bidomain_assemble(0, 3, band, cell), QP_BAD_USE);
    assert_int_equal(qp_bidomain_assemble(3, -1, band, cell), QP_BAD_USE);
    assert_int_equal(qp_bidomain_assemble(1, 1, NULL, cell), QP_BAD_USE);
    assert_int_equal(qp_bidomain_assemble(1, 1, band, NULL), QP_BAD_USE);
    band[QP_JACOBI9_UU] = NULL;
    assert_int_equal(qp_bidomain_assemble(1, 1, band, cell), QP_BAD_USE);
}

/* Symmetric (to the last bit but in a single line), nothing outside the grid, grounded nodes alone,
 * other rows sum to 0 (a constant potential drives no current). Answers sum_j |a_ij / a_ii|. */
static double check_row(const struct problem *p, int i)
{
    double sum = 0, size = 0, rounding = p->width > 1 && p->height > 1 ? 0 : 3e-16;
    int touches_ground = 0;
    for (int k = 0; k < QP_JACOBI9_BANDS; k++) {
        int j = neighbour(p, i, k), cut = i < p->grounded || (j >= 0 && j < p->grounded);
        touches_ground |= cut;
        sum += p->band[k][i];
        size += fabs(p->band[k][i] / p->band[QP_JACOBI9_DD][i]);
        if (j < 0 || (cut && k != QP_JACOBI9_DD))
            assert_true(p->band[k][i] == 0);
        else /* bands 1..8 are in memory order: the transpose of k is 9 - k */
            assert_near(p->band[k][i], p->band[k == QP_JACOBI9_DD ? k : QP_JACOBI9_BANDS - k][j],
                        rounding);
    }
    assert_true(touches_ground ? sum > 0.01 : fabs(sum) < 1e-15);
    assert_true(i < p->grounded ? p->b[i] == 0 : isfinite(p->b[i]));
    return size;
}

TEST(test_matrix)
{
    static const int SIDES[] = {1, 2, 3, 7, 12};
    for (int s = 0; s < 25; s++) {
        struct problem *p = solve(lay(0, SIDES[s / 5], SIDES[s % 5]));
        double most = 0;
        for (int i = 0; i < p->count; i++) {
            check_row(p, i);
            assert_near(apply(p, i), p->b[i], 1e-12);
            most = fmax(most, fabs(p->b[i]));
        }
        assert_true(p->count == 1 ? most == 0 : most > 1e-4); /* every problem has a source */
    }
}

/* An inner star of tensor s is tr(s)/2 times the classical one (8/3, eight times -1/3) plus
 * (sxx-syy)/2 (-1 at DL DU, +1 at LD UD) plus sxy/2 (+1 at LU UL, -1 at LL UU). Here of Clerc's
 * tensor, along fibres that turn from +60 to -60 degrees; the tolerance is the turn in a star. */
TEST(test_star)
{
    static const int STRETCH[] = {0, 0, 1, 0, -1, -1, 0, 1, 0},
                     SHEAR[] = {0, -1, 0, 1, 0, 0, 1, 0, -1};
    const struct problem *p = lay(0, 129, 97), *element = lay(1, 2, 2);
    double mean = (TOTAL[0] + TOTAL[1]) / 2, half = (TOTAL[0] - TOTAL[1]) / 2;
    for (int i = 2 * p->width; i < p->count - p->width; i++) {
        double x = i % p->width / 128.0, y = i / p->width / 96.0;
        double angle = M_PI / 6 * (0.5 - x) + M_PI / 2 * (0.5 - y);
        double stretch = half * cos(2 * angle), shear = half * sin(2 * angle) / 2;
        for (int k = 0; k < QP_JACOBI9_BANDS && x > 0 && x < 1; k++) {
            double classical = mean * (k == QP_JACOBI9_DD ? 8 : -1) / 3;
            assert_near(p->band[k][i], classical + stretch * STRETCH[k] + shear * SHEAR[k], 0.008);
        }
    }
    /* 2 x 2 nodes are one element, fibres along x; node 0 is grounded with an inner diagonal. */
    assert_near(element->band[QP_JACOBI9_DD][3], mean * 2 / 3, 1e-15);
    assert_near(element->band[QP_JACOBI9_DD][0], mean * 8 / 3, 1e-15);
    assert_near(element->band[QP_JACOBI9_DL][3], TOTAL[1] / 6 - TOTAL[0] / 3, 1e-15);
}

/* A patch test by energy: Ve = y has y^T A y = integral syy, and hats reproduce it without error;
 * what is left is the midpoint rule for the turning tensor, of order h^2. */
TEST(test_patch)
{
    struct problem *p = lay(0, 65, 65);
    double mean = sin(M_PI / 6) / (M_PI / 6) * sin(M_PI / 2) / (M_PI / 2); /* mean cos(2 angle) */
    double energy = 0, syy = (TOTAL[0] + TOTAL[1]) / 2 - (TOTAL[0] - TOTAL[1]) / 2 * mean;
    for (int i = 0; i < p->count; i++)
        p->x[i] = i / p->width / 64.0;
    for (int i = 0; i < p->count; i++)
        energy += p->x[i] * apply(p, i);
    assert_near(energy, syy, 5e-5);
}

/* In a strip no current returns: (si + se) Ve' = -si Vm' on each element, so the solution gives Vm
 * back, from rest at the far end: 100 mV more at the site, within 3 mm, and 100 mV a mm steep, both
 * along the fibres, which the strip crosses at the angle `site`. */
TEST(test_strip)
{
    struct problem *p = solve(lay(0, 1025, 1));
    double vm = 0, most = 0, steepest = 0, excited = 0, mm = 10.0 / 1024;
    double site = M_PI / 6 * 0.25 + M_PI / 2 * 0.3, stretch = hypot(cos(site), 3 * sin(site));
    for (int x = 1024; x > 0; x--) {
        double square = pow(cos(M_PI / 6 * (0.5 - (x - 0.5) / 1024)), 2);
        double inside = INSIDE[1] + (INSIDE[0] - INSIDE[1]) * square;
        double total = TOTAL[1] + (TOTAL[0] - TOTAL[1]) * square;
        double rise = (p->x[x] - p->x[x - 1]) * total / inside;
        most = fmax(most, vm += rise);
        steepest = fmax(steepest, fabs(rise) / mm);
        excited += vm > 50 ? mm : 0;
    }
    assert_near(most, 100, 0.01);
    assert_near(steepest, 100 * stretch, 0.2);
    assert_near(excited, 2 * 3 / stretch, 2 * mm);
}

/* Solutions on n x n and (2n-1) x (2n-1) nodes, mean square difference at the common ones: twice as
 * fine must tend to four times as close. 9 x 9 nodes do not yet resolve the front. */
TEST(test_order)
{
    double square[4] = {0}; /* mV^2 */
    for (int s = 0, n = 9; s < 4; s++, n = 2 * n - 1) {
        struct problem *coarse = solve(lay(0, n, n)), *fine = solve(lay(1, 2 * n - 1, 2 * n - 1));
        for (int i = 0; i < n * n; i++)
            square[s] += pow(coarse->x[i] - fine->x[2 * (i / n * fine->width + i % n)], 2) / n / n;
    }
    assert_true(square[1] < square[0] / 4 && square[2] < square[1] / 4);
    assert_true(square[3] < square[2] / 12 && square[3] < 0.03 * 0.03);
}

/* Weighted Jacobi. Answers the last ratio of two updates' norms: it tends to the largest
 * |1 - weight lambda| over the eigenvalues lambda of D^-1 A. */
static double relax(struct problem *p, double weight, int steps)
{
    static double update[CELLS];
    double before = 0, after = 0;
    for (int step = 0; step < steps; step++) {
        before = after, after = 0;
        for (int i = 0; i < p->count; i++) {
            update[i] = weight * (p->b[i] - apply(p, i)) / p->band[QP_JACOBI9_DD][i];
            after += update[i] * update[i] * p->band[QP_JACOBI9_DD][i];
        }
        for (int i = 0; i < p->count; i++)
            p->x[i] += update[i];
    }
    return sqrt(after / before);
}

/* Weight 1 diverges: the largest lambda lies between 2 and 3 / (1 + s), s = total across over total
 * along. The weight 1.8 / max_i sum_j |a_ij / a_ii| arrives at the solution. */
TEST(test_jacobi)
{
    struct problem *p = lay(0, 40, 40), *small = lay(1, 8, 8);
    double largest = 1 + relax(p, 1, 1000), theory = 3 / (1 + TOTAL[1] / TOTAL[0]), bound = 0;
    for (int i = 0; i < p->count; i++)
        bound = fmax(bound, check_row(p, i));
    assert_true(largest > 2.2 && largest < theory);
    assert_near(bound, theory, 0.01);
    relax(small, 1.8 / bound, 8000);
    for (int i = 0; i < small->count; i++)
        assert_near(apply(small, i), small->b[i], 1e-9);
}
