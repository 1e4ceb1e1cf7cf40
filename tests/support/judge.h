/* SPDX-License-Identifier: MIT */
/* Linear systems in whole numbers of any length (GMP): what is true of a matrix and of an x,
 * without rounding. */
#ifndef QP_TESTS_JUDGE_H
#define QP_TESTS_JUDGE_H

#include <stdbool.h>

#include <quadpass/market.h>

struct judge;

/* Creates the judge of a dense square matrix and `sides` columns b; b NULL means A times ones. NULL
 * if this build has no GMP. */
struct judge *judge_create(const struct qp_market *a, const double *b, int sides);
void judge_destroy(struct judge **judge);

bool judge_is_singular(const struct judge *judge);

/* True if the column, from 0, is a combination of the others. */
bool judge_is_combination(const struct judge *judge, int column);

/* ||b - A x||_2 <= limit ||b||_2 of one side, or <= limit if b is 0. */
bool judge_residual_within(const struct judge *judge, int side, const double *x, double limit);

/* max |x - x'| <= limit max |x'| for the one x' with A x' = b; A must be regular. */
bool judge_error_within(const struct judge *judge, int side, const double *x, double limit);

#endif
