/* SPDX-License-Identifier: MIT */
/* Transfers on OpenGL: the device's array is a texture, or a buffer object, and the kernel between
 * is a draw from that texture into a second one. */
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/ops/transfer/transfer.h"
#include "toolkit/gl/buffer.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"
#include "toolkit/gl/step.h"

/* The plan's own data on OpenGL. Turn i sends through unpack[i] and receives through pack[i]. */
struct own {
    struct qp_texture texture[2]; /* x on the device; and what the kernel makes of it */
    GLuint framebuffer_id[2];
    struct qp_buffer array; /* in place of the textures */
    struct qp_buffer unpack[QP_TRANSFER_GL_TURNS], pack[QP_TRANSFER_GL_TURNS];
    GLsync sent[QP_TRANSFER_GL_TURNS], came[QP_TRANSFER_GL_TURNS];
    struct qp_step add;
    struct qp_piece piece; /* drawn next */
};

static struct own *own_of(const struct qp_plan *plan)
{
    return qp_transfer_own(plan)->own;
}

/* Number of the texture that holds the answer on the device. */
static int last_texture(const struct qp_plan *plan)
{
    return qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP ? 1 : 0;
}

static struct qp_surface last_surface(const struct qp_plan *plan)
{
    return (struct qp_surface){own_of(plan)->framebuffer_id[last_texture(plan)],
                               GL_COLOR_ATTACHMENT0};
}

static size_t bytes_of(const struct qp_piece *piece)
{
    return piece->count * sizeof(float);
}

/* ---- A piece ---- */

static void to_texture(struct qp_plan *plan, const struct qp_piece *piece, GLuint buffer_id,
                       const float *texels)
{
    const struct qp_layout *layout = &plan->layout;
    qp_texture_send(&own_of(plan)->texture[0], buffer_id, layout->origin_x,
                    layout->origin_y + piece->row, layout->domain_x, piece->rows, texels);
}

/* Fills a buffer from which the driver copies later. A buffer mapped for life must not be written
 * before its last copy is done. */
static enum qp_status fill(struct qp_plan *plan, int turn, const float *texels, size_t bytes)
{
    struct own *own = own_of(plan);
    struct qp_buffer *buffer = &own->unpack[turn];
    if (buffer->mapped == NULL)
        return qp_buffer_fill(buffer, texels, bytes);
    enum qp_status status = qp_fence_wait(plan->context, &own->sent[turn]);
    if (status == QP_OK)
        memcpy(buffer->mapped, texels, bytes);
    return status;
}

/* Copies a filled buffer to the device's array. */
static void to_device(struct qp_plan *plan, const struct qp_piece *piece,
                      const struct qp_buffer *buffer)
{
    struct own *own = own_of(plan);
    if (own->array.id == 0) {
        to_texture(plan, piece, buffer->id, NULL);
        return;
    }
    qp_buffer_copy(buffer, 0, &own->array, piece->first * sizeof(float), bytes_of(piece));
    plan->context->counters.bytes_written += bytes_of(piece);
}

static enum qp_status send(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    const float *texels = qp_transfer_own(plan)->source + piece->first;
    const int turn = qp_transfer_turn(plan, piece);
    if (own->unpack[turn].id == 0) {
        to_texture(plan, piece, 0, texels);
        return QP_OK;
    }
    enum qp_status status = fill(plan, turn, texels, bytes_of(piece));
    if (status != QP_OK)
        return status;
    to_device(plan, piece, &own->unpack[turn]);
    return own->unpack[turn].mapped != NULL ? qp_fence_set(plan->context, &own->sent[turn]) : QP_OK;
}

static void list_piece(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    const struct qp_layout *layout = &plan->layout;
    const struct qp_piece *piece = &own_of(plan)->piece;
    const struct qp_step_value values[] = {{.texture = &own_of(plan)->texture[0]}, {.x = 1.0}};
    const struct qp_gl_pass pass = {
        .step = &own_of(plan)->add,
        .values = values,
        .surface = last_surface(plan),
        .x = layout->origin_x,
        .y = layout->origin_y + piece->row,
        .width = layout->domain_x,
        .height = piece->rows,
        .geometry = qp_quad(0.0f, 0.0f, (float)layout->domain_x, (float)piece->rows)};
    qp_passes_add(to, &pass);
}

