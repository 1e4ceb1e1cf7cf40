/* SPDX-License-Identifier: MIT */
#include "support/toolkit.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/clock.h"

struct qp_context *context;

void need_compute(void **state)
{
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
}

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

struct qp_array *row_of(int width, const float *values)
{
    return grid(width, 1, values);
}

struct qp_array *field(int width, int height, int channels, const float *values)
{
    return make((struct qp_array_desc){.width = width, .height = height, .channels = channels},
                values);
}

struct qp_depth *depth_of(int width, int height, enum qp_depth_keeps keeps)
{
    struct qp_depth *depth;
    assert_ok(qp_depth_create(context, width, height, keeps, &depth));
    return depth;
}

struct qp_kernel *saxpy(void)
{
    return kernel((struct qp_kernel_desc){
        .name = "saxpy",
        .body = "float kernel(vec2 here) { return a * x_at(0, 0) + y_at(0, 0); }",
        .input = {{"x"}, {"y"}},
        .number = {{"a"}}});
}

bool same(const float *got, const float *expected, int count)
{
    int i = 0;
    while (i < count && got[i] == expected[i])
        i++;
    return i == count;
}

void expect_values(const struct qp_array *array, const float *expected, int count, const char *what)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    const int values = desc.width * desc.height * desc.channels;
    float *got = calloc((size_t)values, sizeof *got);
    assert_non_null(got);
    assert_true(count <= values);
    assert_ok(qp_array_read(array, NULL, got, 0));
    for (int i = 0; i < count; i++) {
        if (memcmp(&got[i], &expected[i], sizeof got[i]) != 0)
            fail_msg("%s%svalue %d is %g and should be %g", what, what[0] != '\0' ? ": " : "", i,
                     (double)got[i], (double)expected[i]);
    }
    free(got);
}

double microseconds_each(const struct qp_pass *pass, int passes)
{
    assert_ok(qp_context_finish(context));
    const double begin = qp_clock();
    for (int i = 0; i < passes; i++)
        assert_ok(qp_pass_run(pass));
    assert_ok(qp_context_finish(context));
    return 1e6 * (qp_clock() - begin) / passes;
}
