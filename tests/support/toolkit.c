/* SPDX-License-Identifier: MIT */
#include "support/toolkit.h"

struct qp_context *context;

struct qp_array *make(struct qp_array_desc desc, const void *values)
{
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, values, &array));
    return array;
}

struct qp_array *grid(int width, int height, const float *values)
{
    return make((struct qp_array_desc){.width = width, .height = height}, values);
}

struct qp_kernel *kernel(struct qp_kernel_desc desc)
{
    struct qp_kernel *made;
    assert_ok(qp_kernel_create(context, &desc, &made));
    return made;
}
