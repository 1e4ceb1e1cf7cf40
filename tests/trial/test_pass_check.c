/* SPDX-License-Identifier: MIT */
/* Checks of passes: what is right passes at all sizes and in guards, what is wrong is named, and a
 * reference that would not notice is found out. */
#include "support/pass_check.h"

#include <math.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

enum { WIDTH = 12, HEIGHT = 8, SIZES = 11 };

/* ---- Steps that look at their neighbours ---- */

static const char heat[] =
    "float kernel(vec2 here)\n"
    "{\n"
    "    float around = x_at(-1, 0) + x_at(1, 0) + x_at(0, -1) + x_at(0, 1);\n"
    "    return x_at(0, 0) + rate * (around - 4.0 * x_at(0, 0)); // x_at(7, 7)\n"
    "}\n";

static double heat_of(const struct qp_kernel_grid *pass, double *const output[], double rate)
{
    const struct qp_kernel_array *x = &pass->input[0];
    for (int y = 0; y < pass->height; y++) {
        for (int i = 0; i < pass->width; i++) {
            const double around = qp_kernel_array_at(x, i - 1, y, 0) +
                                  qp_kernel_array_at(x, i + 1, y, 0) +
                                  qp_kernel_array_at(x, i, y - 1, 0) +
                                  qp_kernel_array_at(x, i, y + 1, 0),
                         at = qp_kernel_array_at(x, i, y, 0);
            output[0][y * pass->width + i] = at + rate * (around - 4.0 * at);
        }
    }
    return 0.0;
}

static double right(const struct qp_kernel_grid *pass, double *const output[])
{
    return heat_of(pass, output, pass->number[0].value[0]);
}

static double wrong_rate(const struct qp_kernel_grid *pass, double *const output[])
{
    return heat_of(pass, output, 0.2001);
}

/* Wrong in the last cell of grids that have 30 columns. */
static double wrong_cell(const struct qp_kernel_grid *pass, double *const output[])
{
    heat_of(pass, output, 0.2);
    if (pass->width == 30)
        output[0][pass->width * pass->height - 1] += 1e-4;
    return 4.0;
}

static double lazy(const struct qp_kernel_grid *pass, double *const output[])
{
    (void)pass;
    (void)output;
    return 0.0;
}

static struct qp_kernel *make_heat(const char *body)
{
    return kernel((struct qp_kernel_desc){.name = "heat",
                                          .body = body,
                                          .input = {{.name = "x", .reach = 1}},
                                          .number = {{.name = "rate"}}});
}

static struct qp_pass heat_pass(const struct qp_kernel *kernel, enum qp_outside outside)
{
    const struct qp_array_desc desc = {
        .width = WIDTH, .height = HEIGHT, .outside = outside, .value = 0.75};
    return (struct qp_pass){.kernel = kernel,
                            .input = {{"x", make(desc, NULL)}},
                            .number = {{.name = "rate", .value = {0.2}}},
                            .output = {make(desc, NULL)}};
}

/* Every gather counts, whatever is outside. */
CLEAN_TEST(right_steps_pass)
{
    context = support_need_context(state);
    for (enum qp_outside outside = QP_OUTSIDE_ZERO; outside <= QP_OUTSIDE_VALUE; outside++) {
        struct qp_pass pass = heat_pass(make_heat(heat), outside);
        const struct qp_pass_check_desc desc = {
            .reference = right, .seed = 5, .spoil = outside == QP_OUTSIDE_CLAMP};
        expect_pass(&pass, &desc, 2 * SIZES);
        close_pass(&pass);
    }
}

CLEAN_TEST(wrong_ones_fail)
{
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_ZERO);
    struct qp_pass_check_desc desc = {.reference = wrong_rate};
    expect_fail(&pass, &desc, " at 1 x 1 is ");
    desc.tolerance = 1e-2;
    expect_pass(&pass, &desc, 2 * SIZES);
    desc = (struct qp_pass_check_desc){.reference = wrong_cell};
    expect_fail(&pass, &desc, "cell (29, 29) at 30 x 30 is ");
    desc.width = desc.height = 20;
    expect_pass(&pass, &desc, 2);
    desc = (struct qp_pass_check_desc){.reference = lazy};
    expect_fail(&pass, &desc, "cell (0, 0) at 1 x 1 of pass is nan after 1 steps");
    desc.width = desc.height = 5;
    expect_fail(&pass, &desc, "cell (0, 0) at 5 x 5 of pass is nan after 1 steps");
    close_pass(&pass);
}

