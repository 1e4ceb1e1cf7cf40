/* SPDX-License-Identifier: MIT */
/* Room 5 in place: passes that read what those before them drew into the same texture. */
#include "support/support.h"

#include <stdlib.h>

#include "gl/pass.h"
#include "gl/render_texture.h"
#include "gl/strips.h"

/* Three tiles of llvmpipe each way: of a tile that draws cover it keeps the last alone. */
enum { SIDE = 192, PASSES = 20, BLOCK = 48 };

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
    qp_uniform_sampler(x, 0);
}

/* So many passes of x := 2 x + 1 make 2^passes - 1 of 0; of the left half, and of the other. */
static void close_in_place(struct in_place *at, int left, int right)
{
    assert_ok(qp_render_texture_read(&at->x, at->texels));
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_float_equal(at->texels[i], (1 << (i % SIDE < SIDE / 2 ? left : right)) - 1, 0.0);
    qp_render_texture_destroy(&at->x);
    free(at->texels);
}

/* In every way that vertices are sent. */
static void equal_passes_see_each_other(void **state)
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
static void halves_see_each_other(void **state)
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

static void do_nothing(void)
{
}

/* A driver whose barrier is none is found out. */
static void the_probe_misses_a_barrier(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(equal_passes_see_each_other),
                                       clean_test(halves_see_each_other),
                                       clean_test(the_probe_misses_a_barrier)};
    return cmocka_run_group_tests_name("pass", tests, support_open_context, support_close_context);
}
