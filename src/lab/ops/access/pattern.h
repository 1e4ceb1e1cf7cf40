/* SPDX-License-Identifier: MIT */
/* Kinds of access in their order, and the constants of all its variants, in C that CUDA's compiler
 * reads too. access.c says what each kind is. */
#ifndef QP_OPS_ACCESS_PATTERN_H
#define QP_OPS_ACCESS_PATTERN_H

enum qp_access_kind {
    QP_ACCESS_OFFSET, /* global memory: a cell is another cell's value */
    QP_ACCESS_STRIDE,
    QP_ACCESS_COLUMNS,
    QP_ACCESS_PERMUTED,
    QP_ACCESS_IDLE,
    QP_ACCESS_GATHER,
    QP_ACCESS_OCCUPANCY,
    QP_ACCESS_CHASE, /* pointer chase: each load waits for the one before */
    QP_ACCESS_BANKS, /* shared memory: a sum over a tile's values */
    QP_ACCESS_MULTICAST,
    QP_ACCESS_PAIRS,
    QP_ACCESS_DIVERGENT, /* instructions: steps of integer arithmetic */
    QP_ACCESS_CONVERGENT,
    QP_ACCESS_DIVISION,
    QP_ACCESS_MODULO,
    QP_ACCESS_MULTIPLY,
    QP_ACCESS_UNROLLING,
    QP_ACCESS_LOCAL, /* an array of a thread's own */
    QP_ACCESS_SIN,   /* functions of a cell of u, summed up */
    QP_ACCESS_COS,
    QP_ACCESS_SINCOS,
    QP_ACCESS_EXP,
    QP_ACCESS_LOG,
    QP_ACCESS_RSQRT,
    QP_ACCESS_RECIPROCAL,
    QP_ACCESS_KINDS
};

enum {
    QP_ACCESS_WARP = 32,
    QP_ACCESS_TILE = 1024,      /* cells that a block keeps in shared memory */
    QP_ACCESS_TILE_READS = 64,  /* values of a tile that a cell sums up */
    QP_ACCESS_CHAIN_STEPS = 64, /* steps of a chain of instructions */
    QP_ACCESS_CHAIN_FACTOR =
        805, /* factor of all chains; 5 modulo 8, as in generators of random numbers */
    QP_ACCESS_CHAIN_TERM = 2531011,
    QP_ACCESS_CHASE_STEPS = 1 << 20,   /* steps of a pointer chase, at most */
    QP_ACCESS_CHASE_BITS = 0x4b000000, /* bits of 2^23 in float; low bits g make 2^23 + g */
    QP_ACCESS_LOCAL_STEPS = 256,       /* each reads a word of the array and writes it */
    QP_ACCESS_LOCAL_WORDS = 64,        /* words of the array, at most */
    QP_ACCESS_BITS_24 = 0xffffff,
    QP_ACCESS_BITS_31 = 0x7fffffff,
    QP_ACCESS_FUNCTION_STEPS = 64 /* term k of a cell takes u (1 - k/64), exact in float */
};

/* Division as a product: n / divisor for n below 2^31 is n magic >> shift, the product in 64 bits.
 * With l = ceil(log2 divisor) and magic = floor(2^(31+l) / divisor) + 1 it exceeds n / divisor by
 * less than 1 / divisor, so the floor is exact (Granlund and Montgomery 1994). */
struct qp_divider {
    unsigned magic;
    int shift;
};

static inline struct qp_divider qp_divider_make(unsigned divisor)
{
    int log = 0;
    while ((1ull << log) < divisor)
        log++;
    struct qp_divider divider = {(unsigned)((1ull << (31 + log)) / divisor + 1), 31 + log};
    return divider;
}

#endif
