/* SPDX-License-Identifier: MIT */
/* Stage 5 in place: passes that read what those before them drew into the same texture. */
#include "support/support.h"

#include <stdlib.h>

#include "toolkit/gl/pass.h"
#include "toolkit/gl/render_texture.h"
#include "toolkit/gl/strips.h"

/* Three tiles of llvmpipe each way: of a tile that draws cover it keeps the last alone. */
enum { SIDE = 192, PASSES = 20, BLOCK = 48 };

/* No primitives: state that all of them rely on, or none. */
enum { STATE_OF_ALL = 0xffff, STATE_OF_NONE };

static const char same[] = "#version 120\n"
                           "#extension GL_ARB_texture_rectangle : require\n"
                           "uniform sampler2DRect x;\n"
                           "void main()\n"
                           "{\n"
                           "    gl_FragColor = 2.0 * texture2DRect(x, gl_FragCoord.xy) + 1.0;\n"
                           "}\n";
static const char mirror[] = "#version 120\n"
                             "#extension GL_ARB_texture_rectangle : require\n"
                             "uniform sampler2DRect x;\n"
                             "void main()\n"
                             "{\n"
                             "    vec2 other = vec2(192.0 - gl_FragCoord.x, gl_FragCoord.y);\n"
                             "    gl_FragColor = 2.0 * texture2DRect(x, other) + 1.0;\n"
                             "}\n";

/* A texture of zeros that passes read and write. */
struct in_place {
    struct qp_context *context;
    struct qp_render_texture x;
    struct qp_gl_pass pass;
    float *texels;
};

static void open_in_place(struct in_place *at, void **state, const char *fragment)
{
    int x;
    const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0}, {0}};
    const struct qp_program_source source = {.fragment = {.name = "twice.frag", .text = fragment},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    *at = (struct in_place){.context = support_need_context(state)};
    if (!qp_context_has(at->context, "GL_ARB_texture_barrier"))
        skip(); /* the ability is the promise under test */
    at->texels = calloc((size_t)SIDE * SIDE, sizeof *at->texels);
    assert_ok(qp_render_texture_create(at->context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, SIDE, SIDE,
                                       0, at->texels, &at->x));
    at->pass = (struct qp_gl_pass){.surface = {at->x.framebuffer_id, GL_COLOR_ATTACHMENT0},
                                   .width = SIDE,
                                   .height = SIDE,
                                   .texture = {&at->x.texture},
                                   .textures = 1,
                                   .barrier = true};
    assert_ok(qp_program_make(at->context, &source, names, &x, &at->pass.program));
    qp_program_use(at->pass.program);
    glUniform1i(x, 0);
}

/* `left` or `right` passes of x := 2 x + 1 make 2^passes - 1 of 0; of the left half, and of the
 * other. */
static void close_in_place(struct in_place *at, int left, int right)
{
    assert_ok(qp_render_texture_read(&at->x, at->texels));
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_float_equal(at->texels[i], (1 << (i % SIDE < SIDE / 2 ? left : right)) - 1, 0.0);
    qp_render_texture_destroy(&at->x);
    free(at->texels);
}

/* In every way that vertices are sent. */
CLEAN_TEST(equal_passes_see_each_other)
{
    const struct qp_geometry quad = qp_quad(0.0f, 0.0f, SIDE, SIDE),
                             half = {GL_QUADS,         0.0f, 0.0f, SIDE, SIDE / 2, .times = 2,
                                     .apart = SIDE / 2},
                             strips = qp_quad_strips(quad, BLOCK);
    const struct qp_geometry ways[] = {quad, half, strips, strips, qp_points(SIDE, SIDE)};
    enum { STORED = 3 };
    for (int way = 0; way < COUNT(ways); way++) {
        struct in_place at;
        struct qp_strips stored = {0};
        open_in_place(&at, state, same);
        at.pass.geometry = ways[way];
        if (way == STORED)
            assert_ok(qp_strips_create(at.context, &strips, &stored));
        at.pass.strips = way == STORED ? &stored : NULL;
        for (int i = 0; i < PASSES; i++)
            qp_pass_draw(at.context, &at.pass);
        close_in_place(&at, PASSES, PASSES);
        qp_strips_destroy(&stored);
    }
}

