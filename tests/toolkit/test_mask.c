/* SPDX-License-Identifier: MIT */
/* Masks against plain C: cells that are on are computed, the others stay as they are. */
#include "support/toolkit.h"

#include <math.h>

enum { MOST = 65 * 33 };

static struct qp_mask *mask_of(const struct qp_array *array)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    struct qp_mask *mask;
    assert_ok(qp_mask_create(context, desc.width, desc.height, &mask));
    assert_ok(qp_mask_set(mask, array));
    return mask;
}

/* Cells that are on in no order, the first one among them; 9 of 25. */
static bool is_on(int i)
{
    return i * 7919 % 25 < 9;
}

/* An array that is not 0 where cells are on: by NaN, by numbers on both sides of 0. What is off is
 * 0, also -0. `around` more cells each way are in its texture, and not 0. */
static struct qp_array *mask_array(enum qp_array_type type, int width, int height, int around)
{
    static float floats[MOST];
    static int32_t integers[MOST];
    const struct qp_array_desc desc = {
        .width = width + around, .height = height + around, .type = type};
    struct qp_array *whole = make(desc, NULL), *view;
    const bool is_float = type <= QP_ARRAY_HALF;
    for (int i = 0; i < width * height; i++) {
        const float on[] = {1.0f, -2.5f, NAN, 1e-4f, INFINITY};
        floats[i] = is_on(i) ? on[i % 5] : i % 2 == 0 ? 0.0f : -0.0f;
        integers[i] = is_on(i) ? (i % 2 == 0 ? INT32_MIN : 1) : 0;
    }
    assert_ok(qp_array_fill(whole, NULL, 3.0));
    assert_ok(qp_array_view(whole, &(struct qp_rect){around, around, width, height}, &view));
    assert_ok(qp_array_write(view, NULL, is_float ? (void *)floats : (void *)integers, 0));
    qp_array_destroy(&whole);
    return view;
}

/* ---- Results of a masked step ---- */

static const char body[] = "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + 1.0; }";
static const float before = -7.0f;

/* Ways in which a masked step could be wrong, and the right one. */
enum way { RIGHT, MASK_IGNORED, MASK_INVERTED, REGION_IGNORED, NOTHING_RUN, WAYS };

static float cell_by(enum way way, const struct qp_rect *region, int width, bool inverted, int i)
{
    const int x = i % width, y = i / width;
    const bool inside = x >= region->x && y >= region->y && x < region->x + region->width &&
                        y < region->y + region->height;
    const bool on = is_on(i) != (inverted != (way == MASK_INVERTED));
    const bool computed =
        way != NOTHING_RUN && (on || way == MASK_IGNORED) && (inside || way == REGION_IGNORED);
    return computed ? 2.0f * (float)(i % 100) + 1.0f : before;
}

static bool is_what_comes_of(enum way way, const float *got, const struct qp_rect *region,
                             int width, int height, bool inverted)
{
    bool same = true;
    for (int i = 0; i < width * height; i++)
        same = same && got[i] == cell_by(way, region, width, inverted, i);
    return same;
}

static void step(int width, int height, enum qp_array_type type, bool inverted, bool in_part)
{
    static float values[MOST], got[MOST];
    const struct qp_rect all = {0, 0, width, height},
                         part = {width / 4, height / 3, width - width / 2, height - height / 2};
    const struct qp_rect region = in_part ? part : all;
    for (int i = 0; i < width * height; i++)
        values[i] = (float)(i % 100);
    struct qp_array *x = grid(width, height, values), *out = grid(width, height, NULL),
                    *cells = mask_array(type, width, height, type == QP_ARRAY_HALF ? 0 : 3);
    struct qp_mask *mask = mask_of(cells);
    struct qp_kernel *steps = kernel((struct qp_kernel_desc){.body = body, .input = {{"x"}}});
    assert_ok(qp_array_fill(out, NULL, before));
    assert_ok(qp_array_fill(cells, NULL, 0.0)); /* the mask stays as it was set */
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = steps,
                                            .input = {{"x", x}},
                                            .output = {out},
                                            .region = region,
                                            .mask = mask,
                                            .mask_inverted = inverted}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(is_what_comes_of(RIGHT, got, &region, width, height, inverted));
    for (int way = RIGHT + 1; way < WAYS && width * height > 20; way++) {
        if (way != REGION_IGNORED || in_part)
            assert_false(is_what_comes_of((enum way)way, got, &region, width, height, inverted));
    }
    qp_kernel_destroy(&steps);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

