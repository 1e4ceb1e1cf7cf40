/* SPDX-License-Identifier: MIT */
/* Variants in the short form of the toolkit's kernels: one text, as a kernel and as a row that is judged. */
#include "support/support.h"

#include <quadpass/custom.h>

enum { ACROSS = 19, UP = 14 };
static const float around = 3.0f;

/* Heat in matter that conducts differently: x' = x + t c (right + left + above + below - 4 x), 3 around. */
static const char heat[] = "float kernel(vec2 here) {\n"
                           "    float sum = x_at(1, 0) + x_at(-1, 0) + x_at(0, 1) + x_at(0, -1);\n"
                           "    return x_at(0, 0) + t * c_at(0, 0) * (sum - 4.0 * x_cell(here));\n"
                           "}\n";

static double at(const struct qp_custom_grid *grid, const double *x, int i, int j)
{
    const bool inside = i >= 0 && i < grid->width && j >= 0 && j < grid->height;
    return inside ? x[j * grid->width + i] : (double)around;
}

static double step(const struct qp_custom_grid *grid, const double *before, double *after)
{
    const double t = grid->parameter[0].value;
    for (int k = 0; k < grid->width * grid->height; k++) {
        const int i = k % grid->width, j = k / grid->width;
        const double sum = at(grid, before, i + 1, j) + at(grid, before, i - 1, j) +
                           at(grid, before, i, j + 1) + at(grid, before, i, j - 1);
        after[k] = before[k] + t * (double)grid->input[0][k] * (sum - 4.0 * before[k]);
    }
    return 0.0;
}

static struct qp_custom *make(const char *input, const char *parameter, float padding)
{
    const struct qp_custom_desc desc = {.name = "heat",
                                        .state = {.padding = padding},
                                        .input = {{.name = input}},
                                        .parameter = {{parameter, 0.1}},
                                        .reference = step};
    struct qp_custom *custom;
    assert_ok(qp_custom_create(&desc, &custom));
    return custom;
}

static enum qp_verdict judge(struct qp_context *context, const struct qp_custom *custom,
                             const struct qp_variant *row)
{
    const struct qp_walk_desc desc = {.iterations = 5};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_custom_problem(custom, ACROSS, UP, 1, &problem));
    assert_ok(qp_walk(context, row, &problem, &desc, &result));
    if (result.verdict != QP_PASS)
        print_message("%s\n", result.reason);
    qp_problem_destroy(&problem);
    return result.verdict;
}

static void rows_are_walked(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom *custom = make("c", "t", around);
    const struct qp_variant *row;
    const struct qp_custom_variant rows[] = {
        {.name = "luminance", .draw = {{.body = heat}}},
        {.name = "red", .texel = QP_TEXEL_R32F, .draw = {{.body = heat}}},
        {.name = "padded", .pad_x = 3, .pad_y = 1, .draw = {{.body = heat}}},
        {.name = "halves",
         .draw = {{.body = heat, .cover = QP_COVER_INTERIOR},
                  {.body = heat, .cover = QP_COVER_LEFT},
                  {.body = heat, .cover = QP_COVER_RIGHT}}},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        assert_ok(qp_custom_add(custom, &rows[i], &row));
        assert_int_equal(judge(context, custom, row), QP_PASS);
    }
    qp_custom_destroy(&custom);
    custom = make("c", "t", 0.0f); /* the reference has 3 around */
    assert_ok(qp_custom_add(custom, &rows[0], &row));
    assert_int_equal(judge(context, custom, row), QP_FAIL);
    qp_custom_destroy(&custom);
}

/* A NULL name ends a list: of what stands behind it nothing is read. */
static void lists_end(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom_desc desc = {.name = "heat",
                                  .state = {.padding = around},
                                  .input = {{.name = "c"}, {0}, {.name = (const char *)1}},
                                  .parameter = {{"t", 0.1}, {0}, {"kernel", 0.0}, {"t", 9.0}},
                                  .reference = step};
    struct qp_custom *custom;
    const struct qp_variant *row;
    assert_ok(qp_custom_create(&desc, &custom));
    assert_ok(qp_custom_add(
        custom, &(struct qp_custom_variant){.name = "row", .draw = {{.body = heat}}}, &row));
    assert_int_equal(judge(context, custom, row), QP_PASS);
    qp_custom_destroy(&custom);
}

/* The same text as a kernel of the toolkit gives the same bits as the row. */
static void kernels_compute_the_same(void **state)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc cells = {
        .width = ACROSS, .height = UP, .outside = QP_OUTSIDE_VALUE, .value = around};
    struct qp_custom *custom = make("c", "t", around);
    const struct qp_variant *row;
    const struct qp_walk_desc walk = {.iterations = 1, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result;
    struct qp_array *x, *c, *out;
    struct qp_kernel *kernel;
    float got[ACROSS * UP];
    assert_ok(qp_custom_add(
        custom, &(struct qp_custom_variant){.name = "row", .draw = {{.body = heat}}}, &row));
    assert_ok(qp_custom_problem(custom, ACROSS, UP, 1, &problem));
    assert_ok(qp_walk(context, row, &problem, &walk, &result));
    assert_ok(qp_array_create(context, &cells, qp_problem_field(&problem, "x")->values, &x));
    assert_ok(qp_array_create(context, &cells, qp_problem_field(&problem, "c")->values, &c));
    assert_ok(qp_array_create(context, &cells, NULL, &out));
    assert_ok(qp_kernel_create(context,
                               &(struct qp_kernel_desc){.body = heat,
                                                        .input = {{"x", .reach = 1}, {"c"}},
                                                        .number = {{"t"}}},
                               &kernel));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = kernel,
                                            .input = {{"x", x}, {"c", c}},
                                            .number = {{"t", {0.1}}},
                                            .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, result.solution.values, sizeof got);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&x);
    qp_array_destroy(&c);
    qp_array_destroy(&out);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&custom);
}

static void refused(struct qp_custom *custom, struct qp_custom_variant variant, const char *words)
{
    const struct qp_variant *row;
    variant.name = "row";
    assert_int_equal(qp_custom_add(custom, &variant, &row), QP_BAD_USE);
    support_assert_sentence(words);
    qp_custom_destroy(&custom);
}

static void what_a_body_cannot_be(void **state)
{
    const struct qp_custom_variant good = {.draw = {{.body = heat}}},
                                   rgba = {.texel = QP_TEXEL_RGBA, .draw = {{.body = heat}}},
                                   both = {.draw = {{.body = heat, .fragment = {.text = "x"}}}};
    (void)state;
    refused(make("c", "t", 0.0f), rgba, "heat/row: a body computes one cell");
    refused(make("c", "t", 0.0f), both, "heat/row: draw 1 has a body and another shader");
    refused(make("kernel", "t", 0.0f), good,
            "heat/row: a body cannot have an array called 'kernel'");
    refused(make("c", "main", 0.0f), good,
            "heat/row: a body cannot have a parameter called 'main'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(rows_are_walked),
        clean_test(lists_end),
        clean_test(kernels_compute_the_same),
        clean_test(what_a_body_cannot_be),
    };
    return cmocka_run_group_tests_name("custom bodies", tests, support_open_context,
                                       support_close_context);
}
