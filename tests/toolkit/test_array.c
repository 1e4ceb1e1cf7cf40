/* SPDX-License-Identifier: MIT */
/* Arrays of every kind: what goes in comes out, in parts, with strides and through views; fills and
 * copies. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/array.h"

static const int sizes[][2] = {{1, 1}, {3, 1}, {1, 7}, {65, 33}};
enum { MOST_CELLS = 65 * 33, MOST_BYTES = MOST_CELLS * 16 };

/* Every type with every number of channels. */
static const struct kind {
    enum qp_array_type type;
    int channels, cell_bytes;
} kinds[] = {{QP_ARRAY_FLOAT, 1, 4},  {QP_ARRAY_FLOAT, 2, 8},  {QP_ARRAY_FLOAT, 4, 16},
             {QP_ARRAY_HALF, 1, 4},   {QP_ARRAY_HALF, 2, 8},   {QP_ARRAY_HALF, 4, 16},
             {QP_ARRAY_INT, 1, 4},    {QP_ARRAY_INT, 2, 8},    {QP_ARRAY_INT, 4, 16},
             {QP_ARRAY_UINT, 1, 4},   {QP_ARRAY_UINT, 2, 8},   {QP_ARRAY_UINT, 4, 16},
             {QP_ARRAY_DOUBLE, 1, 8}, {QP_ARRAY_DOUBLE, 2, 16}};

/* Values of one kind, each another one that needs all digits of its type: halves have 11 binary
 * ones. */
static void set_values(const struct kind *kind, int first, int count, void *out)
{
    for (int i = 0; i < count; i++) {
        const int k = first + i;
        if (kind->type == QP_ARRAY_FLOAT)
            ((float *)out)[i] = (float)(k + 1) / 3.0f - 700.0f;
        else if (kind->type == QP_ARRAY_HALF)
            ((float *)out)[i] = (float)(k % 2048 - 1024) / 16.0f;
        else if (kind->type == QP_ARRAY_INT)
            ((int32_t *)out)[i] = (int32_t)((uint32_t)k * 499979u + 0x80000000u);
        else if (kind->type == QP_ARRAY_UINT)
            ((uint32_t *)out)[i] = UINT32_MAX - (uint32_t)k * 499979u;
        else
            ((double *)out)[i] = 1.0 + k * 0x1p-50;
    }
}

/* An array of such values from `first` on; NULL for a kind that this device lacks. */
static struct qp_array *make(struct qp_context *context, const struct kind *kind, int width,
                             int height, int first)
{
    static double values[MOST_BYTES / sizeof(double)];
    const struct qp_array_desc desc = {
        .width = width, .height = height, .channels = kind->channels, .type = kind->type};
    struct qp_array *array;
    set_values(kind, first, width * height * kind->channels, values);
    const enum qp_status status = qp_array_create(context, &desc, values, &array);
    if (status == QP_UNSUPPORTED)
        return NULL;
    assert_ok(status);
    return array;
}

static const struct qp_rect *const all = NULL;

/* Cell (x, y) of bytes that have rows of `row` bytes. */
static unsigned char *cell(unsigned char *bytes, const struct kind *kind, size_t row, int x, int y)
{
    return bytes + (size_t)y * row + (size_t)(x * kind->cell_bytes);
}

CLEAN_TEST(values_come_back)
{
    struct qp_context *context = support_need_context(state);
    static unsigned char wanted[MOST_BYTES], got[MOST_BYTES + 1];
    int made = 0;
    for (int i = 0; i < COUNT(kinds) * COUNT(sizes); i++) {
        const struct kind *kind = &kinds[i % COUNT(kinds)];
        const int *size = sizes[i / COUNT(kinds)], cells = size[0] * size[1];
        const size_t bytes = (size_t)(cells * kind->cell_bytes);
        struct qp_array *array = make(context, kind, size[0], size[1], 5);
        if (array == NULL)
            continue;
        set_values(kind, 5, cells * kind->channels, wanted);
        memset(got, 0xa5, sizeof got);
        assert_ok(qp_array_read(array, all, got, 0));
        assert_memory_equal(got, wanted, bytes);
        assert_int_equal(got[bytes], 0xa5);
        const struct qp_array_desc desc = qp_array_describe(array);
        assert_int_equal(desc.width * 1000 + desc.height, size[0] * 1000 + size[1]);
        assert_int_equal(desc.type * 10 + desc.channels, kind->type * 10 + kind->channels);
        qp_array_destroy(&array);
        assert_null(array);
        made++;
    }
    assert_true(made >= 4 * COUNT(sizes));
}

