/* SPDX-License-Identifier: MIT */
/* Checks of all kinds of passes: several outputs, in place, blending, points, tables, other sizes;
 * and what a reference finds outside an array. */
#include "support/pass_check.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 12, HEIGHT = 8, BOTH = 22 /* eleven sizes, alone and in guards */ };

/* ---- Outputs ---- */

static double sum_and_difference(const struct qp_kernel_grid *pass, double *const output[])
{
    const double *x = pass->input[0].values, *y = pass->input[1].values;
    for (int i = 0; i < pass->width * pass->height; i++) {
        output[0][i] = x[i] + y[i];
        output[1][i] = x[i] - y[i];
    }
    return 0.0;
}

static double sum_twice(const struct qp_kernel_grid *pass, double *const output[])
{
    sum_and_difference(pass, output);
    memcpy(output[1], output[0], (size_t)pass->width * (size_t)pass->height * sizeof output[0][0]);
    return 0.0;
}

CLEAN_TEST(several_outputs)
{
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "void kernel(vec2 here) { float x = x_at(0, 0), y = y_at(0, 0);\n"
                    "    out0 = x + y; out1 = x - y; }",
            .input = {{.name = "x"}, {.name = "y"}},
            .outputs = 2}),
        .input = {{"x", grid(WIDTH, HEIGHT, NULL)}, {"y", grid(WIDTH, HEIGHT, NULL)}},
        .output = {grid(WIDTH, HEIGHT, NULL), grid(WIDTH, HEIGHT, NULL)}};
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = sum_and_difference, .spoil = true},
                BOTH);
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = sum_twice}, " of output 1 at ");
    close_pass(&pass);
}

/* Off by 1e-4, which is little beside the thousand that the last input holds, where that counts
 * (`user`): it is added and taken away. */
static double off_a_little(const struct qp_kernel_grid *pass, double *const output[])
{
    const double by = *(const double *)pass->user;
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] =
            doubles(&pass->input[0])[i] + 1e-4 + by * (doubles(&pass->input[7])[0] - 1000.0);
    return 0.0;
}

CLEAN_TEST(the_last_input_counts)
{
    static const char *const names[QP_KERNEL_INPUTS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    static double counts = 1.0, counts_not = 0.0;
    const float thousand = 1000.0f;
    context = support_need_context(state);
    struct qp_kernel_desc desc = {.body = "float kernel(vec2 here) { return a_at(0, 0); }"};
    for (int i = 0; i < COUNT(names); i++)
        desc.input[i].name = names[i];
    struct qp_pass pass = {.kernel = kernel(desc), .output = {grid(WIDTH, HEIGHT, NULL)}};
    for (int i = 0; i < COUNT(names); i++)
        pass.input[i] = (struct qp_pass_input){names[i], i < 7 ? grid(WIDTH, HEIGHT, NULL)
                                                               : grid(1, 1, &thousand)};
    struct qp_pass_check_desc check = {.reference = off_a_little,
                                       .user = &counts_not,
                                       .table = {"h"},
                                       .width = WIDTH,
                                       .height = HEIGHT};
    expect_fail(&pass, &check, "cell (");
    check.user = &counts;
    const struct qp_pass_check_result result = check_pass(&pass, &check);
    assert_int_equal(result.verdict, QP_PASS);
    assert_float_equal(result.error, 1e-7, 1e-9);
    close_pass(&pass);
}

/* Output k is 10^2k. */
static double numbers(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++) {
        for (int i = 0; i < pass->width * pass->height; i++)
            output[k][i] = pow(10.0, 2 * k);
    }
    return 0.0;
}

static double numbers_but_last(const struct qp_kernel_grid *pass, double *const output[])
{
    numbers(pass, output);
    for (int i = 0; i < pass->width * pass->height; i++)
        output[3][i] = -output[3][i];
    return 0.0;
}

/* The largest value of all outputs is what an error is compared with; nothing is left of any of
 * them. */
CLEAN_TEST(as_many_outputs_as_can_be)
{
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "void kernel(vec2 here) { out0 = 1.5; out1 = 1e2; out2 = 1e4; out3 = 1e6; }",
            .outputs = QP_KERNEL_OUTPUTS})};
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++)
        pass.output[k] = grid(WIDTH, HEIGHT, NULL);
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = numbers}, BOTH);
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = numbers_but_last},
                " of output 3 at ");
    close_pass(&pass);
}

/* y += 2 x. */
static double add_twice(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] += 2.0 * doubles(&pass->input[0])[i];
    return 0.0;
}

