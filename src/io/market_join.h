/* SPDX-License-Identifier: MIT */
#ifndef QP_IO_MARKET_JOIN_H
#define QP_IO_MARKET_JOIN_H

#include <quadpass/market.h>

/* Adds entries of one place, in the file's order, as assemblies of finite elements mean them; the
 * matrix is sorted by rows then. False without memory, with the reason said. */
bool qp_market_join(struct qp_market *market);

#endif
