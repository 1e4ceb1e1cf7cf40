/* SPDX-License-Identifier: MIT */
/* The toolkit's arrays, downloads and reductions, with every single bad argument: what is no
 * object, another kind, another context's, another thread's; sizes, parts, enumerators, names. */
#include "support/bad_objects.h"

#include <limits.h>
#include <math.h>

/* ---- Arrays ---- */

static void arrays_that_are_made(void)
{
    const struct qp_array_desc bad[] = {{0},
                                        {.width = SIDE},
                                        {.width = -1, .height = SIDE},
                                        {.width = SIDE, .height = INT_MIN},
                                        {.width = INT_MAX, .height = 1},
                                        {.width = SIDE, .height = SIDE, .channels = 3},
                                        {.width = SIDE, .height = SIDE, .channels = -1},
                                        {.width = SIDE, .height = SIDE, .channels = INT_MAX},
                                        {.width = SIDE, .height = SIDE, .type = 99},
                                        {.width = SIDE, .height = SIDE, .outside = 99}};
    struct qp_array *array;
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        array = good.x;
        REFUSES(qp_array_create, good.context, &bad[refused_row], NULL, &array);
        HOLDS(array == NULL);
    }
    REFUSES(qp_array_create, NULL, &usual, NULL, &array);
    REFUSES(qp_array_create, good.context, NULL, NULL, &array);
    REFUSES(qp_array_create, good.context, &usual, NULL, NULL);
    REFUSES(qp_array_read_market, NULL, "data/west0067.mtx", &array);
    REFUSES(qp_array_read_market, good.context, NULL, &array);
    REFUSES(qp_array_read_market, good.context, "/nowhere/x.mtx", &array);
    HOLDS(array == NULL);
    REFUSES(qp_array_read_market, good.context, "data/west0067.mtx", NULL);
    REFUSES(qp_array_adopt, NULL, 1, 0x84f5, &array);
    REFUSES(qp_array_adopt, good.context, 0, 0x84f5, &array);
    REFUSES(qp_array_adopt, good.context, 999999, 0x84f5, &array);
    REFUSES(qp_array_adopt, good.context, qp_array_texture(good.x).name, 0, &array);
    REFUSES(qp_array_adopt, good.context, qp_array_texture(good.x).name, 0x84f5, NULL);
    HOLDS(array == NULL);
}

/* Each function's arrays; another context's is no mistake where the context is asked of the array
 * itself. */
static void arrays_that_are_none(void)
{
    const int own = 3; /* rows below it are no arrays at all */
    float values[CELLS] = {0};
    struct qp_array *view;
    struct qp_download *download;
    struct qp_reduced got;
    size_t count = 7;
    for (refused_row = 0; refused_row < BAD; refused_row++) {
        struct qp_array *bad = bad_array(refused_row);
        REFUSES(qp_array_copy, good.x, NULL, bad, 0, 0);
        REFUSES(qp_array_copy, bad, NULL, good.x, 0, 0);
        REFUSES(qp_array_dot, good.x, bad, &got);
        REFUSES(qp_scan, good.x, QP_SCAN_INCLUSIVE, bad);
        REFUSES(qp_gather, good.x, bad, good.out);
        REFUSES(qp_gather, good.x, good.y, bad);
        REFUSES(qp_compact, good.x, bad, good.out, &count);
        HOLDS(count == 0);
        REFUSES(qp_compact, good.x, good.y, bad, NULL);
        REFUSES(qp_reduce_to, good.reduction,
                ((const struct qp_pass_input[]){{"x", good.x}, {NULL, NULL}}), NULL, bad);
        REFUSES(qp_reduce, good.reduction,
                ((const struct qp_pass_input[]){{"x", bad}, {NULL, NULL}}), NULL, &got);
        HOLDS(isnan(got.value));
        REFUSES(qp_mask_set, good.mask, bad);
        if (refused_row == own)
            continue;
        REFUSES(qp_array_view, bad, NULL, &view);
        HOLDS(view == NULL);
        REFUSES(qp_array_write, bad, NULL, values, 0);
        REFUSES(qp_array_read, bad, NULL, values, 0);
        REFUSES(qp_array_fill, bad, NULL, 1.0);
        REFUSES(qp_array_ask, bad, NULL, &download);
        HOLDS(download == NULL);
        REFUSES(qp_array_reduce, bad, QP_REDUCE_SUM, &got);
        REFUSES(qp_scan, bad, QP_SCAN_INCLUSIVE, good.out);
        REFUSES(qp_gather, bad, good.y, good.out);
        REFUSES(qp_compact, bad, good.y, good.out, NULL);
        HOLDS(NEUTRAL(qp_array_describe, bad).width == 0);
        HOLDS(NEUTRAL(qp_array_texture, bad).name == 0);
        NEUTRAL(qp_array_destroy, &bad);
        HOLDS(bad == NULL);
    }
    NEUTRAL(qp_array_destroy, NULL);
}