CLEAN_TEST(in_place_and_blended)
{
    context = support_need_context(state);
    const unsigned abilities = qp_context_device(context)->abilities;
    struct qp_array *y = grid(WIDTH, HEIGHT, NULL);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + y_at(0, 0); }",
            .input = {{.name = "x"}, {.name = "y"}}}),
        .input = {{"x", grid(WIDTH, HEIGHT, NULL)}, {"y", y}},
        .output = {y},
        .in_place = true};
    if (abilities & QP_CAN_TEXTURE_BARRIER)
        expect_pass(&pass, &(struct qp_pass_check_desc){.reference = add_twice, .spoil = true},
                    BOTH);
    close_pass(&pass);
    pass = (struct qp_pass){.kernel = kernel((struct qp_kernel_desc){
                                .body = "float kernel(vec2 here) { return 2.0 * x_at(0, 0); }",
                                .input = {{.name = "x"}}}),
                            .input = {{"x", grid(WIDTH, HEIGHT, NULL)}},
                            .output = {grid(WIDTH, HEIGHT, NULL)},
                            .blend = QP_BLEND_ADD};
    if (abilities & QP_CAN_FLOAT_BLEND)
        expect_pass(&pass, &(struct qp_pass_check_desc){.reference = add_twice, .spoil = true},
                    BOTH);
    close_pass(&pass);
}

/* A pass that reads its neighbours in place reads what it has just written: the arrays of a check
 * are one, too. */
static double add_left(const struct qp_kernel_grid *pass, double *const output[])
{
    const struct qp_kernel_array *y = &pass->input[0];
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] += qp_kernel_array_at(y, i % pass->width - 1, i / pass->width, 0);
    return 0.0;
}

CLEAN_TEST(neighbours_in_place_are_wrong)
{
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_TEXTURE_BARRIER) ||
        !qp_context_device(context)->software) /* another device may read what was there in time */
        skip();
    struct qp_array *y = grid(WIDTH, HEIGHT, NULL), *view;
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .name = "left",
            .body = "float kernel(vec2 here) { return y_at(0, 0) + y_at(-1, 0); }",
            .input = {{.name = "y", .reach = 1}}}),
        .input = {{"y", y}},
        .output = {y},
        .in_place = true};
    struct qp_pass_check_result result;
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = add_left}, "cell (");
    assert_ok(qp_array_view(y, &(struct qp_rect){0, 0, WIDTH, HEIGHT}, &view));
    pass.input[0].array = view;
    assert_int_equal(qp_pass_check(&pass, NULL, &result), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "left: input 'y' and output 0 are parts of one array"));
    close_pass(&pass);
}

/* Nothing is read and all is 0. */
static double zeros(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] = 0.0;
    return 0.0;
}

CLEAN_TEST(zeros_have_no_scale)
{
    context = support_need_context(state);
    struct qp_pass pass = {.kernel = kernel((struct qp_kernel_desc){
                               .body = "float kernel(vec2 here) { return 0.0 * here.x; }"}),
                           .output = {grid(WIDTH, HEIGHT, NULL)}};
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = zeros}, BOTH);
    close_pass(&pass);
}

/* Point n goes to cell (n, 0) and writes n + 1. */
static double scatter(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int n = 0; n < 3 && n < pass->width; n++)
        output[0][n] = n + 1.0;
    return 0.0;
}

CLEAN_TEST(points)
{
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .vertex = {.text = "#version 120\nvarying float value;\nvoid main()\n{\n"
                               "    value = gl_Vertex.x + 1.0;\n"
                               "    gl_Position = gl_ModelViewProjectionMatrix *\n"
                               "                  vec4(gl_Vertex.x + 0.5, 0.5, 0.0, 1.0);\n}\n"},
            .fragment = {.text = "#version 120\nvarying float value;\n"
                                 "void main() { gl_FragColor = vec4(value); }\n"}}),
        .output = {grid(WIDTH, HEIGHT, NULL)},
        .points = 3};
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = scatter}, BOTH / 2);
    close_pass(&pass);
}

/* ---- Sizes ---- */

/* Means of 2 x 2 cells, weighted by a table of four. */
static double half_size(const struct qp_kernel_grid *pass, double *const output[])
{
    const struct qp_kernel_array *x = &pass->input[0], *table = &pass->input[1];
    if (x->width != 2 * pass->width || x->height != 2 * pass->height || table->width != 4)
        return 0.0;
    for (int y = 0; y < pass->height; y++) {
        for (int i = 0; i < pass->width; i++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += doubles(table)[k] * qp_kernel_array_at(x, 2 * i + k % 2, 2 * y + k / 2, 0);
            output[0][y * pass->width + i] = sum;
        }
    }
    return 0.0;
}

/* Each cell four times. */
static double double_size(const struct qp_kernel_grid *pass, double *const output[])
{
    if (pass->input[0].width != (pass->width + 1) / 2)
        return 0.0;
    for (int y = 0; y < pass->height; y++) {
        for (int i = 0; i < pass->width; i++)
            output[0][y * pass->width + i] = qp_kernel_array_at(&pass->input[0], i / 2, y / 2, 0);
    }
    return 0.0;
}

