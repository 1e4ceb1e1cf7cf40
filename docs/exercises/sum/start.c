/* SPDX-License-Identifier: MIT */
/* A sum by passes, each of which halves columns and rows. */
#include "sum.h"

const struct qp_kernel_desc fold_kernel = {.name = "fold",
                                           .body = "float kernel(vec2 here)\n"
                                                   "{\n"
                                                   "    return x_at(0, 0);\n" /* change this */
                                                   "}\n",
                                           .input = {{.name = "x"}}};

enum qp_status sum_all(struct qp_context *context, const struct qp_kernel *fold, struct qp_array *x,
                       int width, int height, float *out)
{
    /* Change this: run passes until one cell is left. */
    (void)context, (void)fold, (void)width, (void)height;
    return qp_array_read(x, &(struct qp_rect){0, 0, 1, 1}, out, 0);
}
