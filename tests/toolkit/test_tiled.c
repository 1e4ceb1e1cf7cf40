/* SPDX-License-Identifier: MIT */
/* Arrays above the limit of a texture, against arrays that are whole: bit for bit the same, for the limit is lowered for
 * those that shall have tiles. And one array above the device's own limit. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/context.h"
#include "toolkit/tiled.h"

enum { LIMIT = 16, WIDTH = 50, HEIGHT = 37, CELLS = WIDTH * HEIGHT, MOST_BYTES = CELLS * 16 };

static struct qp_context *context;

/* ---- Pairs of arrays: one with tiles, and one that is whole ---- */

struct pair {
    struct qp_array *whole, *tiled;
};

static struct qp_array *make(const struct qp_array_desc *desc, const void *values, int limit)
{
    const int own = context->device.rectangle_limit;
    struct qp_array *array;
    context->device.rectangle_limit = limit;
    const enum qp_status status = qp_array_create(context, desc, values, &array);
    context->device.rectangle_limit = own;
    assert_ok(status);
    return array;
}

static struct pair make_pair(struct qp_array_desc desc, const void *values)
{
    const struct pair pair = {make(&desc, values, context->device.rectangle_limit),
                              make(&desc, values, LIMIT)};
    assert_null(pair.whole->tiles);
    assert_non_null(pair.tiled->tiles);
    return pair;
}

static void destroy_pair(struct pair *pair)
{
    qp_array_destroy(&pair->whole);
    qp_array_destroy(&pair->tiled);
}

static struct qp_array_desc grid(enum qp_outside outside)
{
    return (struct qp_array_desc){
        .width = WIDTH, .height = HEIGHT, .outside = outside, .value = -3.3};
}

static size_t bytes_of(const struct qp_array_desc *desc)
{
    return (size_t)desc->width * (size_t)desc->height * (size_t)desc->channels *
           (desc->type == QP_ARRAY_DOUBLE ? sizeof(double) : sizeof(float));
}

static void expect_same(const struct pair *pair, const char *what)
{
    static unsigned char whole[MOST_BYTES], tiled[MOST_BYTES];
    const struct qp_array_desc desc = qp_array_describe(pair->tiled);
    const size_t bytes = bytes_of(&desc), cell = bytes / (size_t)(desc.width * desc.height);
    assert_true(bytes <= MOST_BYTES);
    assert_ok(qp_array_read(pair->whole, NULL, whole, 0));
    assert_ok(qp_array_read(pair->tiled, NULL, tiled, 0));
    for (size_t i = 0; i < bytes; i++) {
        if (whole[i] != tiled[i])
            fail_msg("%s: cell (%zu, %zu) of %d x %d differs", what, i / cell % (size_t)desc.width,
                     i / cell / (size_t)desc.width, desc.width, desc.height);
    }
}

static void fill(float *values, int count, int seed)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)((i * 7919 + seed) % 1009) / 7.0f - 50.0f;
}

static struct qp_kernel *kernel(const struct qp_kernel_desc desc)
{
    struct qp_kernel *made;
    assert_ok(qp_kernel_create(context, &desc, &made));
    return made;
}

/* Runs a pass over the whole arrays, then over the tiled ones. */
static void run(struct qp_pass pass, const struct pair *input, int inputs,
                const struct pair *output, int outputs)
{
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < inputs; i++)
            pass.input[i].array = turn ? input[i].tiled : input[i].whole;
        for (int i = 0; i < outputs; i++)
            pass.output[i] = turn ? output[i].tiled : output[i].whole;
        assert_ok(qp_pass_run(&pass));
    }
}

/* ---- Cells to and from the host ---- */

static const struct kind {
    enum qp_array_type type;
    int channels;
    size_t cell_bytes;
} kinds[] = {{QP_ARRAY_FLOAT, 1, 4}, {QP_ARRAY_FLOAT, 2, 8},  {QP_ARRAY_FLOAT, 4, 16},
             {QP_ARRAY_HALF, 1, 4},  {QP_ARRAY_HALF, 4, 16},  {QP_ARRAY_INT, 1, 4},
             {QP_ARRAY_UINT, 2, 8},  {QP_ARRAY_DOUBLE, 1, 8}, {QP_ARRAY_DOUBLE, 2, 16}};

