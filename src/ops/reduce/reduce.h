/* SPDX-License-Identifier: MIT */
/* Reductions: their fields and what their rows share. */
#ifndef QP_OPS_REDUCE_REDUCE_H
#define QP_OPS_REDUCE_REDUCE_H

#include "engines/reducer.h"
#include "plan/op.h"

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

extern const struct qp_op qp_op_reduce;
extern struct qp_lent_kernel qp_lent_reduce_cub;

/* k roundings of a sum's terms on their way: k u / (1 - k u) of the sum of their magnitudes. */
double qp_reduce_roundings(double k);

/* What the reference itself may be off by, n additions in double; and an answer by its one rounding to
 * float. Both in units of the sum of magnitudes. */
double qp_reduce_of_reference(const struct qp_problem *problem);
double qp_reduce_of_answer(const struct qp_problem *problem);

/* True if no row rounds anything, in whatever order it adds: all terms are whole multiples of the
 * problem's own power of two, and all partial sums have 24 bits. Either their magnitudes together do; or
 * sums from the first on have one bit less, so that those of any neighbours do, and so have 8 standard
 * deviations of a sum with random signs, so that those of values a stride apart do. True of all maxima. */
bool qp_reduce_is_exact(const struct qp_problem *problem);

/* 0 if that is true; else so many roundings of each term on its way, and the reference's own. */
double qp_reduce_tolerance(const struct qp_problem *problem, double roundings);

#endif
