/* SPDX-License-Identifier: MIT */
/* Precision of functions as qp_function_error has it, against the judge's own measure: checks of
 * passes that return these functions find the same errors, and pass or fail alike. */
#include <quadpass/prove.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/pass_check.h"

enum { SIDE = 200 };

static const struct function {
    const char *glsl;
    double (*in_c)(double);
} functions[] = {{"sqrt(a)", sqrt}, {"tan(a)", tan}, {"asin(a)", asin},
                 {"acos(a)", acos}, {"exp(a)", exp}, {"log(a)", log}};

static double reference(const struct qp_kernel_grid *grid, double *const output[])
{
    const struct function *const function = grid->user;
    for (int i = 0; i < grid->width * grid->height; i++)
        output[0][i] = function->in_c(doubles(&grid->input[0])[i]);
    return 0.0;
}

/* Random values miss the worst one by a third at most. */
static void compare(const struct function *function, const struct qp_function_error *of)
{
    char body[128];
    const float values[1] = {1.0f};
    snprintf(body, sizeof body, "float kernel(vec2 here) { float a = x_at(0, 0); return %s; }",
             function->glsl);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){.body = body, .input = {{.name = "x"}}}),
        .input = {{"x", grid(1, 1, values)}},
        .output = {grid(1, 1, NULL)}};
    const struct qp_pass_check_result result =
        check_pass(&pass, &(struct qp_pass_check_desc){.reference = reference,
                                                       .user = (void *)function,
                                                       .low = of->low,
                                                       .high = of->high,
                                                       .seed = 5,
                                                       .width = SIDE,
                                                       .height = SIDE});
    print_message("%s, a from %g to %g: %.2g, and %.2g by a check\n", of->function, of->low,
                  of->high, of->error, result.error);
    assert_true(result.error <= 1.05 * of->error && result.error >= 0.6 * of->error);
    assert_int_equal(result.verdict == QP_FAIL, of->sentence[0] != '\0');
    close_pass(&pass);
}

CLEAN_TEST(errors_are_those_of_checks)
{
    int found = 0;
    context = support_need_context(state);
    for (int i = 0; i < QP_FUNCTIONS; i++) {
        struct qp_function_error of;
        int k = 0;
        assert_ok(qp_function_error(context, i, &of));
        while (k < COUNT(functions) && strcmp(functions[k].glsl, of.function) != 0)
            k++;
        if (k == COUNT(functions))
            continue;
        compare(&functions[k], &of);
        found++;
    }
    assert_int_equal(found, 8);
}

GROUP(support_open_context, support_close_context)
