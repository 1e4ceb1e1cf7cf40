/* SPDX-License-Identifier: MIT */
/* Passes over arrays above the limit of a texture, against passes over arrays that are whole: bit
 * for bit the same, for the limit is lowered for those that shall have tiles. */
#include "support/tiles.h"
#include "support/toolkit.h"

#include <stdio.h>

/* ---- Gathers ---- */

/* Reads the four corners of its reach, and something in between, so that no two cells count
 * alike. */
static struct qp_kernel *gather_kernel(int reach, bool variable, int channels)
{
    char body[512];
    const char *type = channels == 1 ? "float" : "vec4";
    if (variable)
        snprintf(body, sizeof body,
                 "%s kernel(vec2 here) {\n"
                 "    %s sum = %s(0.0);\n"
                 "    for (int j = -%d; j <= %d; j++)\n"
                 "        for (int i = -%d; i <= %d; i++)\n"
                 "            sum += float(7 * i + j + 40) * x_at(float(i), float(j));\n"
                 "    return sum + here.x + 0.125 * here.y + size.x + x_size.y;\n"
                 "}\n",
                 type, type, type, reach, reach, reach, reach);
    else
        snprintf(body, sizeof body,
                 "%s kernel(vec2 here) {\n"
                 "    return x_at(-%d, -%d) + 3.0 * x_at(%d, -%d) + 5.0 * x_at(-%d, %d) +\n"
                 "           7.0 * x_at(%d, %d) + here.x + 0.125 * here.y;\n"
                 "}\n",
                 type, reach, reach, reach, reach, reach, reach, reach, reach);
    return kernel(
        (struct qp_kernel_desc){.name = "gather",
                                .body = body,
                                .input = {{.name = "x", .channels = channels, .reach = reach}},
                                .output_channels = channels});
}

static void gather(enum qp_outside outside, int reach, bool variable, enum qp_array_type type,
                   int channels)
{
    static float values[4 * TILES_CELLS];
    struct qp_array_desc desc = tiles_grid(outside);
    char what[96];
    desc.type = type;
    desc.channels = channels;
    tiles_fill(values, channels * TILES_CELLS, reach);
    const struct tiles_pair x = tiles_make_pair(context, desc, values),
                            out = tiles_make_pair(context, desc, NULL);
    struct qp_kernel *made = gather_kernel(reach, variable, channels);
    const struct qp_pass pass = {.kernel = made, .input = {{"x", NULL}}};
    tiles_run(pass, &x, 1, &out, 1);
    snprintf(what, sizeof what, "outside %d, reach %d, variable %d, type %d, %d channels",
             (int)outside, reach, variable, (int)type, channels);
    tiles_expect_same(&out, what);
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
}

CLEAN_TEST(gathers_of_every_reach_and_outside)
{
    context = support_need_context(state);
    for (int i = 0; i < 4 * 4 * 2; i++) {
        if (support_takes(i + i / 4 + i / 8, 2))
            gather((enum qp_outside)(i % 4), i / 8, i / 4 % 2, QP_ARRAY_FLOAT, 1);
    }
}

CLEAN_TEST(gathers_of_halves_and_four_channels)
{
    context = support_need_context(state);
    for (int i = 0; i < 4; i++) {
        gather((enum qp_outside)i, 2, false, QP_ARRAY_HALF, 1);
        gather((enum qp_outside)i, 2, true, QP_ARRAY_FLOAT, 4);
    }
}

/* A reach longer than a tile, and where it wraps longer than the array. */
CLEAN_TEST(reach_beyond_the_next_tile)
{
    static const struct {
        int width, height, reach;
    } cases[] = {{40, 3, 21}, {17, 17, 16}, {17, 5, 40}, {3, 33, 9}};
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 5);
    for (int i = 0; i < 4 * COUNT(cases); i++) {
        struct qp_array_desc desc = tiles_grid((enum qp_outside)(i % 4));
        desc.width = cases[i / 4].width;
        desc.height = cases[i / 4].height;
        const struct tiles_pair x = tiles_make_pair(context, desc, values),
                                out = tiles_make_pair(context, desc, NULL);
        struct qp_kernel *made = gather_kernel(cases[i / 4].reach, false, 1);
        tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
        tiles_expect_same(&out, "long reach");
        qp_kernel_destroy(&made);
        tiles_destroy_pair(&x);
        tiles_destroy_pair(&out);
    }
}

