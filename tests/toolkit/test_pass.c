/* SPDX-License-Identifier: MIT */
/* Passes against plain C: what kernels read and write, of every type, at awkward sizes. */
#include "support/toolkit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 65 * 33 * 4 };

static void fill(float *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)((i * 7919 + 13) % 1009) / 8.0f - 50.0f;
}

/* ---- Gathers ---- */

/* The cell that a gather finds; false where it is the value outside. */
static bool find(enum qp_outside outside, int width, int height, int *x, int *y)
{
    if (outside == QP_OUTSIDE_WRAP) {
        *x = (*x % width + width) % width;
        *y = (*y % height + height) % height;
        return true;
    }
    const bool inside = *x >= 0 && *y >= 0 && *x < width && *y < height;
    *x = *x < 0 ? 0 : *x >= width ? width - 1 : *x;
    *y = *y < 0 ? 0 : *y >= height ? height - 1 : *y;
    return inside || outside == QP_OUTSIDE_CLAMP;
}

/* Offsets are literals, or numbers, which are another form; the array is whole, or is a view of a
 * larger one full of something else. */
static void gather(enum qp_outside outside, int width, int height, int dx, int dy, int reach,
                   bool variable, bool view)
{
    static float values[MOST], expected[MOST], large[MOST];
    char body[128];
    if (variable)
        snprintf(body, sizeof body, "float kernel(vec2 here) { return x_at(by.x, by.y); }");
    else
        snprintf(body, sizeof body, "float kernel(vec2 here) { return x_at(%d, %d); }", dx, dy);
    const struct qp_array_desc desc = {
        .width = width, .height = height, .outside = outside, .value = -3.25};
    struct qp_array_desc around = desc;
    around.width += 5;
    around.height += 4;
    fill(values, width * height);
    for (int i = 0; i < around.width * around.height; i++)
        large[i] = NAN;
    struct qp_array *parent = make(around, large), *array = NULL;
    if (view)
        assert_ok(qp_array_view(parent, &(struct qp_rect){3, 2, width, height}, &array));
    else
        array = make(desc, NULL);
    assert_ok(qp_array_write(array, NULL, values, 0));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int from_x = x + dx, from_y = y + dy;
            const bool is_cell = find(outside, width, height, &from_x, &from_y);
            expected[y * width + x] = is_cell ? values[from_y * width + from_x]
                                      : outside == QP_OUTSIDE_VALUE ? -3.25f
                                                                    : 0.0f;
        }
    }
    struct qp_kernel *reads =
        kernel((struct qp_kernel_desc){.body = body,
                                       .input = {{"x", .reach = reach}},
                                       .number = {{variable ? "by" : NULL, QP_NUMBER_VEC2}}});
    struct qp_array *out = grid(width, height, NULL);
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = reads,
                                            .input = {{"x", array}},
                                            .number = {{variable ? "by" : NULL, {dx, dy}}},
                                            .output = {out}}));
    expect_values(out, expected, width * height, body);
    qp_kernel_destroy(&reads);
    qp_array_destroy(&out);
    qp_array_destroy(&array);
    qp_array_destroy(&parent);
}

CLEAN_TEST(gathers_find_their_cells)
{
    static const int sizes[][2] = {{1, 1}, {3, 1}, {1, 7}, {5, 4}, {65, 33}};
    static const int by[][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-3, 2}, {3, -3}};
    context = support_need_context(state);
    for (int outside = QP_OUTSIDE_ZERO; outside <= QP_OUTSIDE_VALUE; outside++) {
        for (int s = 0; s < COUNT(sizes); s++) {
            for (int k = 0; k < COUNT(by); k++)
                gather((enum qp_outside)outside, sizes[s][0], sizes[s][1], by[k][0], by[k][1],
                       s % 2 == 0 ? 0 : 3, (k + s) % 3 == 0, k % 2 == 1);
        }
    }
}

/* Loops over neighbours, and offsets that only the pass knows, in kernels whose description says no
 * reach. */
