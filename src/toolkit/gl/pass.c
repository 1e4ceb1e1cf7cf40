/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/pass.h"

#include <math.h>

#include "toolkit/base/whole.h"
#include "toolkit/gl/queue.h"
#include "toolkit/gl/strips.h"

struct qp_geometry qp_quad(float x0, float y0, float x1, float y1)
{
    return (struct qp_geometry){.primitive = GL_QUADS, .x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1};
}

struct qp_geometry qp_line(float x0, float y0, float x1, float y1)
{
    return (struct qp_geometry){.primitive = GL_LINES, .x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1};
}

struct qp_geometry qp_points(int width, int height)
{
    return (struct qp_geometry){.primitive = GL_POINTS, .x1 = (float)width, .y1 = (float)height};
}

struct qp_geometry qp_quad_strips(struct qp_geometry quad, int block)
{
    quad.primitive = GL_QUAD_STRIP;
    quad.block = block;
    return quad;
}

static bool has_depths(const struct qp_gl_pass *pass)
{
    return pass->test.rule >= QP_TEST_NEARER;
}

/* Makes a unit of the vertex coordinates a texel: orthographic projection onto the viewport, of z
 * from -1 to 1. With a test of depths z is the depth, from 0 to 1. The matrices are loaded whole:
 * a driver finds that they are those of the draw before, whereas glOrtho makes a new one. */
static void map_texels_to_pixels(const struct qp_gl_pass *pass)
{
    static const float identity[16] = {[0] = 1.0f, [5] = 1.0f, [10] = 1.0f, [15] = 1.0f};
    const bool depths = has_depths(pass);
    const float projection[16] = {[0] = 2.0f / (float)pass->width,
                                  [5] = 2.0f / (float)pass->height,
                                  [10] = depths ? 2.0f : -1.0f,
                                  [12] = -1.0f,
                                  [13] = -1.0f,
                                  [14] = depths ? -1.0f : 0.0f,
                                  [15] = 1.0f};
    glViewport(pass->x, pass->y, pass->width, pass->height);
    glMatrixMode(GL_PROJECTION);
    if (pass->barrier)
        glLoadIdentity(); /* so that it changes (let_drawn_texels_be_read) */
    glLoadMatrixf(projection);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(identity);
}

static GLenum primitive_of(const struct qp_gl_pass *pass)
{
    return pass->strips != NULL ? GL_QUAD_STRIP : pass->geometry.primitive;
}

/* Sets what the primitive's own rasterization depends on. */
static void set_primitive_state(GLenum primitive)
{
    if (primitive == GL_POINTS) {
        glDisable(GL_POINT_SMOOTH);
        glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
        glPointSize(1.0f);
    } else if (primitive == GL_LINES) {
        glDisable(GL_LINE_SMOOTH);
        glDisable(GL_LINE_STIPPLE);
        glLineWidth(1.0f);
    } else {
        glDisable(GL_CULL_FACE);
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    }
}

static void set_fragment_state(enum qp_blend blend)
{
    static const GLenum off[] = {GL_ALPHA_TEST, GL_DEPTH_TEST, GL_DITHER, GL_SCISSOR_TEST,
                                 GL_STENCIL_TEST};
    static const GLenum equations[] = {[QP_ADD] = GL_FUNC_ADD,
                                       [QP_SUBTRACT] = GL_FUNC_REVERSE_SUBTRACT,
                                       [QP_SUBTRACT_TIMES_ALPHA] = GL_FUNC_REVERSE_SUBTRACT,
                                       [QP_LEAST] = GL_MIN,
                                       [QP_GREATEST] = GL_MAX};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        glDisable(off[i]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    if (blend == QP_REPLACE) {
        glDisable(GL_BLEND);
        return;
    }
    glEnable(GL_BLEND);
    glBlendEquation(equations[blend]);
    glBlendFunc(blend == QP_SUBTRACT_TIMES_ALPHA ? GL_SRC_ALPHA : GL_ONE, GL_ONE);
}

/* Sets the state of a draw, but for what the draw before it in a list has left so. */
static void set_state(struct qp_earlier_draw *earlier, const struct qp_gl_pass *pass)
{
    const GLenum primitive = primitive_of(pass);
    const int blend = (int)pass->blend;
    const bool same_place = earlier->known && earlier->x == pass->x && earlier->y == pass->y &&
                            earlier->width == pass->width && earlier->height == pass->height &&
                            earlier->depths == has_depths(pass);
    if (!same_place || pass->barrier)
        map_texels_to_pixels(pass);
    if (!earlier->known || earlier->primitive != primitive || earlier->blend != blend) {
        set_primitive_state(primitive);
        set_fragment_state(pass->blend);
    }
    if (earlier->follows)
        *earlier = (struct qp_earlier_draw){
            true,    true,    earlier->step, primitive,    blend,
            pass->x, pass->y, pass->width,   pass->height, has_depths(pass)};
}

static void bind_inputs(const struct qp_gl_pass *pass)
{
    for (int i = 0; i < pass->images; i++)
        glBindImageTexture((GLuint)i, pass->texture[i]->id, 0,
                           pass->texture[i]->layers > 0 ? GL_TRUE : GL_FALSE, 0, GL_READ_ONLY,
                           (GLenum)qp_texture_internal_format(pass->texture[i]->format));
    if (pass->images > 0)
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT); /* to see what was drawn before */
    for (int i = pass->images; i < pass->textures; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(pass->texture[i]->target, pass->texture[i]->id);
    }
    glActiveTexture(GL_TEXTURE0);
}

