/* SPDX-License-Identifier: MIT */
/* Checks of passes of all types and channels, and the values of their inputs. */
#include "support/pass_check.h"

#include <math.h>

enum { WIDTH = 12, HEIGHT = 8, BOTH = 22 /* eleven sizes, alone and in guards */ };

/* ---- Types ---- */

/* a x + b y of each channel: a and b are halves and quarters, or whole. */
static double combine(const struct qp_kernel_grid *pass, double *const output[])
{
    const double *x = pass->input[0].values, *y = pass->input[1].values;
    for (int i = 0; i < pass->width * pass->height * pass->channels; i++)
        output[0][i] = 2.0 * x[i] + 3.0 * y[i];
    return 0.0;
}

CLEAN_TEST(types_and_channels)
{
    static const struct {
        enum qp_array_type type;
        int channels;
        unsigned needs;
        const char *body;
    } kinds[] = {
        {QP_ARRAY_FLOAT, 1, 0,
         "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }"},
        {QP_ARRAY_FLOAT, 2, 0,
         "vec2 kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }"},
        {QP_ARRAY_FLOAT, 4, 0,
         "vec4 kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }"},
        {QP_ARRAY_HALF, 4, 0,
         "vec4 kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }"},
        {QP_ARRAY_INT, 1, 0, "int kernel(vec2 here) { return 2 * x_at(0, 0) + 3 * y_at(0, 0); }"},
        {QP_ARRAY_UINT, 4, 0,
         "uvec4 kernel(vec2 here) { return 2u * x_at(0, 0) + 3u * y_at(0, 0); }"},
        {QP_ARRAY_DOUBLE, 2, QP_CAN_DOUBLE,
         "dvec2 kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }"}};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(kinds); i++) {
        const struct qp_array_desc desc = {
            .width = WIDTH, .height = HEIGHT, .type = kinds[i].type, .channels = kinds[i].channels};
        if ((qp_context_device(context)->abilities & kinds[i].needs) != kinds[i].needs)
            continue;
        struct qp_pass pass = {.kernel = kernel((struct qp_kernel_desc){
                                   .body = kinds[i].body,
                                   .input = {{"x", kinds[i].type, kinds[i].channels, 0},
                                             {"y", kinds[i].type, kinds[i].channels, 0}},
                                   .output_type = kinds[i].type,
                                   .output_channels = kinds[i].channels}),
                               .input = {{"x", make(desc, NULL)}, {"y", make(desc, NULL)}},
                               .output = {make(desc, NULL)}};
        expect_pass(&pass, &(struct qp_pass_check_desc){.reference = combine, .spoil = i % 3 == 0},
                    BOTH);
        close_pass(&pass);
    }
}

/* Nothing of integers is rounding: one too many is wrong. */
static double one_more(const struct qp_kernel_grid *pass, double *const output[])
{
    combine(pass, output);
    output[0][pass->width * pass->height - 1] += 1.0;
    return 1e12;
}

/* By a part in 2^40, where doubles have 52 bits. */
static double nearly(const struct qp_kernel_grid *pass, double *const output[])
{
    combine(pass, output);
    output[0][0] += 0x1p-40;
    return 1.0;
}

CLEAN_TEST(doubles_are_exact_to_a_few_roundings)
{
    const struct qp_array_desc desc = {.width = WIDTH, .height = HEIGHT, .type = QP_ARRAY_DOUBLE};
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_DOUBLE))
        skip();
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "double kernel(vec2 here) { return 2.0 * x_at(0, 0) + 3.0 * y_at(0, 0); }",
            .input = {{"x", QP_ARRAY_DOUBLE, 1, 0}, {"y", QP_ARRAY_DOUBLE, 1, 0}},
            .output_type = QP_ARRAY_DOUBLE}),
        .input = {{"x", make(desc, NULL)}, {"y", make(desc, NULL)}},
        .output = {make(desc, NULL)}};
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = combine}, BOTH);
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = nearly}, "cell (0, 0)");
    close_pass(&pass);
}