CLEAN_TEST(computed_offsets_need_no_reach)
{
    static const char *const bodies[] = {
        "float kernel(vec2 here) { float s = 0.0; for (int i = -1; i <= 1; i++) s += x_at(i, 0); "
        "return s; }",
        "float kernel(vec2 here) { return x_at(by, 0.0); }",
        "float at(float d) { return x_at(d, 0.0); } float kernel(vec2 here) { return at(by); }"};
    static const float values[] = {0, 1, 4, 9, 16, 25},
                       expected[][6] = {{1, 5, 14, 29, 50, 41}, {9, 16, 25, 0, 0, 0}};
    context = support_need_context(state);
    struct qp_array *x = grid(6, 1, values), *out = grid(6, 1, NULL);
    for (int i = 0; i < COUNT(bodies); i++) {
        struct qp_kernel *made = kernel((struct qp_kernel_desc){
            .body = bodies[i], .input = {{"x"}}, .number = {{i > 0 ? "by" : NULL}}});
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made,
                                                .input = {{"x", x}},
                                                .number = {{i > 0 ? "by" : NULL, {3}}},
                                                .output = {out}}));
        expect_values(out, expected[i > 0], 6, bodies[i]);
        qp_kernel_destroy(&made);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* However far it is, in a view of a larger array full of NaN. */
CLEAN_TEST(no_offset_finds_the_cells_of_others)
{
    static const double far[] = {-3,       -2,        2,         3,          4,   1000, -1000,
                                 16777216, 527368672, 133927592, -130610744, 1e9, 1e30, -1e38};
    float around[5 * 5], got[9];
    context = support_need_context(state);
    for (int i = 0; i < 25; i++)
        around[i] = NAN;
    struct qp_kernel *made =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(by, -by); }",
                                       .input = {{"x"}},
                                       .number = {{"by"}}});
    struct qp_array *out = grid(3, 3, NULL), *parent, *view;
    for (int outside = QP_OUTSIDE_ZERO; outside <= QP_OUTSIDE_VALUE; outside++) {
        parent = make(
            (struct qp_array_desc){
                .width = 5, .height = 5, .outside = (enum qp_outside)outside, .value = -3.25},
            around);
        assert_ok(qp_array_view(parent, &(struct qp_rect){1, 1, 3, 3}, &view));
        assert_ok(qp_array_fill(view, NULL, 7.0));
        for (int i = 0; i < COUNT(far); i++) {
            assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made,
                                                    .input = {{"x", view}},
                                                    .number = {{"by", {far[i]}}},
                                                    .output = {out}}));
            assert_ok(qp_array_read(out, NULL, got, 0));
            for (int k = 0; k < 9; k++) {
                if (isnan(got[k]))
                    fail_msg("outside %d, %g: cell %d is NaN", outside, far[i], k);
            }
        }
        qp_array_destroy(&view);
        qp_array_destroy(&parent);
    }
    qp_kernel_destroy(&made);
    qp_array_destroy(&out);
}

/* An offset that is no literal and beyond the reach is cut to it. */
CLEAN_TEST(variable_offsets_end_at_the_reach)
{
    const float values[] = {1, 2, 3, 4, 5}, expected[] = {3, 4, 5, 0, 0};
    context = support_need_context(state);
    struct qp_array *x = grid(5, 1, values), *out = grid(5, 1, NULL);
    struct qp_kernel *far =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(by, 0); }",
                                       .input = {{"x", .reach = 2}},
                                       .number = {{"by"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = far, .input = {{"x", x}}, .number = {{"by", {4}}}, .output = {out}}));
    expect_values(out, expected, 5, "cut to the reach");
    qp_kernel_destroy(&far);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* ---- Types ---- */

CLEAN_TEST(floats_of_several_channels)
{
    static float values[MOST], expected[MOST];
    static const char *const bodies[] = {
        [1] = "float kernel(vec2 here) { return 2.0 * x_at(0, 0); }",
        [2] = "vec2 kernel(vec2 here) { return 2.0 * x_at(0, 0); }",
        [4] = "vec4 kernel(vec2 here) { return 2.0 * x_at(0, 0); }"};
    context = support_need_context(state);
    for (int type = QP_ARRAY_FLOAT; type <= QP_ARRAY_HALF; type++) {
        for (int channels = 1; channels <= 4; channels *= 2) {
            const struct qp_array_desc desc = {
                .width = 7, .height = 5, .channels = channels, .type = (enum qp_array_type)type};
            const int count = 35 * channels;
            for (int i = 0; i < count; i++)
                expected[i] = 2.0f * (values[i] = (float)i - 3.5f);
            struct qp_array *x = make(desc, values), *out = make(desc, NULL);
            struct qp_kernel *twice =
                kernel((struct qp_kernel_desc){.body = bodies[channels],
                                               .input = {{"x", (enum qp_array_type)type, channels}},
                                               .output_type = (enum qp_array_type)type,
                                               .output_channels = channels});
            assert_ok(qp_pass_run(
                &(struct qp_pass){.kernel = twice, .input = {{"x", x}}, .output = {out}}));
            expect_values(out, expected, count, bodies[channels]);
            qp_kernel_destroy(&twice);
            qp_array_destroy(&x);
            qp_array_destroy(&out);
        }
    }
}

