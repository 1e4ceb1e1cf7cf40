/* SPDX-License-Identifier: MIT */
/* Errors of use of masks, each with its sentence; threads, and contexts that end first. */
#include "support/toolkit.h"

#include <pthread.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

static struct qp_mask *mask_of(const struct qp_array *array)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    struct qp_mask *mask;
    assert_ok(qp_mask_create(context, desc.width, desc.height, &mask));
    assert_ok(qp_mask_set(mask, array));
    return mask;
}

/* A small mask over 4 x 2 cells, on at 1, 2 and 7. */
static const float cells_on[] = {0, 1, 1, 0, 0, 0, 0, 1};

/* ---- Errors ---- */

static void expect_words(enum qp_status got, enum qp_status wanted, const char *words)
{
    assert_int_equal(got, wanted);
    support_assert_sentence(words);
}

CLEAN_TEST(masks_that_cannot_be)
{
    context = support_need_context(state);
    const int limit = qp_context_device(context)->rectangle_limit;
    struct qp_mask *made = (struct qp_mask *)&made;
    expect_words(qp_mask_create(context, 3, 3, NULL), QP_BAD_USE, "NULL");
    expect_words(qp_mask_create(NULL, 3, 3, &made), QP_BAD_USE, "NULL");
    assert_null(made);
    expect_words(qp_mask_create(context, 0, 3, &made), QP_BAD_USE, "a mask of 0 x 3 cells");
    expect_words(qp_mask_create(context, 3, -1, &made), QP_BAD_USE, "a mask of 3 x -1 cells");
    expect_words(qp_mask_create(context, limit + 1, 3, &made), QP_UNSUPPORTED, "limit of");
    expect_words(qp_mask_create(context, 3, limit + 1, &made), QP_UNSUPPORTED, "limit of");
    for (int i = 0; i < 3; i++) { /* the least, and the most each way */
        assert_ok(qp_mask_create(context, i == 1 ? limit : 1, i == 2 ? limit : 1, &made));
        qp_mask_destroy(&made);
    }
    context->device.rectangle_limit = 7; /* below that of renderbuffers */
    const enum qp_status status = qp_mask_create(context, 8, 3, &made);
    context->device.rectangle_limit = limit;
    expect_words(status, QP_UNSUPPORTED, "a mask of 8 x 3 cells is above this device's limit of 7");
    assert_null(made);
    qp_mask_destroy(NULL);
    qp_mask_destroy(&made);
}

CLEAN_TEST(arrays_that_set_no_mask)
{
    context = support_need_context(state);
    struct qp_context *other;
    assert_ok(qp_context_create(NULL, &other));
    struct qp_array *cells = grid(4, 2, cells_on), *wide = grid(5, 2, NULL), *foreign,
                    *pairs =
                        make((struct qp_array_desc){.width = 4, .height = 2, .channels = 2}, NULL),
                    *gone = grid(4, 2, NULL), *kept = gone;
    struct qp_mask *mask = mask_of(cells);
    assert_ok(
        qp_array_create(other, &(struct qp_array_desc){.width = 4, .height = 2}, NULL, &foreign));
    qp_array_destroy(&gone);
    expect_words(qp_mask_set(NULL, cells), QP_BAD_USE, "'mask' is NULL, and a mask is needed");
    expect_words(qp_mask_set((struct qp_mask *)cells, cells), QP_BAD_USE, "not a mask that lives");
    expect_words(qp_mask_set(mask, NULL), QP_BAD_USE, "'array' is NULL");
    expect_words(qp_mask_set(mask, kept), QP_BAD_USE, "'array' is not an array that lives");
    expect_words(qp_mask_set(mask, foreign), QP_BAD_USE, "of another context");
    expect_words(qp_mask_set(mask, pairs), QP_BAD_USE, "'array' has 2 channels");
    expect_words(qp_mask_set(mask, wide), QP_BAD_USE, "5 x 2 cells, and the mask has 4 x 2");
    if (qp_context_device(context)->abilities & QP_CAN_DOUBLE) {
        struct qp_array *doubles =
            make((struct qp_array_desc){.width = 4, .height = 2, .type = QP_ARRAY_DOUBLE}, NULL);
        expect_words(qp_mask_set(mask, doubles), QP_BAD_USE, "'array' is of doubles");
        qp_array_destroy(&doubles);
    }
    struct qp_kernel *ones =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = ones, .output = {wide}})); /* as before */
    assert_ok(qp_array_fill(cells, NULL, 0.0));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = ones, .output = {cells}, .mask = mask}));
    expect_values(cells, cells_on, 8, "");
    qp_kernel_destroy(&ones);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&wide);
    qp_array_destroy(&pairs);
    qp_array_destroy(&foreign);
    qp_context_destroy(&other);
}

