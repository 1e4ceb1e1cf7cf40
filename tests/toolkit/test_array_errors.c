/* SPDX-License-Identifier: MIT */
/* Errors of use: each is a code and a sentence, and arrays are as they were. */
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

static struct qp_array *make(struct qp_context *context, int width, int height)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, NULL, &array));
    return array;
}

#define REFUSED(call, status, words)           \
    do {                                       \
        assert_int_equal((call), QP_##status); \
        support_assert_sentence(words);        \
    } while (0)

/* ---- Descriptions ---- */

CLEAN_TEST(descriptions)
{
    struct qp_context *context = support_need_context(state);
    const struct {
        struct qp_array_desc desc;
        enum qp_status status;
        const char *words;
    } cases[] = {
        {{.width = 0, .height = 3},
         QP_BAD_USE,
         "an array of 0 x 3 cells; both sizes are at least 1"},
        {{.width = 3, .height = -1}, QP_BAD_USE, "an array of 3 x -1 cells"},
        {{.width = 8388609, .height = 1}, QP_UNSUPPORTED, "this device's rectangle_limit of"},
        {{.width = 1, .height = INT32_MAX}, QP_UNSUPPORTED, "at most 8388608 cells each way"},
        {{.width = 2, .height = 2, .channels = 3},
         QP_BAD_USE,
         "an array of 3 channels; cells have 1, 2 or 4"},
        {{.width = 2, .height = 2, .channels = -1}, QP_BAD_USE, "an array of -1 channels"},
        {{.width = 2, .height = 2, .channels = 5}, QP_BAD_USE, "an array of 5 channels"},
        {{.width = 2, .height = 2, .channels = 4, .type = QP_ARRAY_DOUBLE},
         QP_BAD_USE,
         "4 channels of doubles; cells have 1 or 2"},
        {{.width = 2, .height = 2, .type = (enum qp_array_type)5},
         QP_BAD_USE,
         "an array's type is 5, which is none"},
        {{.width = 2, .height = 2, .type = (enum qp_array_type) - 1},
         QP_BAD_USE,
         "an array's type is -1"},
        {{.width = 2, .height = 2, .outside = (enum qp_outside)4},
         QP_BAD_USE,
         "an array's outside is 4"},
        {{.width = 2, .height = 2, .outside = (enum qp_outside) - 1},
         QP_BAD_USE,
         "an array's outside is -1"},
        {{.width = 2,
          .height = 2,
          .type = QP_ARRAY_INT,
          .outside = QP_OUTSIDE_VALUE,
          .value = 1e10},
         QP_BAD_USE,
         "1e+10 is no integer of 32 bits"},
        {{.width = 2,
          .height = 2,
          .type = QP_ARRAY_UINT,
          .outside = QP_OUTSIDE_VALUE,
          .value = NAN},
         QP_BAD_USE,
         "is no integer of 32 bits"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_array *array = (struct qp_array *)&array;
        assert_int_equal(qp_array_create(context, &cases[i].desc, NULL, &array), cases[i].status);
        assert_null(array);
        support_assert_sentence(cases[i].words);
    }
}

/* A device that lacks an ability, and one whose limit is lower than memory. */
CLEAN_TEST(devices)
{
    struct qp_context *context = support_need_context(state);
    const unsigned abilities = context->device.abilities;
    const int limit = context->device.rectangle_limit;
    struct qp_array_desc desc = {.width = 2, .height = 2, .type = QP_ARRAY_DOUBLE};
    struct qp_array *array;
    context->device.abilities = 0;
    REFUSED(qp_array_create(context, &desc, NULL, &array), UNSUPPORTED, "double in RG32UI");
    desc.type = QP_ARRAY_FLOAT;
    REFUSED(qp_array_create(context, &desc, NULL, &array), UNSUPPORTED, "render to R32F");
    context->device.abilities = abilities;
    context->device.rectangle_limit = INT32_MAX;
    desc = (struct qp_array_desc){.width = INT32_MAX, .height = INT32_MAX, .channels = 4};
    REFUSED(qp_array_create(context, &desc, NULL, &array), UNSUPPORTED,
            "at most 8388608 cells each way");
    desc = (struct qp_array_desc){.width = 1 << 22, .height = 1 << 20, .channels = 4};
    REFUSED(qp_array_create(context, &desc, NULL, &array), NO_MEMORY, "67108864 MiB");
    context->device.rectangle_limit = limit;
}

/* ---- Arguments ---- */

CLEAN_TEST(nulls)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 3, .height = 2};
    struct qp_array *array = make(context, 3, 2), *none = NULL, *out;
    struct qp_download *download;
    float values[6];
    REFUSED(qp_array_create(NULL, &desc, NULL, &out), BAD_USE, "'context' is NULL");
    REFUSED(qp_array_create(context, NULL, NULL, &out), BAD_USE, "'desc' is NULL");
    REFUSED(qp_array_create(context, &desc, NULL, NULL), BAD_USE, "'out' is NULL");
    REFUSED(qp_array_view(NULL, NULL, &out), BAD_USE, "'array' is NULL, and an array is needed");
    assert_null(out);
    REFUSED(qp_array_view(array, NULL, NULL), BAD_USE, "'out' is NULL");
    REFUSED(qp_array_write(NULL, NULL, values, 0), BAD_USE, "'array' is NULL");
    REFUSED(qp_array_write(array, NULL, NULL, 0), BAD_USE, "'values' is NULL");
    REFUSED(qp_array_read(NULL, NULL, values, 0), BAD_USE, "'array' is NULL");
    REFUSED(qp_array_read(array, NULL, NULL, 0), BAD_USE, "'values' is NULL");
    REFUSED(qp_array_fill(NULL, NULL, 0.0), BAD_USE, "'array' is NULL");
    REFUSED(qp_array_copy(NULL, NULL, array, 0, 0), BAD_USE, "'from' is NULL");
    REFUSED(qp_array_copy(array, NULL, NULL, 0, 0), BAD_USE, "'to' is NULL");
    REFUSED(qp_array_ask(NULL, NULL, &download), BAD_USE, "'array' is NULL");
    assert_null(download);
    REFUSED(qp_array_ask(array, NULL, NULL), BAD_USE, "'out' is NULL");
    assert_int_equal(qp_array_describe(NULL).width, 0);
    assert_int_equal(qp_array_texture(NULL).name, 0);
    qp_array_destroy(NULL);
    qp_array_destroy(&none);
    qp_array_destroy(&array);
}

