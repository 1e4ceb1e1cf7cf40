/* SPDX-License-Identifier: MIT */
/* Singular matrices that iteration would solve: none converges, and what is not singular is not
 * called so. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include <quadpass/method.h>

#include "lab/solve/regular.h"

/* A tridiagonal matrix. */
static struct qp_market make_line(int rows, double below, double diagonal, double above)
{
    struct qp_market a = support_dense(rows);
    for (int i = 0; i < rows; i++) {
        *support_entry(&a, i, i) = diagonal;
        if (i > 0)
            *support_entry(&a, i, i - 1) = below;
        if (i + 1 < rows)
            *support_entry(&a, i, i + 1) = above;
    }
    return a;
}

/* Without OpenGL, b = A times ones; it converges, by this method, for a reason with these words. */
static struct qp_answer solve(const struct qp_market *a, struct qp_solve_desc desc,
                              enum qp_method method, const char *words)
{
    struct qp_answer got;
    assert_ok(qp_solve_system(NULL, a, NULL, 1, NULL, &desc, &got));
    if (got.side[0].method != method || strstr(got.side[0].reason, words) == NULL)
        fail_msg("'%s' and then '%s', not '%s'", got.side[0].reason, got.side[0].sentence, words);
    assert_int_equal(got.converged, 1);
    return got;
}

/* Whichever variant is asked for, and whether or not b has solutions. */
static void refuse_as_singular(const struct qp_market *a, const double *b, const char *words)
{
    static const char *const names[] = {NULL, "jacobi9/openmp", "gauss_jordan/reference"};
    struct qp_answer got;
    for (size_t k = 0; k < COUNT(names); k++) {
        for (int refine = 0; refine < 2; refine++) {
            struct qp_solve_desc desc = {
                .refine = refine, .variant = names[k] != NULL ? qp_variant_find(names[k]) : NULL};
            assert_int_equal(qp_solve_system(NULL, a, b, 1, NULL, &desc, &got), QP_BAD_INPUT);
            support_assert_sentence("the matrix is singular");
            support_assert_sentence(words);
            assert_true(got.x == NULL && got.side == NULL);
        }
    }
}

/* Jacobi converges for each of them, to one of many solutions. */
TEST(no_singular_matrix_converges)
{
    struct qp_market two = support_dense(2), three = support_dense(3), twice = support_dense(2);
    const double zeros[3] = {0.0};
    *support_entry(&two, 0, 0) = *support_entry(&three, 0, 0) = 1.0;
    *support_entry(&two, 0, 1) = *support_entry(&three, 0, 1) = 2.0;
    *support_entry(&two, 1, 0) = *support_entry(&three, 1, 0) = 2.0;
    *support_entry(&two, 1, 1) = *support_entry(&three, 1, 1) = 4.0;
    *support_entry(&three, 2, 2) = 1.0;
    for (int k = 0; k < 4; k++)
        twice.value[k] = 3.0; /* weakly dominant, but sums are not 0 */
    refuse_as_singular(&two, NULL, "column 2 is a combination of the others");
    refuse_as_singular(&three, NULL, "column 2 is a combination of the others");
    refuse_as_singular(&three, zeros, "column 2 is a combination of the others");
    refuse_as_singular(&twice, NULL, "rows 1 and 2 are equal");
    qp_market_destroy(&two);
    qp_market_destroy(&three);
    qp_market_destroy(&twice);
}

/* Entries in any order, and zeros among them; rows that differ in one bit, or only in where the
 * same values are, are no equal ones. */
TEST(alike_by_entries)
{
    int row[] = {2, 0, 1, 0, 2, 1, 0, 3}, column[] = {3, 0, 1, 3, 0, 2, 1, 2};
    double value[] = {5.0, 2.0, 1.0, 5.0, 2.0, 3.0, 0.0, 1.0};
    const struct qp_market a = {4, 4, COUNT(value), false, row, column, value},
                           mirrored = {4, 4, COUNT(value), false, column, row, value};
    bool regular;
    assert_int_equal(qp_look_whether_regular(&a, &regular), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "the matrix is singular: rows 1 and 3 are equal");
    assert_int_equal(qp_look_whether_regular(&mirrored, &regular), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "the matrix is singular: columns 1 and 3 are equal");
    value[0] = nextafter(5.0, 6.0);
    assert_ok(qp_look_whether_regular(&a, &regular));
    assert_false(regular);
    value[0] = 2.0;
    value[4] = 5.0;
    assert_ok(qp_look_whether_regular(&a, &regular));
    value[2] = value[5] = 0.0;
    assert_int_equal(qp_look_whether_regular(&a, &regular), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "the matrix is singular: row 2 is zero");
}

enum { WIDE = 60, HIGH = 50, CELLS = WIDE * HIGH };

/* A five-point Laplacian without any value at a boundary; the row of the cell `fixed`, if it is
 * one, is that of the identity. */