CLEAN_TEST(passes_that_cannot_be)
{
    context = support_need_context(state);
    struct qp_context *other;
    assert_ok(qp_context_create(NULL, &other));
    struct qp_array *cells = grid(4, 2, cells_on), *wide = grid(5, 3, NULL), *view;
    struct qp_mask *mask = mask_of(cells), *foreign, *gone = mask_of(cells), *kept = gone;
    assert_ok(qp_array_view(wide, &(struct qp_rect){1, 0, 4, 2}, &view));
    assert_ok(qp_mask_create(other, 4, 2, &foreign));
    qp_mask_destroy(&gone);
    struct qp_kernel *ones = kernel(
        (struct qp_kernel_desc){.name = "ones", .body = "float kernel(vec2 here) { return 1.0; }"});
    const struct {
        struct qp_pass pass;
        const char *words;
    } cases[] = {
        {{.output = {cells}, .mask = foreign}, "'mask' is a mask of another context"},
        {{.output = {cells}, .mask = kept}, "'mask' is not a mask that lives"},
        {{.output = {cells}, .mask = (struct qp_mask *)cells}, "'mask' is not a mask that lives"},
        {{.output = {wide}, .mask = mask},
         "ones: the mask has 4 x 2 cells, and output 0 has 5 x 3"},
        {{.output = {view}, .mask = mask}, "ones: output 0 is a view from cell (1, 0)"},
        {{.output = {cells}, .mask_inverted = true}, "ones: mask_inverted without a mask"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_pass pass = cases[i].pass;
        struct qp_list *list;
        pass.kernel = ones;
        expect_words(qp_pass_run(&pass), QP_BAD_USE, cases[i].words);
        expect_words(qp_list_create(&pass, 1, &list), QP_BAD_USE, cases[i].words);
    }
    expect_values(cells, cells_on, 8, "");
    qp_kernel_destroy(&ones);
    qp_mask_destroy(&mask);
    qp_mask_destroy(&foreign);
    qp_array_destroy(&cells);
    qp_array_destroy(&view);
    qp_array_destroy(&wide);
    qp_context_destroy(&other);
}

/* ---- Threads, and contexts that end first ---- */

static void *use_elsewhere(void *mask)
{
    struct qp_mask *mine = mask, *made;
    const bool refused = qp_mask_set(mask, NULL) == QP_BAD_USE &&
                         strstr(qp_error(), "thread") != NULL &&
                         qp_mask_create(context, 3, 3, &made) == QP_BAD_USE;
    qp_mask_destroy(&mine);
    return refused && mine == NULL ? mask : NULL;
}

CLEAN_TEST(another_thread)
{
    void *answer;
    pthread_t thread;
    context = support_need_context(state);
    struct qp_array *cells = grid(4, 2, cells_on);
    struct qp_mask *mask = mask_of(cells);
    assert_int_equal(pthread_create(&thread, NULL, use_elsewhere, mask), 0);
    pthread_join(thread, &answer);
    assert_ptr_equal(answer, mask);
    assert_ok(qp_mask_set(mask, cells)); /* it lives on */
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
}

CLEAN_TEST(a_context_frees_its_masks)
{
    struct qp_context *mine = support_need_context(state);
    struct qp_mask *mask;
    struct qp_array *cells;
    assert_ok(qp_context_create(NULL, &mine));
    assert_ok(
        qp_array_create(mine, &(struct qp_array_desc){.width = 4, .height = 2}, NULL, &cells));
    assert_ok(qp_mask_create(mine, 4, 2, &mask));
    assert_ok(qp_mask_set(mask, cells));
    qp_context_destroy(&mine);
    assert_int_equal(qp_mask_set(mask, cells), QP_BAD_USE);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    assert_true(mask == NULL && cells == NULL);
}

GROUP(support_open_context, support_close_context)
