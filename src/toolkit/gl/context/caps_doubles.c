/* SPDX-License-Identifier: MIT */
/* Abilities to compute with more digits than float has, measured: numbers that differ from 1 by
 * less than a float can hold go up, through a shader, and come back. */
#include "toolkit/gl/context/caps_probes.h"

#include <string.h>

enum { WIDTH = 7, HEIGHT = 5, TEXELS = WIDTH * HEIGHT, MOST = 2 * TEXELS };

/* 1 + k unit, another one for each value, or what the probe makes of it. */
static double number(int value, double unit, int times)
{
    return 1.0 + unit * (double)(times * (value + 1));
}

static bool holds(const struct qp_canvas *canvas, double unit, int times)
{
    bool good = true;
    for (int i = 0; i < TEXELS * qp_format_channels(canvas->texture.format); i++) {
        double got;
        memcpy(&got, (const char *)canvas->texels + (size_t)i * sizeof got, sizeof got);
        good = good && got == number(i, unit, times);
    }
    return good;
}

/* Draws the numbers from a texture into the canvas, both of this format: three times as far from
 * 1. */
static bool draw_numbers(struct qp_context *context, struct qp_canvas *canvas,
                         enum qp_format format, const char *fragment, double unit)
{
    struct qp_texture from = {0};
    double numbers[MOST];
    for (int i = 0; i < MOST; i++)
        numbers[i] = number(i, unit, 1);
    if (!qp_canvas_open(canvas, context, format, WIDTH, HEIGHT, 0.0f))
        return false;
    bool good =
        qp_canvas_went_well(canvas, qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, format,
                                                      WIDTH, HEIGHT, numbers, &from)) &&
        qp_canvas_draw_from(canvas, &from, false, fragment, qp_canvas_whole(canvas), QP_REPLACE) &&
        qp_canvas_read(canvas) && holds(canvas, unit, 3);
    qp_texture_destroy(&from);
    qp_canvas_close(canvas);
    return good;
}

/* 3 (1 + k 2^-50) - 2 is exact in double, and in float 1. */
bool qp_caps_can_double(struct qp_context *context, struct qp_canvas *canvas)
{
    const double unit = 0x1p-50;
    return qp_context_has(context, "GL_ARB_gpu_shader_fp64") && glUniform1d != NULL &&
           draw_numbers(context, canvas, QP_RG32UI_WORDS, "probe/double.frag", unit) &&
           draw_numbers(context, canvas, QP_RGBA32UI_WORDS, "probe/double.frag", unit);
}

/* 1 + k 2^-40 are pairs of 1 and k 2^-40, and the second part comes back three times as large. */
bool qp_caps_can_render_pairs(struct qp_context *context, struct qp_canvas *canvas)
{
    const double unit = 0x1p-40;
    return draw_numbers(context, canvas, QP_RG32F_PAIRS, "probe/pairs.frag", unit);
}