static bool has(const struct kind *kind)
{
    return kind->type != QP_ARRAY_DOUBLE ||
           (qp_context_device(context)->abilities & QP_CAN_DOUBLE) != 0;
}

/* Numbers that every type holds. */
static void fill_kind(const struct kind *kind, void *values, int seed)
{
    for (int i = 0; i < CELLS * kind->channels; i++) {
        const int number = (i * 37 + seed) % 1021;
        if (kind->type == QP_ARRAY_DOUBLE)
            ((double *)values)[i] = number;
        else if (kind->type > QP_ARRAY_HALF)
            ((int32_t *)values)[i] = number;
        else
            ((float *)values)[i] = (float)number;
    }
}

/* Parts that begin and end in any tile, with gaps between rows that are whole cells and that are not. */
static void parts_of_every_type(void **state)
{
    static const struct qp_rect parts[] = {
        {0, 0, WIDTH, HEIGHT}, {12, 12, 2, 2}, {49, 36, 1, 1}, {3, 5, 41, 30}, {13, 0, 13, 13}};
    static unsigned char values[MOST_BYTES], got[2 * MOST_BYTES], again[2 * MOST_BYTES];
    context = support_need_context(state);
    for (int i = 0; i < COUNT(kinds) * COUNT(parts); i++) {
        const struct kind *kind = &kinds[i / COUNT(parts)];
        const struct qp_rect *part = &parts[i % COUNT(parts)];
        if (!has(kind))
            continue;
        struct qp_array_desc desc = grid(QP_OUTSIDE_ZERO);
        desc.type = kind->type;
        desc.channels = kind->channels;
        fill_kind(kind, values, i);
        const struct pair pair = make_pair(desc, values);
        expect_same(&pair, "values of qp_array_create");
        const size_t gap =
            i % 3 == 0 ? 0 : (size_t)part->width * kind->cell_bytes + (i % 3 == 1 ? 32 : 3);
        fill_kind(kind, values, i + 1);
        memset(got, 0xa5, sizeof got);
        memset(again, 0xa5, sizeof again);
        assert_ok(qp_array_write(pair.whole, part, values, gap));
        assert_ok(qp_array_write(pair.tiled, part, values, gap));
        expect_same(&pair, "a part that was written");
        assert_ok(qp_array_read(pair.whole, part, got, gap));
        assert_ok(qp_array_read(pair.tiled, part, again, gap));
        assert_memory_equal(got, again, sizeof got);
        assert_ok(qp_array_fill(pair.whole, part, 7.0));
        assert_ok(qp_array_fill(pair.tiled, part, 7.0));
        expect_same(&pair, "a part that was filled");
        destroy_pair((struct pair *)&pair);
    }
}

static void new_arrays_are_zero(void **state)
{
    float got[CELLS];
    context = support_need_context(state);
    for (int i = 0; i < 2; i++) { /* the second time from the shelf */
        const struct qp_array_desc desc = grid(QP_OUTSIDE_WRAP);
        struct qp_array *array = make(&desc, NULL, LIMIT);
        assert_int_equal(qp_array_describe(array).width, WIDTH);
        assert_int_equal(qp_array_describe(array).outside, QP_OUTSIDE_WRAP);
        assert_ok(qp_array_read(array, NULL, got, 0));
        for (int k = 0; k < CELLS; k++)
            assert_true(got[k] == 0.0f);
        assert_ok(qp_array_fill(array, NULL, 3.0));
        qp_array_destroy(&array);
    }
}

/* ---- Gathers ---- */

