/* SPDX-License-Identifier: MIT */
/* Matrices as files give them: read from memory, entry by entry, and multiplied with. */
#ifndef QP_IO_MARKET_H
#define QP_IO_MARKET_H

#include <quadpass/market.h>

/* qp_market_read from memory; sentences call it `name`. */
enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out);

/* Where entry k stands, from 0, in either kind of file. */
void qp_market_place(const struct qp_market *matrix, size_t k, int *row, int *column);

/* y += factor A x; x NULL stands for ones. */
void qp_market_add_product(const struct qp_market *a, double factor, const double *x, double *y);

#endif