/* Software drivers of Mesa 22.3 end long loops in silence, which is why such a kernel fails. */
CLEAN_TEST(ended_loops_are_named)
{
    static const char *const bodies[] = {
        "float kernel(vec2 here) { float buffer = 0.0; for (int i = 0; i < 70000; i++) buffer += "
        "rate; return buffer + x_at(0, 0); }",
        "float kernel(vec2 here) { return 70000.0 * rate + x_at(0, 0); } // for all"};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(bodies); i++) {
        struct qp_pass pass = heat_pass(make_heat(bodies[i]), QP_OUTSIDE_ZERO);
        const struct qp_pass_check_result result = check_pass(
            &pass, &(struct qp_pass_check_desc){.reference = right, .width = 2, .height = 2});
        const bool ended = i == 0 && qp_gl_ends_loops(context);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_int_equal(strstr(result.reason, "after 65535 rounds together") != NULL, ended);
        assert_ok(qp_pass_run(&pass)); /* the next function that waits says so, once */
        assert_int_equal(qp_context_finish(context), ended ? QP_BAD_INPUT : QP_OK);
        assert_ok(qp_context_finish(context));
        close_pass(&pass);
    }
}

/* Off by `user` of a scale of 2. */
static double off_by(const struct qp_kernel_grid *pass, double *const output[])
{
    heat_of(pass, output, 0.2);
    output[0][pass->width * pass->height / 2] += 2.0 * *(const double *)pass->user;
    return 2.0;
}

CLEAN_TEST(tolerances_are_kept)
{
    static double parts[] = {0.9e-3, 1.1e-3};
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_ZERO);
    struct qp_pass_check_desc desc = {.reference = off_by, .user = &parts[0], .tolerance = 1e-3};
    expect_pass(&pass, &desc, 2 * SIZES);
    desc.user = &parts[1];
    expect_fail(&pass, &desc, "off by 0.0011 where 0.001 is rounding");
    close_pass(&pass);
}

/* Off by 0.9e-3 of a scale of 2 at 30 x 30, by less elsewhere. */
static double off_at_one(const struct qp_kernel_grid *pass, double *const output[])
{
    static const double parts[] = {0.3e-3, 0.9e-3};
    struct qp_kernel_grid grid = *pass;
    grid.user = (void *)&parts[pass->width == 30];
    return off_by(&grid, output);
}

CLEAN_TEST(the_worst_is_reported)
{
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_ZERO);
    const struct qp_pass_check_result result =
        check_pass(&pass, &(struct qp_pass_check_desc){.reference = off_at_one, .tolerance = 1e-3});
    assert_int_equal(result.verdict, QP_PASS);
    assert_float_equal(result.error, 0.9e-3, 1e-6);
    assert_true(result.allowed == 1e-3 && result.width == 30 && result.height == 30);
    close_pass(&pass);
}

/* The arrays of the pass itself are not touched. */
CLEAN_TEST(arrays_stay)
{
    float before[WIDTH * HEIGHT], after[WIDTH * HEIGHT];
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_ZERO);
    assert_ok(qp_array_fill(pass.output[0], NULL, 3.0));
    assert_ok(qp_array_read(pass.output[0], NULL, before, 0));
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = right}, 2 * SIZES);
    assert_ok(qp_array_read(pass.output[0], NULL, after, 0));
    assert_memory_equal(before, after, sizeof before);
    close_pass(&pass);
}

/* ---- References that would not notice ---- */

static int told;

static void on_mutant(void *user, const struct qp_spoiled *mutant)
{
    static const char *const ways[] = {"(x_at(-1, 0) - x_at(-1, 0))", "x_at((-1) + -1.0, (0) + 0)",
                                       "x_at((-1) + 1.0, (0) + 0)", "x_at((-1) + 0, (0) + -1.0)",
                                       "x_at((-1) + 0, (0) + 1.0)"};
    assert_ptr_equal(user, &told);
    assert_string_equal(mutant->shader, "heat");
    assert_true(mutant->line == 3 || mutant->line == 4);
    assert_int_equal(mutant->noticed, mutant->reason[0] != '\0');
    if (told < COUNT(ways)) {
        assert_string_equal(mutant->was, "x_at(-1, 0)");
        assert_string_equal(mutant->is, ways[told]);
    }
    told++;
}