/* A texture that was used before is as empty as a new one. */
CLEAN_TEST(without_values_all_is_zero)
{
    struct qp_context *context = support_need_context(state);
    static const unsigned char zeros[MOST_BYTES];
    static unsigned char got[MOST_BYTES];
    for (int i = 0; i < COUNT(kinds); i++) {
        struct qp_array *array = make(context, &kinds[i], 65, 33, 1);
        if (array == NULL)
            continue;
        const struct qp_array_desc desc = qp_array_describe(array);
        qp_array_destroy(&array);
        assert_ok(qp_array_create(context, &desc, NULL, &array));
        memset(got, 0xa5, sizeof got);
        assert_ok(qp_array_read(array, all, got, 0));
        assert_memory_equal(got, zeros, (size_t)(65 * 33 * kinds[i].cell_bytes));
        qp_array_destroy(&array);
    }
}

/* Sizes as wide, and as high, as the device allows. */
CLEAN_TEST(sizes_up_to_the_limit)
{
    struct qp_context *context = support_need_context(state);
    const int limit = qp_context_device(context)->rectangle_limit;
    for (int i = 0; i < 2; i++) {
        const struct qp_array_desc desc = {.width = i ? 1 : limit, .height = i ? limit : 1};
        const struct qp_rect last = {desc.width - 1, desc.height - 1, 1, 1};
        struct qp_array *array;
        float value = 7.5f;
        assert_ok(qp_array_create(context, &desc, NULL, &array));
        assert_ok(qp_array_write(array, &last, &value, 0));
        value = 0.0f;
        assert_ok(qp_array_read(array, &last, &value, 0));
        assert_true(value == 7.5f);
        qp_array_destroy(&array);
    }
}

/* ---- Rows with strides ---- */

/* Distances that are a multiple of a cell, and that are none. */
CLEAN_TEST(strides)
{
    struct qp_context *context = support_need_context(state);
    static const int gaps[] = {0, 16, 48, 4, 2, 7};
    const struct qp_rect part = {2, 1, 5, 3};
    for (int i = 0; i < COUNT(kinds) * COUNT(gaps); i++) {
        const struct kind *kind = &kinds[i % COUNT(kinds)];
        const size_t row = (size_t)(part.width * kind->cell_bytes),
                     apart = row + (size_t)gaps[i / COUNT(kinds)];
        unsigned char sent[1024], got[1024], whole[9 * 6 * 16];
        struct qp_array *array = make(context, kind, 9, 6, 3);
        if (array == NULL)
            continue;
        for (int y = 0; y < part.height; y++) {
            double values[5 * 2];
            set_values(kind, 500 + 50 * y, part.width * kind->channels, values);
            memcpy(sent + (size_t)y * apart, values, row);
        }
        memset(got, 0xa5, sizeof got);
        assert_ok(qp_array_write(array, &part, sent, apart));
        assert_ok(qp_array_read(array, &part, got, apart));
        for (size_t k = 0; k < sizeof got; k++)
            assert_int_equal(got[k], k / apart < 3 && k % apart < row ? sent[k] : 0xa5);
        assert_ok(qp_array_read(array, all, whole, 0));
        for (int y = 0; y < part.height; y++)
            assert_memory_equal(cell(whole, kind, 9u * (size_t)kind->cell_bytes, 2, 1 + y),
                                sent + (size_t)y * apart, row);
        qp_array_destroy(&array);
    }
}

/* Cells beside a part that is written stay. */
CLEAN_TEST(parts_leave_the_rest)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_rect parts[] = {{0, 0, 1, 1}, {8, 5, 1, 1}, {3, 2, 4, 2}, {0, 0, 9, 6}};
    for (int i = 0; i < COUNT(parts); i++) {
        const struct qp_rect *part = &parts[i];
        struct qp_array *array = make(context, &kinds[0], 9, 6, 0);
        float wanted[54], got[54], sent[54];
        set_values(&kinds[0], 0, 54, wanted);
        for (int k = 0; k < 54; k++)
            sent[k] = 5000.0f + (float)k;
        for (int k = 0; k < part->width * part->height; k++)
            wanted[(part->y + k / part->width) * 9 + part->x + k % part->width] = sent[k];
        assert_ok(qp_array_write(array, part, sent, 0));
        assert_ok(qp_array_read(array, all, got, 0));
        assert_memory_equal(got, wanted, sizeof got);
        qp_array_destroy(&array);
    }
}

