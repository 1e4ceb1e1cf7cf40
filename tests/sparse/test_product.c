/* SPDX-License-Identifier: MIT */
/* Products of matrices in textures against rows added up in double: awkward matrices and sizes,
 * both layouts, narrow textures, rows that are cut into pieces of pieces. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/sparse/product.h"
#include "toolkit/base/random.h"

/* ---- Matrices ---- */

enum kind {
    IDENTITY,
    NINE,
    SEVEN,
    RANDOM,
    POWER_LAW,
    EMPTY_ROWS,
    FULL_ROW,
    ARROW,
    SPACE,
    NOTHING,
    KINDS
};

static bool has_entry(enum kind kind, int n, int i, int j, uint64_t *seed)
{
    const int side = (int)sqrt((double)n) + 1, d = abs(i - j);
    switch (kind) {
    case IDENTITY:
        return d == 0;
    case NINE:
        return d <= 1 || abs(d - side) <= 1;
    case SEVEN:
        return d == 0 || d == 1 || d == 3 || d == side;
    case RANDOM:
        return d == 0 || qp_random(seed, 0.0, 1.0) < 7.0 / n;
    case POWER_LAW:
        return d == 0 || j < n / (i % 97 + 1);
    case EMPTY_ROWS:
        return i % 3 != 1 && d < 2;
    case FULL_ROW:
        return d == 0 || i == n / 2;
    case ARROW:
        return d == 0 || i == 0 || j == 0;
    case SPACE:
        return d <= 13;
    default:
        return false;
    }
}

static struct qp_sparse make(enum kind kind, int n)
{
    struct qp_sparse a;
    uint64_t seed = (uint64_t)n + kind;
    size_t count = 0;
    assert_ok(qp_sparse_allocate(n, (size_t)n * (size_t)n, &a));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (!has_entry(kind, n, i, j, &seed))
                continue;
            a.column[count] = j;
            a.value[count++] = (float)qp_random(&seed, -1.0, 1.0);
        }
        a.first[i + 1] = count;
    }
    a.count = count;
    return a;
}

/* A full row in the middle of n rows that have their diagonal. */
static struct qp_sparse make_long(int n)
{
    struct qp_sparse a;
    uint64_t seed = (uint64_t)n;
    size_t count = 0;
    assert_ok(qp_sparse_allocate(n, 2 * (size_t)n, &a));
    for (int i = 0; i < n; i++) {
        for (int j = i == n / 2 ? 0 : i; j < (i == n / 2 ? n : i + 1); j++) {
            a.column[count] = j;
            a.value[count++] = (float)qp_random(&seed, -1.0, 1.0);
        }
        a.first[i + 1] = count;
    }
    a.count = count;
    return a;
}

/* ---- Products ---- */

static float *multiply(struct qp_context *context, const struct qp_sparse *a, struct qp_product *m,
                       const float *x)
{
    const struct qp_array_desc size = {m->width, m->tall, .channels = 4};
    const size_t cells = (size_t)m->width * (size_t)m->tall * 4;
    struct qp_array *from, *to;
    struct qp_list *list;
    struct qp_pass pass[QP_PRODUCT_LEVELS + 1];
    float *texels = malloc(cells * sizeof *texels), *y = malloc((size_t)a->rows * sizeof *y);
    assert_ok(qp_product_load(context, a, m));
    assert_ok(qp_product_program(context, false, m));
    assert_ok(qp_array_create(context, &size, NULL, &from));
    assert_ok(qp_array_fill(from, NULL, (double)NAN));
    assert_ok(qp_product_write(m, x, from));
    assert_ok(qp_array_create(context, &size, NULL, &to));
    assert_ok(qp_array_fill(to, NULL, (double)NAN));
    assert_ok(qp_list_create(pass, qp_product_passes(m, from, to, pass), &list));
    assert_ok(qp_list_run(list, 2));
    assert_ok(qp_array_read(to, NULL, texels, 0));
    assert_ok(qp_product_read(m, to, y));
    for (size_t p = (size_t)a->rows; p < (size_t)m->width * (size_t)m->height * 4; p++)
        assert_true(texels[p] == 0.0f);
    qp_list_destroy(&list);
    qp_array_destroy(&from);
    qp_array_destroy(&to);
    free(texels);
    return y;
}

