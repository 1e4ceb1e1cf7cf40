/* SPDX-License-Identifier: MIT */
/* Buffer objects and fences: which bytes go where, what is counted, what stays bound, and what a
 * driver cannot do. */
#include "support/support.h"

#include <string.h>

#include "support/buffers.h"
#include "toolkit/gl/buffer.h"
#include "toolkit/gl/context/context.h"

enum { BYTES = 64, TARGETS = 3 };

static const GLenum targets[TARGETS] = {GL_PIXEL_PACK_BUFFER, GL_COPY_READ_BUFFER,
                                        GL_COPY_WRITE_BUFFER};
static const GLenum bindings[TARGETS] = {GL_PIXEL_PACK_BUFFER_BINDING, 0x8F36, 0x8F37};

static struct qp_context *open(void **state)
{
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_context_enter(context));
    if (!(context->device.abilities & QP_CAN_MAP_FOR_LIFE))
        support_skip("gl");
    return context;
}

static void nothing_is_bound(void)
{
    for (int i = 0; i < TARGETS; i++) {
        GLint bound = -1;
        glGetIntegerv(bindings[i], &bound);
        assert_int_equal(bound, 0);
    }
}

static void fill(unsigned char bytes[BYTES], int first)
{
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(first + i);
}

/* ---- Bytes ---- */

CLEAN_TEST(bytes_go_where_they_are_sent)
{
    struct qp_context *context = open(state);
    unsigned char one[BYTES], other[BYTES], got[BYTES] = {0};
    struct qp_buffer buffer;
    fill(one, 0);
    fill(other, 100);
    for (int i = 0; i < TARGETS; i++) {
        const struct qp_counters before = qp_context_counters(context);
        assert_ok(qp_buffer_create(context, targets[i], GL_STREAM_COPY, BYTES, &buffer));
        nothing_is_bound();
        assert_int_equal(qp_context_counters(context).live_objects, before.live_objects + 1);
        assert_ok(qp_buffer_send(&buffer, 0, one, BYTES));
        assert_ok(qp_buffer_send(&buffer, 8, other, 12)); /* whole words, as everywhere */
        nothing_is_bound();
        assert_ok(qp_buffer_fetch(&buffer, 4, got, 20));
        nothing_is_bound();
        for (int k = 0; k < 20; k++)
            assert_int_equal(got[k], k < 4 || k >= 16 ? k + 4 : 100 + k - 4);
        assert_int_equal(qp_context_counters(context).bytes_written - before.bytes_written,
                         BYTES + 12);
        assert_int_equal(qp_context_counters(context).bytes_read - before.bytes_read, 20);
        assert_ok(qp_buffer_fill(&buffer, other, BYTES));
        nothing_is_bound();
        assert_ok(qp_buffer_take(&buffer, got, BYTES));
        nothing_is_bound();
        assert_memory_equal(got, other, BYTES);
        qp_buffer_destroy(&buffer);
        assert_int_equal(buffer.id, 0);
        qp_buffer_destroy(&buffer);
        assert_int_equal(qp_context_counters(context).live_objects, before.live_objects);
    }
}

CLEAN_TEST(bytes_are_copied_and_mapped)
{
    struct qp_context *context = open(state);
    unsigned char bytes[BYTES];
    struct qp_buffer from, to;
    GLsync fence = NULL;
    buffers_begin();
    const enum qp_status made =
        qp_buffer_create_mapped(context, targets[1], GL_MAP_WRITE_BIT, BYTES, &from);
    const enum qp_status made_too =
        qp_buffer_create_mapped(context, targets[2], GL_MAP_READ_BIT, BYTES, &to);
    nothing_is_bound();
    fill(from.mapped, 0);
    qp_buffer_copy(&from, 0, &to, 0, BYTES);
    qp_buffer_copy(&from, 20, &to, 32, 4);
    nothing_is_bound();
    assert_ok(qp_fence_set(context, &fence));
    assert_ok(qp_fence_set(context, &fence)); /* in the place of the first */
    assert_int_equal(qp_context_counters(context).live_objects, 3);
    assert_ok(qp_fence_wait(context, &fence));
    assert_null(fence);
    assert_ok(qp_fence_wait(context, &fence)); /* no fence: nothing to wait for */
    assert_int_equal(qp_context_counters(context).live_objects, 2);
    memcpy(bytes, to.mapped, BYTES);
    const long there = buffers_alive();
    qp_buffer_destroy(&from);
    qp_buffer_destroy(&to);
    buffers_end();
    assert_true(made == QP_OK && made_too == QP_OK && there == 2);
    assert_int_equal(buffers_alive(), 0);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(bytes[i], i >= 32 && i < 36 ? i - 12 : i);
}

/* ---- Drivers that cannot ---- */

static void *GLAPIENTRY map_none(GLenum target, GLenum access)
{
    (void)target, (void)access;
    return NULL;
}

static void *GLAPIENTRY map_no_range(GLenum target, GLintptr first, GLsizeiptr bytes,
                                     GLbitfield access)
{
    (void)target, (void)first, (void)bytes, (void)access;
    return NULL;
}

static PFNGLUNMAPBUFFERPROC unmap;

static GLboolean GLAPIENTRY unmap_spoilt(GLenum target)
{
    unmap(target);
    return GL_FALSE;
}

static GLsync GLAPIENTRY set_none(GLenum condition, GLbitfield flags)
{
    (void)condition, (void)flags;
    return NULL;
}

CLEAN_TEST(drivers_that_cannot)
{
    struct qp_context *context = open(state);
    const PFNGLMAPBUFFERPROC map = __glewMapBuffer;
    const PFNGLMAPBUFFERRANGEPROC map_range = __glewMapBufferRange;
    const PFNGLFENCESYNCPROC set = __glewFenceSync;
    unsigned char bytes[BYTES] = {0};
    struct qp_buffer buffer, mapped;
    GLsync fence = NULL;
    enum qp_status status;
    assert_ok(qp_buffer_create(context, targets[0], GL_STREAM_READ, BYTES, &buffer));
    __glewMapBuffer = map_none;
    status = qp_buffer_take(&buffer, bytes, BYTES);
    __glewMapBuffer = map;
    assert_int_equal(status, QP_DEVICE);
    assert_string_equal(qp_error(), "a buffer object cannot be mapped");
    unmap = __glewUnmapBuffer;
    __glewUnmapBuffer = unmap_spoilt;
    status = qp_buffer_fill(&buffer, bytes, BYTES);
    __glewUnmapBuffer = unmap;
    assert_int_equal(status, QP_DEVICE);
    assert_string_equal(qp_error(), "a buffer object lost what was in it");
    nothing_is_bound();
    __glewMapBufferRange = map_no_range;
    status = qp_buffer_create_mapped(context, targets[0], GL_MAP_READ_BIT, BYTES, &mapped);
    __glewMapBufferRange = map_range;
    assert_int_equal(status, QP_DEVICE);
    assert_string_equal(qp_error(), "a buffer object cannot be mapped for life");
    assert_int_equal(mapped.id, 0);
    __glewFenceSync = set_none;
    status = qp_fence_set(context, &fence);
    __glewFenceSync = set;
    assert_int_equal(status, QP_DEVICE);
    assert_string_equal(qp_error(), "the driver set no fence");
    assert_int_equal(qp_context_counters(context).live_objects, 1);
    qp_buffer_destroy(&buffer);
}

GROUP(support_open_context, support_close_context)