/* ---- Views ---- */

/* A view of a view has the cells of the array, also once that is gone. */
CLEAN_TEST(views_share_cells)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context, &kinds[0], 9, 6, 0), *view, *inner;
    float values[54], got[4];
    const float sent[] = {-1.0f, -2.0f, -3.0f, -4.0f};
    set_values(&kinds[0], 0, 54, values);
    assert_ok(qp_array_view(array, &(struct qp_rect){2, 1, 5, 4}, &view));
    assert_ok(qp_array_view(view, &(struct qp_rect){1, 2, 2, 2}, &inner));
    const struct qp_array_texture at = qp_array_texture(inner), from = qp_array_texture(array);
    assert_int_equal(at.x * 10 + at.y, 33);
    assert_int_equal(at.name, from.name);
    assert_int_equal(from.x + from.y, 0);
    assert_int_equal(qp_array_describe(inner).width, 2);
    assert_ok(qp_array_read(inner, all, got, 0));
    for (int i = 0; i < 4; i++)
        assert_true(got[i] == values[(3 + i / 2) * 9 + 3 + i % 2]);
    assert_ok(qp_array_write(array, &(struct qp_rect){3, 3, 2, 2}, sent, 0));
    qp_array_destroy(&array);
    qp_array_destroy(&view);
    assert_ok(qp_array_read(inner, all, got, 0));
    assert_memory_equal(got, sent, sizeof got);
    assert_ok(qp_array_fill(inner, all, 2.5));
    assert_ok(qp_array_read(inner, &(struct qp_rect){1, 1, 1, 1}, got, 0));
    assert_true(got[0] == 2.5f);
    qp_array_destroy(&inner);
}

/* A view that writes does not touch what is beside it. */
CLEAN_TEST(views_stay_inside)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context, &kinds[0], 9, 6, 0), *view;
    float wanted[54], got[54];
    set_values(&kinds[0], 0, 54, wanted);
    assert_ok(qp_array_view(array, &(struct qp_rect){4, 0, 3, 6}, &view));
    assert_ok(qp_array_fill(view, &(struct qp_rect){1, 2, 2, 3}, -7.0));
    assert_ok(qp_array_copy(view, &(struct qp_rect){0, 0, 1, 1}, view, 2, 5));
    for (int i = 0; i < 6; i++)
        wanted[(2 + i / 2) * 9 + 5 + i % 2] = -7.0f;
    wanted[5 * 9 + 6] = wanted[4];
    assert_ok(qp_array_read(array, all, got, 0));
    assert_memory_equal(got, wanted, sizeof got);
    qp_array_destroy(&view);
    qp_array_destroy(&array);
}

/* ---- Fills and copies ---- */

static double value_at(const struct kind *kind, const void *values, int i)
{
    if (kind->type == QP_ARRAY_DOUBLE)
        return ((const double *)values)[i];
    if (kind->type == QP_ARRAY_INT)
        return ((const int32_t *)values)[i];
    if (kind->type == QP_ARRAY_UINT)
        return ((const uint32_t *)values)[i];
    return ((const float *)values)[i];
}

