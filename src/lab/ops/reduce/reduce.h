/* SPDX-License-Identifier: MIT */
/* Reductions: their fields and what their variants share. */
#ifndef QP_OPS_REDUCE_REDUCE_H
#define QP_OPS_REDUCE_REDUCE_H

#include "lab/engines/reducer.h"
#include "lab/plan/op.h"

enum qp_reduce_field { QP_REDUCE_X, QP_REDUCE_Y, QP_REDUCE_ANSWER, QP_REDUCE_STORED };

/* Arrays of variants that take sums alone, and of variants that take dot products too. */
#define QP_REDUCE_ONE(...)                      \
    {                                           \
        QP_ARRAY("x", QP_REDUCE_X, __VA_ARGS__) \
    }
#define QP_REDUCE_TWO(...)                                                               \
    {                                                                                    \
        QP_ARRAY("x", QP_REDUCE_X, __VA_ARGS__), QP_ARRAY("y", QP_REDUCE_Y, __VA_ARGS__) \
    }

/* not_kinds of variants that take sums alone. */
enum {
    QP_REDUCE_ONLY_SUMS =
        1 << QP_SUM_OF_SQUARES | 1 << QP_DOT | 1 << QP_MAX_MAGNITUDE | 1 << QP_INDEX
};

/* The problem's kind, numbered by the operation's table (reduce.c). */
enum qp_reduction_kind qp_reduce_kind(const struct qp_problem *problem);

/* True for kinds that add, and so round; the others are exact and must be equal. */
bool qp_reduce_adds(enum qp_reduction_kind kind);

extern const struct qp_op qp_op_reduce;
extern const struct qp_engine qp_engine_reduce; /* engine of its variants on OpenGL */

/* Settings of a variant that climbs a pyramid, and a plan's pyramid from stage 3 on; NULL for
 * others. */
const struct qp_climb *qp_reduce_climb(const struct qp_recipe *recipe);
const struct qp_reducer *qp_reduce_pyramid(const struct qp_plan *plan);
extern struct qp_lent qp_lent_reduce_cub;

/* Bound of k roundings of each term: k u / (1 - k u) of the sum of magnitudes. */
double qp_reduce_roundings(double k);

/* Error of the reference, n additions in double, and of an answer, one rounding to float; both in
 * units of the sum of magnitudes. */
double qp_reduce_of_reference(const struct qp_problem *problem);
double qp_reduce_of_answer(const struct qp_problem *problem);

/* True if no variant rounds anything, in whatever order it adds: all terms are whole multiples of
 * the problem's own power of two, and all partial sums have 24 bits. Either the sum of magnitudes
 * has; or sums from the first term on have one bit less, so that sums of any neighbours fit, and so
 * have 8 standard deviations of a sum with random signs, so that sums of values a stride apart fit.
 * Always true for maxima. */
bool qp_reduce_is_exact(const struct qp_problem *problem);

/* Tolerance: 0 if the problem is exact; else `roundings` roundings of each term, and the
 * reference's own. */
double qp_reduce_tolerance(const struct qp_problem *problem, double roundings);

#endif
