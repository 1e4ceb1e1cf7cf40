/* SPDX-License-Identifier: MIT */
/* Reductions inside the library: a map, if there is one, then passes that join cells to one, level
 * by level. */
#ifndef QP_TOOLKIT_REDUCTION_H
#define QP_TOOLKIT_REDUCTION_H

#include <quadpass/reduce.h>

#include "toolkit/arrays/array.h"

/* ---- Pyramids ---- */

enum { QP_PYRAMID_LEVELS = 16 }; /* 4^16 cells each way */

/* Arrays between passes: each has a cell for fan x fan of the one before. */
struct qp_pyramid {
    struct qp_kernel *next; /* from level to level; its input is x */
    struct qp_array *level[QP_PYRAMID_LEVELS];
    int levels;
};

void qp_pyramid_destroy(struct qp_pyramid *pyramid);

/* Gives the first pass its output, writes the others after it, and returns how many there are. */
int qp_pyramid_passes(const struct qp_pyramid *pyramid, struct qp_pass *pass);

static inline struct qp_array *qp_pyramid_top(const struct qp_pyramid *pyramid)
{
    return pyramid->level[pyramid->levels - 1];
}

/* ---- Reductions of arrays and maps ---- */

/* Scales of the terms of sums of floats, so that none of their squares and sums leaves a float's
 * range: a tree carries all of them in the channels of a cell, and a compensated sum, which has no
 * room, is made anew in the scale that it needs. */
enum qp_reduction_scale { QP_SCALE_NONE, QP_SCALE_SMALLER, QP_SCALE_LARGER, QP_SCALES };

/* Shaders that reduce such arrays. */
struct qp_reduction_way {
    const char *first, *next; /* from the arrays, and from level to level */
    const char *version;      /* version of both; NULL: their own */
    const char *map_sum;      /* map and `first` in one; NULL: there is none */
    char first_lines[768], next_lines[768],
        answer_lines[128];    /* in front of them and of answer.frag */
    enum qp_array_type level; /* type of the levels' arrays */
    int level_channels;
    enum qp_array_type to; /* type of the answer on the device */
    int to_channels;
};

struct qp_reduction {
    struct qp_context *context;
    struct qp_array_desc of;
    enum qp_reduce_what what;
    bool maps; /* a function of the caller's comes first */
    bool two;  /* arrays x and y */
    struct qp_reduction_way way;
    struct qp_kernel *map;         /* NULL without one */
    struct qp_reduction_desc sums; /* input of `first`: `of`, or what the map returned */
    /* NULL where the map adds up 4 x 4 of its values itself, and in a scale that was not wanted
     * yet. */
    struct qp_kernel *first[QP_SCALES];
    struct qp_kernel *answer;
    struct qp_array *scaled;   /* the last cell in each scale, of compensated sums; or NULL */
    struct qp_array *grid;     /* result of the map, for `first` */
    struct qp_pyramid pyramid; /* 4 x 4 cells to one, up to a single one */
    struct qp_list *climb;     /* all passes but the first; NULL where that is the only one */
};

/* The last level's cell. */
union qp_reduction_cell {
    float fraction[4];
    uint32_t words[4];
    double number[2];
};

/* ---- Kernels, and answers on the host (reduce_kernels.c) ---- */

/* Chooses the shaders, and makes all kernels that every run needs. Errors: QP_BAD_USE for what
 * cannot be compensated, those of qp_kernel_create. */
enum qp_status qp_reduction_kernels(struct qp_reduction *reduction,
                                    const struct qp_reduction_desc *desc);

/* Makes the first kernel in a scale, or that of the answer on the device, unless it is there.
 * Errors: those of qp_kernel_create. */
enum qp_status qp_reduction_scale(struct qp_reduction *reduction, enum qp_reduction_scale scale);
enum qp_status qp_reduction_answer_kernel(struct qp_reduction *reduction);

/* True if a compensated sum with this cell is to be made anew in a scale. */
bool qp_reduction_wants(const struct qp_reduction *reduction, enum qp_reduction_scale scale,
                        const union qp_reduction_cell *cell);

/* The answer as the host has it, from the last level's cell; of a compensated sum from that of each
 * scale that it wants. */
void qp_reduction_answer(const struct qp_reduction *reduction, const union qp_reduction_cell *cell,
                         struct qp_reduced *out);

/* ---- Four sums at once ----
 *
 * A text `vec4 map(vec2 at)` makes four terms of each cell of a grid. A pass adds up 8 x 8 cells,
 * since the steps of a solver wait for each pass; and it does so in a loop, so that the text is
 * there once. Some cells are left for a kernel that calls `vec4 total()`. docs/reduce.md has the
 * bound of their error. */

enum { QP_SUMS_LAST = 256 }; /* cells that are left, at most */

/* Makes levels and the kernel between them; or, for compute shaders, a single level, of a cell for
 * each group of `group` x `group` cells, 0 for fragments. Errors: those of qp_array_create and
 * qp_kernel_create. Owner: the caller, by qp_pyramid_destroy, after errors too. */
enum qp_status qp_sums_create(struct qp_context *context, int width, int height, int group,
                              struct qp_pyramid *out);

/* Makes a kernel of the first pass, of a built-in map and with a number `grid`, the grid's sizes;
 * or, with `ends`, one of a built-in text that calls total(), of its input `last`. Errors: those of
 * qp_kernel_create. Owner: the caller. */
enum qp_status qp_sums_kernel(struct qp_context *context, const char *shader, bool ends,
                              const struct qp_kernel_desc *desc, struct qp_kernel **out);

/* Waits, reads the cells that are left, and adds them to `total`. Errors: those of
 * qp_array_read. */
enum qp_status qp_sums_read(const struct qp_pyramid *sums, double total[4]);

#endif
