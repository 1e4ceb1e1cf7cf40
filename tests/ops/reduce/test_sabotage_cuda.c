/* SPDX-License-Identifier: MIT */
/* Convention 3 for the reductions of CUDA: every mutant must fail on one of a few problems, on
 * which the unchanged kernel passes. Where there is no device the places are still looked for. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define LADDER(rung, after, old, instead)                                                        \
    {                                                                                            \
        "reduce/cuda_" #rung, "lab/ops/reduce/ladder.cu", "qp_kernel_reduce_" #rung, after, old, \
            instead                                                                              \
    }
#define PAIRS(rung, old, instead)                                                  \
    {                                                                              \
        "reduce/cuda_" #rung, "lab/ops/reduce/pairs.h", "qp_kernel_reduce_" #rung, \
            "qp_rung_pair(", old, instead                                          \
    }
#define TILES(after, old, instead)                                                            \
    {                                                                                         \
        "reduce/cuda_tiles", "lab/ops/reduce/tiles.cu", "qp_kernel_reduce_tiles", after, old, \
            instead                                                                           \
    }

/* Terms dropped or shifted, rounds and launches left out, edges moved, ties and places. */
static const struct kernel_mutant mutants[] = {
    LADDER(naive, "void naive", "2 * i + 1, n", "2 * i, n"),
    LADDER(naive, "climb(const", "n = left", "n = left - (left & 1)"),
    PAIRS(interleaved, "(2 * s) == 0", "(4 * s) == 0"),
    LADDER(interleaved, "void interleaved", "s = 1;", "s = 2;"),
    LADDER(interleaved, "float at(", "v[i] : 0.0f", "v[i] : v[0]"),
    PAIRS(strided, "*first < block", "*first + 2 * s < block"),
    PAIRS(strided, "2 * s * t", "4 * s * t"),
    LADDER(sequential, "void add_halves(", "s > 0", "s > 1"),
    LADDER(sequential, "void add_pair(", "sv[index + s]", "sv[index + s - 1]"),
    PAIRS(first_add, "t < s", "t + 1 < s"),
    LADDER(first_add, "float load_two(", "at(v, i + blockDim.x, n)", "0.0f"),
    LADDER(first_add, "float load_two(", "(blockDim.x * 2)", "blockDim.x"),
    LADDER(unrolled_warp, "float halve(", "s > 32", "s > 64"),
    LADDER(unrolled_warp, "float halve(", "sum + sv[threadIdx.x + s]", "sum"),
    LADDER(unrolled_warp, "float last_warp(", "s = 32", "s = 16"),
    LADDER(unrolled_warp, "float last_warp(", "s > 0", "s > 1"),
    LADDER(shuffle, "void shuffle", "sum += sv[threadIdx.x + 32];", ""),
    LADDER(shuffle, "void shuffle", "offset > 0", "offset > 1"),
    LADDER(unrolled, "add_block(", "sv[tid] += sv[tid + 128]", "sv[tid] += 0.0f"),
    LADDER(unrolled, "add_block(", "sv[tid] += sv[tid + 64]", "sv[tid] += sv[tid + 63]"),
    LADDER(cascaded, "void cascaded", "at(v, i + block, n)", "0.0f"),
    LADDER(cascaded, "void cascaded", "i += grid", "i += 2 * grid"),
    LADDER(cascaded, "void cascaded", "(block * 2) + tid; i", "(block * 2) + tid + 1; i"),
    TILES("struct sum :", "a += x", "a = x"),
    TILES("struct squares", "x * x", "x * y"),
    TILES("struct dot", "x * y", "x * x"),
    TILES("unsigned magnitude(", "0x7fffffffu", "0xffffffffu"),
    TILES("struct place", "~(unsigned)i", "(unsigned)i"),
    TILES("struct place", "i % width", "i % (width + 1)"),
    TILES("join_warp(", "offset > 0", "offset > 1"),
    TILES("join_block(", "THREADS / WARP ? ", "THREADS / WARP - 1 ? "),
    TILES("take_four(", "x.w, y.w, i + 3", "x.z, y.z, i + 3"),
    TILES("take_four(", "x.y, y.y, i + 1", "x.y, y.y, i"),
    TILES("take_loads(", "__ldcs(x + i + k * THREADS)", "__ldcs(x + i)"),
    TILES("take_loads(", "__ldcs(y + i + k * THREADS)", "__ldcs(y + i)"),
    TILES("take_share(", "last < n", "last + 1 < n"),
    TILES("take_share(", "blockIdx.x == 0 && ", ""),
    TILES("take_share(", "i += THREADS", "i += 2 * THREADS"),
    TILES("take_share(", "i += turn", "i += 2 * turn"),
    TILES("take_share(", "last = fours * 4 + threadIdx.x", "last = fours * 4 + threadIdx.x + 1"),
    TILES("reduce(", "i += THREADS", "i += 2 * THREADS"),
};

/* Less than a warp, than a block, than a tile; a tile a block; several; more blocks than
 * threads. */
static const struct qp_size sizes[] = {{1, 7},     {33, 1},    {65, 9},      {257, 3},
                                       {251, 263}, {1030, 37}, {8195, 4097}, {0}};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 1,
                                        .sizes = sizes,
                                        .desc = {.op = "reduce"}};

KERNEL_HUNT(hunt)
