/* SPDX-License-Identifier: MIT */
/* Matrix Market data inside the library: read from memory, checked, gone through entry by entry,
 * multiplied. */
#ifndef QP_IO_MARKET_H
#define QP_IO_MARKET_H

#include "toolkit/base/sparse.h"

/* qp_market_read, which also counts the lines of data whose place another one had. */
enum qp_status qp_market_read_adding(const char *path, struct qp_market *out, size_t *added);

/* qp_market_read from memory; sentences call it `name`. */
enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out);

/* Checks a matrix that a caller filled in, before anything is computed with it: its arrays, its
 * sizes, the places and values of its entries, in time and memory proportional to their number.
 * Errors: QP_BAD_INPUT, naming the entry, counted from 1 as rows and columns are; QP_BAD_USE for
 * NULL; QP_NO_MEMORY. */
enum qp_status qp_market_check(const struct qp_market *matrix);

/* Errors: QP_BAD_INPUT for a matrix of a system that is not square. */
enum qp_status qp_market_check_square(const struct qp_market *matrix);

/* Spreads the lower triangle of an array, packed column by column, over the whole square; the other
 * triangle has its values times `mirror`, 1, or -1, where no diagonal is packed. False without
 * memory. */
bool qp_market_unpack(struct qp_market *market, int mirror);

/* y += factor A x; x NULL: ones. */
void qp_market_add_product(const struct qp_market *a, double factor, const double *x, double *y);

#endif