static void check(struct qp_context *context, const struct qp_sparse *a,
                  enum qp_product_layout layout, int limit)
{
    struct qp_product m;
    if (qp_product_plan(a, layout, limit, &m) != QP_OK) {
        assert_true(layout == QP_PRODUCT_DIAGONALS || limit < 1000);
        qp_product_destroy(&m);
        return;
    }
    assert_true(m.width <= limit && m.tall <= limit && m.wide <= limit && m.high <= limit);
    float *x = malloc((size_t)a->rows * sizeof *x);
    uint64_t seed = 3;
    for (int i = 0; i < a->rows; i++)
        x[i] = (float)qp_random(&seed, -1.0, 1.0);
    float *y = multiply(context, a, &m, x);
    for (int i = 0; i < a->rows; i++) {
        double sum = 0.0, size = 0.0;
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
            const double term = (double)a->value[k] * (double)x[a->column[k]];
            sum += term;
            size += fabs(term);
        }
        const double length = (double)qp_sparse_length(a, i),
                     roundings = fmin(length, (double)m.most) * (m.levels + 1) + 1.0;
        if (!(fabs((double)y[i] - sum) <=
              (layout == QP_PRODUCT_DIAGONALS ? 30.0 : roundings) * 0x1p-23 * size))
            fail_msg("layout %d, limit %d, %d rows: row %d is %.9g, not %.9g", (int)layout, limit,
                     a->rows, i, (double)y[i], sum);
    }
    free(x);
    free(y);
    qp_product_destroy(&m);
}

CLEAN_TEST(products)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 16, 31, 64, 97, 151};
    struct qp_context *context = support_need_context(state);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < COUNT(sizes); i++) {
            struct qp_sparse a = make((enum kind)kind, sizes[i]);
            check(context, &a, QP_PRODUCT_SLICED_ELL, 16384);
            check(context, &a, QP_PRODUCT_DIAGONALS, 16384);
            check(context, &a, QP_PRODUCT_SLICED_ELL, 16);
            check(context, &a, QP_PRODUCT_DIAGONALS, 24);
            check(context, &a, QP_PRODUCT_DIAGONALS, 18);
            qp_sparse_destroy(&a);
        }
    }
}

CLEAN_TEST(long_rows)
{
    static const struct {
        int rows, levels;
    } cases[] = {{65, 1}, {2000, 1}, {64 * 64, 1}, {64 * 64 + 1, 2}, {20011, 2}, {300007, 3}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_product m;
        struct qp_sparse a = make_long(cases[i].rows);
        assert_ok(qp_product_plan(&a, QP_PRODUCT_BEST, 16384, &m));
        assert_int_equal(m.layout, QP_PRODUCT_SLICED_ELL);
        assert_int_equal(m.levels, cases[i].levels);
        assert_true(qp_product_bytes(&m, 0) < 400.0 * a.rows + 1e5);
        qp_product_destroy(&m);
        check(context, &a, QP_PRODUCT_SLICED_ELL, 16384);
        qp_sparse_destroy(&a);
    }
}

/* A node and its 26 neighbours in space are as many diagonals. */
TEST(neighbours_in_space)
{
    struct qp_product m;
    struct qp_sparse a = make(SPACE, 500);
    assert_ok(qp_product_plan(&a, QP_PRODUCT_BEST, 16384, &m));
    assert_true(m.layout == QP_PRODUCT_DIAGONALS && m.count == 27);
    qp_product_destroy(&m);
    qp_sparse_destroy(&a);
}

/* A matrix that textures do not hold is refused before anything is made. */
TEST(too_large)
{
    struct qp_product m;
    struct qp_sparse a = make_long(70000);
    assert_int_equal(qp_product_plan(&a, QP_PRODUCT_SLICED_ELL, 64, &m), QP_UNSUPPORTED);
    support_assert_sentence("70000 rows");
    qp_product_destroy(&m);
    qp_sparse_destroy(&a);
}

GROUP(support_open_context, support_close_context)
