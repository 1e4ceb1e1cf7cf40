/* SPDX-License-Identifier: MIT */
/* Stage 6: feedback = ping-pong. Two textures, one read and one written, that change roles; or two
 * sets of textures, where a pass has several render targets. */
#ifndef QP_GL_PINGPONG_H
#define QP_GL_PINGPONG_H

#include <quadpass/walk.h>

#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/pass.h"

struct qp_pingpong {
    struct qp_context *context;
    enum qp_pingpong_style style;
    int sheets; /* textures in a set */
    struct qp_texture texture[2][QP_TARGETS];
    GLuint framebuffer_id[2]; /* the second one only with QP_TWO_FBOS */
    int source;               /* which texture is read; the other one is written */
    int attached;             /* the set that a framebuffer object for one set holds */
};

/* Makes both sets, one texture for each sheet of the layout: the source from `start`, the target
 * from `empty` (padding, guards, NaN). Where two sets are more than a framebuffer object holds,
 * QP_TWO_ATTACHMENTS gives way to QP_TWO_FBOS. */
enum qp_status qp_pingpong_create(struct qp_context *context, enum qp_pingpong_style style,
                                  GLenum target, const struct qp_layout *layout, const void *start,
                                  const void *empty, struct qp_pingpong *out);

/* The first texture of the set. */
const struct qp_texture *qp_pingpong_source(const struct qp_pingpong *pair);
const struct qp_texture *qp_pingpong_target(const struct qp_pingpong *pair);

/* The target as a surface to draw to; and the source as one, while the target is read. */
struct qp_surface qp_pingpong_surface(struct qp_pingpong *pair);
struct qp_surface qp_pingpong_source_surface(struct qp_pingpong *pair);

/* A set, 0 or 1, as a surface; and the other part of the two functions above, for whoever draws
 * later (passes.h): a framebuffer object that holds one set at a time gets it attached. */
struct qp_surface qp_pingpong_place(const struct qp_pingpong *pair, int set);
void qp_pingpong_attach(struct qp_pingpong *pair, int set);

/* A rectangle of texels to be copied from one texture to another. */
struct qp_block {
    int from_x, from_y, to_x, to_y, width, height;
};

/* Copies from one pair's source to another pair's on the device, in all sheets. */
void qp_pingpong_copy(struct qp_pingpong *from, const struct qp_pingpong *to,
                      const struct qp_block *block);

/* Replaces all texels of the target's sheets, or of the source's, one above
 * the other in `texels`. */
enum qp_status qp_pingpong_write(struct qp_pingpong *pair, bool target, const void *texels);

/* Reads all texels of the target's sheets, or of the source's, guards and
 * padding included. Waits. */
enum qp_status qp_pingpong_read(const struct qp_pingpong *pair, bool target, void *texels);

/* The target becomes the source (QP_COPY: its texels are copied there). */
void qp_pingpong_swap(struct qp_pingpong *pair);

void qp_pingpong_destroy(struct qp_pingpong *pair);

#endif