/* Integers and doubles have another form. */
CLEAN_TEST(integers_and_doubles)
{
    static const char *const bodies[] = {
        [QP_ARRAY_INT] = "int kernel(vec2 here) { return 3 * x_at(-2, 1) ^ x_at(1, -1); }",
        [QP_ARRAY_UINT] = "uvec2 kernel(vec2 here) { return 3u * x_at(-2, 1) + ~x_at(1, -1); }",
        [QP_ARRAY_DOUBLE] =
            "double kernel(vec2 here) { return x_at(-2, 1) / 3.0lf + x_at(1, -1); }"};
    static unsigned char values[TILES_BYTES];
    context = support_need_context(state);
    for (int i = 0; i < 4 * COUNT(tiles_kinds); i++) {
        const struct tiles_kind *kind = &tiles_kinds[i / 4];
        if (kind->type < QP_ARRAY_INT || (kind->type == QP_ARRAY_DOUBLE && kind->channels > 1) ||
            !tiles_has(context, kind) || !support_takes(i + i / 4, 2))
            continue;
        struct qp_array_desc desc = tiles_grid((enum qp_outside)(i % 4));
        desc.type = kind->type;
        desc.channels = kind->channels;
        desc.value = 5.0;
        tiles_fill_kind(kind, values, i, 1021);
        const struct tiles_pair x = tiles_make_pair(context, desc, values),
                                out = tiles_make_pair(context, desc, NULL);
        struct qp_kernel *made =
            kernel((struct qp_kernel_desc){.body = bodies[kind->type],
                                           .input = {{"x", kind->type, kind->channels, 2}},
                                           .output_type = kind->type,
                                           .output_channels = kind->channels});
        tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
        tiles_expect_same(&out, "integers or doubles");
        qp_kernel_destroy(&made);
        tiles_destroy_pair(&x);
        tiles_destroy_pair(&out);
    }
}

/* ---- Passes ---- */

/* Three inputs with reaches, outsides and sizes of their own, numbers, and two outputs of a
 * region. */
CLEAN_TEST(several_inputs_and_outputs)
{
    static const struct qp_rect regions[] = {{0}, {5, 7, 30, 21}, {13, 13, 13, 13}, {49, 36, 1, 1}};
    static float values[3][TILES_CELLS];
    context = support_need_context(state);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "void kernel(vec2 here) {\n"
                "    out0 = a * x_at(3, -1) + y_at(-1, 1) * b.y + z_at(0, 0) + list[1];\n"
                "    out1 = x_at(0, 2) - z_at(2, -2) * size.y + z_size.x + here.y;\n"
                "}\n",
        .input = {{.name = "x", .reach = 3}, {.name = "y", .reach = 1}, {.name = "z", .reach = 2}},
        .number = {{"a"}, {"b", QP_NUMBER_VEC2}, {"list", .elements = 2}},
        .outputs = 2});
    for (int i = 0; i < 3; i++)
        tiles_fill(values[i], TILES_CELLS, i);
    struct qp_array_desc other = tiles_grid(QP_OUTSIDE_CLAMP);
    other.width = 31;
    other.height = 45;
    struct tiles_pair input[3] = {tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), values[0]),
                                  tiles_make_pair(context, tiles_grid(QP_OUTSIDE_VALUE), values[1]),
                                  tiles_make_pair(context, other, values[2])},
                      output[2] = {
                          tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values[1]),
                          tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values[0])};
    const double list[2] = {0.5, 0.125};
    for (int i = 0; i < COUNT(regions); i++) {
        tiles_run(
            (struct qp_pass){.kernel = made,
                             .input = {{"x", NULL}, {"y", NULL}, {"z", NULL}},
                             .number = {{"a", {1.5 + i}}, {"b", {9, 0.75}}, {"list", .list = list}},
                             .region = regions[i]},
            input, 3, output, 2);
        tiles_expect_same(&output[0], "output 0");
        tiles_expect_same(&output[1], "output 1");
    }
    qp_kernel_destroy(&made);
    for (int i = 0; i < 3; i++)
        tiles_destroy_pair(&input[i]);
    for (int i = 0; i < 2; i++)
        tiles_destroy_pair(&output[i]);
}