/* All of -3 and -2, and neither above nor below. */
static double count_integers(const struct qp_kernel_grid *pass, double *const output[])
{
    int *found = pass->user;
    for (int i = 0; i < pass->width * pass->height; i++) {
        const double value = doubles(&pass->input[0])[i];
        found[value == -3.0 ? 0 : value == -2.0 ? 1 : 2]++;
    }
    combine(pass, output);
    return 0.0;
}

static double spread(const struct qp_kernel_grid *pass, double *const output[])
{
    int *found = pass->user;
    for (int i = 0; i < pass->width * pass->height; i++)
        found[(int)doubles(&pass->input[0])[i]]++;
    combine(pass, output);
    return 0.0;
}

CLEAN_TEST(integers_are_exact)
{
    const struct qp_array_desc desc = {.width = WIDTH, .height = HEIGHT, .type = QP_ARRAY_INT};
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "int kernel(vec2 here) { return 2 * x_at(0, 0) + 3 * y_at(0, 0); }",
            .input = {{"x", QP_ARRAY_INT, 1, 0}, {"y", QP_ARRAY_INT, 1, 0}},
            .output_type = QP_ARRAY_INT}),
        .input = {{"x", make(desc, NULL)}, {"y", make(desc, NULL)}},
        .output = {make(desc, NULL)}};
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = one_more}, "cell (0, 0)");
    int found[10] = {0};
    expect_pass(&pass,
                &(struct qp_pass_check_desc){
                    .reference = count_integers, .user = found, .low = -3.0, .high = -1.0},
                BOTH);
    assert_true(found[0] > 1000 && found[1] > 1000 && found[2] == 0);
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = spread, .user = found}, BOTH);
    for (int i = 0; i < COUNT(found); i++)
        assert_true(found[i] > 100);
    close_pass(&pass);
}

/* Values that a reference met. */
struct met {
    int calls, beyond; /* values that are not from 2.99 to 4 */
    double first;      /* value of the first call */
    double least, most;
};

static double look(const struct qp_kernel_grid *pass, double *const output[])
{
    struct met *met = pass->user;
    if (met->calls++ == 0)
        met->first = doubles(&pass->input[0])[0];
    for (int i = 0; i < pass->width * pass->height; i++) {
        const double value = doubles(&pass->input[0])[i];
        met->beyond += !(value > 2.99 && value <= 4.0);
        met->least = fmin(met->least, value);
        met->most = fmax(met->most, value);
        output[0][i] = value;
    }
    return 0.0;
}

/* They lie where the description says, and are others by another seed. The reference is
 * asked once, and four times with inputs nearer to 0, of which none is beyond. */
CLEAN_TEST(values_of_inputs)
{
    struct met met[3] = {{0}};
    context = support_need_context(state);
    struct qp_pass pass = {
        .kernel = kernel((struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return x_at(0, 0); }", .input = {{.name = "x"}}}),
        .input = {{"x", grid(WIDTH, HEIGHT, NULL)}},
        .output = {grid(WIDTH, HEIGHT, NULL)}};
    struct qp_pass_check_desc desc = {.reference = look, .user = &met[0], .low = 3.0, .high = 4.0};
    expect_pass(&pass, &desc, BOTH);
    assert_true(met[0].beyond == 0 && met[0].calls == 5 * BOTH / 2);
    desc = (struct qp_pass_check_desc){.reference = look, .user = &met[1], .seed = 4};
    expect_pass(&pass, &desc, BOTH);
    assert_true(met[1].beyond > 1000);
    assert_true(met[1].least >= -1.0 && met[1].least < -0.99);
    assert_true(met[1].most < 1.0 && met[1].most > 0.99);
    desc.user = &met[2];
    desc.seed = 5;
    expect_pass(&pass, &desc, BOTH);
    assert_true(met[1].first >= -1.0 && met[1].first < 1.0 && met[1].first != met[2].first);
    close_pass(&pass);
}

GROUP(support_open_context, support_close_context)
