/* SPDX-License-Identifier: MIT */
#include "support/cells.h"

#include <stdlib.h>

const int cells_sizes[5][2] = {{1, 1}, {1, 1000}, {1000, 1}, {63, 65}, {257, 129}};

static size_t values_of(const struct qp_array_desc *desc)
{
    const int channels = desc->channels > 0 ? desc->channels : 1;
    return (size_t)desc->width * (size_t)desc->height * (size_t)channels;
}

double *cells_values(const struct qp_array_desc *desc)
{
    double *values = calloc(values_of(desc), sizeof *values);
    assert_non_null(values);
    return values;
}

/* Between doubles and what an array's type is in the host's memory. */
static void convert(enum qp_array_type type, size_t count, double *values, void *typed, bool back)
{
    float *fraction = typed;
    int32_t *whole = typed;
    uint32_t *word = typed;
    double *number = typed;
    for (size_t i = 0; i < count; i++) {
        if (type == QP_ARRAY_INT && back)
            values[i] = whole[i];
        else if (type == QP_ARRAY_INT)
            whole[i] = (int32_t)values[i];
        else if (type == QP_ARRAY_UINT && back)
            values[i] = word[i];
        else if (type == QP_ARRAY_UINT)
            word[i] = (uint32_t)values[i];
        else if (type == QP_ARRAY_DOUBLE && back)
            values[i] = number[i];
        else if (type == QP_ARRAY_DOUBLE)
            number[i] = values[i];
        else if (back)
            values[i] = fraction[i];
        else
            fraction[i] = (float)values[i];
    }
}

struct qp_array *cells_array(struct qp_context *context, const struct qp_array_desc *desc,
                             const double *values)
{
    const size_t count = values_of(desc);
    struct qp_array *array;
    void *typed = calloc(count, sizeof(double));
    assert_non_null(typed);
    convert(desc->type, count, (double *)values, typed, false);
    const enum qp_status status = qp_array_create(context, desc, typed, &array);
    free(typed);
    if (status == QP_UNSUPPORTED)
        skip();
    assert_ok(status);
    return array;
}

struct qp_array *cells_view(struct qp_context *context, const struct qp_array_desc *desc,
                            const double *values, int x, int y, double outside,
                            struct qp_array **whole)
{
    struct qp_array_desc larger = *desc;
    const struct qp_rect part = {x, y, desc->width, desc->height};
    const size_t count = values_of(desc);
    struct qp_array *view;
    larger.width += x + 3;
    larger.height += y + 2;
    if (qp_array_create(context, &larger, NULL, whole) == QP_UNSUPPORTED)
        skip();
    assert_ok(qp_array_fill(*whole, NULL, outside));
    assert_ok(qp_array_view(*whole, &part, &view));
    void *typed = calloc(count, sizeof(double));
    assert_non_null(typed);
    convert(desc->type, count, (double *)values, typed, false);
    assert_ok(qp_array_write(view, NULL, typed, 0));
    free(typed);
    return view;
}

double *cells_read(const struct qp_array *array)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    const size_t count = values_of(&desc);
    double *values = cells_values(&desc);
    void *typed = calloc(count, sizeof(double));
    assert_non_null(typed);
    assert_ok(qp_array_read(array, NULL, typed, 0));
    convert(desc.type, count, values, typed, true);
    free(typed);
    return values;
}