/* Each half is made of the other. */
CLEAN_TEST(halves_see_each_other)
{
    struct in_place at;
    open_in_place(&at, state, mirror);
    for (int i = 0; i < PASSES; i++) {
        const float left = i % 2 ? SIDE / 2 : 0.0f;
        at.pass.geometry = qp_quad(left, 0.0f, left + SIDE / 2, SIDE);
        qp_pass_draw(at.context, &at.pass);
    }
    close_in_place(&at, PASSES - 1, PASSES);
}

/* ---- State ---- */

/* State that draws of all primitives rely on, and of some. */
static const struct {
    GLenum primitive; /* or STATE_OF_ALL */
    GLenum name;
} off[] = {{STATE_OF_ALL, GL_ALPHA_TEST},   {STATE_OF_ALL, GL_DEPTH_TEST},
           {STATE_OF_ALL, GL_DITHER},       {STATE_OF_ALL, GL_SCISSOR_TEST},
           {STATE_OF_ALL, GL_STENCIL_TEST}, {GL_QUADS, GL_CULL_FACE},
           {GL_LINES, GL_LINE_SMOOTH},      {GL_LINES, GL_LINE_STIPPLE},
           {GL_POINTS, GL_POINT_SMOOTH},    {GL_POINTS, GL_VERTEX_PROGRAM_POINT_SIZE}};

static void spoil(void)
{
    for (int i = 0; i < COUNT(off); i++)
        glEnable(off[i].name);
    glLineWidth(3.0f);
    glPointSize(5.0f);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);
    glBlendEquation(GL_MAX);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glActiveTexture(GL_TEXTURE3);
    glMatrixMode(GL_MODELVIEW);
    glScalef(3.0f, 2.0f, 1.0f);
}

/* Checks numbers that a draw has set: `blend` and its equation, if it blends, and those of the
 * primitive. */
static void check_numbers(GLenum primitive, enum qp_blend blend, GLint equation, GLint source)
{
    const GLenum blending = blend != QP_REPLACE ? primitive : STATE_OF_NONE;
    const struct {
        GLenum primitive, name;
        GLint wanted;
    } numbers[] = {{blending, GL_BLEND_EQUATION_RGB, equation},
                   {blending, GL_BLEND_EQUATION_ALPHA, equation},
                   {blending, GL_BLEND_SRC_RGB, source},
                   {blending, GL_BLEND_DST_RGB, GL_ONE},
                   {GL_LINES, GL_LINE_WIDTH, 1},
                   {GL_POINTS, GL_POINT_SIZE, 1},
                   {GL_QUADS, GL_POLYGON_MODE, GL_FILL},
                   {primitive, GL_CLAMP_FRAGMENT_COLOR, GL_FALSE},
                   {primitive, GL_ACTIVE_TEXTURE, GL_TEXTURE0}};
    for (int i = 0; i < COUNT(numbers); i++) {
        GLint number[4];
        glGetIntegerv(numbers[i].name, number);
        if (numbers[i].primitive == primitive && number[0] != numbers[i].wanted)
            fail_msg("blend %d: 0x%x is 0x%x", (int)blend, numbers[i].name, (unsigned)number[0]);
    }
}

/* The matrices are those of glOrtho, bit for bit. */
static void check_matrices(int width, int height, bool depths)
{
    GLfloat got[16], wanted[16];
    glGetFloatv(GL_PROJECTION_MATRIX, got);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0.0, width, 0.0, height, depths ? 0.0 : -1.0, depths ? -1.0 : 1.0);
    glGetFloatv(GL_PROJECTION_MATRIX, wanted);
    for (int i = 0; i < 16; i++)
        assert_true(got[i] == wanted[i]);
    glLoadIdentity();
    glGetFloatv(GL_PROJECTION_MATRIX, wanted);
    glGetFloatv(GL_MODELVIEW_MATRIX, got);
    assert_memory_equal(got, wanted, sizeof got);
}

/* State that a draw leaves, whatever was set before: all that another draw could have left
 * otherwise and that it depends on. */