CLEAN_TEST(parts)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context, 5, 3), *view, *out;
    struct qp_download *download;
    static const struct qp_rect wrong[] = {
        {0, 0, 0, 1}, {0, 0, 1, -1}, {-1, 0, 2, 1},        {0, -1, 1, 2},
        {4, 0, 2, 1}, {0, 3, 1, 1},  {0, 0, INT32_MAX, 1}, {INT32_MAX, 0, INT32_MAX, 1}};
    float values[15] = {0};
    assert_ok(qp_array_view(array, &(struct qp_rect){0, 0, 5, 3}, &view));
    for (int i = 0; i < 2 * COUNT(wrong); i++) {
        struct qp_array *at = i % 2 ? view : array;
        const struct qp_rect *part = &wrong[i / 2];
        const char *words = part->width < 1 || part->height < 1 ? "both sizes are at least 1"
                                                                : "not inside an array of 5 x 3";
        REFUSED(qp_array_view(at, part, &out), BAD_USE, words);
        REFUSED(qp_array_write(at, part, values, 0), BAD_USE, words);
        REFUSED(qp_array_read(at, part, values, 0), BAD_USE, words);
        REFUSED(qp_array_fill(at, part, 1.0), BAD_USE, words);
        REFUSED(qp_array_copy(at, part, array, 0, 0), BAD_USE, words);
        REFUSED(qp_array_ask(at, part, &download), BAD_USE, words);
    }
    assert_ok(qp_array_read(array, NULL, values, 0));
    for (int i = 0; i < 15; i++)
        assert_true(values[i] == 0.0f);
    qp_array_destroy(&view);
    qp_array_destroy(&array);
}

CLEAN_TEST(strides)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context, 5, 3);
    float values[15] = {0};
    REFUSED(qp_array_write(array, NULL, values, 19), BAD_USE,
            "row_bytes is 19, and a row of 5 cells has 20 bytes");
    REFUSED(qp_array_read(array, NULL, values, 1), BAD_USE, "row_bytes is 1");
    REFUSED(qp_array_read(array, NULL, values, SIZE_MAX), BAD_USE, "beyond any memory");
    REFUSED(qp_array_write(array, NULL, values, SIZE_MAX / 4), BAD_USE, "beyond any memory");
    qp_array_destroy(&array);
}

