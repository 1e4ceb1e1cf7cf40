/* SPDX-License-Identifier: MIT */
/* What a device can do, found by doing it: every probe draws, reads back and compares. */
#include <math.h>
#include <stdlib.h>

#include "gl/pass.h"
#include "gl/pingpong.h"
#include "gl/readback.h"

static const char *const ability_names[QP_ABILITIES] = {
    "render to LUMINANCE32F",
    "render to R32F",
    "render to RGBA32F",
    "float blend",
    "texture barrier",
    "pixel buffer",
    "boundary lines",
    "precise",
    "render to LUMINANCE16F",
    "render to RGBA16F",
    "compute shaders (OpenGL 4.3)",
    "read images",
    "16-bit float blend",
};

const char *qp_ability_name(int index)
{
    return index >= 0 && index < QP_ABILITIES ? ability_names[index] : "none";
}

/* A small texture to draw into. */
struct canvas {
    struct qp_context *context;
    enum qp_status trouble; /* that is no answer: memory ran out, or the context is lost */
    struct qp_texture texture;
    GLuint framebuffer_id;
    float texels[4 * 64 * 64];
};

/* True if all is good. A device that cannot do a thing says so, but trouble says nothing of it. */
static bool went_well(struct canvas *canvas, enum qp_status status)
{
    if (status == QP_NO_MEMORY || (status != QP_OK && qp_context_is_lost(canvas->context)))
        canvas->trouble = status;
    return status == QP_OK;
}

static void clear(struct canvas *canvas, float value)
{
    for (size_t i = 0; i < sizeof canvas->texels / sizeof canvas->texels[0]; i++)
        canvas->texels[i] = value;
}

static void close_canvas(struct canvas *canvas)
{
    qp_framebuffer_destroy(canvas->context, &canvas->framebuffer_id);
    qp_texture_destroy(&canvas->texture);
}

/* Opens a canvas filled with `value`, at most 64 x 64. */
static bool open_canvas(struct canvas *canvas, struct qp_context *context, enum qp_format format,
                        int width, int height, float value)
{
    canvas->context = context;
    canvas->framebuffer_id = 0;
    clear(canvas, value);
    if (!went_well(canvas, qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, format, width,
                                             height, canvas->texels, &canvas->texture)))
        return false;
    const struct qp_texture *const textures[] = {&canvas->texture};
    if (went_well(canvas, qp_framebuffer_create(context, textures, 1, &canvas->framebuffer_id)))
        return true;
    close_canvas(canvas);
    return false;
}

static struct qp_surface surface_of(const struct canvas *canvas)
{
    return (struct qp_surface){canvas->framebuffer_id, GL_COLOR_ATTACHMENT0};
}

static struct qp_geometry whole(const struct canvas *canvas)
{
    return qp_quad(0.0f, 0.0f, (float)canvas->texture.width, (float)canvas->texture.height);
}

/* `image` if the shader reads `source` as an image. */
static bool draw_from(struct canvas *canvas, const struct qp_texture *source, bool image,
                      const char *fragment, struct qp_geometry geometry, enum qp_blend blend)
{
    struct qp_pass pass = {.surface = surface_of(canvas),
                           .width = canvas->texture.width,
                           .height = canvas->texture.height,
                           .geometry = geometry,
                           .texture = {source},
                           .textures = 1,
                           .images = image ? 1 : 0,
                           .blend = blend};
    if (!went_well(canvas, qp_program_get(canvas->context, NULL, fragment, GL_TEXTURE_RECTANGLE_ARB,
                                          &pass.program)))
        return false;
    qp_program_use(pass.program);
    qp_uniform_sampler(qp_program_location(pass.program, "x"), 0);
    qp_uniform_float(qp_program_location(pass.program, "large"), 16777216.0);
    qp_uniform_float(qp_program_location(pass.program, "small"), 0.625);
    qp_pass_draw(canvas->context, &pass);
    return went_well(canvas, qp_gl_check(canvas->context, "probing"));
}

static bool draw(struct canvas *canvas, const char *fragment, struct qp_geometry geometry,
                 enum qp_blend blend)
{
    return draw_from(canvas, &canvas->texture, false, fragment, geometry, blend);
}

static bool read_texels(struct canvas *canvas)
{
    clear(canvas, NAN);
    return went_well(canvas,
                     qp_readback(canvas->context, surface_of(canvas), canvas->texture.format, 0, 0,
                                 canvas->texture.width, canvas->texture.height, canvas->texels));
}

/* What probe/coordinates.frag writes: negative and above 1, so that clamping shows. */
static float coordinate_value(int x, int y)
{
    return -1.25f * ((float)x + 0.5f + 100.0f * ((float)y + 0.5f));
}

/* 16-bit formats keep 11 digits; each time drivers may round or cut off what follows. */
static bool is_near(float got, float wanted, enum qp_format format, int roundings)
{
    float away = qp_format_bytes(format) == 2 ? (float)roundings * 0x1p-10f * fabsf(wanted) : 0.0f;
    return fabsf(got - wanted) <= away;
}