CLEAN_TEST(integers_keep_every_bit)
{
    const int32_t values[] = {0, 1, -1, INT32_MAX, INT32_MIN, 16777217};
    const uint32_t words[] = {0, 1, UINT32_MAX, 0x80000000u, 16777217, 7};
    int32_t got[6];
    uint32_t got_words[6];
    context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 3, .height = 2, .type = QP_ARRAY_INT},
                               desc_words = {.width = 3, .height = 2, .type = QP_ARRAY_UINT};
    struct qp_array *x = make(desc, values), *out = make(desc, NULL);
    struct qp_array *u = make(desc_words, words), *out_words = make(desc_words, NULL);
    struct qp_kernel *flips =
        kernel((struct qp_kernel_desc){.body = "int kernel(vec2 here) { return x_at(0, 0) ^ 5; }",
                                       .input = {{"x", QP_ARRAY_INT}},
                                       .output_type = QP_ARRAY_INT});
    struct qp_kernel *mixes = kernel((struct qp_kernel_desc){
        .body = "uint kernel(vec2 here) { return ~u_at(0, 0) + uint(x_at(0, 0)); }",
        .input = {{"u", QP_ARRAY_UINT}, {"x", QP_ARRAY_INT}},
        .output_type = QP_ARRAY_UINT});
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = flips, .input = {{"x", x}}, .output = {out}}));
    assert_ok(qp_pass_run(
        &(struct qp_pass){.kernel = mixes, .input = {{"x", x}, {"u", u}}, .output = {out_words}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_ok(qp_array_read(out_words, NULL, got_words, 0));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(got[i], values[i] ^ 5);
        assert_int_equal(got_words[i], (uint32_t)(~words[i] + (uint32_t)values[i]));
    }
    qp_kernel_destroy(&flips);
    qp_kernel_destroy(&mixes);
    qp_array_destroy(&x);
    qp_array_destroy(&u);
    qp_array_destroy(&out);
    qp_array_destroy(&out_words);
}

/* Times 1.5, for one driver cuts the last digit of 0.1lf. */
CLEAN_TEST(doubles_keep_every_digit)
{
    const double values[] = {1.0 / 3.0, -1e300, 0x1p-1000, INFINITY, 5.0, -0.0};
    double got[6];
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_DOUBLE))
        skip();
    for (int channels = 1; channels <= 2; channels++) {
        const struct qp_array_desc desc = {
            .width = 6 / channels, .height = 1, .channels = channels, .type = QP_ARRAY_DOUBLE};
        struct qp_array *x = make(desc, values), *out = make(desc, NULL);
        struct qp_kernel *same = kernel((struct qp_kernel_desc){
            .body = channels == 1 ? "double kernel(vec2 here) { return x_at(0, 0) * 1.5lf; }"
                                  : "dvec2 kernel(vec2 here) { return x_at(0, 0) * 1.5lf; }",
            .input = {{"x", QP_ARRAY_DOUBLE, channels}},
            .output_type = QP_ARRAY_DOUBLE,
            .output_channels = channels});
        assert_ok(
            qp_pass_run(&(struct qp_pass){.kernel = same, .input = {{"x", x}}, .output = {out}}));
        assert_ok(qp_array_read(out, NULL, got, 0));
        for (int i = 0; i < 6; i++) {
            if (got[i] != values[i] * 1.5)
                fail_msg("%a instead of %a, of %a", got[i], values[i] * 1.5, values[i]);
        }
        qp_kernel_destroy(&same);
        qp_array_destroy(&x);
        qp_array_destroy(&out);
    }
}

