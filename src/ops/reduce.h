/* SPDX-License-Identifier: MIT */
/* Reductions: their fields and what their rows share. */
#ifndef QP_OPS_REDUCE_H
#define QP_OPS_REDUCE_H

#include "ops/op.h"
#include "ops/reducer.h"

enum qp_reduce_field { QP_REDUCE_X, QP_REDUCE_Y, QP_REDUCE_ANSWER, QP_REDUCE_STORED };

/* What a plan on OpenGL owns. */
struct qp_plan_reduce {
    struct qp_texture input[2]; /* x and, for QP_DOT, y */
    struct qp_reducer reducer;
    bool reduced; /* the answer is no longer the start */
};

/* The problem's kind; the kinds stand in the order of enum qp_reduction. */
enum qp_reduction qp_reduce_kind(const struct qp_problem *problem);

/* The kinds that add up, which round; the others are exact and must be equal. */
bool qp_reduce_adds(enum qp_reduction kind);

/* k roundings of a sum's terms on their way: k u / (1 - k u) of the sum of their magnitudes. */
double qp_reduce_roundings(double k);

#endif