static enum qp_status compute(struct qp_plan *plan, const struct qp_piece *piece)
{
    own_of(plan)->piece = *piece;
    return qp_draw_listed(plan, list_piece, 0);
}

static void from_array(struct qp_plan *plan, const struct qp_piece *piece,
                       const struct qp_buffer *buffer)
{
    qp_buffer_copy(&own_of(plan)->array, piece->first * sizeof(float), buffer, 0, bytes_of(piece));
    plan->context->counters.bytes_read += bytes_of(piece);
}

/* A read into the host's memory waits for all that was drawn; one into a buffer for nothing. */
static enum qp_status ask(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    const struct qp_layout *layout = &plan->layout;
    const int turn = qp_transfer_turn(plan, piece);
    float *texels = qp_transfer_own(plan)->arrived + piece->first;
    const struct qp_buffer *buffer = &own->pack[turn];
    if (own->array.id != 0)
        from_array(plan, piece, buffer);
    else
        qp_readback_ask(plan->context, last_surface(plan), layout->shape.format, buffer->id,
                        layout->origin_x, layout->origin_y + piece->row, layout->domain_x,
                        piece->rows, buffer->id == 0 ? texels : NULL, 0);
    bool fenced = buffer->id != 0 && (qp_transfer_turns(plan) > 1 || buffer->mapped != NULL);
    return fenced ? qp_fence_set(plan->context, &own->came[turn]) : QP_OK;
}

static enum qp_status take(struct qp_plan *plan, const struct qp_piece *piece)
{
    struct own *own = own_of(plan);
    const int turn = qp_transfer_turn(plan, piece);
    struct qp_buffer *buffer = &own->pack[turn];
    float *texels = qp_transfer_own(plan)->arrived + piece->first;
    if (buffer->id == 0)
        return QP_OK;
    enum qp_status status = qp_fence_wait(plan->context, &own->came[turn]);
    if (status == QP_OK && buffer->mapped == NULL)
        return qp_buffer_take(buffer, texels, bytes_of(piece));
    if (status == QP_OK)
        memcpy(texels, buffer->mapped, bytes_of(piece));
    return status;
}

/* ---- All of them ---- */

static enum qp_status fetch_array(struct qp_plan *plan, float *texels)
{
    const size_t count = qp_transfer_own(plan)->count;
    float *values = qp_guarded_create(count, "the device's array");
    if (values == NULL)
        return QP_NO_MEMORY;
    memcpy(texels, plan->empty, qp_layout_bytes(&plan->layout));
    enum qp_status status =
        qp_buffer_fetch(&own_of(plan)->array, 0, values, count * sizeof *values);
    qp_transfer_scatter(plan, values, texels);
    qp_guarded_destroy(&values);
    return status;
}

static enum qp_status fetch(struct qp_plan *plan, float *texels)
{
    const struct qp_layout *layout = &plan->layout;
    if (own_of(plan)->array.id != 0)
        return fetch_array(plan, texels);
    return qp_readback(plan->context, last_surface(plan), layout->shape.format, 0, 0,
                       layout->storage_x, layout->storage_y, texels);
}

static enum qp_status reset_array(struct qp_plan *plan, const float *texels)
{
    const size_t count = qp_transfer_own(plan)->count;
    float *values = qp_guarded_create(count, "the device's array");
    if (values == NULL)
        return QP_NO_MEMORY;
    qp_transfer_gather(plan, texels, values);
    enum qp_status status = qp_buffer_send(&own_of(plan)->array, 0, values, count * sizeof *values);
    qp_guarded_destroy(&values);
    return status;
}

static enum qp_status reset(struct qp_plan *plan, const float *texels)
{
    struct own *own = own_of(plan);
    if (own->array.id != 0)
        return reset_array(plan, texels);
    enum qp_status status = QP_OK;
    for (int i = 0; i <= last_texture(plan) && status == QP_OK; i++)
        status = qp_texture_upload(&own->texture[i], texels);
    glFinish();
    return status;
}