/* Cells that are there take part: by blending, and in place, where a region's cells read others. */
CLEAN_TEST(blends_and_passes_in_place)
{
    static const struct qp_rect half = {0, 0, TILES_WIDTH, 20};
    static float values[TILES_CELLS];
    context = support_need_context(state);
    const unsigned abilities = qp_context_device(context)->abilities;
    tiles_fill(values, TILES_CELLS, 3);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return 0.5 * x_at(0, 0) + here.x; }",
        .input = {{.name = "x"}}});
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values),
                            out = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values);
    if (abilities & QP_CAN_FLOAT_BLEND) {
        tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}, .blend = QP_BLEND_ADD},
                  &x, 1, &out, 1);
        tiles_expect_same(&out, "blended");
    }
    if (abilities & QP_CAN_TEXTURE_BARRIER) {
        struct qp_kernel *far = kernel((struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return x_at(0, 20) + x_at(0, 0); }",
            .input = {{.name = "x", .reach = 20}}});
        tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}, .in_place = true}, &out,
                  1, &out, 1);
        tiles_expect_same(&out, "in place");
        tiles_run(
            (struct qp_pass){
                .kernel = far, .input = {{"x", NULL}}, .region = half, .in_place = true},
            &out, 1, &out, 1);
        tiles_expect_same(&out, "in place, of other cells");
        qp_kernel_destroy(&far);
    }
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
}

/* A small array that is whole may be read at any cell; and a whole output reads tiles. */
CLEAN_TEST(whole_arrays_beside_tiles)
{
    static const float factor = 0.3f;
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 1);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return a_cell(vec2(0.0)) * x_at(1, -1); }",
        .input = {{.name = "x", .reach = 1}, {.name = "a"}}});
    const struct qp_array_desc one = {.width = 1, .height = 1}, small = {.width = 9, .height = 60};
    struct qp_array *a = tiles_make(context, &one, &factor, 16384);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), values),
                            out = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    const struct tiles_pair to_whole = {tiles_make(context, &small, NULL, 16384),
                                        tiles_make(context, &small, NULL, 16384)};
    tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}, {"a", a}}}, &x, 1, &out, 1);
    tiles_expect_same(&out, "with a whole input");
    tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}, {"a", a}}}, &x, 1, &to_whole,
              1);
    tiles_expect_same(&to_whole, "to a whole output");
    qp_kernel_destroy(&made);
    qp_array_destroy(&a);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
    tiles_destroy_pair(&to_whole);
}

/* Twenty steps there and back, of which the second half has another number. */
CLEAN_TEST(lists_there_and_back)
{
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 2);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body =
            "float kernel(vec2 here) {\n"
            "    return rate + max(abs(x_at(1, 0) - x_at(-1, 0)), abs(x_at(0, 1) - x_at(0, -1)));\n"
            "}\n",
        .input = {{.name = "x", .reach = 1}},
        .number = {{"rate"}}});
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), values),
                            y = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), NULL);
    for (int turn = 0; turn < 2; turn++) {
        struct qp_array *one = turn ? x.tiled : x.whole, *other = turn ? y.tiled : y.whole;
        const struct qp_pass passes[2] = {
            {.kernel = made, .input = {{"x", one}}, .number = {{"rate", {1.0}}}, .output = {other}},
            {.kernel = made,
             .input = {{"x", other}},
             .number = {{"rate", {1.0}}},
             .output = {one}}};
        struct qp_list *list;
        assert_ok(qp_list_create(passes, 2, &list));
        assert_ok(qp_list_run(list, 5));
        assert_ok(qp_list_set(list, 1, &(struct qp_pass_number){.name = "rate", .value = {2.5}}));
        assert_ok(qp_list_run(list, 5));
        qp_list_destroy(&list);
    }
    tiles_expect_same(&x, "after twenty steps");
    tiles_expect_same(&y, "after nineteen");
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&y);
}

GROUP(support_open_context, support_close_context)
