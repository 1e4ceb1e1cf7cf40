/* SPDX-License-Identifier: MIT */
/* Bodies with place(): points that are scattered without a shader of one's own. */
/* own program: for glGetIntegerv, which it answers */
#include "support/tiles.h"
#include "support/toolkit.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include <GL/glew.h>

/* Text that reads value i of the array x. */
#define NUMBER_I                                 \
    "float row = floor((i + 0.5) / x_size.x);\n" \
    "vec2 cell = vec2(i - row * x_size.x, row);\n"

static struct qp_kernel *points(const char *body, enum qp_array_type type, int channels)
{
    return kernel((struct qp_kernel_desc){.name = "points",
                                          .body = body,
                                          .input = {{"x", type, channels}},
                                          .output_type = type,
                                          .output_channels = channels});
}

static void scatter(const struct qp_kernel *kernel, const struct qp_array *x, struct qp_array *out,
                    int count, enum qp_pass_blend blend)
{
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = kernel, .input = {{"x", x}}, .output = {out}, .points = count, .blend = blend}));
}

static void need_blending(void **state)
{
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
}

/* ---- Results ---- */

/* A histogram of values from a generator of the test's own; some are in no bin. */
CLEAN_TEST(histogram_is_that_of_c)
{
    enum { WIDTH = 400, HEIGHT = 250, VALUES = WIDTH * HEIGHT, BINS = 60 };
    static float value[VALUES], wanted[BINS];
    static const char body[] = "vec2 place(float i)\n{\n" NUMBER_I "value = 1.0;\n"
                               "return vec2(floor(64.0 * x_cell(cell)) - 2.0, 0.0);\n}\n";
    unsigned number = 1;
    need_blending(state);
    memset(wanted, 0, sizeof wanted);
    for (int i = 0; i < VALUES; i++) {
        number = number * 1664525u + 1013904223u;
        value[i] = (float)(number >> 8) * 0x1p-24f;
        const int bin = (int)floorf(64.0f * value[i]) - 2;
        if (bin >= 0 && bin < BINS)
            wanted[bin] += 1.0f;
    }
    struct qp_array *x = grid(WIDTH, HEIGHT, value), *bins = row_of(BINS, NULL);
    struct qp_kernel *counts = points(body, QP_ARRAY_FLOAT, 1);
    scatter(counts, x, bins, VALUES, QP_BLEND_ADD);
    expect_values(bins, wanted, BINS, "histogram");
    qp_kernel_destroy(&counts);
    qp_array_destroy(&x);
    qp_array_destroy(&bins);
}

/* Cells that no point meets stay as they are. */
CLEAN_TEST(blends_meet_what_is_there)
{
    static const float there[] = {1, 5, -2, 9}, value[] = {3, 4, -7, 2, 6};
    static const float wanted[][4] = {
        {2, 6, -7, 9}, {6, 15, -9, 9}, {-4, -5, 5, 9}, {1, 4, -7, 9}, {3, 6, -2, 9}};
    need_blending(state);
    struct qp_array *x = row_of(5, value);
    struct qp_kernel *thirds = points(
        "vec2 place(float i) { value = x_cell(vec2(i, 0.0)); return vec2(mod(i, 3.0), 0.0); }",
        QP_ARRAY_FLOAT, 1);
    for (int blend = QP_BLEND_REPLACE; blend <= QP_BLEND_MAX; blend++) {
        struct qp_array *out = row_of(4, there);
        scatter(thirds, x, out, 5, (enum qp_pass_blend)blend);
        expect_values(out, wanted[blend], 4, "blend");
        qp_array_destroy(&out);
    }
    qp_kernel_destroy(&thirds);
    qp_array_destroy(&x);
}

/* Places outside, far away, and that are no number; and between cells. A value that is not set is
 * 0. */
