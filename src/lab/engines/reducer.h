/* SPDX-License-Identifier: MIT */
/* Reduction by passes: a texture of any size becomes one texel, fan x fan texels to one a pass, up
 * a pyramid of ever smaller textures. Nothing leaves the device on the way.
 *
 * Accuracy, t the terms, h the additions that each goes through (qp_climb_depth); docs/reduce.md
 * derives these bounds:
 *
 *     tree          |error| <= g(h + 1) sum |t|                 g(k) = k u / (1 - k u), u = 2^-24
 *     compensated   |error| <= u |s| + 2 (h + 2)^2 u^2 sum |t|
 *
 * with one rounding less where there are no products. The maximum, its column and its row are
 * exact.
 *
 * A NaN anywhere gives NaN, and the index of the first NaN. An infinity gives infinity, but NaN
 * where opposite infinities meet and in a compensated sum. */
#ifndef QP_ENGINES_REDUCER_H
#define QP_ENGINES_REDUCER_H

#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/passes.h"

enum qp_reduction_kind {
    QP_SUM,
    QP_SUM_OF_SQUARES,
    QP_DOT,           /* dot product of two textures */
    QP_MAX_MAGNITUDE, /* max |x| */
    QP_INDEX,         /* max |x| and its place; of equal ones the first, row by row */
    QP_REDUCTIONS
};

/* Contents of a texel in the pyramid's levels. */
enum qp_levels {
    QP_AS_INPUT, /* a reduction of each channel */
    QP_SUM_PAIR, /* r + g: the sum and what rounding took from it */
    QP_PLACE     /* r at column g of row b */
};

/* A climb: the shaders that reduce level to level, up the pyramid. A reduction without a `first`
 * shader is not offered. */
struct qp_climb {
    int fan;
    bool keeps_rows;                     /* fan texels of a row to one; the answer is a column */
    bool pairs;                          /* sums are compensated: QP_SUM_PAIR */
    const char *first[2][QP_REDUCTIONS]; /* from an input of one channel, or of four */
    const char *next[QP_REDUCTIONS];     /* from level to level */
};

/* 4 x 4 texels a pass, channel by channel; for QP_INDEX four channels are neighbours of a row. */
extern const struct qp_climb qp_climb_tree;
extern const struct qp_climb qp_climb_tree_2x2; /* only QP_SUM of one channel, like the next */
extern const struct qp_climb qp_climb_tree_8x8;
extern const struct qp_climb qp_climb_rows; /* QP_SUM and QP_SUM_OF_SQUARES of each row by itself */
extern const struct qp_climb qp_climb_compensated; /* sums of one channel; needs QP_CAN_PRECISE */

enum { QP_REDUCE_LEVELS = 17 }; /* 2^16 = 65536 texels each way, and level 0 */

/* Level 1 holds what the first pass makes of the input, and so on. */
struct qp_reducer {
    struct qp_context *context;
    const struct qp_climb *climb;
    enum qp_reduction_kind reduction;
    int channels; /* channels of the input */
    int width, height;
    int levels;
    int top;                /* level of the latest run whose texel (0, 0) is the answer */
    struct qp_step step[2]; /* the first and the others */
    struct qp_texture texture[QP_REDUCE_LEVELS];
    GLuint framebuffer_id[QP_REDUCE_LEVELS];
};

struct qp_reducer_desc {
    const struct qp_climb *climb; /* NULL: qp_climb_tree */
    enum qp_reduction_kind reduction;
    GLenum target;
    enum qp_format format; /* format of the input */
    int width, height;     /* size of the largest input, in texels */
    bool scratch;          /* level 0 is wanted: see qp_reducer_surface */
};

/* The input: width x height texels from (left, bottom), of y too with QP_DOT. */
struct qp_region {
    const struct qp_texture *x, *y;
    int left, bottom, width, height;
};

/* Errors: QP_UNSUPPORTED where the climb has no such reduction or a texture is too large. */
enum qp_status qp_reducer_create(struct qp_context *context, const struct qp_reducer_desc *desc,
                                 struct qp_reducer *out);

/* Lists all passes; a region may be smaller than what the reducer was made for. The answer will be
 * on the device, in texel (0, 0) of qp_reducer_answer, as enum qp_levels says; with QP_INDEX column
 * and row count values from the region's first one. Sets to->status: QP_BAD_USE for a region that
 * is too large; those of qp_program_make. */
void qp_reducer_list(struct qp_reducer *reducer, const struct qp_region *region,
                     struct qp_passes *to);
const struct qp_texture *qp_reducer_answer(const struct qp_reducer *reducer);

/* Reads the answer's texel. result[0] is the answer, [1] and [2] with QP_INDEX column and row. */
enum qp_status qp_reducer_read(const struct qp_reducer *reducer, double result[3]);

/* Reads the answer of each channel of the input by itself, with QP_AS_INPUT. */
enum qp_status qp_reducer_read_channels(const struct qp_reducer *reducer, double result[4]);

/* Level 0, as large as the input: a render target and, afterwards, an input at (0, 0). */
struct qp_surface qp_reducer_surface(const struct qp_reducer *reducer);

/* Reads the sums of `rows` rows, the latest run's, with qp_climb_rows: as many floats for each as
 * the input has channels. */
enum qp_status qp_reducer_read_rows(const struct qp_reducer *reducer, int rows, float *sums);

/* The shader of the first pass from an input of this format; NULL if the climb has none. */
const char *qp_climb_first(const struct qp_climb *climb, enum qp_reduction_kind reduction,
                           enum qp_format format);

/* Most roundings by additions that a term of such an input goes through: h above. */
int qp_climb_depth(const struct qp_climb *climb, enum qp_format format, int width, int height);

void qp_reducer_destroy(struct qp_reducer *reducer);

#endif
