/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of the reduction on OpenGL (src/lab/engines/reducer.c): two inputs inside
 * larger textures whose surroundings are NaN, so that with one texel too many the answer is
 * NaN; and the values of their reductions. */
#ifndef QP_TESTS_PYRAMID_H
#define QP_TESTS_PYRAMID_H

#include "support/support.h"

#include "lab/engines/reducer.h"

extern const struct qp_climb *const pyramid_climbs[4];
extern const enum qp_format pyramid_formats[3];
extern const GLenum pyramid_targets[2];

/* Two width x height inputs, these numbers of texels from the near corner of their textures. */
enum { PYRAMID_LEFT = 3, PYRAMID_BOTTOM = 1 };

struct inputs {
    struct qp_context *context;
    GLenum target;
    enum qp_format format;
    int width, height, channels;
    float *texels[2]; /* texels of a whole texture */
    struct qp_texture texture[2];
};

/* Values of both signs, the largest ones negative. */
void pyramid_open(struct qp_context *context, GLenum target, enum qp_format format, int width,
                  int height, struct inputs *inputs);
void pyramid_close(struct inputs *inputs);

/* Values of one input; value `i` channel after channel, texel after texel, row after row. */
int pyramid_values(const struct inputs *inputs);
float *pyramid_value(const struct inputs *inputs, int input, int i);

/* The first input's values have changed. */
void pyramid_renew(struct inputs *inputs);

/* Draws all passes of a reducer. Errors: those of qp_reducer_list. */
enum qp_status pyramid_draw(struct qp_reducer *reducer, const struct qp_region *region);

bool pyramid_can(const struct inputs *inputs, const struct qp_climb *climb,
                 enum qp_reduction_kind reduction);

/* Reads back one texel, no more, whatever the size. Twice, because the remains of a run must not
 * count. */
struct answer {
    double part[3]; /* value, column, row */
};
struct answer pyramid_reduce(struct inputs *inputs, const struct qp_climb *climb,
                             enum qp_reduction_kind reduction);

/* The largest magnitude and its place; and all answers, the sums within their bounds. */
void pyramid_check_largest(struct inputs *inputs);
void pyramid_check(struct inputs *inputs);

#endif
