/* SPDX-License-Identifier: MIT */
/* Convention 3 for the sparse products of CUDA: every mutant must fail on one of a few problems, on
 * which the unchanged kernel passes. Where there is no device the places are still looked for. No
 * mutant reads or writes beyond the arrays. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define LADDER(rung, after, old, instead)                                                          \
    {                                                                                              \
        "spmv/cuda_" #rung, "lab/ops/spmv/ladder.cu", "qp_kernel_spmv_" #rung, after, old, instead \
    }
#define ADAPTIVE(after, old, instead)                                                            \
    {                                                                                            \
        "spmv/cuda_adaptive", "lab/ops/spmv/adaptive.cu", "qp_kernel_spmv_adaptive", after, old, \
            instead                                                                              \
    }
/* Entries dropped or shifted, rows left out, sums of lanes and pieces lost. */
static const struct kernel_mutant mutants[] = {
    LADDER(scalar, "float add(", "k < end", "k < end - 1"),
    LADDER(scalar, "float add(", "a.x + a.column[k]", "a.x + a.column[begin]"),
    LADDER(scalar, "void scalar", "row < a.rows", "row < a.rows - 1"),
    LADDER(vector, "void vector", "first[row] + lane", "first[row] + lane + 1"),
    LADDER(vector, "void vector", "offset > 0", "offset > 1"),
    LADDER(vector, "void vector", "row >= a.rows", "row >= a.rows - 1"),
    LADDER(sliced, "float add(", "sum += a.value[k]", "sum = a.value[k]"),
    LADDER(sliced, "void sliced", "row < a.rows", "row < a.rows - 1"),
    LADDER(sliced, "void sliced", "row % WARP", "(row + 1) % WARP"),
    ADAPTIVE("float add_slots(", "rule.y * s.lane", "s.lane"),
    ADAPTIVE("float add_slots(", "rule.y * s.lane", "0"),
    ADAPTIVE("float add_slots(", "s.column + k * LANES", "s.column"),
    ADAPTIVE("float add_slots(", "s.value + k * LANES", "s.value"),
    ADAPTIVE("float add_slots(", "sum += value[k]", "sum = value[k]"),
    ADAPTIVE("float add_rest(", "width == WIDTH", "width == WIDTH && WIDTH > 1"),
    ADAPTIVE("float add_all(", "s.value += ROUND * LANES", "s.value += 0"),
    ADAPTIVE("float add_all(", "s.rule += ROUND", "s.rule += 0"),
    ADAPTIVE("float add_all(", "sum + add_rest", "add_rest"),
    ADAPTIVE("float add_lanes(", "offset > 0", "offset > 1"),
    ADAPTIVE("float add_pieces(", "k < pieces", "k < pieces - 1"),
    ADAPTIVE("float add_pieces(", "k += LANES", "k += 2 * LANES"),
    ADAPTIVE("bool comes_last(", "== pieces - 1;", "== pieces;"),
    ADAPTIVE("void __launch_bounds__", "rows + lane :", "rows + (lane ^ 1) :"),
    ADAPTIVE("void __launch_bounds__", "~rows * LANES + lane]", "~rows * LANES + (lane ^ 1)]"),
    ADAPTIVE("void __launch_bounds__", "row < a.rows", "row < a.rows - 1"),
    ADAPTIVE("void __launch_bounds__", "number >= a.shares", "number >= a.shares - 1"),
    ADAPTIVE("void __launch_bounds__", "pieces > 1", "pieces > 2"),
    ADAPTIVE("void __launch_bounds__", "lane == 0", "lane == 1"),
};

/* A row, a slice and one row more, one window, pieces of 512 entries: one, two, and enough that
 * lanes add more than one each. */
static const struct qp_size sizes[] = {{1, 7}, {33, 1}, {31, 33}, {65, 9}, {251, 263}, {0}};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 2,
                                        .sizes = sizes,
                                        .desc = {.op = "spmv"}};

KERNEL_HUNT(hunt)