CLEAN_TEST(survivors_are_named)
{
    static const char idle[] = "float kernel(vec2 here)\n{\n    float a = rate * x_at(0, 0);\n"
                               "    return max(a, a - abs(x_at(1, 0)));\n}\n";
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_ZERO);
    struct qp_pass_check_desc desc = {
        .reference = right, .spoil = true, .on_mutant = on_mutant, .user = &told};
    told = 0;
    expect_pass(&pass, &desc, 2 * SIZES);
    assert_int_equal(told, 6 * 5);
    close_pass(&pass);
    pass = heat_pass(make_heat(idle), QP_OUTSIDE_ZERO);
    desc = (struct qp_pass_check_desc){.spoil = true};
    struct qp_pass_check_result result;
    assert_int_equal(qp_pass_check(&pass, &desc, &result), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "spoiled without a reference"));
    desc.reference = wrong_rate;
    assert_int_equal(qp_pass_check(&pass, &desc, &result), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "heat must pass before it is spoiled: cell ("));
    assert_int_equal(result.verdict, QP_NO_VERDICT);
    close_pass(&pass);
}

static double scaled(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] = pass->number[0].value[0] * doubles(&pass->input[0])[i];
    return 0.0;
}

CLEAN_TEST(idle_gathers_survive)
{
    static const char idle[] = "float kernel(vec2 here)\n{\n    float a = rate * x_at(0, 0);\n"
                               "    return max(a, a - abs(x_at(1, 0)));\n}\n";
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(idle), QP_OUTSIDE_ZERO);
    const struct qp_pass_check_result result =
        check_pass(&pass, &(struct qp_pass_check_desc){.reference = scaled, .spoil = true});
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(result.made, 10);
    assert_int_equal(result.noticed, 5);
    assert_string_equal(result.survivor, "heat:4: nothing notices '(x_at(1, 0) - x_at(1, 0))' in "
                                         "place of 'x_at(1, 0)'");
    close_pass(&pass);
}

/* A function whose name ends like a gather's is defined, and its definition spoiled compiles to
 * nothing. */
CLEAN_TEST(definitions_are_no_mutants)
{
    static const char far[] = "float far_at(int way) { return float(way) * rate * x_at(0, 0); }\n"
                              "float kernel(vec2 here) { return far_at(1); }\n";
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(far), QP_OUTSIDE_ZERO);
    const struct qp_pass_check_result result =
        check_pass(&pass, &(struct qp_pass_check_desc){.reference = scaled, .spoil = true});
    assert_int_equal(result.made, 6);
    assert_int_equal(result.noticed, 6);
    close_pass(&pass);
}

/* ---- Guards ---- */

/* Compute shaders: the second one writes a column too many, which nobody sees but the guards. */
static const char inside[] = "uniform sampler2DRect x;\nuniform vec2 x_origin, origin;\n"
                             "uniform vec4 region;\nvoid main()\n{\n"
                             "    vec2 cell = vec2(gl_GlobalInvocationID.xy) + region.xy;\n"
                             "    if (all(lessThan(cell, region.xy + region.zw)))\n"
                             "        imageStore(out0, ivec2(cell + origin),\n"
                             "                   2.0 * texture(x, cell + x_origin + 0.5));\n}\n",
                  outside[] =
                      "uniform sampler2DRect x;\nuniform vec2 x_origin, origin;\n"
                      "uniform vec4 region;\nvoid main()\n{\n"
                      "    vec2 cell = vec2(gl_GlobalInvocationID.xy) + region.xy;\n"
                      "    if (all(lessThan(cell, region.xy + region.zw + vec2(1.0, 0.0))))\n"
                      "        imageStore(out0, ivec2(cell + origin),\n"
                      "                   vec4(2.0) * texture(x, cell + x_origin + 0.5));\n}\n";

/* And this one beside its first cell, on the left or below; on grids of 30 columns alone, three
 * rows below. */
static const char before[] =
    "uniform sampler2DRect x;\nuniform vec2 x_origin, origin;\nuniform vec4 region;\n"
    "uniform int below;\nvoid main()\n{\n"
    "    vec2 cell = vec2(gl_GlobalInvocationID.xy) + region.xy;\n"
    "    if (any(greaterThanEqual(cell, region.xy + region.zw)))\n        return;\n"
    "    vec4 value = 2.0 * texture(x, cell + x_origin + 0.5);\n"
    "    imageStore(out0, ivec2(cell + origin), value);\n"
    "    if (cell == vec2(0.0) && (below < 2 || region.z == 30.0))\n"
    "        imageStore(out0, ivec2(origin) - ivec2(1 - below, below), value);\n}\n";

