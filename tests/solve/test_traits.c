/* SPDX-License-Identifier: MIT */
/* Facts of matrices against a look at every pair of entries, and forecasts against steps that were
 * counted. No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/solve/traits.h"
#include "toolkit/base/random.h"

static struct qp_traits traits_of(const struct qp_market *a)
{
    struct qp_sparse rows;
    struct qp_traits got;
    assert_ok(qp_sparse_read(a, &rows));
    assert_ok(qp_traits_find(&rows, &got));
    qp_sparse_destroy(&rows);
    return got;
}

TEST(symmetry_is_that_of_all_pairs)
{
    uint64_t seed = 5;
    int symmetric = 0;
    for (int k = 0; k < 400; k++) {
        const int n = 1 + (int)qp_random(&seed, 0.0, 9.0);
        struct qp_market a = support_dense(n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                const double value = qp_random(&seed, -1.0, 1.0);
                *support_entry(&a, i, j) = *support_entry(&a, j, i) = value > 0.2 ? value : 0.0;
            }
        }
        const int i = (int)qp_random(&seed, 0.0, n), j = (int)qp_random(&seed, 0.0, n);
        if (k % 2 == 1) /* an entry that may be new, may vanish, or may lie on the diagonal */
            *support_entry(&a, i, j) = k % 4 == 1 ? 0.0 : 0.5;
        bool wanted = true;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                wanted = wanted && *support_entry(&a, r, c) == *support_entry(&a, c, r);
        const struct qp_traits got = traits_of(&a);
        assert_int_equal(got.symmetric, wanted);
        if (!wanted)
            assert_true(*support_entry(&a, got.row, got.column) !=
                        *support_entry(&a, got.column, got.row));
        symmetric += wanted;
        qp_market_destroy(&a);
    }
    assert_in_range(symmetric, 200, 399);
}

/* A square of `side` cells each way, with this diagonal. */
static struct qp_market make_square(int side, double diagonal)
{
    struct qp_market a = support_dense(side * side);
    for (int i = 0; i < side * side; i++) {
        *support_entry(&a, i, i) = diagonal;
        for (int dx = -1; dx <= 1; dx += 2) {
            const int x = i % side + dx, y = i / side + dx;
            if (x >= 0 && x < side)
                *support_entry(&a, i, i + dx) = -1.0;
            if (y >= 0 && y < side)
                *support_entry(&a, i, i + side * dx) = -1.0;
        }
    }
    return a;
}

TEST(diagonals_are_read)
{
    struct qp_market a = make_square(5, 4.0);
    struct qp_traits got = traits_of(&a);
    assert_true(got.sign == 1 && got.zero == -1 && got.other == -1);
    assert_true(got.dominance == 1.0 && got.depth == 2);
    for (int i = 0; i < 25; i++) {
        for (int j = 0; j < 25; j++)
            *support_entry(&a, i, j) *= ldexp(1.0, (i % 5) * 8 + (j % 5) * 8);
    }
    got = traits_of(&a); /* in other units it is the same mesh */
    assert_true(got.symmetric && got.depth == 2 && got.dominance > 1.0 && got.balanced == 1.0);
    for (int i = 0; i < 25; i++) {
        for (int j = 0; j < 25; j++)
            *support_entry(&a, i, j) *= ldexp(1.0, (i % 3) * 9 - (j % 4) * 12);
    }
    got = traits_of(&a);
    assert_true(!got.symmetric && got.depth == 2 && got.dominance > 1.0 && got.balanced == 1.0);
    *support_entry(&a, 7, 6) = 0.0; /* nothing is known without the other one of two entries */
    got = traits_of(&a);
    assert_true(got.balanced == got.dominance);
    qp_market_destroy(&a);
    a = make_square(5, 4.0);
    *support_entry(&a, 7, 7) = -8.0;
    got = traits_of(&a);
    assert_true(got.sign == 0 && got.zero == -1 && got.other == 7);
    *support_entry(&a, 9, 9) = 0.0;
    got = traits_of(&a);
    assert_true(got.sign == 0 && got.zero == 9 && isinf(got.dominance));
    for (int i = 0; i < 25; i++)
        *support_entry(&a, i, i) = -16.0;
    got = traits_of(&a);
    assert_true(got.sign == -1 && got.dominance == 0.25 && got.depth == 0 && !got.skew);
    for (int i = 0; i < 25; i++) {
        for (int j = 0; j <= i; j++)
            *support_entry(&a, i, j) *= i == j ? 0.0 : -1.0;
    }
    got = traits_of(&a);
    assert_true(got.skew && !got.symmetric);
    *support_entry(&a, 24, 24) = 1.0;
    assert_false(traits_of(&a).skew);
    qp_market_destroy(&a);
    a = make_square(5, 1.0); /* no row is dominant: half of what lies before row 24 */
    assert_int_equal(traits_of(&a).depth, 4);
    qp_market_destroy(&a);
}

