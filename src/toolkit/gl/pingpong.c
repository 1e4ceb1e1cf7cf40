/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/pingpong.h"

#include "toolkit/gl/readback.h"

/* Two attachments of one framebuffer object: the pass reads one while it draws to the other. By
 * the letter of EXT_framebuffer_object that is a feedback loop, because both belong to the bound
 * object; OpenGL 4.5's wording (9.3.1) allows it, since no texel is both read and written, and both
 * drivers tried do it right. It saves the change of framebuffer, which was the expensive part. */
static enum qp_status make_framebuffers(struct qp_pingpong *pair)
{
    const struct qp_texture *all[2 * QP_TARGETS];
    int sheets = pair->sheets;
    for (int i = 0; i < 2 * sheets; i++)
        all[i] = &pair->texture[i / sheets][i % sheets];
    switch (pair->style) {
    case QP_TWO_ATTACHMENTS:
        return qp_framebuffer_create(pair->context, all, 2 * sheets, &pair->framebuffer_id[0]);
    case QP_TWO_FBOS: {
        enum qp_status status =
            qp_framebuffer_create(pair->context, all, sheets, &pair->framebuffer_id[0]);
        if (status != QP_OK)
            return status;
        return qp_framebuffer_create(pair->context, all + sheets, sheets, &pair->framebuffer_id[1]);
    }
    case QP_REATTACH:
    case QP_COPY:
        return qp_framebuffer_create(pair->context, all + sheets, sheets, &pair->framebuffer_id[0]);
    default:
        return qp_fail(QP_BAD_USE, "ping-pong style %d is none", (int)pair->style);
    }
}

enum qp_status qp_pingpong_create(struct qp_context *context, enum qp_pingpong_style style,
                                  GLenum target, const struct qp_layout *layout, const void *start,
                                  const void *empty, struct qp_pingpong *out)
{
    *out = (struct qp_pingpong){
        .context = context, .style = style, .sheets = layout->sheets, .attached = 1};
    if (style == QP_TWO_ATTACHMENTS && 2 * layout->sheets > context->device.colour_attachments)
        out->style = QP_TWO_FBOS;
    size_t sheet = qp_layout_bytes(layout) / (size_t)layout->sheets;
    const char *texels[2] = {start, empty};
    for (int i = 0; i < 2 * layout->sheets; i++) {
        int set = i / layout->sheets, k = i % layout->sheets;
        enum qp_status status = qp_texture_create(
            context, target, layout->shape.format, layout->storage_x, layout->sheet_y,
            texels[set] + (size_t)k * sheet, &out->texture[set][k]);
        if (status != QP_OK)
            return status;
    }
    return make_framebuffers(out);
}

const struct qp_texture *qp_pingpong_source(const struct qp_pingpong *pair)
{
    return pair->texture[pair->source];
}

const struct qp_texture *qp_pingpong_target(const struct qp_pingpong *pair)
{
    return pair->texture[1 - pair->source];
}

struct qp_surface qp_pingpong_place(const struct qp_pingpong *pair, int set)
{
    struct qp_surface surface = {.framebuffer_id = pair->framebuffer_id[0],
                                 .attachment = GL_COLOR_ATTACHMENT0};
    if (pair->style == QP_TWO_ATTACHMENTS)
        surface.attachment = GL_COLOR_ATTACHMENT0 + (GLenum)(set * pair->sheets);
    else if (pair->style == QP_TWO_FBOS)
        surface.framebuffer_id = pair->framebuffer_id[set];
    return surface;
}

void qp_pingpong_attach(struct qp_pingpong *pair, int set)
{
    if (pair->style == QP_REATTACH || (pair->style == QP_COPY && pair->attached != set))
        qp_framebuffer_attach(pair->framebuffer_id[0], pair->texture[set], pair->sheets);
    pair->attached = set;
}

static struct qp_surface surface_of(struct qp_pingpong *pair, int set)
{
    qp_pingpong_attach(pair, set);
    return qp_pingpong_place(pair, set);
}

struct qp_surface qp_pingpong_surface(struct qp_pingpong *pair)
{
    return surface_of(pair, 1 - pair->source);
}

struct qp_surface qp_pingpong_source_surface(struct qp_pingpong *pair)
{
    return surface_of(pair, pair->source);
}

static void copy(struct qp_surface from, const struct qp_texture *to, const struct qp_block *block)
{
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer_id);
    glReadBuffer(from.attachment);
    glBindTexture(to->target, to->id);
    glCopyTexSubImage2D(to->target, 0, block->to_x, block->to_y, block->from_x, block->from_y,
                        block->width, block->height);
}

void qp_pingpong_copy(struct qp_pingpong *from, const struct qp_pingpong *to,
                      const struct qp_block *block)
{
    struct qp_surface surface = qp_pingpong_source_surface(from);
    for (int i = 0; i < from->sheets; i++, surface.attachment++)
        copy(surface, qp_pingpong_source(to) + i, block);
}

void qp_pingpong_swap(struct qp_pingpong *pair)
{
    if (pair->style != QP_COPY) {
        pair->source = 1 - pair->source;
        return;
    }
    const struct qp_texture *source = qp_pingpong_source(pair);
    const struct qp_block all = {.width = source->width, .height = source->height};
    struct qp_surface surface = qp_pingpong_surface(pair);
    for (int i = 0; i < pair->sheets; i++, surface.attachment++)
        copy(surface, &source[i], &all);
}

/* Bytes of each texture of a set on the host. */
static size_t sheet_bytes(const struct qp_pingpong *pair)
{
    const struct qp_texture *texture = &pair->texture[0][0];
    return qp_texel_bytes(texture->format) * (size_t)texture->width * (size_t)texture->height;
}

enum qp_status qp_pingpong_write(struct qp_pingpong *pair, bool target, const void *texels)
{
    int set = target ? 1 - pair->source : pair->source;
    enum qp_status status = QP_OK;
    for (int i = 0; i < pair->sheets && status == QP_OK; i++)
        status = qp_texture_upload(&pair->texture[set][i],
                                   (const char *)texels + (size_t)i * sheet_bytes(pair));
    return status;
}

/* Reads a texture through a framebuffer object of its own: with QP_COPY none holds the source. */
static enum qp_status read_texture(struct qp_context *context, const struct qp_texture *texture,
                                   void *texels)
{
    struct qp_surface surface = {0, GL_COLOR_ATTACHMENT0};
    enum qp_status status = qp_framebuffer_create(context, &texture, 1, &surface.framebuffer_id);
    if (status != QP_OK)
        return status;
    status = qp_readback(context, surface, texture->format, 0, 0, texture->width, texture->height,
                         texels);
    qp_framebuffer_destroy(context, &surface.framebuffer_id);
    return status;
}

enum qp_status qp_pingpong_read(const struct qp_pingpong *pair, bool target, void *texels)
{
    const struct qp_texture *texture = target ? qp_pingpong_target(pair) : qp_pingpong_source(pair);
    enum qp_status status = QP_OK;
    for (int i = 0; i < pair->sheets && status == QP_OK; i++)
        status = read_texture(pair->context, &texture[i],
                              (char *)texels + (size_t)i * sheet_bytes(pair));
    return status;
}

void qp_pingpong_destroy(struct qp_pingpong *pair)
{
    if (pair->context == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        qp_framebuffer_destroy(pair->context, &pair->framebuffer_id[i]);
        for (int k = 0; k < QP_TARGETS; k++)
            qp_texture_destroy(&pair->texture[i][k]);
    }
    *pair = (struct qp_pingpong){0};
}
