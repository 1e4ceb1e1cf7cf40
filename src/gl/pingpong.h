/* SPDX-License-Identifier: MIT */
/* Room 6: feedback = ping-pong. Two textures, one read and one written, that change roles. */
#ifndef QP_GL_PINGPONG_H
#define QP_GL_PINGPONG_H

#include <quadpass/walk.h>

#include "gl/framebuffer.h"
#include "gl/pass.h"

struct qp_pingpong {
    struct qp_context *context;
    enum qp_pingpong_style style;
    struct qp_texture texture[2];
    GLuint framebuffer_id[2]; /* the second one only with QP_TWO_FBOS */
    int source;               /* which texture is read; the other one is written */
};

/* Makes both textures: the source from `start`, the target from `empty` (padding, guards, NaN). */
enum qp_status qp_pingpong_create(struct qp_context *context, enum qp_pingpong_style style,
                                  GLenum target, const struct qp_layout *layout, const float *start,
                                  const float *empty, struct qp_pingpong *out);

const struct qp_texture *qp_pingpong_source(const struct qp_pingpong *pair);
const struct qp_texture *qp_pingpong_target(const struct qp_pingpong *pair);

/* Where the next pass is to draw. */
struct qp_surface qp_pingpong_surface(struct qp_pingpong *pair);

/* The target becomes the source (QP_COPY: its texels are copied there). */
void qp_pingpong_swap(struct qp_pingpong *pair);

void qp_pingpong_destroy(struct qp_pingpong *pair);

#endif