CLEAN_TEST(draws_set_all_that_they_rely_on)
{
    static const struct {
        enum qp_blend blend;
        GLint equation, source;
    } blends[] = {{QP_REPLACE, GL_FUNC_ADD, GL_ONE},
                  {QP_ADD, GL_FUNC_ADD, GL_ONE},
                  {QP_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_ONE},
                  {QP_SUBTRACT_TIMES_ALPHA, GL_FUNC_REVERSE_SUBTRACT, GL_SRC_ALPHA},
                  {QP_LEAST, GL_MIN, GL_ONE},
                  {QP_GREATEST, GL_MAX, GL_ONE}};
    static const GLenum primitives[] = {GL_QUADS, GL_LINES, GL_POINTS};
    struct in_place at;
    open_in_place(&at, state, same);
    for (int k = 0; k < COUNT(blends) * COUNT(primitives); k++) {
        const GLenum primitive = primitives[k / COUNT(blends)];
        const int blend = k % COUNT(blends);
        GLint number[4];
        GLboolean mask[4];
        spoil();
        at.pass.barrier = k % 2 == 0;
        at.pass.blend = blends[blend].blend;
        at.pass.x = 2, at.pass.y = 3, at.pass.width = 5 + 7 * k, at.pass.height = 7 + 3 * k;
        at.pass.test.rule = k % 5 == 4 ? QP_TEST_NEARER : QP_TEST_NONE;
        at.pass.geometry = qp_quad(0.0f, 0.0f, 5.0f, 7.0f);
        at.pass.geometry.primitive = primitive;
        qp_pass_draw(at.context, &at.pass);
        for (int i = 0; i < COUNT(off); i++)
            assert_false((off[i].primitive == primitive || off[i].primitive == STATE_OF_ALL) &&
                         glIsEnabled(off[i].name));
        assert_int_equal(glIsEnabled(GL_BLEND), blends[blend].blend != QP_REPLACE);
        check_numbers(primitive, blends[blend].blend, blends[blend].equation, blends[blend].source);
        glGetIntegerv(GL_VIEWPORT, number);
        assert_true(number[0] == 2 && number[1] == 3);
        assert_true(number[2] == at.pass.width && number[3] == at.pass.height);
        glGetBooleanv(GL_COLOR_WRITEMASK, mask);
        assert_true(mask[0] && mask[1] && mask[2] && mask[3]);
        check_matrices(at.pass.width, at.pass.height, at.pass.test.rule == QP_TEST_NEARER);
    }
    qp_render_texture_destroy(&at.x);
    free(at.texels);
}

/* Vertices, as the counters have them. */
CLEAN_TEST(vertices_are_counted)
{
    const struct qp_geometry quad = qp_quad(0.0f, 0.0f, SIDE, SIDE),
                             twice = {GL_QUADS, 0.0f, 0.0f, SIDE, 1.0f, .times = 2, .apart = 3.0f},
                             strips = qp_quad_strips(qp_quad(0.0f, 0.0f, SIDE, 100.0f), BLOCK);
    const struct {
        struct qp_geometry geometry;
        size_t vertices;
    } cases[] = {{quad, 4},
                 {twice, 8},
                 {qp_line(0.5f, 0.0f, 0.5f, 9.0f), 2},
                 {qp_points(4, 3), 12},
                 {strips, 4 * 8}};
    struct in_place at;
    struct qp_strips stored;
    open_in_place(&at, state, same);
    assert_ok(qp_strips_create(at.context, &strips, &stored));
    for (int i = 0; i <= COUNT(cases); i++) {
        const struct qp_counters before = qp_context_counters(at.context);
        const int k = i < COUNT(cases) ? i : COUNT(cases) - 1;
        at.pass.geometry = cases[k].geometry;
        at.pass.strips = i < COUNT(cases) ? NULL : &stored;
        qp_pass_draw(at.context, &at.pass);
        assert_int_equal(qp_context_counters(at.context).vertices - before.vertices,
                         cases[k].vertices);
        assert_int_equal(qp_context_counters(at.context).passes - before.passes, 1);
    }
    assert_false(glIsEnabled(GL_VERTEX_ARRAY));
    qp_strips_destroy(&stored);
    qp_render_texture_destroy(&at.x);
    free(at.texels);
}