/* Reads the four corners of its reach, and something in between, so that no two cells count alike. */
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
                 "    return sum + here.x + 0.01 * here.y + size.x + x_size.y;\n"
                 "}\n",
                 type, type, type, reach, reach, reach, reach);
    else
        snprintf(body, sizeof body,
                 "%s kernel(vec2 here) {\n"
                 "    return x_at(-%d, -%d) + 3.0 * x_at(%d, -%d) + 5.0 * x_at(-%d, %d) +\n"
                 "           7.0 * x_at(%d, %d) + here.x + 0.01 * here.y;\n"
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
    static float values[4 * CELLS];
    struct qp_array_desc desc = grid(outside);
    char what[96];
    desc.type = type;
    desc.channels = channels;
    fill(values, channels * CELLS, reach);
    const struct pair x = make_pair(desc, values), out = make_pair(desc, NULL);
    struct qp_kernel *made = gather_kernel(reach, variable, channels);
    const struct qp_pass pass = {.kernel = made, .input = {{"x", NULL}}};
    run(pass, &x, 1, &out, 1);
    snprintf(what, sizeof what, "outside %d, reach %d, variable %d, type %d, %d channels",
             (int)outside, reach, variable, (int)type, channels);
    expect_same(&out, what);
    qp_kernel_destroy(&made);
    destroy_pair((struct pair *)&x);
    destroy_pair((struct pair *)&out);
}

static void gathers_of_every_reach_and_outside(void **state)
{
    context = support_need_context(state);
    for (int i = 0; i < 4 * 4 * 2; i++)
        gather((enum qp_outside)(i % 4), i / 8, i / 4 % 2, QP_ARRAY_FLOAT, 1);
}

static void gathers_of_halves_and_four_channels(void **state)
{
    context = support_need_context(state);
    for (int i = 0; i < 4; i++) {
        gather((enum qp_outside)i, 2, false, QP_ARRAY_HALF, 1);
        gather((enum qp_outside)i, 2, true, QP_ARRAY_FLOAT, 4);
    }
}

/* A reach longer than a tile, and where it wraps longer than the array. */
static void reach_beyond_the_next_tile(void **state)
{
    static const struct {
        int width, height, reach;
    } cases[] = {{40, 3, 21}, {17, 17, 16}, {17, 5, 40}, {3, 33, 9}};
    static float values[CELLS];
    context = support_need_context(state);
    fill(values, CELLS, 5);
    for (int i = 0; i < 4 * COUNT(cases); i++) {
        struct qp_array_desc desc = grid((enum qp_outside)(i % 4));
        desc.width = cases[i / 4].width;
        desc.height = cases[i / 4].height;
        const struct pair x = make_pair(desc, values), out = make_pair(desc, NULL);
        struct qp_kernel *made = gather_kernel(cases[i / 4].reach, false, 1);
        run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
        expect_same(&out, "long reach");
        qp_kernel_destroy(&made);
        destroy_pair((struct pair *)&x);
        destroy_pair((struct pair *)&out);
    }
}

/* Integers and doubles have another form. */
static void integers_and_doubles(void **state)
{
    static const char *const bodies[] = {
        [QP_ARRAY_INT] = "int kernel(vec2 here) { return 3 * x_at(-2, 1) ^ x_at(1, -1); }",
        [QP_ARRAY_UINT] = "uvec2 kernel(vec2 here) { return 3u * x_at(-2, 1) + ~x_at(1, -1); }",
        [QP_ARRAY_DOUBLE] =
            "double kernel(vec2 here) { return x_at(-2, 1) / 3.0lf + x_at(1, -1); }"};
    static unsigned char values[MOST_BYTES];
    context = support_need_context(state);
    for (int i = 0; i < 4 * COUNT(kinds); i++) {
        const struct kind *kind = &kinds[i / 4];
        if (kind->type < QP_ARRAY_INT || (kind->type == QP_ARRAY_DOUBLE && kind->channels > 1) ||
            !has(kind))
            continue;
        struct qp_array_desc desc = grid((enum qp_outside)(i % 4));
        desc.type = kind->type;
        desc.channels = kind->channels;
        desc.value = 5.0;
        fill_kind(kind, values, i);
        const struct pair x = make_pair(desc, values), out = make_pair(desc, NULL);
        struct qp_kernel *made =
            kernel((struct qp_kernel_desc){.body = bodies[kind->type],
                                           .input = {{"x", kind->type, kind->channels, 2}},
                                           .output_type = kind->type,
                                           .output_channels = kind->channels});
        run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
        expect_same(&out, "integers or doubles");
        qp_kernel_destroy(&made);
        destroy_pair((struct pair *)&x);
        destroy_pair((struct pair *)&out);
    }
}

/* ---- Passes ---- */

