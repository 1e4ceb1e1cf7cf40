/* SPDX-License-Identifier: MIT */
/* Stages 3, 5 and 7, each alone: textures and what they are read back as, framebuffers, drawing. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/buffers.h"
#include "toolkit/gl/context/canvas.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/pass.h"
#include "toolkit/gl/readback.h"
#include "toolkit/gl/test_buffer.h"

enum { MOST_FLOATS = 4096 };
static const enum qp_format formats[] = {QP_LUMINANCE32F, QP_R32F, QP_RGBA32F};
static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* State as the rudest program might leave it: each stage must set what it depends on. */
static void spoil_state(void)
{
    static const GLenum on[] = {GL_ALPHA_TEST,   GL_BLEND,       GL_CULL_FACE,    GL_DEPTH_TEST,
                                GL_SCISSOR_TEST, GL_LINE_SMOOTH, GL_LINE_STIPPLE, GL_STENCIL_TEST};
    static const GLenum stores[] = {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT};
    static const GLenum lengths[] = {GL_PACK_ROW_LENGTH, GL_UNPACK_ROW_LENGTH};
    static const GLenum skips[] = {GL_PACK_SKIP_ROWS, GL_UNPACK_SKIP_ROWS};
    static const GLenum more_skips[] = {GL_PACK_SKIP_PIXELS, GL_UNPACK_SKIP_PIXELS};
    static const GLenum swaps[] = {GL_PACK_SWAP_BYTES, GL_UNPACK_SWAP_BYTES};
    for (int i = 0; i < COUNT(on); i++)
        glEnable(on[i]);
    for (int i = 0; i < 2; i++) {
        glPixelStorei(stores[i], 8);
        glPixelStorei(lengths[i], 99);
        glPixelStorei(skips[i], 3);
        glPixelStorei(more_skips[i], 2);
        glPixelStorei(swaps[i], GL_TRUE);
    }
    glAlphaFunc(GL_NEVER, 0.0f);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glBlendEquation(GL_MAX);
    glCullFace(GL_FRONT_AND_BACK);
    glScissor(0, 0, 1, 1);
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glLineWidth(3.0f);
    glLineStipple(2, 0x5555);
    glViewport(1, 1, 2, 2);
    glMatrixMode(GL_MODELVIEW);
    glScalef(2.0f, 3.0f, 1.0f);
    glActiveTexture(GL_TEXTURE3);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE);
}

struct canvas {
    struct qp_context *context;
    struct qp_texture texture;
    struct qp_surface surface;
    int floats;
    float texels[MOST_FLOATS]; /* as uploaded */
};

static void open_canvas(struct canvas *canvas, GLenum target, enum qp_format format, int width,
                        int height)
{
    canvas->surface.attachment = GL_COLOR_ATTACHMENT0;
    canvas->floats = width * height * qp_format_channels(format);
    assert_in_range(canvas->floats, 1, MOST_FLOATS);
    spoil_state();
    assert_ok(qp_texture_create(canvas->context, target, format, width, height, canvas->texels,
                                &canvas->texture));
    const struct qp_texture *const textures[] = {&canvas->texture};
    assert_ok(qp_framebuffer_create(canvas->context, textures, 1, &canvas->surface.framebuffer_id));
}

static void close_canvas(struct canvas *canvas)
{
    qp_framebuffer_destroy(canvas->context, &canvas->surface.framebuffer_id);
    qp_texture_destroy(&canvas->texture);
}

/* Bit for bit, but for what a NaN carries and for denormals, which may be flushed. */
static bool same(float got, float wanted)
{
    if (isnan(wanted))
        return isnan(got);
    return memcmp(&got, &wanted, sizeof got) == 0 ||
           (fpclassify(wanted) == FP_SUBNORMAL && got == 0.0f);
}

/* Reads width x height texels from (x, y), compares them with those uploaded, and counts
 * the bytes. */