CLEAN_TEST(copies)
{
    struct qp_context *context = support_need_context(state);
    static const int corners[][2] = {{4, 0}, {0, 2}, {-1, 0}, {0, -1}, {INT32_MAX, 0}};
    struct qp_array *from = make(context, 2, 2), *to = make(context, 5, 3), *unlike;
    for (int i = 0; i < COUNT(corners); i++) {
        REFUSED(qp_array_copy(from, NULL, to, corners[i][0], corners[i][1]), BAD_USE,
                "'to': a part of 2 x 2 cells");
    }
    assert_ok(qp_array_create(
        context, &(struct qp_array_desc){.width = 5, .height = 3, .channels = 2}, NULL, &unlike));
    REFUSED(qp_array_copy(from, NULL, unlike, 0, 0), BAD_USE, "unlike cells");
    qp_array_destroy(&unlike);
    assert_ok(qp_array_create(
        context, &(struct qp_array_desc){.width = 5, .height = 3, .type = QP_ARRAY_HALF}, NULL,
        &unlike));
    REFUSED(qp_array_copy(from, NULL, unlike, 0, 0), BAD_USE, "unlike cells");
    qp_array_destroy(&unlike);
    qp_array_destroy(&from);
    qp_array_destroy(&to);
}

/* ---- Objects that are none, and objects of others ---- */

CLEAN_TEST(destroyed_and_foreign)
{
    struct qp_context *context = support_need_context(state), *second;
    struct qp_array *array = make(context, 3, 2), *gone = array, *other, *out;
    struct qp_download *download;
    float values[6];
    qp_array_destroy(&gone);
    REFUSED(qp_array_read(array, NULL, values, 0), BAD_USE, "'array' is not an array that lives");
    REFUSED(qp_array_write(array, NULL, values, 0), BAD_USE, "'array' is not an array that lives");
    REFUSED(qp_array_fill(array, NULL, 0.0), BAD_USE, "'array' is not an array that lives");
    REFUSED(qp_array_view(array, NULL, &out), BAD_USE, "'array' is not an array that lives");
    REFUSED(qp_array_ask(array, NULL, &download), BAD_USE, "'array' is not an array that lives");
    assert_int_equal(qp_array_describe(array).width, 0);
    assert_int_equal(qp_array_texture(array).name, 0);
    qp_array_destroy(&array);
    assert_null(array);
    array = (struct qp_array *)values;
    REFUSED(qp_array_read(array, NULL, values, 0), BAD_USE, "or it is something else");
    array = make(context, 3, 2);
    assert_ok(qp_context_create(NULL, &second));
    other = make(second, 3, 2);
    REFUSED(qp_array_copy(array, NULL, other, 0, 0), BAD_USE,
            "'to' is an array of another context");
    assert_ok(qp_array_fill(array, NULL, 3.0));
    assert_ok(qp_array_read(other, NULL, values, 0));
    assert_true(values[0] == 0.0f);
    qp_array_destroy(&other);
    qp_context_destroy(&second);
    qp_array_destroy(&array);
}

/* Statuses that another thread gets, one after the other. */
struct elsewhere {
    struct qp_context *context;
    struct qp_array *array, *destroyed;
    struct qp_download *download, *cancelled;
    enum qp_status status[7];
    bool polled, said_thread;
};

static void *work_elsewhere(void *given)
{
    struct elsewhere *at = given;
    const struct qp_array_desc desc = {.width = 1, .height = 1};
    struct qp_array *out;
    struct qp_download *download;
    float values[6];
    at->status[0] = qp_array_create(at->context, &desc, NULL, &out);
    at->status[1] = qp_array_read(at->array, NULL, values, 0);
    at->said_thread = strstr(qp_error(), "belongs to another thread") != NULL;
    at->status[2] = qp_array_fill(at->array, NULL, 9.0);
    at->status[3] = qp_array_copy(at->array, NULL, at->destroyed, 0, 0);
    at->status[4] = qp_array_ask(at->array, NULL, &download);
    at->status[5] = qp_download_take(&at->download, values, 0);
    at->status[6] = qp_array_view(at->array, NULL, &out);
    at->polled = qp_download_poll(at->download);
    qp_array_destroy(&at->destroyed);
    qp_download_cancel(&at->cancelled);
    return NULL;
}