static void parts_and_rows(void)
{
    float values[CELLS] = {0};
    struct qp_array *view;
    struct qp_download *download;
    struct qp_reduced got;
    for (refused_row = 0; refused_row < COUNT(bad_parts); refused_row++) {
        const struct qp_rect *part = &bad_parts[refused_row];
        REFUSES(qp_array_view, good.x, part, &view);
        REFUSES(qp_array_write, good.x, part, values, 0);
        REFUSES(qp_array_read, good.x, part, values, 0);
        REFUSES(qp_array_fill, good.x, part, 1.0);
        REFUSES(qp_array_copy, good.x, part, good.y, 0, 0);
        REFUSES(qp_array_ask, good.x, part, &download);
        struct qp_pass pass = good.pass;
        pass.region = *part;
        REFUSES(qp_pass_run, &pass);
    }
    REFUSES(qp_array_view, good.x, NULL, NULL);
    REFUSES(qp_array_write, good.x, NULL, NULL, 0);
    REFUSES(qp_array_write, good.x, NULL, values, SIDE * sizeof(float) - 1);
    REFUSES(qp_array_read, good.x, NULL, NULL, 0);
    REFUSES(qp_array_read, good.x, NULL, values, 1);
    REFUSES(qp_array_copy, good.x, NULL, good.y, 1, 0);
    REFUSES(qp_array_copy, good.x, NULL, good.y, 0, -1);
    REFUSES(qp_array_copy, good.x, NULL, good.x, 0, 0);
    REFUSES(qp_array_copy, good.x, NULL, good.y, INT_MAX, INT_MIN);
    REFUSES(qp_array_ask, good.x, NULL, NULL);
    REFUSES(qp_array_reduce, good.x, QP_REDUCE_SUM, NULL);
    REFUSES(qp_array_reduce, good.x, (enum qp_reduce_what)99, &got);
    REFUSES(qp_array_dot, good.x, good.y, NULL);
    REFUSES(qp_array_dot, good.x, good.one, &got);
    REFUSES(qp_scan, good.x, (enum qp_scan)99, good.out);
    REFUSES(qp_scan, good.x, QP_SCAN_INCLUSIVE, good.x);
    REFUSES(qp_scan, good.x, QP_SCAN_INCLUSIVE, good.one);
    REFUSES(qp_gather, good.x, good.y, good.x);
    REFUSES(qp_gather, good.x, good.y, good.one);
    REFUSES(qp_compact, good.x, good.one, good.out, NULL);
    REFUSES(qp_compact, good.x, good.y, good.x, NULL);
}

static void downloads(void)
{
    float values[CELLS];
    struct qp_download *bad[] = {NULL, (struct qp_download *)(void *)anything,
                                 (struct qp_download *)(void *)good.x};
    REFUSES(qp_download_take, NULL, values, 0);
    REFUSES(qp_download_take, &good.download, NULL, 0);
    REFUSES(qp_download_take, &good.download, values, 3);
    HOLDS(good.download != NULL);
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        HOLDS(NEUTRAL(qp_download_poll, bad[refused_row]));
        REFUSES(qp_download_take, &bad[refused_row], values, 0);
        NEUTRAL(qp_download_cancel, &bad[refused_row]);
    }
    NEUTRAL(qp_download_cancel, NULL);
}

/* ---- Reductions ---- */

