/* SPDX-License-Identifier: MIT */
/* Inverses of blocks on the diagonal: times their blocks they are the identity. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

#include "lab/solve/iterate/sparse.h"

enum { ROWS = 12 }; /* rows of a block */

/* Symmetric, with entries within blocks and between them; `none` in row and column `empty`. */
static struct qp_sparse make(int n, int empty)
{
    struct qp_sparse a;
    size_t count = 0;
    assert_ok(qp_sparse_allocate(n, 7 * (size_t)n, &a));
    for (int i = 0; i < n; i++) {
        for (int j = i > 20 ? i - 20 : 0; j < n && j <= i + 20; j++) {
            const int apart = abs(i - j);
            if ((apart != 0 && apart != 1 && apart != 5 && apart != 20) || i == empty || j == empty)
                continue;
            a.column[count] = j;
            a.value[count++] = apart == 0 ? 3.0f + 0.01f * (float)i : -1.0f / (float)(apart + 1);
        }
        a.first[i + 1] = count;
    }
    a.count = count;
    return a;
}

/* Element (i, j) of the block that row i is in, times the inverse. */
static double product(const struct qp_sparse *a, const struct qp_sparse *inverse, int i, int j)
{
    double sum = 0.0;
    for (size_t k = inverse->first[i]; k < inverse->first[i + 1]; k++) {
        const int row = inverse->column[k];
        for (size_t e = a->first[row]; e < a->first[row + 1]; e++)
            sum += a->column[e] == j ? (double)inverse->value[k] * (double)a->value[e] : 0.0;
    }
    return sum;
}

TEST(inverses)
{
    static const int sizes[] = {1, 11, 12, 13, 29, 3000 * ROWS + 5};
    for (int s = 0; s < COUNT(sizes); s++) {
        const int n = sizes[s];
        struct qp_sparse a = make(n, -1), inverse;
        assert_ok(qp_blocks_invert(&a, &inverse));
        assert_int_equal(inverse.rows, n);
        for (int i = 0; i<n; i += n> 100 ? 97 : 1) {
            const int first = i / ROWS * ROWS, end = first + ROWS < n ? first + ROWS : n;
            assert_int_equal(qp_sparse_length(&inverse, i), end - first);
            for (int j = first; j < end; j++) {
                const size_t at = inverse.first[i] + (size_t)(j - first),
                             mirrored = inverse.first[j] + (size_t)(i - first);
                assert_true(inverse.column[at] == j);
                assert_true(inverse.value[at] == inverse.value[mirrored]);
                if (!(fabs(product(&a, &inverse, i, j) - (i == j)) < 1e-5))
                    fail_msg("%d rows, (%d, %d): %g", n, i, j, product(&a, &inverse, i, j));
            }
        }
        qp_sparse_destroy(&a);
        qp_sparse_destroy(&inverse);
    }
}

/* A block without an inverse is left as it is, and the others have theirs. */
TEST(a_singular_block)
{
    struct qp_sparse a = make(3 * ROWS, ROWS + 3), inverse;
    assert_ok(qp_blocks_invert(&a, &inverse));
    for (int i = 0; i < 3 * ROWS; i++) {
        const int first = i / ROWS * ROWS;
        for (int j = first; j < first + ROWS; j++) {
            const float value = inverse.value[inverse.first[i] + (size_t)(j - first)];
            if (first == ROWS)
                assert_true(value == (float)(i == j));
            else
                assert_true(fabs(product(&a, &inverse, i, j) - (i == j)) < 1e-5);
        }
    }
    qp_sparse_destroy(&a);
    qp_sparse_destroy(&inverse);
}

GROUP(NULL, NULL)