/* The vector that is looked at has elements 1 in units that make the diagonal 1. It shows what is
 * indefinite by the signs of the others, whatever the units and the sign of all are; never what is
 * definite. */
TEST(one_vector_shows_what_is_indefinite)
{
    static const struct {
        double diagonal; /* a square has it, of 6 x 6, whose other entries add up to -120 */
        int least;       /* sign of the least eigenvalue, diagonal - 4 cos(pi / 7) */
        bool definite;
    } cases[] = {
        {4.0, 1, true}, {3.7, 1, true}, {3.4, -1, true}, {3.3, -1, false}, {1.0, -1, false}};
    for (int k = 0; k < COUNT(cases); k++) {
        for (int turn = 0; turn < 4; turn++) {
            struct qp_market a = make_square(6, cases[k].diagonal);
            for (int i = 0; i < 36; i++) {
                for (int j = 0; j < 36; j++)
                    *support_entry(&a, i, j) *=
                        (turn % 2 ? -1.0 : 1.0) *
                        (turn < 2 ? 1.0 : ldexp(1.0, i % 7 * 9 + j % 7 * 9));
            }
            struct qp_traits got = traits_of(&a);
            assert_true(got.symmetric && got.sign == (turn % 2 ? -1 : 1));
            assert_int_equal(got.definite, cases[k].definite);
            assert_true(got.definite || cases[k].least < 0);
            for (int i = 0; i < 36; i++) {
                for (int j = 0; j < 36; j++)
                    *support_entry(&a, i, j) *= i != j && turn % 2 == 0 ? -1.0 : 1.0;
            }
            got = traits_of(&a); /* all signs alike */
            assert_true(turn % 2 == 1 || got.definite);
            *support_entry(&a, 0, 1) = 0.0;
            assert_false(traits_of(&a).definite); /* not symmetric */
            qp_market_destroy(&a);
        }
    }
}

/* Steps of conjugate gradients and of Jacobi to 1e-6, b at random. */
static void count_steps(const struct qp_market *a, double *jacobi, double *cg)
{
    enum { MOST = 400 };
    static double x[MOST], r[MOST], p[MOST], q[MOST];
    const int n = a->rows;
    uint64_t seed = 3;
    double rho = 0.0, first = 0.0, before, curvature;
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
        r[i] = p[i] = qp_random(&seed, -1.0, 1.0);
        first += r[i] * r[i];
    }
    for (rho = first, *cg = 0.0; rho > 1e-12 * first; ++*cg) {
        for (int i = curvature = 0; i < n; i++) {
            for (int j = q[i] = 0; j < n; j++)
                q[i] += *support_entry(a, i, j) * p[j];
            curvature += p[i] * q[i];
        }
        before = rho;
        rho = 0.0;
        for (int i = 0; i < n; i++) {
            r[i] -= before / curvature * q[i];
            rho += r[i] * r[i];
        }
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    seed = 3;
    for (int i = 0; i < n; i++)
        r[i] = qp_random(&seed, -1.0, 1.0);
    for (rho = first, *jacobi = 0.0; rho > 1e-12 * first; ++*jacobi) {
        rho = 0.0;
        for (int i = 0; i < n; i++)
            x[i] = r[i] / *support_entry(a, i, i);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                r[i] -= *support_entry(a, i, j) * x[j];
            rho += r[i] * r[i];
        }
    }
}

/* Forecasts are for orders of magnitude: right to a factor of three. */
TEST(forecasts_are_near)
{
    static const struct {
        int side;
        double diagonal;
    } cases[] = {{6, 4.0}, {15, 4.0}, {10, 4.2}, {10, 6.0}, {10, 40.0}};
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_market a = make_square(cases[k].side, cases[k].diagonal);
        const struct qp_traits traits = traits_of(&a);
        double jacobi, cg;
        count_steps(&a, &jacobi, &cg);
        const double by_jacobi = qp_traits_jacobi_steps(&traits, 1e-6) / jacobi,
                     by_cg = qp_traits_krylov_steps(&traits, 1e-6) / cg;
        if (!(by_jacobi > 0.33 && by_jacobi < 3.0 && by_cg > 0.33 && by_cg < 3.0))
            fail_msg("%d cells, %g: %g and %g of the steps", cases[k].side, cases[k].diagonal,
                     by_jacobi, by_cg);
        qp_market_destroy(&a);
    }
}