CLEAN_TEST(fills_round_to_the_type)
{
    struct qp_context *context = support_need_context(state);
    static const struct {
        double value, wanted[QP_ARRAY_DOUBLE + 1]; /* by type; NAN: refused */
    } fills[] = {
        {0.1, {(double)0.1f, 0.0999755859375, 0.0, 0.0, 0.1}},
        {1.0 + 0x1.8p-11, {1.0 + 0x1.8p-11, 1.0 + 0x1p-10, 1.0, 1.0, 1.0 + 0x1.8p-11}},
        {-0x1.8p-24, {-0x1.8p-24, -0x1p-23, 0.0, 0.0, -0x1.8p-24}},
        {0x1.004p-14,
         {0x1.004p-14, 0x1.004p-14, 0.0, 0.0, 0x1.004p-14}}, /* the last of 11 digits */
        {65519.9, {(double)65519.9f, 65504.0, 65520.0, 65520.0, 65519.9}},
        {-3.75, {-3.75, -3.75, -4.0, NAN, -3.75}},
        {2.5e9, {2.5e9, INFINITY, NAN, 2.5e9, 2.5e9}},
        {INFINITY, {INFINITY, INFINITY, NAN, NAN, INFINITY}},
        {4294967295.4, {4294967296.0, INFINITY, NAN, 4294967295.0, 4294967295.4}},
    };
    for (int i = 0; i < COUNT(kinds) * COUNT(fills); i++) {
        const struct kind *kind = &kinds[i % COUNT(kinds)];
        const double value = fills[i / COUNT(kinds)].value,
                     wanted = fills[i / COUNT(kinds)].wanted[kind->type];
        struct qp_array *array = make(context, kind, 5, 3, 1);
        if (array == NULL)
            continue;
        double room[30];
        if (isnan(wanted)) {
            assert_int_equal(qp_array_fill(array, all, value), QP_BAD_USE);
            support_assert_sentence("no integer of 32 bits");
        } else {
            assert_ok(qp_array_fill(array, all, value));
            assert_ok(qp_array_read(array, all, room, 0));
        }
        for (int k = 0; k < 15 * kind->channels && !isnan(wanted); k++) {
            const double got = value_at(kind, room, k);
            assert_true(got == wanted);
        }
        qp_array_destroy(&array);
    }
}

CLEAN_TEST(copies_are_exact)
{
    struct qp_context *context = support_need_context(state);
    static unsigned char wanted[9 * 6 * 16], source[9 * 6 * 16], got[9 * 6 * 16];
    for (int i = 0; i < COUNT(kinds); i++) {
        const struct kind *kind = &kinds[i];
        const size_t row = 9u * (size_t)kind->cell_bytes;
        struct qp_array *from = make(context, kind, 9, 6, 0), *to = make(context, kind, 9, 6, 900);
        if (from == NULL)
            continue;
        set_values(kind, 0, 54 * kind->channels, source);
        set_values(kind, 900, 54 * kind->channels, wanted);
        for (int y = 0; y < 3; y++)
            memcpy(cell(wanted, kind, row, 5, 2 + y), cell(source, kind, row, 1, 3 + y),
                   4u * (size_t)kind->cell_bytes);
        assert_ok(qp_array_copy(from, &(struct qp_rect){1, 3, 4, 3}, to, 5, 2));
        assert_ok(qp_array_read(to, all, got, 0));
        assert_memory_equal(got, wanted, 6 * row);
        assert_ok(qp_array_copy(from, all, to, 0, 0));
        assert_ok(qp_array_read(to, all, got, 0));
        assert_memory_equal(got, source, 6 * row);
        qp_array_destroy(&from);
        qp_array_destroy(&to);
    }
}

/* Within one array parts beside each other may be copied, and parts that share a cell may not. */
CLEAN_TEST(copies_within_an_array)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = make(context, &kinds[0], 9, 6, 0), *view;
    float values[54], got[4];
    const struct qp_rect part = {2, 1, 2, 2};
    set_values(&kinds[0], 0, 54, values);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 8; x++) {
            const bool shares = abs(x - part.x) < 2 && abs(y - part.y) < 2;
            const enum qp_status status = qp_array_copy(array, &part, array, x, y);
            assert_int_equal(status, shares ? QP_BAD_USE : QP_OK);
            if (shares)
                support_assert_sentence("copied to cells that it holds itself");
            assert_ok(qp_array_read(array, &(struct qp_rect){x, y, 2, 2}, got, 0));
            for (int i = 0; i < 4 && !shares; i++)
                assert_true(got[i] == values[(1 + i / 2) * 9 + 2 + i % 2]);
        }
    }
    assert_ok(qp_array_view(array, &part, &view));
    assert_int_equal(qp_array_copy(view, all, array, 3, 2), QP_BAD_USE);
    qp_array_destroy(&view);
    qp_array_destroy(&array);
}

GROUP(support_open_context, support_close_context)