static double twice(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int i = 0; i < pass->width * pass->height * pass->channels; i++)
        output[0][i] = 2.0 * doubles(&pass->input[0])[i];
    return 0.0;
}

/* `number` is an int's name, or NULL. */
static struct qp_pass compute_pass(const char *text, const char *number, int value)
{
    const struct qp_kernel_desc desc = {.name = "twice",
                                        .compute = {.text = text},
                                        .input = {{.name = "x"}},
                                        .number = {{.name = number, .type = QP_NUMBER_INT}}};
    return (struct qp_pass){.kernel = kernel(desc),
                            .input = {{"x", grid(WIDTH, HEIGHT, NULL)}},
                            .number = {{.name = number, .value = {value}}},
                            .output = {grid(WIDTH, HEIGHT, NULL)}};
}

CLEAN_TEST(compute_kernels_are_checked)
{
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
    struct qp_pass pass = compute_pass(inside, NULL, 0);
    expect_pass(&pass, &(struct qp_pass_check_desc){.reference = twice, .spoil = true}, 2 * SIZES);
    close_pass(&pass);
    pass = compute_pass(outside, NULL, 0);
    expect_fail(
        &pass, &(struct qp_pass_check_desc){.reference = twice},
        "pass/kernel wrote outside: nan to texel (1, 0) beside the 1 x 1 cells of output 0");
    close_pass(&pass);
    for (int below = 0; below < 4; below++) {
        static const char *const words[] = {" to texel (-1, 0) beside", " to texel (0, -1) beside",
                                            " to texel (1, -2) beside the 30 x 30",
                                            " to texel (2, -3) beside the 30 x 30"};
        pass = compute_pass(before, "below", below);
        expect_fail(&pass, &(struct qp_pass_check_desc){.reference = twice}, words[below]);
        close_pass(&pass);
    }
}

/* A whole shader that knows no origins has no guards. */
CLEAN_TEST(whole_shaders_stand_alone)
{
    static const char text[] =
        "#version 120\n#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect x;\n"
        "void main()\n{\n    gl_FragColor = 2.0 * texture2DRect(x, gl_FragCoord.xy);\n}\n";
    static const char knows[] =
        "#version 120\n#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect x;\n"
        "uniform vec2 origin, x_origin;\nvoid main()\n{\n"
        "    gl_FragColor = 2.0 * texture2DRect(x, gl_FragCoord.xy - origin + x_origin);\n}\n";
    context = support_need_context(state);
    for (int i = 0; i < 2; i++) {
        struct qp_pass pass = {
            .kernel = kernel((struct qp_kernel_desc){.fragment = {.text = i == 0 ? text : knows},
                                                     .input = {{.name = "x"}}}),
            .input = {{"x", grid(WIDTH, HEIGHT, NULL)}},
            .output = {grid(WIDTH, HEIGHT, NULL)}};
        expect_pass(&pass, &(struct qp_pass_check_desc){.reference = twice, .spoil = true},
                    (i + 1) * SIZES);
        close_pass(&pass);
    }
}

/* ---- Without a reference ---- */

CLEAN_TEST(guards_judge_alone)
{
    static const char none[] =
        "float kernel(vec2 here) { return sqrt(-rate - x_at(0, 0) * x_at(0, 0)); }";
    context = support_need_context(state);
    struct qp_pass pass = heat_pass(make_heat(heat), QP_OUTSIDE_WRAP);
    expect_pass(&pass, &(struct qp_pass_check_desc){.seed = 2}, 2 * SIZES);
    expect_pass(&pass, &(struct qp_pass_check_desc){.width = 7, .height = 5}, 2);
    assert_ok(qp_pass_check(&pass, NULL, &(struct qp_pass_check_result){.cases = 0}));
    close_pass(&pass);
    pass = heat_pass(make_heat(none), QP_OUTSIDE_ZERO);
    expect_fail(&pass, &(struct qp_pass_check_desc){.seed = 2}, "cell (0, 0) at 1 x 1");
    expect_fail(&pass, &(struct qp_pass_check_desc){.reference = scaled, .width = 5, .height = 4},
                "cell (0, 0) at 5 x 4");
    close_pass(&pass);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        return;
    pass = compute_pass(outside, NULL, 0);
    expect_fail(&pass, &(struct qp_pass_check_desc){.seed = 2}, "beside the 1 x 1 cells");
    close_pass(&pass);
}

GROUP(support_open_context, support_close_context)