static void choose_targets(const struct qp_surface *surface, int targets)
{
    GLenum attachments[QP_TARGETS];
    glBindFramebuffer(GL_FRAMEBUFFER, surface->framebuffer_id);
    if (targets <= 1) {
        glDrawBuffer(surface->attachment);
        return;
    }
    for (int i = 0; i < targets; i++)
        attachments[i] = surface->attachment + (GLenum)i;
    glDrawBuffers(targets, attachments);
}

/* Immediate mode: every vertex is a call, and goes to the device with every draw. Returns the
 * number of vertices, as do the next three. */
static size_t send_corners(const struct qp_geometry *at)
{
    const bool quad = at->primitive == GL_QUADS;
    const int times = at->times > 0 ? at->times : 1;
    glBegin(at->primitive);
    for (int i = 0; i < times; i++) {
        const float up = (float)i * at->apart;
        glVertex2f(at->x0, at->y0 + up);
        if (quad)
            glVertex2f(at->x1, at->y0 + up);
        glVertex2f(at->x1, at->y1 + up);
        if (quad)
            glVertex2f(at->x0, at->y1 + up);
    }
    glEnd();
    return (size_t)times * (quad ? 4 : 2);
}

static size_t send_strips(const struct qp_geometry *geometry)
{
    const int strips = qp_strips_count(geometry), vertices = qp_strips_vertices(geometry);
    for (int i = 0; i < strips; i++) {
        glBegin(GL_QUAD_STRIP);
        for (int v = 0; v < vertices; v++) {
            float at[2];
            qp_strips_vertex(geometry, i, v, at);
            glVertex2fv(at);
        }
        glEnd();
    }
    return (size_t)strips * (size_t)vertices;
}

static size_t send_points(const struct qp_geometry *at)
{
    glBegin(GL_POINTS);
    for (float y = at->y0 + 0.5f; y < at->y1; y += 1.0f) {
        for (float x = at->x0 + 0.5f; x < at->x1; x += 1.0f)
            glVertex2f(x, y);
    }
    glEnd();
    return (size_t)(at->x1 - at->x0) * (size_t)(at->y1 - at->y0);
}

/* Draws strips whose vertices are in a vertex buffer object. */
static size_t draw_stored(const struct qp_strips *strips)
{
    glBindBuffer(GL_ARRAY_BUFFER, strips->buffer_id);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glMultiDrawArrays(GL_QUAD_STRIP, strips->first, strips->vertices, strips->count);
    glDisableClientState(GL_VERTEX_ARRAY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return (size_t)strips->count * (size_t)strips->vertices[0];
}

/* Mesa gathers the vertices of glBegin over several draws, and glTextureBarrier does not send them:
 * a barrier after the last glEnd would come before the draw that it is to follow, and equal passes
 * would become one. A change of state does send them. So this is called after map_texels_to_pixels,
 * which with a barrier changes the projection. */
static void let_drawn_texels_be_read(void)
{
    glTextureBarrier();
}

/* Fragments, roughly. */
static double area_of(const struct qp_geometry *at)
{
    const double across = fabs((double)at->x1 - at->x0), up = fabs((double)at->y1 - at->y0);
    return fmax(across, 1.0) * fmax(up, 1.0) * (at->times > 0 ? at->times : 1);
}

void qp_pass_draw(struct qp_context *context, const struct qp_gl_pass *pass)
{
    choose_targets(&pass->surface, pass->targets);
    if (context->on_pass != NULL)
        context->on_pass(context->on_pass_user, pass, false);
    set_state(&context->earlier, pass);
    if (pass->test.rule != QP_TEST_NONE)
        qp_test_begin(&pass->test);
    bind_inputs(pass);
    if (pass->program != NULL)
        qp_program_use(pass->program);
    if (pass->barrier)
        let_drawn_texels_be_read();
    if (pass->strips != NULL)
        context->counters.vertices += draw_stored(pass->strips);
    else if (pass->geometry.primitive == GL_QUAD_STRIP)
        context->counters.vertices += send_strips(&pass->geometry);
    else if (pass->geometry.primitive == GL_POINTS)
        context->counters.vertices += send_points(&pass->geometry);
    else
        context->counters.vertices += send_corners(&pass->geometry);
    if (pass->test.rule != QP_TEST_NONE)
        qp_test_end(&pass->test);
    if (context->on_pass != NULL)
        context->on_pass(context->on_pass_user, pass, true);
    context->counters.passes++;
    qp_queue_add(context, area_of(&pass->geometry));
}

void qp_pass_dispatch(struct qp_context *context, const struct qp_gl_pass *pass)
{
    const struct qp_group *group = &pass->group;
    bind_inputs(pass);
    for (int i = 0; i < pass->written; i++)
        glBindImageTexture((GLuint)i, pass->image[i]->id, 0, GL_FALSE, 0, GL_READ_WRITE,
                           (GLenum)qp_texture_internal_format(pass->image[i]->format));
    if (pass->program != NULL)
        qp_program_use(pass->program);
    if (pass->barrier) /* texels are drawn and read by others before they are written here */
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glDispatchCompute((GLuint)(qp_groups_in(pass->width, group->x)),
                      (GLuint)(qp_groups_in(pass->height, group->y)), 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                    GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                    GL_SHADER_STORAGE_BARRIER_BIT);
    context->counters.passes++;
    qp_queue_add(context, (double)pass->width * pass->height);
}
