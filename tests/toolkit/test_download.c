/* SPDX-License-Identifier: MIT */
/* Downloads: values as they were when they were asked for, whatever becomes of the array. */
#include "support/support.h"

#include <string.h>

#include "toolkit/gl/context/context.h"

enum { WIDTH = 13, HEIGHT = 7, CELLS = WIDTH * HEIGHT };

static struct qp_array *make(struct qp_context *context)
{
    const struct qp_array_desc desc = {.width = WIDTH, .height = HEIGHT};
    float values[CELLS];
    struct qp_array *array;
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)i;
    assert_ok(qp_array_create(context, &desc, values, &array));
    return array;
}

/* A pixel buffer that stayed bound would take what a program reads itself. */
static void nothing_is_bound(void)
{
    GLint bound = -1;
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &bound);
    assert_int_equal(bound, 0);
}

/* Several at once, each of another state of the array, taken in another order. */
static void arrays_change_afterwards(struct qp_context *context)
{
    enum { TIMES = 5 };
    struct qp_array *array = make(context);
    struct qp_download *downloads[TIMES];
    float got[CELLS];
    for (int i = 0; i < TIMES; i++) {
        assert_ok(qp_array_fill(array, NULL, i));
        assert_ok(qp_array_ask(array, NULL, &downloads[i]));
        nothing_is_bound();
    }
    assert_ok(qp_array_fill(array, NULL, -1.0));
    qp_array_destroy(&array);
    for (int i = TIMES - 1; i >= 0; i--) {
        memset(got, 0xa5, sizeof got);
        assert_ok(qp_download_take(&downloads[i], got, 0));
        assert_null(downloads[i]);
        nothing_is_bound();
        for (int k = 0; k < CELLS; k++)
            assert_true(got[k] == (float)i);
    }
}

static void parts_come_with_strides(struct qp_context *context)
{
    static const size_t gaps[] = {0, 4, 7};
    const struct qp_rect part = {3, 2, 5, 4};
    struct qp_array *array = make(context), *view;
    assert_ok(qp_array_view(array, &(struct qp_rect){1, 1, 9, 6}, &view));
    for (int i = 0; i < 2 * COUNT(gaps); i++) {
        const bool viewed = i % 2;
        const size_t row = 5 * sizeof(float), apart = row + gaps[i / 2];
        unsigned char got[200];
        struct qp_download *download;
        memset(got, 0xa5, sizeof got);
        assert_ok(qp_array_ask(viewed ? view : array, &part, &download));
        assert_ok(qp_download_take(&download, got, gaps[i / 2] > 0 ? apart : 0));
        for (size_t k = 0; k < sizeof got; k++) {
            const size_t x = k % apart / sizeof(float), y = k / apart;
            const float wanted = (float)((2 + viewed + (int)y) * WIDTH + 3 + viewed + (int)x);
            unsigned char bytes[sizeof wanted];
            memcpy(bytes, &wanted, sizeof wanted);
            assert_int_equal(got[k], y < 4 && k % apart < row ? bytes[k % apart % 4] : 0xa5);
        }
    }
    qp_array_destroy(&view);
    qp_array_destroy(&array);
}

/* Without fences and pixel buffers the values are read at once. */
static void with_and_without(void **state, void (*test)(struct qp_context *context))
{
    struct qp_context *context = support_need_context(state);
    const unsigned abilities = context->device.abilities;
    test(context);
    context->device.abilities &= ~(unsigned)QP_CAN_FENCE;
    test(context);
    context->device.abilities = abilities & ~(unsigned)QP_CAN_PIXEL_BUFFER;
    test(context);
    context->device.abilities = abilities;
}

CLEAN_TEST(changes)
{
    with_and_without(state, arrays_change_afterwards);
}

CLEAN_TEST(strides)
{
    with_and_without(state, parts_come_with_strides);
}

static void poll_until_it_is_there(struct qp_context *context)
{
    struct qp_array *array = make(context);
    struct qp_download *download;
    float got[CELLS];
    assert_ok(qp_array_ask(array, NULL, &download));
    long polls = 0;
    while (!qp_download_poll(download) && polls < 100000000)
        polls++;
    assert_true(qp_download_poll(download));
    assert_ok(qp_download_take(&download, got, 0));
    assert_true(got[CELLS - 1] == (float)(CELLS - 1));
    qp_array_destroy(&array);
}

CLEAN_TEST(polling)
{
    with_and_without(state, poll_until_it_is_there);
}

static GLenum later(GLsync fence, GLbitfield flags, GLuint64 timeout)
{
    (void)fence, (void)flags;
    assert_int_equal(timeout, 0);
    return GL_TIMEOUT_EXPIRED;
}

/* A download that the driver has yet to make is not there, however often one asks. */
CLEAN_TEST(polling_early)
{
    struct qp_context *context = support_need_context(state);
    const unsigned needed = QP_CAN_PIXEL_BUFFER | QP_CAN_FENCE;
    if ((context->device.abilities & needed) != needed)
        skip();
    struct qp_array *array = make(context);
    struct qp_download *download;
    float got[CELLS];
    assert_ok(qp_array_ask(array, NULL, &download));
    const PFNGLCLIENTWAITSYNCPROC wait = glClientWaitSync;
    glClientWaitSync = later;
    const bool first = qp_download_poll(download), second = qp_download_poll(download);
    glClientWaitSync = wait;
    assert_false(first);
    assert_false(second);
    assert_ok(qp_download_take(&download, got, 0));
    assert_true(got[CELLS - 1] == (float)(CELLS - 1));
    qp_array_destroy(&array);
}

/* After bad use a download can be taken again; a cancelled one leaves nothing
 * (support_check_clean). */
CLEAN_TEST(bad_use)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context);
    struct qp_download *download, *none = NULL;
    float got[CELLS];
    assert_int_equal(qp_array_ask(array, &(struct qp_rect){0, 0, 14, 1}, &download), QP_BAD_USE);
    assert_null(download);
    support_assert_sentence("not inside an array of 13 x 7");
    assert_ok(qp_array_ask(array, NULL, &download));
    struct qp_download *same = download;
    assert_int_equal(qp_download_take(&download, NULL, 0), QP_BAD_USE);
    assert_int_equal(qp_download_take(NULL, got, 0), QP_BAD_USE);
    assert_int_equal(qp_download_take(&download, got, 51), QP_BAD_USE);
    support_assert_sentence("row_bytes is 51");
    assert_ok(qp_download_take(&download, got, 0));
    assert_int_equal(qp_download_take(&same, got, 0), QP_BAD_USE);
    support_assert_sentence("'download' is not a download that lives");
    assert_int_equal(qp_download_take(&none, got, 0), QP_BAD_USE);
    support_assert_sentence("'download' is NULL");
    assert_true(qp_download_poll(NULL));
    assert_ok(qp_array_ask(array, NULL, &download));
    qp_download_cancel(&download);
    assert_null(download);
    qp_download_cancel(&download);
    qp_download_cancel(NULL);
    qp_download_cancel(&same);
    assert_null(same);
    qp_array_destroy(&array);
}

GROUP(support_open_context, support_close_context)