/* Columns of quads, cut off at the rectangle's far edges. */
CLEAN_TEST(strips_cover_the_rectangle)
{
    const struct qp_geometry strips = qp_quad_strips(qp_quad(3.0f, 2.0f, 10.5f, 9.0f), 4);
    static const float wanted[2][6][2] = {
        {{3, 2}, {7, 2}, {3, 6}, {7, 6}, {3, 9}, {7, 9}},
        {{7, 2}, {10.5f, 2}, {7, 6}, {10.5f, 6}, {7, 9}, {10.5f, 9}}};
    struct qp_strips stored;
    assert_int_equal(qp_strips_count(&strips), 2);
    assert_int_equal(qp_strips_vertices(&strips), 6);
    for (int i = 0; i < 12; i++) {
        float at[2];
        qp_strips_vertex(&strips, i / 6, i % 6, at);
        assert_memory_equal(at, wanted[i / 6][i % 6], sizeof at);
    }
    float kept[2][6][2] = {{{0}}};
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_strips_create(context, &strips, &stored));
    assert_int_equal(qp_context_counters(context).live_objects, 1);
    assert_true(stored.count == 2 && stored.first[0] == 0 && stored.first[1] == 6);
    assert_true(stored.vertices[0] == 6 && stored.vertices[1] == 6);
    glBindBuffer(GL_ARRAY_BUFFER, stored.buffer_id);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof kept, kept);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    assert_memory_equal(kept, wanted, sizeof wanted);
    qp_strips_destroy(&stored);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
}

/* ---- Dispatches ---- */

static GLbitfield barriers[4];
static int barrier_count;
static GLuint groups[3];

static void GLAPIENTRY note_barrier(GLbitfield bits)
{
    barriers[barrier_count++ % COUNT(barriers)] = bits;
}

static void GLAPIENTRY note_groups(GLuint x, GLuint y, GLuint z)
{
    groups[0] = x, groups[1] = y, groups[2] = z;
}

/* Dispatches have as many groups as cover the domain, and barriers: before, if others drew what is
 * read, and after it for all. */
CLEAN_TEST(dispatches_stand_between_barriers)
{
    enum {
        AFTER = GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                GL_SHADER_STORAGE_BARRIER_BIT
    };
    struct qp_context *context = support_need_context(state);
    if (!(context->device.abilities & QP_CAN_COMPUTE))
        skip();
    const PFNGLMEMORYBARRIERPROC kept_barrier = __glewMemoryBarrier;
    const PFNGLDISPATCHCOMPUTEPROC kept_dispatch = __glewDispatchCompute;
    __glewMemoryBarrier = note_barrier, __glewDispatchCompute = note_groups;
    struct qp_gl_pass pass = {.width = 65, .height = 16, .group = {32, 8}};
    const size_t passes = qp_context_counters(context).passes;
    qp_pass_dispatch(context, &pass);
    const int alone = barrier_count;
    pass.barrier = true;
    qp_pass_dispatch(context, &pass);
    __glewMemoryBarrier = kept_barrier, __glewDispatchCompute = kept_dispatch;
    assert_true(groups[0] == 3 && groups[1] == 2 && groups[2] == 1);
    assert_true(alone == 1 && barrier_count == 3);
    assert_true(barriers[0] == AFTER && barriers[2] == AFTER);
    assert_int_equal(barriers[1], GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    assert_int_equal(qp_context_counters(context).passes - passes, 2);
}

/* ---- Barriers that are none ---- */

static void do_nothing(void)
{
}

/* A driver whose barrier is none is found out. */
CLEAN_TEST(the_probe_misses_a_barrier)
{
    struct qp_context *context = support_need_context(state), *other = NULL;
    if (!qp_context_has(context, "GL_ARB_texture_barrier") || !context->device.software)
        skip(); /* a GPU may be in time without */
    PFNGLTEXTUREBARRIERPROC barrier = glTextureBarrier;
    glTextureBarrier = do_nothing;
    enum qp_status status = qp_context_create(&(struct qp_context_desc){0}, &other);
    glTextureBarrier = barrier;
    assert_ok(status);
    assert_int_equal(other->device.abilities, context->device.abilities ^ QP_CAN_TEXTURE_BARRIER);
    qp_context_destroy(&other);
    assert_ok(qp_context_enter(context));
}

GROUP(support_open_context, support_close_context)
