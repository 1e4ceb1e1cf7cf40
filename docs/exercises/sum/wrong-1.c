/* SPDX-License-Identifier: MIT */
/* A sum by passes, each of which halves columns and rows. */
/* Known: this is what comes out if an odd number of columns is halved downwards */
#include "sum.h"

const struct qp_kernel_desc fold_kernel = {
    .name = "fold",
    .body = "float kernel(vec2 here)\n"
            "{\n"
            "    vec2 from = 2.0 * here;\n"
            "    return x_cell(from) + x_cell(from + vec2(1.0, 0.0)) +\n"
            "           x_cell(from + vec2(0.0, 1.0)) + x_cell(from + vec2(1.0, 1.0));\n"
            "}\n",
    .input = {{.name = "x"}}};

enum qp_status sum_all(struct qp_context *context, const struct qp_kernel *fold, struct qp_array *x,
                       int width, int height, float *out)
{
    struct qp_array *from = x, *to = NULL;
    enum qp_status status = QP_OK;
    while (status == QP_OK && (width > 1 || height > 1)) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        const struct qp_array_desc half = {.width = width, .height = height};
        status = qp_array_create(context, &half, NULL, &to);
        const struct qp_pass pass = {.kernel = fold, .input = {{"x", from}}, .output = {to}};
        if (status == QP_OK)
            status = qp_pass_run(&pass);
        if (from != x)
            qp_array_destroy(&from);
        from = to;
    }
    if (status == QP_OK)
        status = qp_array_read(from, NULL, out, 0);
    if (from != x)
        qp_array_destroy(&from);
    return status;
}
