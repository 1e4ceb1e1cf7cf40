/* SPDX-License-Identifier: MIT */
/* Abilities of a device, measured: every probe draws, reads back and compares. */
#include <math.h>
#include <stdlib.h>

#include "toolkit/gl/context/caps_probes.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"

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
    "read layered images",
    "fences",
    "buffers mapped for life",
    "double in RG32UI",
    "render to RG32F",
};

const char *qp_ability_name(int index)
{
    return index >= 0 && index < QP_ABILITIES ? ability_names[index] : "none";
}

static bool draw(struct qp_canvas *canvas, const char *fragment, struct qp_geometry geometry,
                 enum qp_blend blend)
{
    return qp_canvas_draw_from(canvas, &canvas->texture, false, fragment, geometry, blend);
}

static bool can_render(struct qp_context *context, struct qp_canvas *canvas, enum qp_format format)
{
    if (!qp_canvas_open(canvas, context, format, 7, 5, NAN))
        return false;
    bool good = draw(canvas, "probe/coordinates.frag", qp_canvas_whole(canvas), QP_REPLACE) &&
                qp_canvas_read(canvas) && qp_canvas_holds(canvas, 1.0f, 1);
    qp_canvas_close(canvas);
    return good;
}

/* c + c - c + c / 2 by all three equations; in 16 bits c and each sum may lose a rounding. */
static bool can_blend_in(struct qp_context *context, struct qp_canvas *canvas,
                         enum qp_format format)
{
    static const enum qp_blend blends[] = {QP_ADD, QP_ADD, QP_SUBTRACT, QP_SUBTRACT_TIMES_ALPHA};
    if (!qp_canvas_open(canvas, context, format, 7, 5, 0.0f))
        return false;
    bool good = true;
    for (size_t i = 0; i < sizeof blends / sizeof blends[0] && good; i++)
        good = draw(canvas, "probe/blend.frag", qp_canvas_whole(canvas), blends[i]);
    good = good && qp_canvas_read(canvas) && qp_canvas_holds(canvas, 1.5f, 5);
    qp_canvas_close(canvas);
    return good;
}

static bool can_blend(struct qp_context *context, struct qp_canvas *canvas)
{
    return can_blend_in(context, canvas, QP_RGBA32F) &&
           can_blend_in(context, canvas, QP_LUMINANCE32F);
}

static bool can_blend_half(struct qp_context *context, struct qp_canvas *canvas)
{
    return can_blend_in(context, canvas, QP_LUMINANCE16F);
}

/* 20 passes in place, left half and right half in turn: each is the other's mirror image + 1.
 * Without barriers passes are lost, but on llvmpipe not within a tile of 64 x 64 texels, whose
 * draws it makes in their order. */
static bool can_draw_in_place(struct qp_context *context, struct qp_canvas *canvas)
{
    enum { PASSES = 20, SIDE = 128, HALF = SIDE / 2 };
    if (!qp_context_has(context, "GL_ARB_texture_barrier") || glTextureBarrier == NULL ||
        !qp_canvas_open(canvas, context, QP_R32F, SIDE, SIDE, 0.0f))
        return false;
    bool good = canvas->in_place = true;
    for (int i = 0; i < PASSES && good; i++) {
        const float left = i % 2 ? HALF : 0.0f;
        good =
            draw(canvas, "probe/mirror.frag", qp_quad(left, 0.0f, left + HALF, SIDE), QP_REPLACE);
    }
    good = good && qp_canvas_read(canvas);
    for (int i = 0; i < SIDE * SIDE && good; i++)
        good = canvas->texels[i] == (float)(i % SIDE < HALF ? PASSES - 1 : PASSES);
    qp_canvas_close(canvas);
    return good;
}

static bool can_read_buffered(struct qp_context *context, struct qp_canvas *canvas)
{
    if (!qp_canvas_open(canvas, context, QP_R32F, 7, 5, NAN))
        return false;
    bool good = draw(canvas, "probe/coordinates.frag", qp_canvas_whole(canvas), QP_REPLACE);
    qp_canvas_clear(canvas, NAN);
    good = good &&
           qp_canvas_went_well(canvas, qp_readback_buffered(context, qp_canvas_surface(canvas),
                                                            QP_R32F, 0, 0, 7, 5, canvas->texels));
    good = good && qp_canvas_holds(canvas, 1.0f, 1);
    qp_canvas_close(canvas);
    return good;
}

