/* SPDX-License-Identifier: MIT */
/* Tests of a matrix by its rows and columns alone, exact and for any size. */
#ifndef QP_SOLVE_REGULAR_H
#define QP_SOLVE_REGULAR_H

#include <quadpass/market.h>

/* Tests A. *regular: it is shown to be regular; false means undecided, as for a matrix that is not
 * square. Errors: QP_BAD_INPUT for a matrix shown to be singular, naming a row or column, or two
 * that are equal; QP_NO_MEMORY. */
enum qp_status qp_look_whether_regular(const struct qp_market *matrix, bool *regular);

#endif
