/* SPDX-License-Identifier: MIT */
/* What a look at the rows of a matrix proves of it, in exact terms and for any size. */
#ifndef QP_SOLVE_REGULAR_H
#define QP_SOLVE_REGULAR_H

#include <quadpass/market.h>

/* *regular: A is shown to be regular. If not, nobody knows; nor of what is no square matrix.
 * Errors: QP_BAD_INPUT for one that is shown to be singular, naming a column, QP_NO_MEMORY. */
enum qp_status qp_look_whether_regular(const struct qp_market *matrix, bool *regular);

#endif
