/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/context/canvas.h"

#include <math.h>

#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"

bool qp_canvas_went_well(struct qp_canvas *canvas, enum qp_status status)
{
    const bool cannot = status == QP_UNSUPPORTED || status == QP_DEVICE;
    if (status != QP_OK && (!cannot || qp_context_is_lost(canvas->context)))
        canvas->trouble = status;
    return status == QP_OK;
}

void qp_canvas_clear(struct qp_canvas *canvas, float value)
{
    for (size_t i = 0; i < sizeof canvas->texels / sizeof canvas->texels[0]; i++)
        canvas->texels[i] = value;
}

void qp_canvas_close(struct qp_canvas *canvas)
{
    qp_framebuffer_destroy(canvas->context, &canvas->framebuffer_id);
    qp_texture_destroy(&canvas->texture);
}

bool qp_canvas_open(struct qp_canvas *canvas, struct qp_context *context, enum qp_format format,
                    int width, int height, float value)
{
    canvas->context = context;
    canvas->framebuffer_id = 0;
    canvas->in_place = false;
    qp_canvas_clear(canvas, value);
    if (!qp_canvas_went_well(canvas,
                             qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, format, width,
                                               height, canvas->texels, &canvas->texture)))
        return false;
    const struct qp_texture *const textures[] = {&canvas->texture};
    if (qp_canvas_went_well(canvas,
                            qp_framebuffer_create(context, textures, 1, &canvas->framebuffer_id)))
        return true;
    qp_canvas_close(canvas);
    return false;
}

struct qp_surface qp_canvas_surface(const struct qp_canvas *canvas)
{
    return (struct qp_surface){canvas->framebuffer_id, GL_COLOR_ATTACHMENT0};
}

struct qp_geometry qp_canvas_whole(const struct qp_canvas *canvas)
{
    return qp_quad(0.0f, 0.0f, (float)canvas->texture.width, (float)canvas->texture.height);
}

bool qp_canvas_draw_from(struct qp_canvas *canvas, const struct qp_texture *source, bool image,
                         const char *fragment, struct qp_geometry geometry, enum qp_blend blend)
{
    const struct qp_uniform names[] = {{"x", image ? QP_IMAGE : qp_sampler_of(source->format), 0},
                                       {"large", QP_FLOAT, 0},
                                       {"small", QP_FLOAT, 0},
                                       {0}};
    const struct qp_step_value values[] = {{.texture = source}, {.x = 16777216.0}, {.x = 0.625}};
    const struct qp_program_source shader = {.fragment = {.name = fragment},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    struct qp_step step;
    const struct qp_gl_pass pass = {.step = &step,
                                    .values = values,
                                    .surface = qp_canvas_surface(canvas),
                                    .width = canvas->texture.width,
                                    .height = canvas->texture.height,
                                    .geometry = geometry,
                                    .blend = blend,
                                    .barrier = canvas->in_place};
    if (!qp_canvas_went_well(canvas, qp_step_make(canvas->context, &shader, names, &step)))
        return false;
    qp_step_run(canvas->context, &pass);
    return qp_canvas_went_well(canvas, qp_gl_check(canvas->context, "probing"));
}

bool qp_canvas_read(struct qp_canvas *canvas)
{
    qp_canvas_clear(canvas, NAN);
    return qp_canvas_went_well(
        canvas, qp_readback(canvas->context, qp_canvas_surface(canvas), canvas->texture.format, 0,
                            0, canvas->texture.width, canvas->texture.height, canvas->texels));
}

float qp_canvas_value(int x, int y)
{
    return -1.25f * ((float)x + 0.5f + 100.0f * ((float)y + 0.5f));
}

/* True within the roundings of the format: 16-bit formats keep 11 binary digits, and each time
 * drivers may round or truncate. */
static bool is_near(float got, float wanted, enum qp_format format, int roundings)
{
    float away = qp_format_bytes(format) == 2 ? (float)roundings * 0x1p-10f * fabsf(wanted) : 0.0f;
    return fabsf(got - wanted) <= away;
}

bool qp_canvas_holds(const struct qp_canvas *canvas, float factor, int roundings)
{
    int channels = qp_format_channels(canvas->texture.format);
    for (int y = 0; y < canvas->texture.height; y++) {
        for (int x = 0; x < canvas->texture.width; x++) {
            float got = canvas->texels[(y * canvas->texture.width + x) * channels];
            if (!is_near(got, factor * qp_canvas_value(x, y), canvas->texture.format, roundings))
                return false;
        }
    }
    return true;
}
