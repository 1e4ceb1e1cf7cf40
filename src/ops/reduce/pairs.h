/* SPDX-License-Identifier: MIT */
/* Pairs of words that blocks of the ladder add up in shared memory (ladder.cu), for the host too.
 */
#ifndef QP_OPS_REDUCE_PAIRS_H
#define QP_OPS_REDUCE_PAIRS_H

#include "base/both.h"

enum qp_rung_pairs { QP_PAIRS_INTERLEAVED, QP_PAIRS_STRIDED, QP_PAIRS_SEQUENTIAL };

/* The first of the two words that thread t adds in the round of distance s, of which the other is s
 * words on; `block` or more: it is idle. */
QP_BOTH unsigned qp_rung_pair(enum qp_rung_pairs pairs, unsigned t, unsigned s, unsigned block)
{
    if (pairs == QP_PAIRS_INTERLEAVED)
        return t % (2 * s) == 0 ? t : block;
    return pairs == QP_PAIRS_STRIDED ? 2 * s * t : t < s ? t : block;
}

#endif
