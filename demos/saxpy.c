/* SPDX-License-Identifier: MIT */
/* Hello world: y = 2 x + y on the device, from nothing to a printed number, or the sentence of what
 * failed. A cell of y is read by its own update alone, so that y may be input and output in one.
 * All of it goes with the process. */
#include <stdio.h>

#include <quadpass/quadpass.h>

int main(void)
{
    const char *body = "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + y_at(0, 0); }";
    const struct qp_kernel_desc saxpy = {.body = body, .input = {{.name = "x"}, {.name = "y"}}};
    const struct qp_array_desc row = {.width = 3, .height = 1};
    float ones[3] = {1, 2, 3}, tens[3] = {10, 20, 30};
    struct qp_context *gpu;
    struct qp_array *x, *y;
    struct qp_kernel *run;
    if (qp_context_create(NULL, &gpu) || qp_array_create(gpu, &row, ones, &x) ||
        qp_array_create(gpu, &row, tens, &y) || qp_kernel_create(gpu, &saxpy, &run) ||
        qp_pass_run(&(struct qp_pass){run, {{"x", x}, {"y", y}}, .output = {y}, .in_place = 1}) ||
        qp_array_read(y, NULL, tens, 0) || printf("%g\n", (double)tens[2]) < 0)
        return fprintf(stderr, "%s\n", qp_error()) > 0;
}