static void reductions(void)
{
    const struct qp_pass_input x[] = {{"x", good.x}, {NULL, NULL}},
                               other[] = {{"other", good.x}, {NULL, NULL}},
                               small[] = {{"x", good.one}, {NULL, NULL}};
    const struct qp_reduction_desc bad[] = {
        {.what = (enum qp_reduce_what)99, .of = usual},
        {.of = {.width = 0, .height = 4}},
        {.of = {.width = 4, .height = -4}},
        {.of = usual, .channel = 1},
        {.of = usual, .channel = -1},
        {.of = usual, .input = {{"x"}}},
        {.what = QP_REDUCE_MAX, .of = usual, .compensated = true}};
    struct qp_reduction *made, *none = (struct qp_reduction *)(void *)anything;
    struct qp_reduced got;
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_reduction_create, good.context, &bad[refused_row], &made);
        HOLDS(made == NULL);
    }
    REFUSES(qp_reduction_create, NULL, &(struct qp_reduction_desc){.of = usual}, &made);
    REFUSES(qp_reduction_create, good.context, NULL, &made);
    REFUSES(qp_reduction_create, good.context, &(struct qp_reduction_desc){.of = usual}, NULL);
    REFUSES(qp_reduce, NULL, x, NULL, &got);
    REFUSES(qp_reduce, none, x, NULL, &got);
    REFUSES(qp_reduce, good.reduction, NULL, NULL, &got);
    REFUSES(qp_reduce, good.reduction, other, NULL, &got);
    REFUSES(qp_reduce, good.reduction, small, NULL, &got);
    REFUSES(qp_reduce, good.reduction, x, good.pass.number, &got);
    REFUSES(qp_reduce, good.reduction, x, NULL, NULL);
    REFUSES(qp_reduce_to, NULL, x, NULL, good.one);
    REFUSES(qp_reduce_to, none, x, NULL, good.one);
    REFUSES(qp_reduce_to, good.reduction, NULL, NULL, good.one);
    REFUSES(qp_reduce_to, good.reduction, x, NULL, good.out);
    NEUTRAL(qp_reduction_destroy, &none);
    NEUTRAL(qp_reduction_destroy, NULL);
}

/* ---- All ---- */

CLEAN_TEST(arrays_that_are_made_are_refused)
{
    with_objects(state, arrays_that_are_made, NULL);
}

CLEAN_TEST(arrays_that_are_none_are_refused)
{
    with_objects(state, arrays_that_are_none, NULL);
}

CLEAN_TEST(parts_and_rows_are_refused)
{
    with_objects(state, parts_and_rows, NULL);
}

CLEAN_TEST(downloads_are_refused)
{
    with_objects(state, downloads, NULL);
}

CLEAN_TEST(reductions_are_refused)
{
    with_objects(state, reductions, NULL);
}

/* Objects of another thread's context. */
static void elsewhere(void)
{
    float values[CELLS] = {0};
    struct qp_array *array;
    struct qp_download *download;
    struct qp_reduction *reduction;
    struct qp_reduced got;
    REFUSES(qp_array_create, good.context, &usual, NULL, &array);
    REFUSES(qp_array_view, good.x, NULL, &array);
    REFUSES(qp_array_write, good.x, NULL, values, 0);
    REFUSES(qp_array_read, good.x, NULL, values, 0);
    REFUSES(qp_array_fill, good.x, NULL, 1.0);
    REFUSES(qp_array_copy, good.x, NULL, good.y, 0, 0);
    REFUSES(qp_array_ask, good.x, NULL, &download);
    REFUSES(qp_download_take, &good.download, values, 0);
    REFUSES(qp_array_reduce, good.x, QP_REDUCE_SUM, &got);
    REFUSES(qp_array_dot, good.x, good.y, &got);
    REFUSES(qp_scan, good.x, QP_SCAN_INCLUSIVE, good.out);
    REFUSES(qp_gather, good.x, good.y, good.out);
    REFUSES(qp_compact, good.x, good.y, good.out, NULL);
    REFUSES(qp_reduction_create, good.context, &(struct qp_reduction_desc){.of = usual},
            &reduction);
    REFUSES(qp_reduce, good.reduction, good.pass.input, NULL, &got);
    REFUSES(qp_reduce_to, good.reduction, good.pass.input, NULL, good.one);
}

static void nothing(void)
{
}

CLEAN_TEST(other_threads)
{
    with_objects(state, nothing, elsewhere);
}

GROUP(support_open_context, support_close_context)