/* An array destroyed elsewhere lives until its context is destroyed. */
CLEAN_TEST(another_thread)
{
    struct qp_context *context;
    struct elsewhere at = {0};
    pthread_t thread;
    float values[6];
    (void)support_need_context(state);
    assert_ok(qp_context_create(NULL, &context));
    at.context = context;
    at.array = make(context, 3, 2);
    struct qp_array *same = at.destroyed = make(context, 3, 2);
    assert_ok(qp_array_ask(at.array, NULL, &at.download));
    assert_ok(qp_array_ask(at.array, NULL, &at.cancelled));
    assert_int_equal(pthread_create(&thread, NULL, work_elsewhere, &at), 0);
    pthread_join(thread, NULL);
    for (int i = 0; i < COUNT(at.status); i++)
        assert_int_equal(at.status[i], QP_BAD_USE);
    assert_true(at.said_thread && at.polled);
    assert_null(at.destroyed);
    assert_null(at.cancelled);
    assert_non_null(at.download);
    assert_ok(qp_download_take(&at.download, values, 0));
    assert_ok(qp_array_read(at.array, NULL, values, 0));
    assert_true(values[0] == 0.0f);
    assert_int_equal(qp_array_describe(same).width, 3);
    qp_array_destroy(&at.array);
    qp_context_destroy(&context);
    assert_int_equal(qp_array_describe(same).width, 0);
}

/* However many live, one that does not is found out, and not looked for without end. */
CLEAN_TEST(many_live)
{
    enum { MANY = 130 };
    static struct qp_array *arrays[MANY];
    static const char anything[64];
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < MANY; i++) {
        arrays[i] = make(context, 1, 1);
        assert_int_equal(qp_array_describe((const void *)anything).width, 0);
        for (int k = 0; k <= i; k++)
            assert_int_equal(qp_array_describe(arrays[k]).width, 1);
    }
    for (int i = 0; i < MANY; i++)
        qp_array_destroy(&arrays[i]);
}

/* ---- The driver ---- */

/* The call finds an error of OpenGL's that nobody has asked for. */
#define REPORTS(call, words)                                \
    do {                                                    \
        glEnable(GL_MAX);                                   \
        assert_int_equal((call), QP_DEVICE);                \
        support_assert_sentence(words ": GL_INVALID_ENUM"); \
    } while (0)

/* Each call reports an error that came before its end, and no later one does. */
CLEAN_TEST(errors_of_the_driver)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 3, .height = 2};
    struct qp_array *array = make(context, 3, 2), *other = make(context, 3, 2), *none;
    struct qp_download *download;
    struct qp_mask *mask, *no_mask;
    struct qp_depth *depth;
    struct qp_kernel *kernel;
    struct qp_list *list;
    float values[6] = {0};
    assert_ok(qp_kernel_create(
        context,
        &(struct qp_kernel_desc){.name = "one", .body = "float kernel(vec2 here) { return 1.0; }"},
        &kernel));
    const struct qp_pass pass = {.kernel = kernel, .output = {array}};
    assert_ok(qp_list_create(&pass, 1, &list));
    assert_ok(qp_mask_create(context, 3, 2, &mask));
    assert_ok(qp_depth_create(context, 3, 2, QP_DEPTH_NEAREST, &depth));
    REPORTS(qp_array_create(context, &desc, NULL, &none), "making a texture");
    REPORTS(qp_array_write(array, NULL, values, 0), "writing an array");
    REPORTS(qp_array_read(array, NULL, values, 0), "reading an array");
    REPORTS(qp_array_fill(array, NULL, 1.0), "filling an array");
    REPORTS(qp_array_copy(array, NULL, other, 0, 0), "copying an array");
    REPORTS(qp_array_ask(array, NULL, &download), "");
    assert_ok(qp_array_ask(array, NULL, &download));
    REPORTS(qp_download_take(&download, values, 0), "");
    REPORTS(qp_mask_create(context, 3, 2, &no_mask), "making a renderbuffer");
    assert_ok(qp_mask_set(mask, array));
    REPORTS(qp_mask_set(mask, array), "setting a mask");
    REPORTS(qp_depth_clear(depth), "clearing a depth");
    REPORTS(qp_pass_run(&pass), "one");
    REPORTS(qp_list_run(list, 1), "running a list");
    REPORTS(qp_context_finish(context), "waiting for passes");
    assert_ok(qp_context_finish(context));
    qp_download_cancel(&download);
    qp_list_destroy(&list);
    qp_mask_destroy(&mask);
    qp_depth_destroy(&depth);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&array);
    qp_array_destroy(&other);
}

GROUP(support_open_context, support_close_context)