static void check_rectangle(struct canvas *canvas, bool buffered, int x, int y, int width,
                            int height)
{
    enum qp_format format = canvas->texture.format;
    int channels = qp_format_channels(format), row = width * channels;
    float got[MOST_FLOATS];
    size_t before = qp_context_counters(canvas->context).bytes_read;
    for (int i = 0; i < row * height; i++)
        got[i] = 12345.0f; /* no value here is that */
    spoil_state();
    assert_ok((buffered ? qp_readback_buffered : qp_readback)(canvas->context, canvas->surface,
                                                              format, x, y, width, height, got));
    assert_int_equal(qp_context_counters(canvas->context).bytes_read - before,
                     sizeof(float) * (size_t)(row * height));
    for (int i = 0; i < row * height; i++) {
        int texel = (y + i / row) * canvas->texture.width + x;
        assert_true(same(got[i], canvas->texels[texel * channels + i % row]));
    }
}

/* The driver's count, not the library's own. */
CLEAN_TEST(pixel_buffers_are_deleted)
{
    enum { TIMES = 100 };
    struct canvas canvas = {.context = support_need_context(state)};
    float got[7 * 5];
    if (!(qp_context_device(canvas.context)->abilities & QP_CAN_PIXEL_BUFFER))
        skip();
    open_canvas(&canvas, targets[0], QP_R32F, 7, 5);
    buffers_begin();
    int done = 0;
    while (done < TIMES &&
           qp_readback_buffered(canvas.context, canvas.surface, QP_R32F, 0, 0, 7, 5, got) == QP_OK)
        done++;
    buffers_end();
    assert_int_equal(done, TIMES);
    assert_int_equal(buffers_alive(), 0);
    close_canvas(&canvas);
}

CLEAN_TEST(texels_come_back_bit_for_bit)
{
    static const float values[] = {0.0f,   -0.0f,    1.0f,      -2.5f, 3.4e38f,    -1.2e-38f,
                                   1e-40f, INFINITY, -INFINITY, NAN,   16777215.0f};
    struct canvas canvas = {.context = support_need_context(state)};
    bool buffer = qp_context_device(canvas.context)->abilities & QP_CAN_PIXEL_BUFFER;
    GLuint held; /* takes the first name */
    GLint bound = -1;
    glGenBuffers(1, &held);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, held);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < MOST_FLOATS; k++)
            canvas.texels[k] = k % 3 ? values[k % COUNT(values)] : (float)k / 7.0f - 20.0f;
        open_canvas(&canvas, targets[i % 2], formats[i / 2], 7, 5);
        for (int buffered = 0; buffered <= buffer; buffered++) {
            check_rectangle(&canvas, buffered, 0, 0, 7, 5);
            check_rectangle(&canvas, buffered, 2, 1, 3, 4);
            glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &bound);
            assert_int_equal(bound, 0);
        }
        memmove(canvas.texels, canvas.texels + 1, 1024 * sizeof(float));
        size_t before = qp_context_counters(canvas.context).bytes_written;
        spoil_state();
        assert_ok(qp_texture_upload(&canvas.texture, canvas.texels));
        assert_int_equal(qp_context_counters(canvas.context).bytes_written - before,
                         4 * canvas.floats);
        check_rectangle(&canvas, false, 0, 0, 7, 5);
        close_canvas(&canvas);
    }
    glDeleteBuffers(1, &held);
}