/* ---- Stage 3 ---- */

static enum qp_status make_texture(struct qp_plan *plan, int i)
{
    struct own *own = own_of(plan);
    const struct qp_texture *const textures[] = {&own->texture[i]};
    enum qp_status status = qp_texture_create(
        plan->context, qp_gl_target(plan->target), plan->layout.shape.format,
        plan->layout.storage_x, plan->layout.storage_y, plan->empty, &own->texture[i]);
    return status == QP_OK
               ? qp_framebuffer_create(plan->context, textures, 1, &own->framebuffer_id[i])
               : status;
}

/* Makes a staging buffer of the size of the first piece, which is the largest. */
static enum qp_status make_staging(struct qp_plan *plan, struct qp_buffer *buffer, bool up)
{
    const struct qp_piece first = qp_transfer_piece(plan, 0);
    GLenum target = up ? GL_PIXEL_UNPACK_BUFFER : GL_PIXEL_PACK_BUFFER;
    if (qp_transfer_own(plan)->how->way == QP_TRANSFER_MAPPED)
        return qp_buffer_create_mapped(plan->context, target,
                                       up ? GL_MAP_WRITE_BIT : GL_MAP_READ_BIT, bytes_of(&first),
                                       buffer);
    return qp_buffer_create(plan->context, target, up ? GL_STREAM_DRAW : GL_STREAM_READ,
                            bytes_of(&first), buffer);
}

static enum qp_status make_all_staging(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    enum qp_status status = QP_OK;
    for (int i = 0; i < qp_transfer_turns(plan) && status == QP_OK; i++) {
        if (qp_transfer_goes_up(plan))
            status = make_staging(plan, &own->unpack[i], true);
        if (status == QP_OK && qp_transfer_comes_down(plan))
            status = make_staging(plan, &own->pack[i], false);
    }
    return status;
}

static enum qp_status open_device(struct qp_plan *plan)
{
    struct own *own = qp_alloc_zero(1, sizeof *own, "a transfer's OpenGL side");
    const struct qp_transfer *how = qp_transfer_own(plan)->how;
    qp_transfer_own(plan)->own = own;
    enum qp_status status = own != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && how->array)
        status = qp_buffer_create(plan->context, GL_ARRAY_BUFFER, GL_STATIC_COPY,
                                  qp_transfer_own(plan)->count * sizeof(float), &own->array);
    for (int i = 0; status == QP_OK && !how->array && i <= last_texture(plan); i++)
        status = make_texture(plan, i);
    if (status == QP_OK && how->way != QP_TRANSFER_PLAIN)
        status = make_all_staging(plan);
    return qp_end_upload(plan, status);
}

static void close_device(struct qp_plan *plan)
{
    struct own *own = own_of(plan);
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < QP_TRANSFER_GL_TURNS; i++) {
        qp_fence_destroy(plan->context, &own->sent[i]);
        qp_fence_destroy(plan->context, &own->came[i]);
        qp_buffer_destroy(&own->unpack[i]);
        qp_buffer_destroy(&own->pack[i]);
        qp_framebuffer_destroy(plan->context, &own->framebuffer_id[i]);
        qp_texture_destroy(&own->texture[i]);
    }
    qp_buffer_destroy(&own->array);
    free(own);
}

/* ---- Stage 4 ---- */

static const char adding[] = "transfer/add.frag";

static enum qp_status prepare(struct qp_plan *plan)
{
    static const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0}, {"one", QP_FLOAT, 0}, {0}};
    const struct qp_program_source source = {.fragment = {.name = adding},
                                             .target = qp_gl_target(plan->target)};
    return qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP
               ? qp_step_make(plan->context, &source, names, &own_of(plan)->add)
               : QP_OK;
}

const struct qp_mover qp_mover_gl = {.open = open_device,
                                     .close = close_device,
                                     .prepare = prepare,
                                     .shader = adding,
                                     .send = send,
                                     .compute = compute,
                                     .ask = ask,
                                     .take = take,
                                     .finish = qp_finish_gl,
                                     .fetch = fetch,
                                     .reset = reset};