CLEAN_TEST(places_are_cells)
{
    static const float zero[] = {0}, sevens[] = {7, 7, 7, 7, 7, 7}, wanted[] = {0, 7, 9, 10, 7, 7};
    static const char body[] = "vec2 place(float i)\n{\n"
                               "    float none = x_cell(vec2(0.0));\n"
                               "    if (i == 0.0) return vec2(0.0, 0.0);\n"
                               "    value = i;\n"
                               "    if (i == 1.0) return vec2(-1.0, 0.0);\n"
                               "    if (i == 2.0) return vec2(3.0, 0.0);\n"
                               "    if (i == 3.0) return vec2(1.0, 2.0);\n"
                               "    if (i == 4.0) return vec2(none / none, 1.0);\n"
                               "    if (i == 5.0) return vec2(1.0, 1.0 / none);\n"
                               "    if (i == 6.0) return vec2(-1.0e30, 3.0e38);\n"
                               "    if (i == 7.0) return vec2(-0.6, 1.0);\n"
                               "    if (i == 8.0) return vec2(1.0, 1.6);\n"
                               "    return i == 9.0 ? vec2(2.4, -0.4) : vec2(-0.4, 0.7);\n}\n";
    context = support_need_context(state);
    struct qp_array *x = row_of(1, zero), *out = grid(3, 2, sevens);
    struct qp_kernel *all = points(body, QP_ARRAY_FLOAT, 1);
    scatter(all, x, out, 11, QP_BLEND_REPLACE);

    expect_values(out, wanted, 6, "places");
    qp_kernel_destroy(&all);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* ---- Values ---- */

static const struct {
    const char *type;
    enum qp_array_type of;
    int channels;
} kinds[] = {
    {"float", QP_ARRAY_FLOAT, 1}, {"vec2", QP_ARRAY_FLOAT, 2},    {"vec4", QP_ARRAY_FLOAT, 4},
    {"int", QP_ARRAY_INT, 1},     {"ivec4", QP_ARRAY_INT, 4},     {"uint", QP_ARRAY_UINT, 1},
    {"uvec2", QP_ARRAY_UINT, 2},  {"double", QP_ARRAY_DOUBLE, 1}, {"dvec2", QP_ARRAY_DOUBLE, 2}};

/* Values of every type arrive with all their bits: each goes into the cell opposite its own. */
CLEAN_TEST(values_keep_their_bits)
{
    enum { CELLS = 8, BYTES = CELLS * 16 };
    static const uint32_t bits[] = {0x80000000, 0x7f7fffff, 0x00800000, 0xff800000,
                                    0x3f800001, 0xbeaaaaab, 0x4b7fffff, 0x7f800000};
    context = support_need_context(state);
    for (int k = 0; k < COUNT(kinds); k++) {
        const struct qp_array_desc desc = {
            .width = CELLS, .height = 1, .type = kinds[k].of, .channels = kinds[k].channels};
        uint32_t values[BYTES / 4], got[BYTES / 4];
        char body[256];
        const int words = kinds[k].channels * (kinds[k].of == QP_ARRAY_DOUBLE ? 2 : 1);
        if (kinds[k].of == QP_ARRAY_DOUBLE &&
            !(qp_context_device(context)->abilities & QP_CAN_DOUBLE))
            continue;
        for (int i = 0; i < CELLS * words; i++)
            values[i] = bits[(i / words + 3 * (i % words)) % 8];
        snprintf(body, sizeof body,
                 "vec2 place(float i) { %s v = x_cell(vec2(i, 0.0)); value = v; "
                 "return vec2(7.0 - i, 0.0); }",
                 kinds[k].type);
        struct qp_array *x = make(desc, values), *out = make(desc, NULL);
        struct qp_kernel *turn = points(body, kinds[k].of, kinds[k].channels);
        scatter(turn, x, out, CELLS, QP_BLEND_REPLACE);
        assert_ok(qp_array_read(out, NULL, got, 0));
        for (int i = 0; i < CELLS * words; i++) {
            const int from = (7 - i / words) * words + i % words;
            if (got[i] != values[from])
                fail_msg("%s: word %d is %08x, not %08x", kinds[k].type, i, got[i], values[from]);
        }
        qp_kernel_destroy(&turn);
        qp_array_destroy(&x);
        qp_array_destroy(&out);
    }
}

/* Products and sums are those of C, in the order of the text. */
CLEAN_TEST(values_are_precise)
{
    enum { CELLS = 1000 };
    static float value[CELLS], wanted[CELLS];
    static const char body[] = "vec2 place(float i)\n{\n"
                               "    float v = x_cell(vec2(i, 0.0));\n"
                               "    value = (v * v + 0.1) - v * 0.7;\n"
                               "    return vec2(i, 0.0);\n}\n";
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_PRECISE) ||
        !qp_context_device(context)->software)
        skip();
    for (int i = 0; i < CELLS; i++) {
        value[i] = (float)i / 999.0f;
        const float square = value[i] * value[i], product = value[i] * 0.7f, sum = square + 0.1f;
        wanted[i] = sum - product;
    }
    struct qp_array *x = row_of(CELLS, value), *out = row_of(CELLS, NULL);
    struct qp_kernel *k = points(body, QP_ARRAY_FLOAT, 1);
    scatter(k, x, out, CELLS, QP_BLEND_REPLACE);
    expect_values(out, wanted, CELLS, "precise");
    qp_kernel_destroy(&k);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* Points read what is outside an array, and write a region alone, whose cells they name. */
