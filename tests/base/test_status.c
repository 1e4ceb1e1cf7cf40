/* SPDX-License-Identifier: MIT */
/* Sentences and memory: what was said last, what is put before it, and blocks at the places that
 * they need. */
#include "support/support.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"

/* A sentence may be made of the one before, and is cut where it is too long. */
TEST(sentences)
{
    char text[4096];
    assert_int_equal(qp_fail(QP_DEVICE, "%d of %s", 3, "four"), QP_DEVICE);
    assert_string_equal(qp_error(), "3 of four");
    assert_int_equal(qp_fail_within(QP_BAD_INPUT, "stage %d", 7), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "stage 7: 3 of four");
    qp_fail(QP_DEVICE, "%s, %s", qp_error(), qp_error());
    assert_string_equal(qp_error(), "stage 7: 3 of four, stage 7: 3 of four");
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    qp_fail(QP_DEVICE, "%s", text);
    assert_int_equal(strlen(qp_error()), 2047);
    qp_fail_within(QP_DEVICE, "%s", text);
    assert_int_equal(strspn(qp_error(), "a"), 255);
}

TEST(blocks)
{
    for (size_t count = 0; count < 2000; count += count / 2 + 1) {
        char *const lines = qp_alloc_line(count, 3, "lines");
        float *const floats = qp_alloc_floats(count, "floats"), *const pages =
                                                                    qp_alloc_pages(count, "pages");
        unsigned char *const zeros = qp_alloc_zero(count, 3, "zeros");
        void *const plain = qp_alloc(count, 3, "bytes");
        assert_true(lines != NULL && floats != NULL && pages != NULL && zeros != NULL);
        assert_non_null(plain);
        assert_int_equal((uintptr_t)lines % 64, 0);
        assert_int_equal((uintptr_t)floats % 64, 0);
        assert_int_equal((uintptr_t)pages % 4096, 0);
        memset(lines, 1, 3 * count);
        memset(floats, 1, 4 * count);
        memset(pages, 1, 4 * count);
        memset(plain, 1, 3 * count);
        for (size_t i = 0; i < 3 * count; i++)
            assert_int_equal(zeros[i], 0);
        free(lines);
        free(floats);
        free(pages);
        free(zeros);
        free(plain);
    }
}

/* Sizes whose product does not fit are refused, as are those that no machine has. */
TEST(too_large_blocks)
{
    assert_null(qp_alloc(SIZE_MAX / 2, 3, "x"));
    assert_string_equal(qp_error(), "no memory for x (9223372036854775807 x 3 bytes); free some, "
                                    "or take a smaller problem");
    assert_null(qp_alloc_zero(SIZE_MAX / 4 + 2, 4, "y"));
    support_assert_sentence("no memory for y (4611686018427387905 x 4 bytes)");
    assert_null(qp_alloc_line(SIZE_MAX / 4 + 2, 4, "z"));
    support_assert_sentence("no memory for z (");
    assert_null(qp_alloc_line(SIZE_MAX - 10, 1, "z"));
}

TEST(matrices)
{
    struct qp_matrix matrix;
    assert_int_equal(qp_matrix_create(0, 4, &matrix), QP_BAD_USE);
    assert_string_equal(qp_error(), "a matrix of 0 x 4 cells has none; both must be at least 1");
    assert_int_equal(qp_matrix_create(4, 0, &matrix), QP_BAD_USE);
    assert_int_equal(qp_matrix_create(4, 4, NULL), QP_BAD_USE);
    for (int precision = QP_FLOATS; precision <= QP_DOUBLES; precision++) {
        assert_ok(qp_matrix_make(3, 2, precision, &matrix));
        assert_true(matrix.width == 3 && matrix.height == 2);
        assert_int_equal(matrix.values != NULL, precision == QP_FLOATS);
        assert_int_equal(matrix.doubles != NULL, precision == QP_DOUBLES);
        for (int i = 0; i < 6; i++)
            assert_true(isnan(precision == QP_FLOATS ? matrix.values[i] : matrix.doubles[i]));
        qp_matrix_destroy(&matrix);
        assert_true(matrix.values == NULL && matrix.doubles == NULL && matrix.width == 0);
    }
    qp_matrix_destroy(NULL);
}

/* ---- Watches ---- */

static volatile sig_atomic_t wanted;
static double part, waited;

static void note_part(void *user, double now)
{
    part = now;
    *(int *)user += 1;
}

static void note_wait(void *user, double seconds)
{
    waited = seconds;
    *(int *)user += 10;
}

TEST(watches)
{
    int seen = 0;
    const struct qp_watch none = qp_watch_set((struct qp_watch){
        .interrupt = &wanted, .on_part = note_part, .on_wait = note_wait, .user = &seen});
    assert_true(none.interrupt == NULL && none.on_part == NULL);
    assert_false(qp_watch_leaves(0.25));
    qp_watch_wait(3.5);
    assert_true(part == 0.25 && waited == 3.5 && seen == 11);
    assert_false(qp_watch_left());
    wanted = 1;
    assert_true(qp_watch_wants_end());
    assert_false(qp_watch_left()); /* nobody has left yet */
    assert_true(qp_watch_leaves(0.5));
    assert_true(qp_watch_left());
    assert_false(qp_watch_left()); /* it is reported once */
    static const volatile sig_atomic_t never;
    const struct qp_watch before = qp_watch_interrupt(&never);
    assert_ptr_equal(before.interrupt, &wanted);
    assert_false(qp_watch_wants_end());
    qp_watch_interrupt(NULL); /* changes nothing */
    assert_false(qp_watch_leaves(0.75));
    assert_true(part == 0.75);
    qp_watch_set(none);
    assert_false(qp_watch_leaves(1.0));
    qp_watch_wait(9.0);
    assert_true(part == 0.75 && waited == 3.5 && seen == 13);
    assert_int_equal(qp_watch_fail(), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "interrupted");
    assert_true(qp_watch_is_sentence("interrupted") &&
                qp_watch_is_sentence("stage 4: interrupted"));
    assert_false(qp_watch_is_sentence("interrupted.") || qp_watch_is_sentence("nterrupted"));
}
