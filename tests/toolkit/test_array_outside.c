/* SPDX-License-Identifier: MIT */
/* Values that shaders find outside an array where they read it with floating coordinates. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/arrays/array.h"
#include "toolkit/gl/program.h"

enum { WIDTH = 3, HEIGHT = 2, AROUND = 2, ACROSS = WIDTH + 2 * AROUND, UP = HEIGHT + 2 * AROUND };

/* A shader that copies `x`, moved by AROUND cells, of samplers and outputs with this letter in
 * front. */
static void write_shader(char letter, char text[512])
{
    static const char old[] =
        "#version 120\n#extension GL_ARB_texture_rectangle : enable\n"
        "uniform sampler2DRect x;\nvoid main() {\n"
        "    gl_FragColor = texture2DRect(x, gl_FragCoord.xy - vec2(2.0));\n}\n";
    static const char new[] = "#version 140\nuniform %csampler2DRect x;\nout %cvec4 cell;\n"
                              "void main() {\n"
                              "    cell = texture(x, gl_FragCoord.xy - vec2(2.0));\n}\n";
    if (letter == ' ')
        snprintf(text, 512, "%s", old);
    else
        snprintf(text, 512, new, letter, letter);
}

/* Draws a copy of an array, and of what is around it, into another one of its kind. */
static void draw_around(struct qp_context *context, const struct qp_array *array, double *got)
{
    static const char letters[] = {' ', ' ', 'i', 'u', 'u'};
    struct qp_array_desc desc = qp_array_describe(array);
    struct qp_array *target;
    struct qp_gl_pass pass = {.width = ACROSS,
                              .height = UP,
                              .geometry = qp_quad(0.0f, 0.0f, ACROSS, UP),
                              .texture = {&array->storage->texture},
                              .textures = 1};
    char text[512];
    write_shader(letters[desc.type], text);
    const struct qp_program_source source = {.fragment = {.name = "around", .text = text},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    desc.width = ACROSS;
    desc.height = UP;
    assert_ok(qp_array_create(context, &desc, NULL, &target));
    assert_ok(qp_array_surface(target, &pass.surface));
    assert_ok(qp_program_make(context, &source, NULL, NULL, &pass.program));
    qp_pass_draw(context, &pass);
    assert_ok(qp_array_read(target, NULL, got, 0));
    qp_array_destroy(&target);
}

static double value_at(enum qp_array_type type, const void *values, int i)
{
    if (type == QP_ARRAY_DOUBLE)
        return ((const double *)values)[i];
    if (type == QP_ARRAY_INT)
        return ((const int32_t *)values)[i];
    if (type == QP_ARRAY_UINT)
        return ((const uint32_t *)values)[i];
    return ((const float *)values)[i];
}

static int nearest(int x, int count)
{
    return x < 0 ? 0 : x < count ? x : count - 1;
}

/* Each cell holds its number from 10 on, so that none is a value from outside. */
static void check_kind(struct qp_context *context, struct qp_array_desc desc)
{
    double values[WIDTH * HEIGHT * 4], got[ACROSS * UP * 4];
    const double outside = desc.outside == QP_OUTSIDE_VALUE ? desc.value : 0.0;
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, NULL, &array));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_ok(qp_array_fill(array, &(struct qp_rect){x, y, 1, 1}, 10 + y * WIDTH + x));
    assert_ok(qp_array_read(array, NULL, values, 0));
    draw_around(context, array, got);
    for (int i = 0; i < ACROSS * UP * desc.channels; i++) {
        const int x = i / desc.channels % ACROSS - AROUND, y = i / desc.channels / ACROSS - AROUND,
                  near_x = nearest(x, WIDTH), near_y = nearest(y, HEIGHT);
        const bool inside = x == near_x && y == near_y;
        const double wanted =
            inside || desc.outside == QP_OUTSIDE_CLAMP ? 10 + near_y * WIDTH + near_x : outside;
        assert_true(value_at(desc.type, got, i) == wanted);
    }
    qp_array_destroy(&array);
}

/* Arrays one after the other with equal formats, so that a texture is used again for an array with
 * another outside. */
CLEAN_TEST(shaders_find_what_is_outside)
{
    struct qp_context *context = support_need_context(state);
    static const double outsides[] = {-2.5, -2.5, -7.0, 4294967290.0, 0.1};
    int made = 0;
    for (int i = 0; i < 5 * 3 * 3; i++) {
        struct qp_array_desc desc = {.width = WIDTH,
                                     .height = HEIGHT,
                                     .type = (enum qp_array_type)(i / 9),
                                     .channels = 1 << i / 3 % 3,
                                     .value = outsides[i / 9]};
        static const enum qp_outside ways[] = {QP_OUTSIDE_ZERO, QP_OUTSIDE_CLAMP, QP_OUTSIDE_VALUE};
        desc.outside = ways[i % 3];
        if (qp_array_format(desc.type, desc.channels) == QP_FORMATS ||
            qp_array_check_device(context, desc.type, desc.channels) != QP_OK)
            continue;
        check_kind(context, desc);
        made++;
    }
    assert_true(made >= 9);
}

GROUP(support_open_context, support_close_context)