static bool holds_coordinates(const struct canvas *canvas, float factor, int roundings)
{
    int channels = qp_format_channels(canvas->texture.format);
    for (int y = 0; y < canvas->texture.height; y++) {
        for (int x = 0; x < canvas->texture.width; x++) {
            float got = canvas->texels[(y * canvas->texture.width + x) * channels];
            if (!is_near(got, factor * coordinate_value(x, y), canvas->texture.format, roundings))
                return false;
        }
    }
    return true;
}

static bool can_render(struct qp_context *context, struct canvas *canvas, enum qp_format format)
{
    if (!open_canvas(canvas, context, format, 7, 5, NAN))
        return false;
    bool good = draw(canvas, "probe/coordinates.frag", whole(canvas), QP_REPLACE) &&
                read_texels(canvas) && holds_coordinates(canvas, 1.0f, 1);
    close_canvas(canvas);
    return good;
}

static bool can_render_luminance(struct qp_context *context, struct canvas *canvas)
{
    return can_render(context, canvas, QP_LUMINANCE32F);
}

static bool can_render_red(struct qp_context *context, struct canvas *canvas)
{
    return can_render(context, canvas, QP_R32F);
}

static bool can_render_rgba(struct qp_context *context, struct canvas *canvas)
{
    return can_render(context, canvas, QP_RGBA32F);
}

static bool can_render_luminance_half(struct qp_context *context, struct canvas *canvas)
{
    return can_render(context, canvas, QP_LUMINANCE16F);
}

static bool can_render_rgba_half(struct qp_context *context, struct canvas *canvas)
{
    return can_render(context, canvas, QP_RGBA16F);
}

/* c + c - c + c / 2 by all three equations; in 16 bits c and each of these may be off by a rounding. */
static bool can_blend_in(struct qp_context *context, struct canvas *canvas, enum qp_format format)
{
    static const enum qp_blend blends[] = {QP_ADD, QP_ADD, QP_SUBTRACT, QP_SUBTRACT_TIMES_ALPHA};
    if (!open_canvas(canvas, context, format, 7, 5, 0.0f))
        return false;
    bool good = true;
    for (size_t i = 0; i < sizeof blends / sizeof blends[0] && good; i++)
        good = draw(canvas, "probe/blend.frag", whole(canvas), blends[i]);
    good = good && read_texels(canvas) && holds_coordinates(canvas, 1.5f, 5);
    close_canvas(canvas);
    return good;
}

static bool can_blend(struct qp_context *context, struct canvas *canvas)
{
    return can_blend_in(context, canvas, QP_RGBA32F) &&
           can_blend_in(context, canvas, QP_LUMINANCE32F);
}

static bool can_blend_half(struct qp_context *context, struct canvas *canvas)
{
    return can_blend_in(context, canvas, QP_LUMINANCE16F);
}

/* 20 passes of x + 1 in place, a barrier between them: without one, whole passes are lost. */
static bool can_draw_in_place(struct qp_context *context, struct canvas *canvas)
{
    enum { PASSES = 20 };
    if (!qp_context_has(context, "GL_ARB_texture_barrier") || glTextureBarrier == NULL ||
        !open_canvas(canvas, context, QP_R32F, 64, 64, 0.0f))
        return false;
    bool good = true;
    for (int i = 0; i < PASSES && good; i++) {
        good = draw(canvas, "probe/increment.frag", whole(canvas), QP_REPLACE);
        glTextureBarrier();
    }
    good = good && read_texels(canvas);
    for (int i = 0; i < 64 * 64 && good; i++)
        good = canvas->texels[i] == (float)PASSES;
    close_canvas(canvas);
    return good;
}

static bool can_read_buffered(struct qp_context *context, struct canvas *canvas)
{
    if (!open_canvas(canvas, context, QP_R32F, 7, 5, NAN))
        return false;
    bool good = draw(canvas, "probe/coordinates.frag", whole(canvas), QP_REPLACE);
    clear(canvas, NAN);
    good = good && went_well(canvas, qp_readback_buffered(context, surface_of(canvas), QP_R32F, 0,
                                                          0, 7, 5, canvas->texels));
    good = good && holds_coordinates(canvas, 1.0f, 1);
    close_canvas(canvas);
    return good;
}

/* Draws one line into a blank canvas and looks for exactly its column. */
static bool line_covers(struct qp_context *context, struct canvas *canvas, int column, int height)
{
    enum { WIDTH = 5 };
    if (!open_canvas(canvas, context, QP_R32F, WIDTH, height, 0.0f))
        return false;
    float x = (float)column + 0.5f;
    bool good = draw(canvas, "probe/coordinates.frag", qp_line(x, -1.0f, x, (float)height + 1.0f),
                     QP_REPLACE) &&
                read_texels(canvas);
    for (int i = 0; i < WIDTH * height && good; i++)
        good =
            canvas->texels[i] == (i % WIDTH == column ? coordinate_value(column, i / WIDTH) : 0.0f);
    close_canvas(canvas);
    return good;
}