/* Three inputs with reaches, outsides and sizes of their own, numbers, and two outputs of a region. */
static void several_inputs_and_outputs(void **state)
{
    static const struct qp_rect regions[] = {{0}, {5, 7, 30, 21}, {13, 13, 13, 13}, {49, 36, 1, 1}};
    static float values[3][CELLS];
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
        fill(values[i], CELLS, i);
    struct qp_array_desc other = grid(QP_OUTSIDE_CLAMP);
    other.width = 31;
    other.height = 45;
    struct pair input[3] = {make_pair(grid(QP_OUTSIDE_WRAP), values[0]),
                            make_pair(grid(QP_OUTSIDE_VALUE), values[1]),
                            make_pair(other, values[2])},
                output[2] = {make_pair(grid(QP_OUTSIDE_ZERO), values[1]),
                             make_pair(grid(QP_OUTSIDE_ZERO), values[0])};
    const double list[2] = {0.5, 0.125};
    for (int i = 0; i < COUNT(regions); i++) {
        run((struct qp_pass){.kernel = made,
                             .input = {{"x", NULL}, {"y", NULL}, {"z", NULL}},
                             .number = {{"a", {1.5 + i}}, {"b", {9, 0.75}}, {"list", .list = list}},
                             .region = regions[i]},
            input, 3, output, 2);
        expect_same(&output[0], "output 0");
        expect_same(&output[1], "output 1");
    }
    qp_kernel_destroy(&made);
    for (int i = 0; i < 3; i++)
        destroy_pair(&input[i]);
    for (int i = 0; i < 2; i++)
        destroy_pair(&output[i]);
}

/* What is there takes part: by blending, and in place, where a region's cells read others. */
static void blends_and_passes_in_place(void **state)
{
    static const struct qp_rect half = {0, 0, WIDTH, 20};
    static float values[CELLS];
    context = support_need_context(state);
    const unsigned abilities = qp_context_device(context)->abilities;
    fill(values, CELLS, 3);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return 0.5 * x_at(0, 0) + here.x; }",
        .input = {{.name = "x"}}});
    const struct pair x = make_pair(grid(QP_OUTSIDE_ZERO), values),
                      out = make_pair(grid(QP_OUTSIDE_ZERO), values);
    if (abilities & QP_CAN_FLOAT_BLEND) {
        run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}, .blend = QP_BLEND_ADD}, &x, 1,
            &out, 1);
        expect_same(&out, "blended");
    }
    if (abilities & QP_CAN_TEXTURE_BARRIER) {
        struct qp_kernel *far = kernel((struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return x_at(0, 20) + x_at(0, 0); }",
            .input = {{.name = "x", .reach = 20}}});
        run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}, .in_place = true}, &out, 1,
            &out, 1);
        expect_same(&out, "in place");
        run(
            (struct qp_pass){
                .kernel = far, .input = {{"x", NULL}}, .region = half, .in_place = true},
            &out, 1, &out, 1);
        expect_same(&out, "in place, of other cells");
        qp_kernel_destroy(&far);
    }
    qp_kernel_destroy(&made);
    destroy_pair((struct pair *)&x);
    destroy_pair((struct pair *)&out);
}

/* A small array that is whole may be read at any cell; and a whole output reads tiles. */
static void whole_arrays_beside_tiles(void **state)
{
    static const float factor = 0.3f;
    static float values[CELLS];
    context = support_need_context(state);
    fill(values, CELLS, 1);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return a_cell(vec2(0.0)) * x_at(1, -1); }",
        .input = {{.name = "x", .reach = 1}, {.name = "a"}}});
    const struct qp_array_desc one = {.width = 1, .height = 1}, small = {.width = 9, .height = 60};
    struct qp_array *a = make(&one, &factor, 16384);
    const struct pair x = make_pair(grid(QP_OUTSIDE_WRAP), values),
                      out = make_pair(grid(QP_OUTSIDE_ZERO), NULL);
    const struct pair to_whole = {make(&small, NULL, 16384), make(&small, NULL, 16384)};
    run((struct qp_pass){.kernel = made, .input = {{"x", NULL}, {"a", a}}}, &x, 1, &out, 1);
    expect_same(&out, "with a whole input");
    run((struct qp_pass){.kernel = made, .input = {{"x", NULL}, {"a", a}}}, &x, 1, &to_whole, 1);
    expect_same(&to_whole, "to a whole output");
    qp_kernel_destroy(&made);
    qp_array_destroy(&a);
    destroy_pair((struct pair *)&x);
    destroy_pair((struct pair *)&out);
    destroy_pair((struct pair *)&to_whole);
}