CLEAN_TEST(nan_is_kept)
{
    const float values[] = {NAN, INFINITY, -INFINITY, 1.0f};
    float got[4];
    context = support_need_context(state);
    struct qp_array *x = grid(4, 1, values), *out = grid(4, 1, NULL);
    struct qp_kernel *same = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return x_at(0, 0); }", .input = {{"x"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = same, .input = {{"x", x}}, .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(isnan(got[0]) && got[1] == INFINITY && got[2] == -INFINITY && got[3] == 1.0f);
    qp_kernel_destroy(&same);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* ---- Outputs ---- */

CLEAN_TEST(several_outputs_at_once)
{
    static const struct qp_rect part = {2, 1, 4, 3};
    float values[12], twice[12], places[12];
    context = support_need_context(state);
    fill(values, 12);
    for (int i = 0; i < 12; i++) {
        twice[i] = 2.0f * values[i];
        places[i] = (float)(10 * (i / 4) + i % 4);
    }
    struct qp_array *x = grid(4, 3, values);
    struct qp_array *large[2] = {grid(9, 6, NULL), grid(9, 6, NULL)}, *out[2];
    struct qp_kernel *both = kernel((struct qp_kernel_desc){
        .body =
            "void kernel(vec2 here) { out0 = 2.0 * x_at(0, 0); out1 = 10.0 * here.y + here.x; }",
        .input = {{"x"}},
        .outputs = 2});
    for (int i = 0; i < 2; i++)
        assert_ok(qp_array_view(large[i], &part, &out[i]));
    for (int turn = 0; turn < 2; turn++) { /* the second time the framebuffer object is there */
        assert_ok(qp_pass_run(&(struct qp_pass){
            .kernel = both, .input = {{"x", x}}, .output = {out[turn], out[1 - turn]}}));
        expect_values(out[turn], twice, 12, "output 0");
        expect_values(out[1 - turn], places, 12, "output 1");
    }
    qp_kernel_destroy(&both);
    for (int i = 0; i < 2; i++) {
        qp_array_destroy(&out[i]);
        qp_array_destroy(&large[i]);
    }
    qp_array_destroy(&x);
}

/* Cells beside a region, and around a view, stay as they were. */
CLEAN_TEST(regions_end_where_they_end)
{
    static const struct qp_rect part = {2, 1, 5, 4}, region = {1, 2, 3, 1};
    float expected[8 * 7];
    context = support_need_context(state);
    struct qp_array *large = grid(8, 7, NULL), *view;
    assert_ok(qp_array_fill(large, NULL, 5.0));
    assert_ok(qp_array_view(large, &part, &view));
    struct qp_kernel *places = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return 100.0 + 10.0 * here.y + here.x + size.x; }"});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = places, .output = {view}, .region = region}));
    for (int i = 0; i < 8 * 7; i++)
        expected[i] = 5.0f;
    for (int x = 1; x < 4; x++)
        expected[(1 + 2) * 8 + 2 + x] = 100.0f + 20.0f + (float)x + 5.0f;
    expect_values(large, expected, 8 * 7, "region of a view");
    qp_kernel_destroy(&places);
    qp_array_destroy(&view);
    qp_array_destroy(&large);
}

/* The mean of two by two, and back to four times as many cells. */
CLEAN_TEST(inputs_of_other_sizes)
{
    const float values[] = {1, 3, 5, 7, 9, 11, 13, 15}, half[] = {6, 10},
                again[] = {6, 6, 10, 10, 6, 6, 10, 10};
    context = support_need_context(state);
    struct qp_array *x = grid(4, 2, values), *small = grid(2, 1, NULL), *large = grid(4, 2, NULL);
    struct qp_kernel *down = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here)\n"
                "{\n"
                "    vec2 at = 2.0 * here;\n"
                "    return 0.25 * (x_cell(at) + x_cell(at + vec2(1.0, 0.0)) +\n"
                "                   x_cell(at + vec2(0.0, 1.0)) + x_cell(at + 1.0));\n"
                "}\n",
        .input = {{"x"}}});
    struct qp_kernel *up = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return x_cell(floor(here * x_size / size)); }",
        .input = {{"x"}}});
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = down, .input = {{"x", x}}, .output = {small}}));
    expect_values(small, half, 2, "half size");
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = up, .input = {{"x", small}}, .output = {large}}));
    expect_values(large, again, 8, "double size");
    qp_kernel_destroy(&down);
    qp_kernel_destroy(&up);
    qp_array_destroy(&x);
    qp_array_destroy(&small);
    qp_array_destroy(&large);
}

GROUP(support_open_context, support_close_context)