static bool can_draw_lines(struct qp_context *context, struct canvas *canvas)
{
    static const int heights[] = {1, 2, 3, 7, 16, 31, 33, 64};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        if (!line_covers(context, canvas, 0, heights[i]) ||
            !line_covers(context, canvas, 4, heights[i]))
            return false;
    }
    return true;
}

/* (2^24 + 0.625) - 2^24 is 0 in float, or 2 when rounded to even upwards; an optimiser
 * makes 0.625. */
static bool can_be_precise(struct qp_context *context, struct canvas *canvas)
{
    if (!qp_context_has(context, "GL_ARB_gpu_shader5") ||
        !open_canvas(canvas, context, QP_R32F, 2, 2, NAN))
        return false;
    bool good = draw(canvas, "probe/precise.frag", whole(canvas), QP_REPLACE) &&
                read_texels(canvas) && canvas->texels[0] == 0.0f;
    close_canvas(canvas);
    return good;
}

/* Two canvases in turn, 20 passes: each adds one to what the pass before drew into the other. */
static bool can_read_images(struct qp_context *context, struct canvas *canvas)
{
    enum { PASSES = 20, SIDE = 64 };
    if (!qp_context_has(context, "GL_ARB_shader_image_load_store") || glBindImageTexture == NULL)
        return false;
    struct canvas *other = qp_alloc_zero(1, sizeof *other, "the probes' second canvas");
    if (other == NULL || !open_canvas(canvas, context, QP_RGBA32F, SIDE, SIDE, 0.0f)) {
        if (other == NULL)
            canvas->trouble = QP_NO_MEMORY;
        free(other);
        return false;
    }
    bool good = open_canvas(other, context, QP_RGBA32F, SIDE, SIDE, 0.0f);
    bool opened = good;
    for (int i = 0; i < PASSES && good; i++) {
        struct canvas *target = i % 2 ? canvas : other;
        good = draw_from(target, i % 2 ? &other->texture : &canvas->texture, true,
                         "probe/image.frag", whole(target), QP_REPLACE);
    }
    good = good && read_texels(canvas);
    for (int i = 0; i < 4 * SIDE * SIDE && good; i++)
        good = canvas->texels[i] == (float)PASSES;
    if (opened)
        close_canvas(other);
    if (other->trouble != QP_OK)
        canvas->trouble = other->trouble;
    free(other);
    close_canvas(canvas);
    return good;
}

static bool can_compute(struct qp_context *context, struct canvas *canvas)
{
    if (!qp_context_has(context, "GL_ARB_compute_shader") ||
        !qp_context_has(context, "GL_ARB_shader_image_load_store") || glDispatchCompute == NULL ||
        !open_canvas(canvas, context, QP_RGBA32F, 7, 5, NAN))
        return false;
    struct qp_pass pass = {.width = 7, .height = 5, .group = {7, 5}, .image = &canvas->texture};
    bool good = went_well(canvas, qp_program_make_compute(context, "probe/coordinates.comp",
                                                          GL_TEXTURE_RECTANGLE_ARB, pass.group,
                                                          &pass.program));
    if (good) {
        qp_program_use(pass.program);
        qp_uniform_sampler(qp_program_location(pass.program, "target"), 0);
        qp_pass_dispatch(context, &pass);
        good = read_texels(canvas) && holds_coordinates(canvas, 1.0f, 1);
    }
    close_canvas(canvas);
    return good;
}

static void read_limits(struct qp_device *device)
{
    glGetIntegerv(GL_MAX_RECTANGLE_TEXTURE_SIZE_ARB, &device->rectangle_limit);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &device->texture_limit);
    glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &device->texture_units);
    glGetIntegerv(GL_MAX_COLOR_ATTACHMENTS, &device->colour_attachments);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &device->draw_buffers);
    glGetIntegerv(GL_MAX_VARYING_FLOATS, &device->vertex_outputs);
}

enum qp_status qp_caps_probe(struct qp_context *context)
{
    static bool (*const probes[QP_ABILITIES])(struct qp_context *, struct canvas *) = {
        can_render_luminance,
        can_render_red,
        can_render_rgba,
        can_blend,
        can_draw_in_place,
        can_read_buffered,
        can_draw_lines,
        can_be_precise,
        can_render_luminance_half,
        can_render_rgba_half,
        can_compute,
        can_read_images,
        can_blend_half,
    };
    struct canvas *canvas = qp_alloc_zero(1, sizeof *canvas, "the probes' canvas");
    if (canvas == NULL)
        return QP_NO_MEMORY;
    read_limits(&context->device);
    for (int i = 0; i < QP_ABILITIES && canvas->trouble == QP_OK; i++) {
        if (probes[i](context, canvas))
            context->device.abilities |= 1u << i;
        qp_gl_forget_errors(); /* a failed probe is an answer, not an error */
    }
    enum qp_status trouble = canvas->trouble;
    free(canvas);
    return trouble;
}
