/* SPDX-License-Identifier: MIT */
/* Steps by passes, each of which reads what the one before it wrote. */
#include "readback.h"

enum qp_status run_steps(struct qp_context *context, const struct qp_kernel *mean,
                         struct qp_array *x, int width, int height, int steps, float *out)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct qp_array *y = NULL;
    enum qp_status status = qp_array_create(context, &desc, NULL, &y);
    if (status == QP_OK)
        status = qp_array_read(x, NULL, out, 0);
    for (int step = 0; step < steps && status == QP_OK; step++) { /* change this loop */
        const struct qp_pass pass = {.kernel = mean, .input = {{"x", x}}, .output = {y}};
        status = qp_pass_run(&pass);
        if (status == QP_OK)
            status = qp_array_read(y, NULL, out, 0);
        if (status == QP_OK)
            status = qp_array_write(x, NULL, out, 0);
    }
    qp_array_destroy(&y);
    return status;
}
