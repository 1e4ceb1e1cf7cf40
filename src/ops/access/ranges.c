/* SPDX-License-Identifier: MIT */
/* Range of each kind's parameter, and its values in a benchmark of all. */
#include "ops/access/access.h"

static const int to_16[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -1};
static const int to_32[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                            18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, -1};
static const int more_columns[] = {0, 1, 2, 32, 33, -1};
static const int partners[] = {0, 1, 16, 31, -1};
static const int idle[] = {0, 8, 16, 31, -1};
static const int words[] = {1, 2, 3, 4, 8, 16, 31, 32, -1};
static const int lines[] = {8, 32, 128, 1024, -1};
static const int kept[] = {4, 8, 16, 32, 64, -1};
static const int doubled[] = {1, 2, 4, 8, 16, 32, -1};
static const int divisors[] = {1, 7, 8, 1024, -1};
static const int rounds[] = {1, 4, 16, 64, 256, -1};
static const int terms[] = {1, 4, 16, 64, -1};

#define FUNCTION                                                  \
    {                                                             \
        1, QP_ACCESS_FUNCTION_STEPS, 1, terms, "terms of the sum" \
    }

const struct qp_range qp_access_ranges[QP_ACCESS_KINDS] = {
    [QP_ACCESS_OFFSET] = {0, 1 << 20, 0, to_16, "cells from a thread's own to the one it reads"},
    [QP_ACCESS_STRIDE] = {1, 32, 2, to_32, "cells from one thread's to the next one's"},
    [QP_ACCESS_COLUMNS] = {0, 1024, 0, more_columns, "columns more than the grid's width"},
    [QP_ACCESS_PERMUTED] = {0, 1023, 0, partners,
                            "bits of its own number that a thread turns over"},
    [QP_ACCESS_IDLE] = {0, 31, 0, idle, "threads of a warp that read nothing"},
    [QP_ACCESS_GATHER] = {1, 32, 1, doubled, "neighbours that stay together"},
    [QP_ACCESS_OCCUPANCY] = {1, 32, 32, doubled, "blocks of 64 threads on a multiprocessor"},
    [QP_ACCESS_CHASE] = {1, 1024, 32, lines, "cells of a group, of which a walk reads the first"},
    [QP_ACCESS_BANKS] = {1, 32, 1, words, "words from one thread's to the next one's"},
    [QP_ACCESS_MULTICAST] = {1, 32, 1, words, "threads that read the same word"},
    [QP_ACCESS_PAIRS] = {1, 32, 1, words, "words of 8 bytes from one thread's to the next one's"},
    [QP_ACCESS_DIVERGENT] = {1, 32, 1, doubled, "ways that threads of a warp take"},
    [QP_ACCESS_CONVERGENT] = {1, 32, 1, doubled, "ways, each taken by whole warps"},
    [QP_ACCESS_DIVISION] = {1, QP_ACCESS_BITS_24, 7, divisors, "the divisor"},
    [QP_ACCESS_MODULO] = {1, QP_ACCESS_BITS_24, 7, divisors, "the divisor"},
    [QP_ACCESS_MULTIPLY] = {1, QP_ACCESS_BITS_24, 7, divisors, "the factor"},
    [QP_ACCESS_UNROLLING] = {1, 1024, 64, rounds, "times round the loop"},
    [QP_ACCESS_LOCAL] = {1, QP_ACCESS_LOCAL_WORDS, 16, kept, "words that a thread keeps"},
    [QP_ACCESS_SIN] = FUNCTION,
    [QP_ACCESS_COS] = FUNCTION,
    [QP_ACCESS_SINCOS] = FUNCTION,
    [QP_ACCESS_EXP] = FUNCTION,
    [QP_ACCESS_LOG] = FUNCTION,
    [QP_ACCESS_RSQRT] = FUNCTION,
    [QP_ACCESS_RECIPROCAL] = FUNCTION,
};