/* Twenty steps there and back, of which the second half has another number. */
static void lists_there_and_back(void **state)
{
    static float values[CELLS];
    context = support_need_context(state);
    fill(values, CELLS, 2);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) {\n"
                "    return x_at(0, 0) + rate * (x_at(1, 0) + x_at(-1, 0) + x_at(0, 1) +\n"
                "                                x_at(0, -1) - 4.0 * x_at(0, 0));\n"
                "}\n",
        .input = {{.name = "x", .reach = 1}},
        .number = {{"rate"}}});
    const struct pair x = make_pair(grid(QP_OUTSIDE_WRAP), values),
                      y = make_pair(grid(QP_OUTSIDE_WRAP), NULL);
    for (int turn = 0; turn < 2; turn++) {
        struct qp_array *one = turn ? x.tiled : x.whole, *other = turn ? y.tiled : y.whole;
        const struct qp_pass passes[2] = {
            {.kernel = made, .input = {{"x", one}}, .number = {{"rate", {0.2}}}, .output = {other}},
            {.kernel = made,
             .input = {{"x", other}},
             .number = {{"rate", {0.2}}},
             .output = {one}}};
        struct qp_list *list;
        assert_ok(qp_list_create(passes, 2, &list));
        assert_ok(qp_list_run(list, 5));
        assert_ok(qp_list_set(list, 1, &(struct qp_pass_number){.name = "rate", .value = {0.1}}));
        assert_ok(qp_list_run(list, 5));
        qp_list_destroy(&list);
    }
    expect_same(&x, "after twenty steps");
    expect_same(&y, "after nineteen");
    qp_kernel_destroy(&made);
    destroy_pair((struct pair *)&x);
    destroy_pair((struct pair *)&y);
}

/* ---- The device's own limit ---- */

static float step(const float *values, int width, int x, int y)
{
    const int left = (x + width - 1) % width, right = (x + 1) % width;
    return values[y * width + left] + 2.0f * values[y * width + right] + (float)(x % 1000);
}

static void above_the_limit_of_the_device(void **state)
{
    enum { MORE = 5, ROWS = 3 };
    context = support_need_context(state);
    const int width = qp_context_device(context)->rectangle_limit + MORE;
    const struct qp_array_desc desc = {.width = width, .height = ROWS, .outside = QP_OUTSIDE_WRAP};
    float *values = malloc(sizeof *values * (size_t)width * ROWS),
          *got = malloc(sizeof *got * (size_t)width * ROWS);
    struct qp_array *x, *y;
    assert_true(values != NULL && got != NULL);
    fill(values, width * ROWS, 4);
    assert_ok(qp_array_create(context, &desc, values, &x));
    assert_ok(qp_array_create(context, &desc, NULL, &y));
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) {\n"
                "    return x_at(-1, 0) + 2.0 * x_at(1, 0) + mod(here.x, 1000.0);\n"
                "}\n",
        .input = {{.name = "x", .reach = 1}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made, .input = {{"x", x}}, .output = {y}}));
    assert_ok(qp_array_read(y, NULL, got, 0));
    for (int i = 0; i < width * ROWS; i++) {
        if (got[i] != step(values, width, i % width, i / width))
            fail_msg("cell (%d, %d) is %g", i % width, i / width, (double)got[i]);
    }
    free(values);
    free(got);
    qp_kernel_destroy(&made);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(parts_of_every_type),
        clean_test(new_arrays_are_zero),
        clean_test(gathers_of_every_reach_and_outside),
        clean_test(gathers_of_halves_and_four_channels),
        clean_test(reach_beyond_the_next_tile),
        clean_test(integers_and_doubles),
        clean_test(several_inputs_and_outputs),
        clean_test(blends_and_passes_in_place),
        clean_test(whole_arrays_beside_tiles),
        clean_test(lists_there_and_back),
        clean_test(above_the_limit_of_the_device),
    };
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