/* Draws one line into a blank canvas and looks for exactly its column. */
static bool line_covers(struct qp_context *context, struct qp_canvas *canvas, int column,
                        int height)
{
    enum { WIDTH = 5 };
    if (!qp_canvas_open(canvas, context, QP_R32F, WIDTH, height, 0.0f))
        return false;
    float x = (float)column + 0.5f;
    bool good = draw(canvas, "probe/coordinates.frag", qp_line(x, -1.0f, x, (float)height + 1.0f),
                     QP_REPLACE) &&
                qp_canvas_read(canvas);
    for (int i = 0; i < WIDTH * height && good; i++)
        good =
            canvas->texels[i] == (i % WIDTH == column ? qp_canvas_value(column, i / WIDTH) : 0.0f);
    qp_canvas_close(canvas);
    return good;
}

static bool can_draw_lines(struct qp_context *context, struct qp_canvas *canvas)
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
static bool can_be_precise(struct qp_context *context, struct qp_canvas *canvas)
{
    if (!qp_context_has(context, "GL_ARB_gpu_shader5") ||
        !qp_canvas_open(canvas, context, QP_R32F, 2, 2, NAN))
        return false;
    bool good = draw(canvas, "probe/precise.frag", qp_canvas_whole(canvas), QP_REPLACE) &&
                qp_canvas_read(canvas) && canvas->texels[0] == 0.0f;
    qp_canvas_close(canvas);
    return good;
}

/* Two canvases in turn, 20 passes: each adds one to what the pass before drew into the other. */
static bool can_read_images(struct qp_context *context, struct qp_canvas *canvas)
{
    enum { PASSES = 20, SIDE = 64 };
    if (!qp_context_has(context, "GL_ARB_shader_image_load_store") || glBindImageTexture == NULL)
        return false;
    struct qp_canvas *other = qp_alloc_zero(1, sizeof *other, "the probes' second canvas");
    if (other == NULL || !qp_canvas_open(canvas, context, QP_RGBA32F, SIDE, SIDE, 0.0f)) {
        if (other == NULL)
            canvas->trouble = QP_NO_MEMORY;
        free(other);
        return false;
    }
    bool good = qp_canvas_open(other, context, QP_RGBA32F, SIDE, SIDE, 0.0f);
    bool opened = good;
    for (int i = 0; i < PASSES && good; i++) {
        struct qp_canvas *target = i % 2 ? canvas : other;
        good = qp_canvas_draw_from(target, i % 2 ? &other->texture : &canvas->texture, true,
                                   "probe/image.frag", qp_canvas_whole(target), QP_REPLACE);
    }
    good = good && qp_canvas_read(canvas);
    for (int i = 0; i < 4 * SIDE * SIDE && good; i++)
        good = canvas->texels[i] == (float)PASSES;
    if (opened)
        qp_canvas_close(other);
    if (other->trouble != QP_OK)
        canvas->trouble = other->trouble;
    free(other);
    qp_canvas_close(canvas);
    return good;
}