CLEAN_TEST(outsides_and_regions)
{
    static const float value[] = {1, 2, 3, 4, 5, 6};
    static const float wanted[][6] = {
        {0, 0, 0, 0, 0, 2}, {0, 0, 0, 0, 1, 2}, {0, 0, 0, 0, 3, 2}, {0, 0, 0, 0, 9, 2}};
    static const char body[] =
        "vec2 place(float i) { value = x_cell(vec2(i - 1.0, 0.0)) + x_cell(vec2(1.0)) - 5.0; "
        "return vec2(i, 0.0); }";
    context = support_need_context(state);
    struct qp_kernel *k = points(body, QP_ARRAY_FLOAT, 1);
    for (int outside = QP_OUTSIDE_ZERO; outside <= QP_OUTSIDE_VALUE; outside++) {
        struct qp_array *x = make((struct qp_array_desc){.width = 3,
                                                         .height = 2,
                                                         .outside = (enum qp_outside)outside,
                                                         .value = 9.0},
                                  value),
                        *out = grid(3, 2, (const float[6]){0});
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = k,
                                                .input = {{"x", x}},
                                                .output = {out},
                                                .region = {1, 1, 2, 1},
                                                .points = 3}));
        float row[6];
        memcpy(row, wanted[outside], sizeof row);
        row[5] = 1;
        expect_values(out, row, 6, "outside");
        qp_array_destroy(&x);
        qp_array_destroy(&out);
    }
    qp_kernel_destroy(&k);
}

/* ---- Errors ---- */

/* OpenGL's own, but for what vertex shaders read. */
static int vertex_textures = -1;

void glGetIntegerv(GLenum name, GLint *value)
{
    void (*real)(GLenum, GLint *);
    *(void **)&real = dlsym(RTLD_NEXT, "glGetIntegerv");
    real(name, value);
    if (vertex_textures >= 0 && name == GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS)
        *value = vertex_textures;
}

#define GOOD "vec2 place(float i) { value = x_cell(vec2(i)); return vec2(i); }"

CLEAN_TEST(wrong_bodies)
{
    static const struct {
        struct qp_kernel_desc desc;
        enum qp_status status;
        const char *words;
    } cases[] = {
        {{.body = "vec2 place(float i) { value = x_at(0.0, 0.0); return vec2(i); }",
          .input = {{"x"}}},
         QP_BAD_USE,
         "points: a point has no cell of its own, so place() reads x_cell(vec2), not x_at"},
        {{.body = "vec2 place(float i) { return vec2(i); }"},
         QP_BAD_USE,
         "points: its place() never sets `value`, which is put into the cell"},
        {{.body = GOOD, .input = {{"x"}}, .outputs = 2},
         QP_BAD_USE,
         "points: points write one output, not 2"},
        {{.body = GOOD, .input = {{"x"}, {"place"}}},
         QP_BAD_INPUT,
         "is the name of an input or a number a word of GLSL?"},
        {{.body = GOOD, .input = {{"x"}}, .number = {{"value"}}},
         QP_BAD_INPUT,
         "is the name of an input or a number a word of GLSL?"},
        {{.body = "varying float v;\n" GOOD, .input = {{"x"}}}, QP_BAD_USE, "varyings"},
        {{.body = "vec2 place(int i) { value = 1.0; return vec2(i); }"},
         QP_BAD_INPUT,
         "a body of points has a function `vec2 place(float i)`"},
        {{.body = "float place(float i) { value = 1.0; return i; }"},
         QP_BAD_INPUT,
         "a body of points has a function `vec2 place(float i)`"},
        {{.body = "vec2 place(float i)\n{\n    value = y_cell(vec2(i));\n    return vec2(i);\n}\n",
          .input = {{"x"}}},
         QP_BAD_INPUT,
         "points:3: "},
        {{.body = "vec2 place(float i) { value = rat; return vec2(i); }", .number = {{"rate"}}},
         QP_BAD_INPUT,
         "did you mean 'rate'?"}};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_kernel_desc desc = cases[i].desc;
        struct qp_kernel *k;
        desc.name = "points";
        assert_int_equal(qp_kernel_create(context, &desc, &k), cases[i].status);
        support_assert_sentence(cases[i].words);
        assert_null(k);
    }
}