CLEAN_TEST(steps_compute_what_is_on)
{
    static const int sizes[][2] = {{1, 1}, {3, 1}, {1, 7}, {7, 5}, {65, 33}};
    context = support_need_context(state);
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int type = QP_ARRAY_FLOAT; type <= QP_ARRAY_UINT; type++) {
            step(sizes[s][0], sizes[s][1], (enum qp_array_type)type, false, false);
            step(sizes[s][0], sizes[s][1], (enum qp_array_type)type, true, s % 2 == 0);
            step(sizes[s][0], sizes[s][1], (enum qp_array_type)type, false, true);
        }
    }
}

/* A mask, set by arrays of all types in turn. */
CLEAN_TEST(arrays_of_any_type_set_a_mask)
{
    enum { WIDTH = 7, HEIGHT = 5, TYPES = QP_ARRAY_UINT + 1 };
    const struct qp_rect all = {0, 0, WIDTH, HEIGHT};
    float values[WIDTH * HEIGHT], got[WIDTH * HEIGHT];
    struct qp_mask *mask;
    context = support_need_context(state);
    for (int i = 0; i < COUNT(values); i++)
        values[i] = (float)i;
    struct qp_array *x = grid(WIDTH, HEIGHT, values), *out = grid(WIDTH, HEIGHT, NULL);
    struct qp_kernel *steps = kernel((struct qp_kernel_desc){.body = body, .input = {{"x"}}});
    assert_ok(qp_mask_create(context, WIDTH, HEIGHT, &mask));
    for (int k = 0; k < 3 * TYPES; k++) {
        struct qp_array *cells = mask_array((enum qp_array_type)(k * 3 % TYPES), WIDTH, HEIGHT, 1);
        assert_ok(qp_mask_set(mask, cells));
        assert_ok(qp_array_fill(out, NULL, before));
        assert_ok(qp_pass_run(&(struct qp_pass){
            .kernel = steps, .input = {{"x", x}}, .output = {out}, .mask = mask}));
        assert_ok(qp_array_read(out, NULL, got, 0));
        assert_true(is_what_comes_of(RIGHT, got, &all, WIDTH, HEIGHT, false));
        qp_array_destroy(&cells);
    }
    qp_kernel_destroy(&steps);
    qp_mask_destroy(&mask);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* ---- Other ways to draw ---- */

/* A small mask over 4 x 2 cells, on at 1, 2 and 7. */
static const float cells_on[] = {0, 1, 1, 0, 0, 0, 0, 1};

/* All outputs keep cells that are off; and a later pass has no mask any more. */
CLEAN_TEST(several_outputs)
{
    static const float one[] = {0, 1, 2, 0, 0, 0, 0, 7}, other[] = {9, -1, -2, 9, 9, 9, 9, -7},
                       full[] = {0, 1, 2, 3, 4, 5, 6, 7};
    context = support_need_context(state);
    struct qp_array *cells = grid(4, 2, cells_on), *a = grid(4, 2, NULL), *b = grid(4, 2, NULL);
    struct qp_mask *mask = mask_of(cells);
    struct qp_kernel *both = kernel((struct qp_kernel_desc){
        .body = "void kernel(vec2 here) { out0 = here.y * 4.0 + here.x; out1 = -out0; }",
        .outputs = 2});
    struct qp_kernel *counts = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return here.y * 4.0 + here.x; }"});
    assert_ok(qp_array_fill(b, NULL, 9.0));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = both, .output = {a, b}, .mask = mask}));
    expect_values(a, one, 8, "");
    expect_values(b, other, 8, "");
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = counts, .output = {a}}));
    expect_values(a, full, 8, "");
    qp_kernel_destroy(&both);
    qp_kernel_destroy(&counts);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&a);
    qp_array_destroy(&b);
}

