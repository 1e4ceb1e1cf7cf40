/* SPDX-License-Identifier: MIT */
/* Arrays above the limit of a texture: what does not take them says so in a sentence. */
#include "support/tiles.h"
#include "support/toolkit.h"

#include <math.h>
#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/gl/context/context.h"

/* ---- Functions that refuse tiles ---- */

#define REFUSED(call, what)                                                          \
    do {                                                                             \
        assert_int_equal((call), QP_UNSUPPORTED);                                    \
        support_assert_sentence("'" what "' has 50 x 37 cells, above this device's " \
                                "rectangle_limit of");                               \
    } while (0)

CLEAN_TEST(functions_that_refuse)
{
    static const struct qp_rect part = {0, 0, 3, 3};
    const struct qp_array_desc small = {.width = 3, .height = 3};
    size_t count;
    struct qp_array *none;
    struct qp_download *download;
    context = support_need_context(state);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    struct qp_array *own = tiles_make(context, &small, NULL, TILES_LIMIT), *tiled = x.tiled;
    REFUSED(qp_array_view(tiled, &part, &none), "array");
    REFUSED(qp_array_ask(tiled, &part, &download), "array");
    REFUSED(qp_scan(tiled, QP_SCAN_INCLUSIVE, x.whole), "x");
    REFUSED(qp_scan(x.whole, QP_SCAN_INCLUSIVE, tiled), "out");
    REFUSED(qp_gather(tiled, x.whole, x.whole), "x");
    REFUSED(qp_gather(own, tiled, x.whole), "index");
    REFUSED(qp_gather(own, x.whole, tiled), "out");
    REFUSED(qp_compact(tiled, x.whole, own, &count), "x");
    REFUSED(qp_compact(x.whole, tiled, own, &count), "mask");
    REFUSED(qp_compact(x.whole, own, tiled, &count), "out");
    assert_int_equal(qp_array_texture(tiled).name, 0);
    support_assert_sentence("is kept in tiles, which this function does not take");
    qp_array_destroy(&own);
    tiles_destroy_pair(&x);
}

/* A kernel that reads by anything but x_at, or too far. */
CLEAN_TEST(kernels_that_are_refused)
{
    static const struct {
        const char *body, *fragment, *words;
        int reach;
    } cases[] = {
        {"float kernel(vec2 here) { return x_cell(here); }", NULL, "in tiles, which x_cell does",
         0},
        {"float kernel(vec2 here) { return x_at(0, 0) + gl_FragCoord.x; }", NULL,
         "in tiles, which gl_FragCoord does", 0},
        {"float kernel(vec2 here) { return dFdx(x_at(0, 0)); }", NULL, "in tiles, which dFdx does",
         0},
        {"float kernel(vec2 here) { return x_at(0, 0); }", NULL, "is above 5461, a third of", 6000},
        {NULL,
         "#version 120\n#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect x;\n"
         "void main() { gl_FragColor = texture2DRect(x, gl_FragCoord.xy); }",
         "in tiles, which a whole shader does", 0}};
    context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL),
                            out = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_kernel *made =
            kernel((struct qp_kernel_desc){.name = "k",
                                           .body = cases[i].body,
                                           .fragment = {.text = cases[i].fragment},
                                           .input = {{.name = "x", .reach = cases[i].reach}}});
        const struct qp_pass pass = {
            .kernel = made, .input = {{"x", x.tiled}}, .output = {out.tiled}};
        context->device.rectangle_limit = 16384;
        assert_int_equal(qp_pass_run(&pass), QP_UNSUPPORTED);
        context->device.rectangle_limit = limit;
        assert_int_equal(strncmp(qp_error(), "k: ", 3), 0);
        assert_null(strstr(qp_error(), "k: k: "));
        support_assert_sentence(cases[i].words);
        qp_kernel_destroy(&made);
    }
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
}

/* How far a loop looks is read off its text; offsets that only the pass knows are refused. */
CLEAN_TEST(reaches_that_nobody_said)
{
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 5);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), values),
                            out = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { float s = 0.0; for (int j = -2; j < 3; j++) "
                "for (int i = 0; i <= 1; i++) s += float(2 + i) * x_at(2 * i, j - i); return s; }",
        .input = {{.name = "x"}}});
    tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
    tiles_expect_same(&out, "a loop");
    qp_kernel_destroy(&made);
    made = kernel((struct qp_kernel_desc){
        .name = "heat",
        .body = "float kernel(vec2 here)\n{\n    return x_at(0, 0) + x_at(i, 1);\n}",
        .input = {{.name = "x"}},
        .number = {{"i"}}});
    struct qp_pass pass = {
        .kernel = made, .input = {{"x", x.whole}}, .number = {{"i", {2}}}, .output = {out.whole}};
    assert_ok(qp_pass_run(&pass));
    pass.input[0].array = x.tiled;
    assert_int_equal(qp_pass_run(&pass), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "heat:3: the offset i of x_at is computed; say .reach, for "
                                    "that array is in tiles");
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
}

