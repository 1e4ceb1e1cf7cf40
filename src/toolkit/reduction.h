/* SPDX-License-Identifier: MIT */
/* Reductions inside the library: a map, if there is one, then passes that join 4 x 4 cells to one,
 * level by level. */
#ifndef QP_TOOLKIT_REDUCTION_H
#define QP_TOOLKIT_REDUCTION_H

#include <quadpass/reduce.h>

#include "toolkit/array.h"

enum { QP_REDUCTION_FAN = 4, QP_REDUCTION_LEVELS = 16 }; /* 4^16 cells each way */

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
    struct qp_kernel *next, *answer;
    struct qp_array *scaled; /* the last cell in each scale, of compensated sums; or NULL */
    struct qp_array *grid;   /* result of the map, for `first` */
    struct qp_array *level[QP_REDUCTION_LEVELS];
    int levels;
    struct qp_list *climb; /* all passes but the first; NULL where that is the only one */
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

#endif
