/* SPDX-License-Identifier: MIT */
/* Pairs of words that blocks of the ladder add up in shared memory (ladder.cu), for the host
 * too. */
#ifndef QP_OPS_REDUCE_PAIRS_H
#define QP_OPS_REDUCE_PAIRS_H

#include <stdbool.h>

#include "toolkit/base/both.h"

enum qp_rung_pairs { QP_PAIRS_INTERLEAVED, QP_PAIRS_STRIDED, QP_PAIRS_SEQUENTIAL };

/* True if thread t of a block adds two words in the round of distance s: *first, and the one s
 * words on. */
QP_BOTH bool qp_rung_pair(enum qp_rung_pairs pairs, unsigned t, unsigned s, unsigned block,
                          unsigned *first)
{
    *first = pairs == QP_PAIRS_STRIDED ? 2 * s * t : t;
    return pairs == QP_PAIRS_INTERLEAVED ? t % (2 * s) == 0
           : pairs == QP_PAIRS_STRIDED   ? *first < block
                                         : t < s;
}

#endif