CLEAN_TEST(compute_shaders)
{
    static const char text[] =
        "void main() { imageStore(out0, ivec2(gl_GlobalInvocationID.xy), vec4(1.0)); }\n";
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){.compute = {.text = text}});
    REFUSED(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {x.tiled}}), "output");
    support_assert_sentence("which a compute shader does not take");
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
}

CLEAN_TEST(masks_and_depths)
{
    context = support_need_context(state);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    struct qp_kernel *made =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return here.x; }"});
    struct qp_mask *mask;
    struct qp_depth *depth;
    assert_ok(qp_mask_create(context, TILES_WIDTH, TILES_HEIGHT, &mask));
    assert_ok(qp_depth_create(context, TILES_WIDTH, TILES_HEIGHT, QP_DEPTH_NEAREST, &depth));
    REFUSED(qp_mask_set(mask, x.tiled), "array");
    REFUSED(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {x.tiled}, .mask = mask}),
            "output");
    support_assert_sentence("which a pass with a mask does not take");
    REFUSED(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {x.tiled}, .depth = depth}),
            "output");
    support_assert_sentence("which a pass with a depth does not take");
    qp_mask_destroy(&mask);
    qp_depth_destroy(&depth);
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
}

/* Comments may speak of what is refused, and another name for a gather is held at the reach. */
CLEAN_TEST(words_in_comments_and_other_names)
{
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 9);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "#define AT x_at\n"
                "/* x_cell is like gl_FragCoord */\n"
                "float kernel(vec2 here) { return AT(9, 0) + AT(-1, 0); } // texture2DRect\n",
        .input = {{.name = "x", .reach = 1}}});
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_WRAP), values),
                            out = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), NULL);
    tiles_run((struct qp_pass){.kernel = made, .input = {{"x", NULL}}}, &x, 1, &out, 1);
    tiles_expect_same(&out, "another name");
    qp_kernel_destroy(&made);
    tiles_destroy_pair(&x);
    tiles_destroy_pair(&out);
}

/* The map of a sum asks for sixteen cells at once, which no reach covers; that of an extreme asks
 * for one. */
CLEAN_TEST(maps)
{
    static float values[TILES_CELLS];
    context = support_need_context(state);
    tiles_fill(values, TILES_CELLS, 3);
    const struct tiles_pair x = tiles_make_pair(context, tiles_grid(QP_OUTSIDE_ZERO), values);
    const struct qp_pass_input tiled[] = {{"x", x.tiled}, {NULL, NULL}},
                               whole[] = {{"x", x.whole}, {NULL, NULL}};
    struct qp_reduction_desc desc = {.what = QP_REDUCE_SUM,
                                     .of = {.width = TILES_WIDTH, .height = TILES_HEIGHT},
                                     .map = "float map(vec2 here) { return -x_at(0, 0); }",
                                     .input = {{.name = "x"}}};
    struct qp_reduction *reduction;
    struct qp_reduced one, other;
    assert_ok(qp_reduction_create(context, &desc, &reduction));
    REFUSED(qp_reduce(reduction, tiled, NULL, &one), "x");
    support_assert_sentence("which the map of a reduction does not take");
    assert_true(isnan(one.value));
    qp_reduction_destroy(&reduction);
    desc.what = QP_REDUCE_MAX_PLACE;
    assert_ok(qp_reduction_create(context, &desc, &reduction));
    assert_ok(qp_reduce(reduction, tiled, NULL, &one));
    assert_ok(qp_reduce(reduction, whole, NULL, &other));
    assert_true(one.value == other.value && one.x == other.x && one.y == other.y);
    qp_reduction_destroy(&reduction);
    tiles_destroy_pair(&x);
}

CLEAN_TEST(sizes_above_all)
{
    const struct qp_array_desc wide = {.width = QP_MOST_CELLS + 1, .height = 1},
                               large = {.width = QP_MOST_CELLS, .height = QP_MOST_CELLS};
    struct qp_array *array = (struct qp_array *)&array;
    context = support_need_context(state);
    assert_int_equal(qp_array_create(context, &wide, NULL, &array), QP_UNSUPPORTED);
    support_assert_sentence("arrays have at most 8388608 cells each way");
    assert_null(array);
    assert_int_equal(qp_array_create(context, &large, NULL, &array), QP_NO_MEMORY);
    support_assert_sentence("no memory for an array of 8388608 x 8388608 cells");
    assert_null(array);
}

/* Arrays that are left go with their context. */
CLEAN_TEST(a_context_takes_its_tiles_along)
{
    struct qp_context *own;
    struct qp_array *array;
    const struct qp_array_desc desc = tiles_grid(QP_OUTSIDE_ZERO);
    support_need_context(state);
    assert_ok(qp_context_create(NULL, &own));
    own->device.rectangle_limit = TILES_LIMIT;
    assert_ok(qp_array_create(own, &desc, NULL, &array));
    qp_context_destroy(&own);
    assert_int_equal(qp_array_read(array, NULL, &array, 0), QP_BAD_USE);
    support_assert_sentence("'array' is not an array that lives");
}

GROUP(support_open_context, support_close_context)
