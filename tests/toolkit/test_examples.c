/* SPDX-License-Identifier: MIT */
/* The programs of docs/toolkit.md run as a reader runs them, and each agrees with its own plain C;
 * errors are what the page says that they are. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- The programs ---- */

/* Runs a program of demos/, which must end well and print this line. */
static void expect_line(void **state, const char *command, const char *line)
{
    char *output;
    support_need_context(state);
    const int code = run_for(command, &output);
    if (code != 0)
        print_error("%s", output);
    assert_int_equal(code, 0);
    assert_string_equal(output, line);
    free(output);
}

TEST(conway)
{
    expect_line(state, QP_BUILD_DIR "/demos/conway",
                "3145 cells live after 100 generations; 0 of 30000 differ from plain C\n");
}

TEST(blur)
{
    expect_line(state, QP_BUILD_DIR "/demos/blur",
                "160 x 100 cells of 320 x 200; off by 0 at most\n");
}

TEST(mean)
{
    expect_line(state, QP_BUILD_DIR "/demos/mean",
                "mean of 10257 of 25641 values: 0.999966, in plain C 0.999966\n");
}

TEST(heat)
{
    expect_line(state, QP_BUILD_DIR "/demos/heat", "right in 22 cases; 30 of 30 mutants noticed\n");
}

/* Without a device they say so, and end with 1. */
TEST(no_device)
{
    static const char *const commands[] = {
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/conway 2>&1",
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/blur 2>&1",
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/mean 2>&1",
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/heat 2>&1",
    };
    for (int i = 0; i < COUNT(commands); i++) {
        char *output;
        assert_int_equal(run_for(commands[i], &output), 1);
        assert_non_null(strstr(output, "'none'"));
        free(output);
    }
}

/* ---- The compute shader ---- */

static char *page;

/* The page's text, compiled unchanged: whole numbers, whose sums are exact. */
CLEAN_TEST(sums_of_rows)
{
    enum { W = 201, H = 7 };
    static const char open[] = "```glsl\n";
    struct qp_context *context = support_need_context(state);
    float values[W * H], expected[H] = {0}, got[H];
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
    const char *begin = strstr(page, open);
    char text[1024];
    assert_non_null(begin);
    begin += sizeof open - 1;
    const char *end = strstr(begin, "```\n");
    assert_non_null(end);
    assert_true(snprintf(text, sizeof text, "%.*s", (int)(end - begin), begin) < (int)sizeof text);
    for (int i = 0; i < W * H; i++)
        expected[i / W] += values[i] = (float)(i * i % 1009);
    struct qp_array *x, *out;
    struct qp_kernel *sum;
    assert_ok(
        qp_array_create(context, &(struct qp_array_desc){.width = W, .height = H}, values, &x));
    assert_ok(
        qp_array_create(context, &(struct qp_array_desc){.width = 1, .height = H}, NULL, &out));
    assert_ok(qp_kernel_create(
        context,
        &(struct qp_kernel_desc){.compute = {.text = text}, .group_x = 64, .input = {{"x"}}},
        &sum));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = sum, .input = {{"x", x}}, .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, expected, sizeof got);
    qp_kernel_destroy(&sum);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

/* ---- The table of mistakes ---- */

/* The last sentence is this, and the page has it. With `end`, the driver's words are between the
 * two. */
static void expect_told(enum qp_status status, const char *begin, const char *end)
{
    const char *sentence = qp_error();
    assert_int_not_equal(status, QP_OK);
    if (strncmp(sentence, begin, strlen(begin)) != 0)
        fail_msg("the sentence '%s' does not begin with '%s'", sentence, begin);
    const size_t rest = strlen(sentence) - strlen(end);
    if (strcmp(end, "") == 0)
        assert_string_equal(sentence, begin);
    else if (strlen(sentence) < strlen(end) || strcmp(sentence + rest, end) != 0)
        fail_msg("the sentence '%s' does not end with '%s'", sentence, end);
    if (strstr(page, begin) == NULL || strstr(page, end) == NULL)
        fail_msg("docs/toolkit.md does not tell '%s ... %s'", begin, end);
}

