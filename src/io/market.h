/* SPDX-License-Identifier: MIT */
#ifndef QP_IO_MARKET_H
#define QP_IO_MARKET_H

#include <quadpass/market.h>

/* qp_market_read from memory; sentences call it `name`. */
enum qp_status qp_market_read_text(const char *name, const unsigned char *text, size_t bytes,
                                   struct qp_market *out);

#endif
