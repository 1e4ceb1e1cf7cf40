/* SPDX-License-Identifier: MIT */
/* Two sets of textures that change roles, in every style: what is read, drawn to, copied and
 * left. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/pingpong.h"

enum { WIDTH = 5, HEIGHT = 6, MOST = 4096 };

static struct qp_layout layout_of(int sheets)
{
    return qp_layout_make((struct qp_shape){.format = QP_R32F, .sheets = sheets}, WIDTH, HEIGHT, 1);
}

static void fill(float *texels, const struct qp_layout *layout, float first)
{
    const size_t count = qp_layout_values(layout);
    assert_in_range(count, 1, MOST);
    for (size_t i = 0; i < count; i++)
        texels[i] = first + (float)i;
}

static void expect(const struct qp_pingpong *pair, const struct qp_layout *layout, bool target,
                   const float *wanted)
{
    float got[MOST];
    assert_ok(qp_pingpong_read(pair, target, got));
    assert_memory_equal(got, wanted, qp_layout_bytes(layout));
}

static int live(const struct qp_context *context)
{
    return (int)qp_context_counters(context).live_objects;
}

/* Framebuffer objects of each style, besides two textures a sheet. */
static const int framebuffers[QP_PINGPONG_STYLES] = {
    [QP_TWO_ATTACHMENTS] = 1, [QP_TWO_FBOS] = 2, [QP_REATTACH] = 1, [QP_COPY] = 1};

CLEAN_TEST(sets_change_roles)
{
    struct qp_context *context = support_need_context(state);
    float start[MOST], empty[MOST], other[MOST];
    for (int style = 0; style < QP_PINGPONG_STYLES; style++) {
        for (int sheets = 1; sheets <= 2; sheets++) {
            const struct qp_layout layout = layout_of(sheets);
            struct qp_pingpong pair;
            fill(start, &layout, 1.0f);
            fill(empty, &layout, 1000.0f);
            fill(other, &layout, 5000.0f);
            assert_ok(qp_pingpong_create(context, (enum qp_pingpong_style)style,
                                         GL_TEXTURE_RECTANGLE_ARB, &layout, start, empty, &pair));
            assert_int_equal(pair.sheets, layout.sheets);
            assert_int_equal(live(context), 2 * layout.sheets + framebuffers[style]);
            expect(&pair, &layout, false, start);
            expect(&pair, &layout, true, empty);
            qp_pingpong_swap(&pair);
            expect(&pair, &layout, false, empty);
            expect(&pair, &layout, true, style == QP_COPY ? empty : start);
            assert_ok(qp_pingpong_write(&pair, true, other));
            expect(&pair, &layout, true, other);
            expect(&pair, &layout, false, empty);
            qp_pingpong_swap(&pair);
            expect(&pair, &layout, false, other);
            assert_ok(qp_pingpong_write(&pair, false, start));
            expect(&pair, &layout, false, start);
            qp_pingpong_destroy(&pair);
            assert_int_equal(live(context), 0);
            qp_pingpong_destroy(&pair);
        }
    }
}

/* The value in one texel of a surface. */
static float value_at(struct qp_surface surface, int x, int y)
{
    float value = -1.0f;
    glBindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer_id);
    glReadBuffer(surface.attachment);
    glReadPixels(x, y, 1, 1, GL_RED, GL_FLOAT, &value);
    return value;
}

/* Surfaces are of the set that is asked for, turn after turn. */
CLEAN_TEST(surfaces_are_of_their_set)
{
    struct qp_context *context = support_need_context(state);
    float start[MOST], empty[MOST];
    for (int style = 0; style < QP_PINGPONG_STYLES; style++) {
        const struct qp_layout layout = layout_of(1);
        struct qp_pingpong pair;
        fill(start, &layout, 1.0f);
        fill(empty, &layout, 1000.0f);
        assert_ok(qp_pingpong_create(context, (enum qp_pingpong_style)style,
                                     GL_TEXTURE_RECTANGLE_ARB, &layout, start, empty, &pair));
        const int row = layout.storage_x;
        for (int turn = 0; turn < 4; turn++) {
            const bool swapped = turn % 2 == 1 && style != QP_COPY;
            const float *source = swapped ? empty : start, *target = swapped ? start : empty;
            assert_true(value_at(qp_pingpong_surface(&pair), 2, 1) == target[row + 2]);
            assert_true(value_at(qp_pingpong_source_surface(&pair), 2, 1) == source[row + 2]);
            assert_true(value_at(qp_pingpong_surface(&pair), 0, 0) == target[0]);
            if (style != QP_COPY)
                qp_pingpong_swap(&pair);
        }
        qp_pingpong_destroy(&pair);
    }
}

CLEAN_TEST(blocks_are_copied)
{
    const struct qp_block block = {
        .from_x = 1, .from_y = 2, .to_x = 2, .to_y = 0, .width = 3, .height = 2};
    struct qp_context *context = support_need_context(state);
    const struct qp_layout layout = layout_of(2);
    float start[MOST], empty[MOST], wanted[MOST];
    struct qp_pingpong from, to;
    fill(start, &layout, 1.0f);
    fill(empty, &layout, 1000.0f);
    memcpy(wanted, empty, sizeof wanted);
    for (int sheet = 0; sheet < layout.sheets; sheet++) {
        for (int y = 0; y < block.height; y++) {
            const int in = (sheet * layout.sheet_y + block.from_y + y) * layout.storage_x,
                      out = (sheet * layout.sheet_y + block.to_y + y) * layout.storage_x;
            for (int x = 0; x < block.width; x++)
                wanted[out + block.to_x + x] = start[in + block.from_x + x];
        }
    }
    assert_ok(qp_pingpong_create(context, QP_TWO_ATTACHMENTS, GL_TEXTURE_RECTANGLE_ARB, &layout,
                                 start, start, &from));
    assert_ok(qp_pingpong_create(context, QP_TWO_FBOS, GL_TEXTURE_RECTANGLE_ARB, &layout, empty,
                                 start, &to));
    qp_pingpong_copy(&from, &to, &block);
    expect(&to, &layout, false, wanted);
    expect(&to, &layout, true, start);
    expect(&from, &layout, false, start);
    qp_pingpong_destroy(&from);
    qp_pingpong_destroy(&to);
}

/* Two sets that one framebuffer object has no attachments for take two, and there are four
 * styles. */
CLEAN_TEST(styles_that_cannot_be)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_layout layout = layout_of(2);
    const int attachments = context->device.colour_attachments;
    float start[MOST];
    struct qp_pingpong pair;
    fill(start, &layout, 1.0f);
    for (int most = 3; most <= 4; most++) {
        context->device.colour_attachments = most;
        const enum qp_status status = qp_pingpong_create(
            context, QP_TWO_ATTACHMENTS, GL_TEXTURE_RECTANGLE_ARB, &layout, start, start, &pair);
        context->device.colour_attachments = attachments;
        assert_ok(status);
        assert_int_equal(pair.style, most == 3 ? QP_TWO_FBOS : QP_TWO_ATTACHMENTS);
        qp_pingpong_destroy(&pair);
    }
    assert_int_equal(qp_pingpong_create(context, (enum qp_pingpong_style)9,
                                        GL_TEXTURE_RECTANGLE_ARB, &layout, start, start, &pair),
                     QP_BAD_USE);
    assert_string_equal(qp_error(), "ping-pong style 9 is none");
    qp_pingpong_destroy(&pair);
}

GROUP(support_open_context, support_close_context)