/* Each of 16 points adds 1 to a cell of its own number, twice round. */
CLEAN_TEST(scattered_points)
{
    static const float expected[] = {0, 2, 2, 0, 0, 0, 0, 2}, inverted[] = {2, 2, 2, 2, 2, 2, 2, 2};
    static const char vertex[] =
        "#version 120\n"
        "void main()\n"
        "{\n"
        "    vec2 cell = vec2(mod(gl_Vertex.x, 4.0), mod(floor(gl_Vertex.x / 4.0), 2.0));\n"
        "    gl_Position = gl_ModelViewProjectionMatrix * vec4(cell + 0.5, 0.0, 1.0);\n"
        "}\n";
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    struct qp_array *cells = grid(4, 2, cells_on), *out = grid(4, 2, NULL);
    struct qp_mask *mask = mask_of(cells);
    struct qp_kernel *counts = kernel((struct qp_kernel_desc){
        .fragment = {.text = "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }\n"},
        .vertex = {.text = vertex}});
    struct qp_pass pass = {
        .kernel = counts, .output = {out}, .blend = QP_BLEND_ADD, .points = 16, .mask = mask};
    assert_ok(qp_pass_run(&pass));
    expect_values(out, expected, 8, "");
    pass.mask_inverted = true;
    assert_ok(qp_pass_run(&pass));
    expect_values(out, inverted, 8, "");
    qp_kernel_destroy(&counts);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&out);
}

/* A list goes by the mask as it is when it runs. */
CLEAN_TEST(lists_and_new_masks)
{
    static const float first[] = {0, 3, 3, 0, 0, 0, 0, 3}, second[] = {4, 3, 3, 4, 4, 4, 4, 3};
    context = support_need_context(state);
    struct qp_array *cells = grid(4, 2, cells_on), *x = grid(4, 2, NULL), *y = grid(4, 2, NULL);
    struct qp_mask *mask, *kept;
    struct qp_list *list;
    struct qp_kernel *adds =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(0, 0) + a; }",
                                       .input = {{"x"}},
                                       .number = {{"a"}}});
    struct qp_kernel *flips = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return 1.0 - m_at(0, 0); }", .input = {{"m"}}});
    assert_ok(qp_mask_create(context, 4, 2, &mask));
    const struct qp_pass pass = {.kernel = adds,
                                 .input = {{"x", x}},
                                 .number = {{.name = "a", .value = {3}}},
                                 .output = {y},
                                 .mask = mask};
    assert_ok(qp_list_create(&pass, 1, &list));
    assert_ok(qp_list_run(list, 1));
    expect_values(y, (const float[8]){0}, 8, ""); /* a new mask is off */
    assert_ok(qp_mask_set(mask, cells));
    assert_ok(qp_list_run(list, 2));
    expect_values(y, first, 8, "");
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = flips, .input = {{"m", cells}}, .output = {x}}));
    assert_ok(qp_mask_set(mask, x));
    assert_ok(qp_array_fill(x, NULL, 0.0));
    assert_ok(qp_list_set(list, 0, &(struct qp_pass_number){.name = "a", .value = {4}}));
    assert_ok(qp_list_run(list, 1));
    expect_values(y, second, 8, "");
    kept = mask;
    qp_mask_destroy(&mask);
    assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
    support_assert_sentence("pass 0 of the list: 'mask' is not a mask that lives");
    assert_int_equal(qp_mask_set(kept, cells), QP_BAD_USE);
    qp_list_destroy(&list);
    qp_kernel_destroy(&adds);
    qp_kernel_destroy(&flips);
    qp_array_destroy(&cells);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
}

/* A view from the first cell on is smaller than its texture, and may be masked. */
CLEAN_TEST(views_and_passes_in_place)
{
    float got[6 * 3];
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_TEXTURE_BARRIER))
        skip();
    struct qp_array *cells = grid(4, 2, cells_on), *whole = grid(6, 3, NULL), *view;
    struct qp_mask *mask = mask_of(cells);
    struct qp_kernel *adds = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return x_at(0, 0) + 1.0; }", .input = {{"x"}}});
    assert_ok(qp_array_view(whole, &(struct qp_rect){0, 0, 4, 2}, &view));
    const struct qp_pass pass = {
        .kernel = adds, .input = {{"x", view}}, .output = {view}, .in_place = true, .mask = mask};
    for (int k = 0; k < 3; k++)
        assert_ok(qp_pass_run(&pass));
    assert_ok(qp_array_read(whole, NULL, got, 0));
    for (int i = 0; i < COUNT(got); i++)
        assert_true(got[i] == (i % 6 < 4 && i < 12 ? 3.0f * cells_on[i / 6 * 4 + i % 6] : 0.0f));
    assert_ok(qp_array_fill(whole, NULL, 8.0)); /* nothing smaller is beside it any more */
    assert_ok(qp_array_read(whole, NULL, got, 0));
    for (int i = 0; i < COUNT(got); i++)
        assert_true(got[i] == 8.0f);
    qp_kernel_destroy(&adds);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&view);
    qp_array_destroy(&whole);
}

GROUP(support_open_context, support_close_context)
