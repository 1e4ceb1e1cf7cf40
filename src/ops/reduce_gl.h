/* SPDX-License-Identifier: MIT */
/* Reduction by passes: a texture of any size becomes one number, 4 x 4 texels to 1 a pass.
 *
 * Accuracy. A pass adds 16 values as a tree four deep, so a sum of W x H non-negative terms over
 * L = ceil(log4(max(W, H))) passes has a relative error of at most (4 L + 3) 2^-24: one rounding of
 * the square, four a pass, two where the channels meet. That is 1.4e-6 at 1024 x 1024. The maximum
 * is exact. */
#ifndef QP_OPS_REDUCE_GL_H
#define QP_OPS_REDUCE_GL_H

#include "gl/framebuffer.h"
#include "gl/pass.h"

enum qp_reduction { QP_SUM_OF_SQUARES, QP_MAX_MAGNITUDE };

enum { QP_REDUCE_LEVELS = 9 }; /* 4^8 = 65536 texels each way, and the first */

/* A pyramid of scratch textures; level 0 is as large as the input and may serve as one. */
struct qp_reducer {
    struct qp_context *context;
    int levels;
    struct qp_texture texture[QP_REDUCE_LEVELS];
    GLuint framebuffer_id[QP_REDUCE_LEVELS];
};

/* For inputs of width x height texels of this format. */
enum qp_status qp_reducer_create(struct qp_context *context, GLenum target, enum qp_format format,
                                 int width, int height, struct qp_reducer *out);

/* Reduces the width x height texels from (x, y) of `texture`, all channels of RGBA and the first of
 * the others. Reads one texel back. A NaN anywhere makes the answer NaN. */
enum qp_status qp_reducer_run(struct qp_reducer *reducer, enum qp_reduction reduction,
                              const struct qp_texture *texture, int x, int y, double *result);

/* The same for each channel by itself, all of its format's. */
enum qp_status qp_reducer_run_channels(struct qp_reducer *reducer, enum qp_reduction reduction,
                                       const struct qp_texture *texture, int x, int y,
                                       double result[4]);

/* The reducer's level 0 as a render target and, afterwards, as an input at (0, 0). */
struct qp_surface qp_reducer_surface(const struct qp_reducer *reducer);

void qp_reducer_destroy(struct qp_reducer *reducer);

#endif
