/* SPDX-License-Identifier: MIT */
/* A step of heat, and whether it can be trusted: the same in plain C judges it at sizes and with
 * guards that are awkward, and each place where the kernel reads is spoiled, to see whether the
 * reference would notice. */
#include <stdio.h>

#include <quadpass/quadpass.h>

static const char body[] = "float kernel(vec2 here)\n"
                           "{\n"
                           "    float sum = x_at(-1, 0) + x_at(1, 0) + x_at(0, -1) + x_at(0, 1);\n"
                           "    return x_at(0, 0) + rate * (sum - 4.0 * x_at(0, 0));\n"
                           "}\n";

static double in_c(const struct qp_kernel_grid *pass, double *const output[])
{
    const struct qp_kernel_array *x = &pass->input[0];
    const double rate = pass->number[0].value[0];
    for (int j = 0; j < pass->height; j++) {
        for (int i = 0; i < pass->width; i++) {
            const double at = qp_kernel_array_at(x, i, j, 0),
                         sum = qp_kernel_array_at(x, i - 1, j, 0) +
                               qp_kernel_array_at(x, i + 1, j, 0) +
                               qp_kernel_array_at(x, i, j - 1, 0) +
                               qp_kernel_array_at(x, i, j + 1, 0);
            output[0][j * pass->width + i] = at + rate * (sum - 4.0 * at);
        }
    }
    return 0.0; /* errors count in parts of the largest value */
}

int main(void)
{
    const struct qp_array_desc plate = {.width = 512, .height = 512, .outside = QP_OUTSIDE_CLAMP};
    const struct qp_kernel_desc text = {.name = "heat",
                                        .body = body,
                                        .input = {{.name = "x", .reach = 1}},
                                        .number = {{.name = "rate"}}};
    struct qp_context *context = NULL;
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *heat = NULL;
    struct qp_pass_check_result result = {.verdict = QP_NO_VERDICT};
    bool done = qp_context_create(NULL, &context) == QP_OK &&
                qp_array_create(context, &plate, NULL, &x) == QP_OK &&
                qp_array_create(context, &plate, NULL, &y) == QP_OK &&
                qp_kernel_create(context, &text, &heat) == QP_OK;
    const struct qp_pass step = {.kernel = heat,
                                 .input = {{"x", x}},
                                 .number = {{.name = "rate", .value = {0.2}}},
                                 .output = {y}};
    const struct qp_pass_check_desc check = {.reference = in_c, .spoil = true};
    done = done && qp_pass_check(&step, &check, &result) == QP_OK;
    if (!done)
        fprintf(stderr, "%s\n", qp_error());
    else if (result.verdict == QP_PASS && result.noticed == result.made)
        printf("right in %d cases; %d of %d mutants noticed\n", result.cases, result.noticed,
               result.made);
    else
        printf("%s%s\n", result.reason, result.survivor);
    qp_kernel_destroy(&heat);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    qp_context_destroy(&context);
    return !done || result.verdict != QP_PASS || result.noticed < result.made;
}