/* Descriptions that ask for no check. */
static void refuse(struct qp_pass *pass)
{
    static const struct {
        struct qp_pass_check_desc desc;
        const char *words;
    } wrong[] = {
        {{.width = -1, .height = 2}, "down at -1 x 2 cells; take sizes from 1 on, or 0 x 0"},
        {{.width = 2}, "down at 2 x 0 cells; take sizes from 1 on, or 0 x 0"},
        {{.width = 8193, .height = 8192}, "down at 8193 x 8192 cells; take 2^26 of them at most"},
        {{.tolerance = INFINITY}, "down: a tolerance of inf is of no use"},
        {{.low = 1.0, .high = 0.5}, "down: there are no values from 1 to 0.5"},
        {{.low = -INFINITY}, "down: there are no values from -inf to 0"},
        {{.width = 0}, "down is checked at several sizes, and a region belongs to one"}};
    for (int i = 0; i < COUNT(wrong); i++) {
        struct qp_pass_check_result result;
        pass->region.width = pass->region.height = i == COUNT(wrong) - 1;
        assert_int_equal(qp_pass_check(pass, &wrong[i].desc, &result), QP_BAD_USE);
        support_assert_sentence(wrong[i].words);
    }
}

CLEAN_TEST(other_sizes)
{
    static const float weights[] = {0.5f, 0.25f, 0.125f, -1.0f};
    static const char down[] =
        "float kernel(vec2 here)\n{\n    float sum = 0.0;\n    for (int k = 0; k < 4; k++) {\n"
        "        vec2 at = vec2(mod(float(k), 2.0), floor(float(k) / 2.0));\n"
        "        sum += t_cell(vec2(k, 0)) * x_cell(2.0 * here + at);\n    }\n    return sum;\n}\n";
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .name = "down", .body = down, .input = {{.name = "x"}, {.name = "t"}}}),
        .input = {{"x", grid(2 * WIDTH, 2 * HEIGHT, NULL)}, {"t", grid(4, 1, weights)}},
        .output = {grid(WIDTH, HEIGHT, NULL)}};
    struct qp_pass_check_desc desc = {.reference = half_size, .spoil = true, .table = {"t"}};
    expect_pass(&pass, &desc, BOTH);
    desc.table[0] = "s";
    assert_int_equal(qp_pass_check(&pass, &desc, &(struct qp_pass_check_result){.made = 1}),
                     QP_BAD_USE);
    assert_string_equal(qp_error(), "down has no input called 's', which a check names as a table");
    refuse(&pass);
    close_pass(&pass);
    pass = (struct qp_pass){
        .kernel = kernel((struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return x_cell(floor(0.5 * here)); }",
            .input = {{.name = "x"}}}),
        .input = {{"x", grid(WIDTH / 2, HEIGHT / 2, NULL)}},
        .output = {grid(WIDTH, HEIGHT, NULL)}};
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = double_size, .spoil = true}, BOTH);
    close_pass(&pass);
}

/* ---- Values that a reference reads outside ---- */

TEST(outsides)
{
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; /* 3 x 2 cells of two */
    struct qp_kernel_array x = {
        .width = 3, .height = 2, .channels = 2, .value = 0.5, .values = values};
    assert_true(qp_kernel_array_at(&x, 2, 1, 1) == 12.0 && qp_kernel_array_at(&x, 0, 0, 0) == 1.0);
    assert_true(qp_kernel_array_at(&x, -1, 0, 0) == 0.0 && qp_kernel_array_at(&x, 0, 2, 0) == 0.0);
    x.outside = QP_OUTSIDE_VALUE;
    assert_true(qp_kernel_array_at(&x, 3, 0, 0) == 0.5 && qp_kernel_array_at(&x, 2, 0, 0) == 5.0);
    x.outside = QP_OUTSIDE_CLAMP;
    assert_true(qp_kernel_array_at(&x, -5, 9, 0) == 7.0 && qp_kernel_array_at(&x, 9, -5, 1) == 6.0);
    x.outside = QP_OUTSIDE_WRAP;
    assert_true(qp_kernel_array_at(&x, -1, -1, 0) == 11.0 &&
                qp_kernel_array_at(&x, -7, 4, 1) == 6.0);
    assert_true(isnan(qp_kernel_array_at(&x, 0, 0, 2)) && isnan(qp_kernel_array_at(&x, 0, 0, -1)));
    assert_true(isnan(qp_kernel_array_at(NULL, 0, 0, 0)));
    x.values = NULL;
    assert_true(isnan(qp_kernel_array_at(&x, 0, 0, 0)));
}

GROUP(support_open_context, support_close_context)