CLEAN_TEST(devices_without_vertex_textures)
{
    static const char none[] = "vec2 place(float i) { value = x_size.x; return vec2(i); }";
    struct qp_kernel *k;
    context = support_need_context(state);
    const struct qp_kernel_desc desc = {.name = "points", .body = GOOD, .input = {{"x"}}};
    vertex_textures = 0;
    const enum qp_status status = qp_kernel_create(context, &desc, &k);
    vertex_textures = 1;
    struct qp_kernel *one = points(GOOD, QP_ARRAY_FLOAT, 1);
    vertex_textures = 0;
    struct qp_kernel *without = points(none, QP_ARRAY_FLOAT, 1);
    vertex_textures = -1;
    assert_int_equal(status, QP_UNSUPPORTED);
    assert_null(k);
    qp_kernel_destroy(&one);
    qp_kernel_destroy(&without);
    vertex_textures = 0;
    assert_int_equal(qp_kernel_create(context, &desc, &k), QP_UNSUPPORTED);
    vertex_textures = -1;
    support_assert_sentence("points: its place() reads 1 array, and vertex shaders of this device "
                            "read 0");
}

CLEAN_TEST(wrong_passes)
{
    context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 40, .height = 1};
    struct qp_array *x = row_of(3, NULL), *out = row_of(3, NULL), *whole,
                    *tiled = tiles_make(context, &desc, NULL, TILES_LIMIT);
    whole = make((struct qp_array_desc){.width = 3, .height = 1, .type = QP_ARRAY_INT}, NULL);
    struct qp_kernel *k = points(GOOD, QP_ARRAY_FLOAT, 1),
                     *ints = kernel((struct qp_kernel_desc){
                         .name = "ints",
                         .body = "vec2 place(float i) { value = int(i); return vec2(i); }",
                         .output_type = QP_ARRAY_INT});
    const struct {
        struct qp_pass pass;
        enum qp_status status;
        const char *words;
    } cases[] = {{{.kernel = k, .input = {{"x", x}}, .output = {out}},
                  QP_BAD_USE,
                  "points: place() puts points into cells; say how many, .points"},
                 {{.kernel = ints, .output = {whole}, .points = 3, .blend = QP_BLEND_ADD},
                  QP_BAD_USE,
                  "ints: integers and doubles are not blended"},
                 {{.kernel = k, .input = {{"x", x}}, .output = {tiled}, .points = 3},
                  QP_UNSUPPORTED,
                  "is kept in tiles, which a body with place() does not take"},
                 {{.kernel = k, .input = {{"x", tiled}}, .output = {out}, .points = 3},
                  QP_UNSUPPORTED,
                  "is kept in tiles, which a body with place() does not take"}};
    for (int i = 0; i < COUNT(cases); i++) {
        assert_int_equal(qp_pass_run(&cases[i].pass), cases[i].status);
        support_assert_sentence(cases[i].words);
    }
    qp_kernel_destroy(&k);
    qp_kernel_destroy(&ints);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    qp_array_destroy(&whole);
    qp_array_destroy(&tiled);
}

/* A body with kernel() may call a function of its own `place`. */
CLEAN_TEST(kernels_may_have_a_place)
{
    static const char body[] = "vec2 place(float i) { float value = i; return vec2(value); }\n"
                               "float kernel(vec2 here) { return x_cell(place(here.x)) + 1.0; }\n";
    context = support_need_context(state);
    struct qp_array *x = row_of(2, (const float[]){4, 5}), *out = row_of(2, NULL);
    struct qp_kernel *k = points(body, QP_ARRAY_FLOAT, 1);
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = k, .input = {{"x", x}}, .output = {out}}));
    expect_values(out, (const float[]){5, 1}, 2, "kernel");
    qp_kernel_destroy(&k);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