/* Texels are fetched as they are, and beyond the edge those at the edge. */
CLEAN_TEST(textures_are_not_filtered)
{
    static const struct {
        GLenum name;
        GLint wanted;
    } parameters[] = {{GL_TEXTURE_MIN_FILTER, GL_NEAREST},
                      {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
                      {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                      {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k <= COUNT(targets); k++) {
        struct qp_texture texture;
        GLint got = -1;
        if (k < COUNT(targets))
            assert_ok(qp_texture_create(context, targets[k], QP_R32F, 3, 2, NULL, &texture));
        else
            assert_ok(qp_texture_create_layers(context, QP_R32F, 3, 2, 2, NULL, &texture));
        glBindTexture(texture.target, texture.id);
        for (int i = 0; i < COUNT(parameters); i++) {
            glGetTexParameteriv(texture.target, parameters[i].name, &got);
            assert_int_equal(got, parameters[i].wanted);
        }
        if (k == COUNT(targets)) {
            glGetTexParameteriv(texture.target, GL_TEXTURE_MAX_LEVEL, &got);
            assert_int_equal(got, 0);
        }
        qp_texture_destroy(&texture);
    }
}

CLEAN_TEST(above_the_limit)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_device *device = qp_context_device(context);
    for (int i = 0; i < 4; i++) {
        int limit = i % 2 ? device->texture_limit : device->rectangle_limit;
        int size[2] = {i < 2 ? limit + 1 : 1, i < 2 ? 1 : limit + 1};
        char words[32];
        struct qp_texture texture;
        snprintf(words, sizeof words, "limit of %d", limit);
        assert_int_equal(
            qp_texture_create(context, targets[i % 2], QP_R32F, size[0], size[1], NULL, &texture),
            QP_UNSUPPORTED);
        support_assert_sentence(words);
        qp_texture_destroy(&texture); /* half-built is fine */
        assert_ok(qp_texture_create(context, targets[i % 2], QP_R32F, i < 2 ? limit : 1,
                                    i < 2 ? 1 : limit, NULL, &texture));
        qp_texture_destroy(&texture);
    }
}

/* Every texel, whatever scissors and masks were left. */
CLEAN_TEST(fills_cover_all)
{
    struct canvas canvas = {.context = support_need_context(state)};
    for (int i = 0; i < COUNT(targets) * COUNT(formats); i++) {
        open_canvas(&canvas, targets[i % 2], formats[i / 2], 7, 5);
        spoil_state();
        qp_framebuffer_fill(canvas.surface.framebuffer_id, 1, 7.5f);
        for (int k = 0; k < canvas.floats; k++)
            canvas.texels[k] = 7.5f;
        check_rectangle(&canvas, false, 0, 0, 7, 5);
        close_canvas(&canvas);
    }
}

CLEAN_TEST(framebuffers_that_cannot_be)
{
    struct canvas canvas = {.context = support_need_context(state)};
    open_canvas(&canvas, GL_TEXTURE_2D, QP_R32F, 4, 4);
    struct qp_test_buffer buffer;
    for (int i = 0; i < 2; i++) { /* without a texture, nothing is drawn nor read */
        GLint draws = -1, reads = -1;
        const GLenum format = i ? GL_DEPTH24_STENCIL8 : GL_DEPTH_COMPONENT32F;
        assert_ok(qp_test_buffer_create(canvas.context, format, 4, 4, &buffer));
        glBindFramebuffer(GL_FRAMEBUFFER, buffer.framebuffer_id);
        glGetIntegerv(GL_DRAW_BUFFER, &draws);
        glGetIntegerv(GL_READ_BUFFER, &reads);
        assert_true(draws == GL_NONE && reads == GL_NONE);
        qp_test_buffer_destroy(&buffer);
    }
    struct qp_texture none = canvas.texture, wrong = canvas.texture;
    const struct qp_texture *const textures[] = {&none, &wrong};
    GLuint id;
    none.id = 0;
    assert_int_equal(qp_framebuffer_create(canvas.context, &textures[0], 1, &id), QP_UNSUPPORTED);
    support_assert_sentence(
        "R32F cannot be rendered to here: GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT");
    wrong.target = GL_TEXTURE_RECTANGLE_ARB;
    assert_int_equal(qp_framebuffer_create(canvas.context, &textures[1], 1, &id), QP_DEVICE);
    support_assert_sentence("framebuffer");
    assert_int_equal(id, 0);
    close_canvas(&canvas);
}

/* ---- Stage 5 ---- */

/* Draws the geometry with probe/coordinates.frag into the viewport. Exactly the texels of columns
 * x0 to x1 - 1 and rows y0 to y1 - 1 must be drawn, the others stay as they were. */
static void check_cover(struct canvas *canvas, struct qp_gl_pass pass, int x0, int y0, int x1,
                        int y1)
{
    int channels = qp_format_channels(canvas->texture.format), width = canvas->texture.width;
    pass.surface = canvas->surface;
    const struct qp_program_source source = {.fragment = {.name = "probe/coordinates.frag"},
                                             .target = canvas->texture.target};
    assert_ok(qp_program_make(canvas->context, &source, NULL, NULL, &pass.program));
    assert_ok(qp_texture_upload(&canvas->texture, canvas->texels));
    spoil_state();
    qp_pass_draw(canvas->context, &pass);
    for (int i = 0; i < canvas->floats; i++) {
        int x = i / channels % width, y = i / channels / width;
        if (x >= x0 && x < x1 && y >= y0 && y < y1)
            canvas->texels[i] = -1.25f * ((float)x + 0.5f + 100.0f * ((float)y + 0.5f));
    }
    check_rectangle(canvas, false, 0, 0, width, canvas->texture.height);
}

static void wipe(struct canvas *canvas)
{
    for (int i = 0; i < MOST_FLOATS; i++)
        canvas->texels[i] = NAN;
}

/* The first column or row, of `count` in the viewport, whose centre lies beyond an edge. */
static int first_beyond(float edge, int count)
{
    float first = ceilf(edge - 0.5f);
    return first < 0.0f ? 0 : first > (float)count ? count : (int)first;
}

/* Whole viewport, part of it, one texel, far beyond (the viewport cuts), fractions, nothing. */
CLEAN_TEST(quads_cover_exactly)
{
    static const float quads[][4] = {{0, 0, 20, 13},   {4, 5, 11, 9},
                                     {7, 3, 8, 4},     {19, 12, 20, 13},
                                     {-9, -9, 90, 90}, {0.45f, 0.55f, 18.55f, 11.45f},
                                     {5, 5, 5, 9}};
    struct canvas canvas = {.context = support_need_context(state)};
    for (int i = 0; i < 6 * COUNT(quads); i++) {
        const float *at = quads[i / 6];
        struct qp_gl_pass pass = {.x = 3, .y = 2, .width = 20, .height = 13};
        pass.geometry = qp_quad(at[0], at[1], at[2], at[3]);
        wipe(&canvas);
        open_canvas(&canvas, targets[i % 2], formats[i % 6 / 2], 29, 18);
        check_cover(&canvas, pass, 3 + first_beyond(at[0], 20), 2 + first_beyond(at[1], 13),
                    3 + first_beyond(at[2], 20), 2 + first_beyond(at[3], 13));
        close_canvas(&canvas);
    }
}

/* Paper 1's boundary lines, at every height: each texel of their column, none beside it. */
CLEAN_TEST(lines_hit_every_texel)
{
    struct canvas canvas = {.context = support_need_context(state)};
    if (!(qp_context_device(canvas.context)->abilities & QP_CAN_BOUNDARY_LINES))
        skip();
    wipe(&canvas);
    open_canvas(&canvas, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 7, 134);
    for (int height = 1; height <= 130; height++) {
        struct qp_gl_pass pass = {.x = 1, .y = 2, .width = 5, .height = height};
        for (int column = 0; column < 5; column += 4) {
            float x = (float)column + 0.5f;
            pass.geometry = qp_line(x, -1.0f, x, (float)height + 1.0f);
            wipe(&canvas);
            check_cover(&canvas, pass, 1 + column, 2, 2 + column, 2 + height);
        }
    }
    close_canvas(&canvas);
}

/* Only a driver's refusal means that the device lacks an ability; any other error of a probe says
 * nothing of it. */
CLEAN_TEST(only_refusals_are_a_no)
{
    static const enum qp_status no[] = {QP_UNSUPPORTED, QP_DEVICE},
                                trouble[] = {QP_BAD_INPUT, QP_BAD_USE, QP_NO_MEMORY};
    struct qp_canvas *canvas = calloc(1, sizeof *canvas);
    canvas->context = support_need_context(state);
    assert_true(qp_canvas_went_well(canvas, QP_OK));
    for (int i = 0; i < COUNT(no); i++)
        assert_false(qp_canvas_went_well(canvas, no[i]));
    assert_int_equal(canvas->trouble, QP_OK);
    for (int i = 0; i < COUNT(trouble); i++) {
        assert_false(qp_canvas_went_well(canvas, trouble[i]));
        assert_int_equal(canvas->trouble, trouble[i]);
    }
    free(canvas);
}

GROUP(support_open_context, support_close_context)
