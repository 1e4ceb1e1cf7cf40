/* SPDX-License-Identifier: MIT */
/* Kinds of access: the function of x[i] and the parameter p, which of the fields u and v it reads,
 * and which values p has in a benchmark of all. */
#include "lab/ops/access/access.h"

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

/* A kind with NONE reads neither u nor v; with SETTLES later steps change nothing. */
enum { NONE = QP_NO_INPUTS, MOVES = false, SETTLES = true };

#define KIND(number, called, does, reads, settled, ...) \
    [QP_ACCESS_##number] = {                            \
        .name = called, .what = does, .range = __VA_ARGS__, .inputs = reads, .settles = settled}
#define FUNCTION(number, called, them)                                             \
    KIND(number, called, "the sum of p " them " of multiples of u[i]", 1, SETTLES, \
         {1, QP_ACCESS_FUNCTION_STEPS, 1, terms, "terms of the sum"})

const struct qp_kind qp_access_kinds[QP_ACCESS_KINDS + 1] = {
    KIND(OFFSET, "offset", "x[i + p], after the last cell the first", NONE, MOVES,
         {0, 1 << 20, 0, to_16, "cells from a thread's own to the one it reads"}),
    KIND(STRIDE, "stride", "a matrix of p columns read column by column: neighbours are p apart",
         NONE, MOVES, {1, 32, 2, to_32, "cells from one thread's to the next one's"}),
    KIND(COLUMNS, "columns", "the same with p columns more than the grid has", NONE, MOVES,
         {0, 1024, 0, more_columns, "columns more than the grid's width"}),
    KIND(PERMUTED, "permuted", "x[i xor p]", NONE, MOVES,
         {0, 1023, 0, partners, "bits of its own number that a thread turns over"}),
    KIND(IDLE, "idle", "x[i], by all but the last p threads of each warp, which write 0", NONE,
         SETTLES, {0, 31, 0, idle, "threads of a warp that read nothing"}),
    KIND(GATHER, "gather", "x at random places, p neighbours together", 2, MOVES,
         {1, 32, 1, doubled, "neighbours that stay together"}),
    KIND(OCCUPANCY, "occupancy", "x[i], with p blocks of 64 threads on a multiprocessor", NONE,
         SETTLES, {1, 32, 32, doubled, "blocks of 64 threads on a multiprocessor"}),
    KIND(CHASE, "chase",
         "the group, of p cells each, where a walk through all is after i steps, i < 2^20", 1,
         SETTLES, {1, 1024, 32, lines, "cells of a group, of which a walk reads the first"}),
    KIND(BANKS, "banks", "the sum of 64 words of shared memory, neighbours p words apart", NONE,
         MOVES, {1, 32, 1, words, "words from one thread's to the next one's"}),
    KIND(MULTICAST, "multicast", "the same, p neighbours from the same word on; 32: a broadcast",
         NONE, MOVES, {1, 32, 1, words, "threads that read the same word"}),
    KIND(PAIRS, "pairs", "the same with words of 8 bytes, p of them apart", NONE, MOVES,
         {1, 32, 1, words, "words of 8 bytes from one thread's to the next one's"}),
    KIND(DIVERGENT, "divergent",
         "64 steps of integer arithmetic, in one of p ways inside each warp", NONE, MOVES,
         {1, 32, 1, doubled, "ways that threads of a warp take"}),
    KIND(CONVERGENT, "convergent", "the same, each way taken by whole warps", NONE, MOVES,
         {1, 32, 1, doubled, "ways, each taken by whole warps"}),
    KIND(DIVISION, "division", "64 steps with an integer division by p", NONE, MOVES,
         {1, QP_ACCESS_BITS_24, 7, divisors, "the divisor"}),
    KIND(MODULO, "modulo", "64 steps with the remainder of a division by p", NONE, MOVES,
         {1, QP_ACCESS_BITS_24, 7, divisors, "the divisor"}),
    KIND(MULTIPLY, "multiply", "64 steps with a product by p", NONE, MOVES,
         {1, QP_ACCESS_BITS_24, 7, divisors, "the factor"}),
    KIND(UNROLLING, "unrolling", "p steps in a loop", NONE, MOVES,
         {1, 1024, 64, rounds, "times round the loop"}),
    KIND(LOCAL, "local",
         "256 steps, each of which reads and writes one of p words of the thread's own", NONE,
         MOVES, {1, QP_ACCESS_LOCAL_WORDS, 16, kept, "words that a thread keeps"}),
    FUNCTION(SIN, "sin", "sines"),
    FUNCTION(COS, "cos", "cosines"),
    FUNCTION(SINCOS, "sincos", "sines and p cosines"),
    FUNCTION(EXP, "exp", "exponentials"),
    FUNCTION(LOG, "log", "natural logarithms"),
    FUNCTION(RSQRT, "rsqrt", "inverse square roots"),
    FUNCTION(RECIPROCAL, "reciprocal", "reciprocals"),
};
