/* SPDX-License-Identifier: MIT */
/* Means of four, three or two neighbours, by passes over parts of the grid. */
#include "borders.h"

const struct qp_kernel_desc mean_kernel = {
    .name = "mean",
    .body = "float kernel(vec2 here)\n"
            "{\n"
            "    return (x_at(-1, 0) + x_at(1, 0) + x_at(0, -1) + x_at(0, 1)) / there;\n"
            "}\n",
    .input = {{.name = "x"}},
    .number = {{.name = "there"}}};

enum qp_status run_means(const struct qp_kernel *mean, const struct qp_array *x, struct qp_array *y,
                         int width, int height)
{
    const struct qp_pass all = {.kernel = mean,
                                .input = {{"x", x}},
                                .number = {{.name = "there", .value = {4.0}}},
                                .output = {y},
                                .region = {0, 0, width, height}};
    return qp_pass_run(&all); /* change this */
}