static void expect_no_kernel(struct qp_context *context, struct qp_kernel_desc desc,
                             const char *begin, const char *end)
{
    struct qp_kernel *kernel;
    desc.name = "heat";
    desc.input[0] = (struct qp_kernel_input){.name = "x", .reach = 1};
    desc.number[0] = (struct qp_kernel_number){.name = desc.fragment.text ? "weight" : "alpha"};
    expect_told(qp_kernel_create(context, &desc, &kernel), begin, end);
}

CLEAN_TEST(mistakes_of_kernels)
{
    struct qp_context *context = support_need_context(state);
    expect_no_kernel(context,
                     (struct qp_kernel_desc){
                         .body = "float kernel(vec2 here) {\n    return alpa * x_at(0, 0);\n}"},
                     "heat:2: 'return alpa * x_at(0, 0);': ", "; did you mean 'alpha'?");
    expect_no_kernel(
        context, (struct qp_kernel_desc){.body = "vec4 kernel(vec2 here) { return here.xyxy; }"},
        "", "; a body has a function `float kernel(vec2 here)`");
    expect_no_kernel(
        context, (struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(0, -2); }"},
        "heat:1: x_at(0, -2) is beyond the reach 1 of input 'x'", "");
    expect_no_kernel(
        context,
        (struct qp_kernel_desc){.fragment = {.text =
                                                 "uniform float wieght;\n"
                                                 "void main() { gl_FragColor = vec4(wieght); }"}},
        "heat:1: 'uniform float wieght;': nothing sets 'wieght', a float; did you mean "
        "'weight'?",
        "");
    expect_no_kernel(
        context,
        (struct qp_kernel_desc){.body = "void kernel(vec2 here) { out0 = here.x; }", .outputs = 2},
        "heat has 2 outputs, and its body never sets out1", "");
}

CLEAN_TEST(mistakes_of_passes)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_kernel_desc desc = {.name = "heat",
                                        .body = "float kernel(vec2 here) { return x_at(0, 0); }",
                                        .input = {{.name = "x"}}};
    struct qp_array_desc cell = {.width = 1, .height = 1};
    struct qp_array *x, *out, *four, *gone;
    struct qp_kernel *heat;
    assert_ok(qp_array_create(context, &cell, NULL, &x));
    assert_ok(qp_array_create(context, &cell, NULL, &out));
    assert_ok(qp_array_create(context, &cell, NULL, &gone));
    cell.channels = 4;
    assert_ok(qp_array_create(context, &cell, NULL, &four));
    assert_ok(qp_kernel_create(context, &desc, &heat));
    const struct {
        struct qp_pass pass;
        const char *words;
    } cases[] = {
        {{.output = {out}}, "heat: input 'x' is missing"},
        {{.input = {{"y", x}}, .output = {out}}, "heat has no input called 'y'; it has x"},
        {{.input = {{"x", four}}, .output = {out}},
         "heat: input 'x' has cells of 4 x float, and the kernel reads 1 x float"},
        {{.input = {{"x", x}}, .output = {x}},
         "heat: input 'x' is in the array that output 0 writes; take another array, or in_place"},
        {{.input = {{"x", gone}}, .output = {out}},
         "'x' is not an array that lives: it was destroyed, or its context was, or it is something "
         "else"},
    };
    struct qp_array *dead = gone;
    qp_array_destroy(&dead);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_pass pass = cases[i].pass;
        pass.kernel = heat;
        expect_told(qp_pass_run(&pass), cases[i].words, "");
    }
    qp_kernel_destroy(&heat);
    qp_array_destroy(&four);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

static int open_all(void **state)
{
    FILE *file = fopen(QP_SOURCE_DIR "/docs/toolkit.md", "r");
    if (file == NULL)
        return -1;
    page = slurp(file);
    fclose(file);
    return support_open_context(state);
}

static int close_all(void **state)
{
    free(page);
    return support_close_context(state);
}

GROUP(open_all, close_all)