static struct qp_market make_laplacian(bool periodic, int fixed)
{
    static int row[5 * CELLS], column[5 * CELLS];
    static double value[5 * CELLS];
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    struct qp_market a = {CELLS, CELLS, 0, false, row, column, value};
    for (int i = 0; i < CELLS; i++) {
        const size_t centre = a.count++;
        row[centre] = column[centre] = i;
        value[centre] = i == fixed ? 1.0 : 0.0;
        for (int k = 0; k < 4 && i != fixed; k++) {
            const int x = i % WIDE + dx[k], y = i / WIDE + dy[k];
            if (!periodic && (x < 0 || x == WIDE || y < 0 || y == HIGH))
                continue;
            value[centre] += 1.0;
            row[a.count] = i;
            column[a.count] = (y + HIGH) % HIGH * WIDE + (x + WIDE) % WIDE;
            value[a.count++] = -1.0;
        }
    }
    return a;
}

/* Rows show it at any size, and what the sentence advises helps. */
TEST(laplacians_without_a_boundary)
{
    static double b[CELLS];
    for (int i = 0; i < CELLS; i++)
        b[i] = i < CELLS / 2 ? 1.0 : -1.0; /* has solutions */
    for (int periodic = 0; periodic < 2; periodic++) {
        struct qp_market a = make_laplacian(periodic, -1);
        struct qp_answer got;
        assert_int_equal(qp_solve_system(NULL, &a, b, 1, NULL, &(struct qp_solve_desc){0}, &got),
                         QP_BAD_INPUT);
        support_assert_sentence("column 3000 is a combination of the others, for the entries of "
                                "each row add up to 0; fix one unknown");
    }
    struct qp_market a = make_laplacian(false, 1234);
    struct qp_answer got =
        solve(&a, (struct qp_solve_desc){.tolerance = 1e-3}, QP_ITERATION, "iteration was taken");
    assert_null(strstr(got.side[0].sentence, "singular"));
    qp_answer_destroy(&got);
}

/* Two systems in one: each must have its own way to a row that is strictly dominant. */
TEST(rows_that_lead_to_none)
{
    struct qp_market a = make_line(9, -1.0, 2.0, -1.0);
    *support_entry(&a, 4, 5) = *support_entry(&a, 5, 4) = 0.0;
    *support_entry(&a, 5, 5) = *support_entry(&a, 8, 8) = 1.0;
    refuse_as_singular(&a, NULL,
                       "column 9 is a combination of the others, for the entries of each "
                       "of 4 rows that lead to no other add up to 0");
    *support_entry(&a, 7, 3) = 0.25; /* now it leads, but is not dominant */
    *support_entry(&a, 7, 7) = 2.25;
    struct qp_solve_desc named = {.variant = qp_variant_find("jacobi9/openmp")};
    struct qp_answer got = solve(&a, named, QP_ITERATION, "");
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* A weakly dominant matrix is singular where each row adds up to 0, is nothing known of it where
 * one row at any place does not, and is regular where one is strictly dominant. */
TEST(one_row_decides)
{
    for (int k = 0; k < 3 * 12; k++) {
        const int n = 2 + k / 12, place = k / 3 % 4, kind = k % 3;
        struct qp_market a = support_dense(n);
        bool regular = kind != 2;
        for (int e = 0; e < n * n; e++)
            a.value[e] = e % n == e / n ? n - 1.0 : kind == 1 && e % n == place ? 1.0 : -1.0;
        if (place < n && kind == 2)
            *support_entry(&a, place, place) += 1.0;
        const bool singular = kind == 0 || place >= n;
        assert_int_equal(qp_look_whether_regular(&a, &regular), singular ? QP_BAD_INPUT : QP_OK);
        assert_int_equal(regular, !singular && kind == 2);
        qp_market_destroy(&a);
    }
}

/* A flow from left to right is not dominant: iteration cannot see if it is regular, elimination
 * looks where it is small, and the sentence says where nobody did. */
TEST(what_iteration_cannot_tell)
{
    enum { N = 3000 };
    static int row[3 * N], column[3 * N];
    static double value[3 * N];
    struct qp_market small = make_line(500, 0.6, 1.0, -0.6),
                     large = {N, N, 0, false, row, column, value};
    for (int i = 0; i < N; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            row[large.count] = i;
            column[large.count] = j;
            value[large.count++] = 1.0 + 0.6 * (i - j) - (i != j);
        }
    }
    struct qp_answer got = solve(&small, (struct qp_solve_desc){0}, QP_ELIMINATION,
                                 "for iteration converged, but cannot tell whether the matrix is "
                                 "singular");
    assert_true(got.side[0].steps > 0 && got.side[0].digits > 0);
    qp_answer_destroy(&got);
    struct qp_solve_desc named = {.variant = qp_variant_find("jacobi9/openmp")};
    got = solve(&small, named, QP_ITERATION, "was asked for");
    assert_true(got.side[0].eliminations == 0);
    assert_null(strstr(got.side[0].sentence, "singular"));
    qp_answer_destroy(&got);
    got = solve(&large, (struct qp_solve_desc){0}, QP_ITERATION, "iteration was taken");
    assert_non_null(strstr(got.side[0].sentence, "; iteration cannot tell whether the matrix is "
                                                 "singular, and nobody looked, for it is too "
                                                 "large"));
    qp_answer_destroy(&got);
    qp_market_destroy(&small);
}
