/* SPDX-License-Identifier: MIT */
#ifndef QP_IO_MARKET_PLACES_H
#define QP_IO_MARKET_PLACES_H

#include <stdint.h>

#include <quadpass/market.h>

/* Places of a matrix's entries, of which none may come twice; all zero at first. While they rise
 * row by row or column by column all are different, and nothing is remembered. */
struct qp_market_places {
    size_t seen, last;        /* entries looked at, and the last of them that is no mirror image */
    bool no_rows, no_columns; /* the order that is broken */
    /* Hash set of places, row * 2^32 + column from 1, 0 if free; made where both are. */
    uint64_t *taken;
    size_t slots;
};

/* Looks at entries added since the last call; with `symmetric` those above the diagonal are mirror
 * images and left out. *second: the first whose place was taken before, or market->count. Memory,
 * freed by free(places->taken), is for `most` entries in all. False where there is none. */
bool qp_market_places_look(struct qp_market_places *places, const struct qp_market *market,
                           bool symmetric, size_t most, size_t *second);

#endif