/* Draws the sum of one layer, read by fragments, and the other, read by vertices. */
static bool read_layers(struct qp_canvas *canvas, const struct qp_texture *layers)
{
    const struct qp_uniform names[] = {{"x", QP_IMAGE_LAYERS, 0}, {0}};
    const struct qp_step_value value = {.texture = layers};
    const struct qp_program_source source = {.vertex = {.name = "probe/read_layers.vert"},
                                             .fragment = {.name = "probe/read_layers.frag"},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    struct qp_step step;
    const struct qp_gl_pass pass = {.step = &step,
                                    .values = &value,
                                    .surface = qp_canvas_surface(canvas),
                                    .width = canvas->texture.width,
                                    .height = canvas->texture.height,
                                    .geometry = qp_canvas_whole(canvas)};
    if (!qp_canvas_went_well(canvas, qp_step_make(canvas->context, &source, names, &step)))
        return false;
    qp_step_run(canvas->context, &pass);
    return qp_canvas_went_well(canvas, qp_gl_check(canvas->context, "probing"));
}

/* Draws the coordinates as the sum of two layers. */
static bool can_read_layers(struct qp_context *context, struct qp_canvas *canvas)
{
    enum { LAYERS = 2 };
    struct qp_texture layers = {0};
    GLuint framebuffer_id = 0;
    if (!qp_context_has(context, "GL_ARB_shader_image_load_store") || glBindImageTexture == NULL ||
        !qp_canvas_open(canvas, context, QP_RGBA32F, 7, 5, NAN))
        return false;
    const struct qp_texture *const all[] = {&layers};
    const struct qp_program_source source = {.fragment = {.name = "probe/layers.frag"},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    struct qp_gl_pass pass = {
        .width = 7, .height = 5, .geometry = qp_canvas_whole(canvas), .targets = LAYERS};
    bool good =
        qp_canvas_went_well(
            canvas, qp_texture_create_layers(context, QP_RGBA32F, 7, 5, LAYERS, NULL, &layers)) &&
        qp_canvas_went_well(canvas, qp_framebuffer_create(context, all, 1, &framebuffer_id)) &&
        qp_canvas_went_well(canvas, qp_program_make(context, &source, NULL, NULL, &pass.program));
    if (good) {
        pass.surface = (struct qp_surface){framebuffer_id, GL_COLOR_ATTACHMENT0};
        qp_pass_draw(context, &pass);
        good = read_layers(canvas, &layers) && qp_canvas_read(canvas) &&
               qp_canvas_holds(canvas, 1.0f, 1);
    }
    qp_framebuffer_destroy(context, &framebuffer_id);
    qp_texture_destroy(&layers);
    qp_canvas_close(canvas);
    return good;
}

static bool can_compute(struct qp_context *context, struct qp_canvas *canvas)
{
    if (!qp_context_has(context, "GL_ARB_compute_shader") ||
        !qp_context_has(context, "GL_ARB_shader_image_load_store") || glDispatchCompute == NULL ||
        !qp_canvas_open(canvas, context, QP_RGBA32F, 7, 5, NAN))
        return false;
    const struct qp_program_source source = {.compute = {.name = "probe/coordinates.comp"},
                                             .group = {7, 5},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    const struct qp_uniform names[] = {{"target", QP_IMAGE, 0}, {0}};
    const struct qp_step_value target = {.texture = &canvas->texture};
    struct qp_step step;
    bool good = qp_canvas_went_well(canvas, qp_step_make(context, &source, names, &step));
    if (good) {
        qp_step_run(context, &(struct qp_gl_pass){
                                 .step = &step, .values = &target, .width = 7, .height = 5});
        good = qp_canvas_read(canvas) && qp_canvas_holds(canvas, 1.0f, 1);
    }
    qp_canvas_close(canvas);
    return good;
}

bool qp_gl_ends_loops(struct qp_context *context)
{
    struct qp_canvas *canvas = NULL;
    if (!context->device.software || context->loops == QP_LOOPS_GO_ON)
        return false;
    if (context->loops == QP_LOOPS_UNKNOWN)
        canvas = qp_alloc_zero(1, sizeof *canvas, "the probes' canvas");
    if (canvas != NULL && qp_canvas_open(canvas, context, QP_R32F, 1, 1, NAN)) {
        if (draw(canvas, "probe/loops.frag", qp_canvas_whole(canvas), QP_REPLACE) &&
            qp_canvas_read(canvas))
            context->loops = canvas->texels[0] < 7e4f ? QP_LOOPS_END : QP_LOOPS_GO_ON;
        qp_canvas_close(canvas);
        qp_gl_forget_errors();
    }
    free(canvas);
    return context->loops != QP_LOOPS_GO_ON;
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
    static const struct {
        bool (*can)(struct qp_context *context, struct qp_canvas *canvas);
        enum qp_format renders; /* where `can` is NULL: the format to render to */
    } probes[QP_ABILITIES] = {
        {NULL, QP_LUMINANCE32F}, {NULL, QP_R32F},
        {NULL, QP_RGBA32F},      {can_blend, 0},
        {can_draw_in_place, 0},  {can_read_buffered, 0},
        {can_draw_lines, 0},     {can_be_precise, 0},
        {NULL, QP_LUMINANCE16F}, {NULL, QP_RGBA16F},
        {can_compute, 0},        {can_read_images, 0},
        {can_blend_half, 0},     {can_read_layers, 0},
        {qp_caps_can_fence, 0},  {qp_caps_can_map_for_life, 0},
        {qp_caps_can_double, 0}, {qp_caps_can_render_pairs, 0},
    };
    struct qp_canvas *canvas = qp_alloc_zero(1, sizeof *canvas, "the probes' canvas");
    if (canvas == NULL)
        return QP_NO_MEMORY;
    read_limits(&context->device);
    for (int i = 0; i < QP_ABILITIES && canvas->trouble == QP_OK; i++) {
        if (probes[i].can != NULL ? probes[i].can(context, canvas)
                                  : can_render(context, canvas, probes[i].renders))
            context->device.abilities |= 1u << i;
        qp_gl_forget_errors(); /* a failed probe is an answer, not an error */
    }
    enum qp_status trouble = canvas->trouble;
    free(canvas);
    return trouble;
}
