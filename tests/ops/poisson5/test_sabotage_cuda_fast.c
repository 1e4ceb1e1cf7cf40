/* SPDX-License-Identifier: MIT */
/* Our CUDA variants of poisson5, sabotaged one place at a time: halos too small or late, a step too
 * few, a wrong side, rows and columns outside the grid that are no zeros any more. Where there is
 * no device the places are still looked for. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define MUTANT(row, file, entry, after, old, instead)                                              \
    {                                                                                              \
        "poisson5/cuda_" #row, "lab/ops/poisson5/cuda/" file, "qp_kernel_poisson5_" #entry, after, \
            old, instead                                                                           \
    }
#define SWEEP(after, old, instead) MUTANT(sweep, "sweep.cu", sweep, after, old, instead)
#define TEMPORAL(after, old, instead) \
    MUTANT(temporal, "temporal.cuh", temporal, after, old, instead)
#define RESIDENT(after, old, instead) \
    MUTANT(resident, "resident.cuh", resident, after, old, instead)

static const struct kernel_mutant mutants[] = {
    SWEEP("row[k] = load(", "(k - 1)", "k"),
    SWEEP("p.beside =", "-1 : cells", "cells : -1"),
    SWEEP("beside[k] =", "p.fringed && is_row", "false"),
    SWEEP("row[k + 2], beside[k]", "first + k < t.height", "first + k + 1 < t.height"),
    SWEEP("line<T> update(", "add(below.x[k], above.x[k])", "add(below.x[k], below.x[k])"),
    TEMPORAL("int halo =", "K + V - 1", "K - 1"),
    TEMPORAL("const T left =", "__shfl_down_sync(~0u, here[0], 1)", "left"),
    TEMPORAL("struct stream {", "add(below[v], above[v])", "add(below[v], below[v])"),
    TEMPORAL("void step_with_care(", "y < 0 || ", ""),
    TEMPORAL("void step_with_care(", "y >= t.height", "y > t.height"),
    TEMPORAL("T result[V];", "s = 1", "s = 2"),
    TEMPORAL("void take(", "slot(p + AHEAD)", "slot(p + AHEAD + 1)"),
    TEMPORAL("s.from =", "first - K", "first - K + 1"),
    TEMPORAL("void step_with_care(", "if (ragged)", "if (false)"),
    TEMPORAL("s.keep_left =", "T(0) : T(1)", "T(1) : T(1)"),
    TEMPORAL("s.keep_right =", "T(0) : T(1)", "T(1) : T(1)"),
    TEMPORAL("if (ARRAY)\n                sum", "power(s - 1)", "power(s)"),
    TEMPORAL("T result[V];", "2 * K", "2 * K - 2"),
    MUTANT(temporal, "temporal_steps.cuh", temporal, "bool splits =", "% 2 == 0", "% 2 != 0"),
    MUTANT(red_black, "temporal.cuh", red_black, "if (RED_BLACK && (v", "== 0", "!= 0"),
    RESIDENT("(step > 0 &&", "step % HALO", "step % (2 * HALO)"),
    RESIDENT("void write_rim(", "beside || y < 2 * HALO", "beside || y < HALO"),
    RESIDENT("void read_halo(", "beside || y < HALO ||", "beside ||"),
    RESIDENT("void take(", "2 * warp + 3", "2 * warp + 2"),
    RESIDENT("own.rimmed =", "bottom < 0 ||", "bottom < -HALO ||"),
    MUTANT(red_black_resident, "resident.cuh", red_black_resident, "if (RED_BLACK && (v", "!= 0",
           "== 0"),
};

/* Less than a warp, one above a strip, several strips, chunks and tiles. */
static const struct qp_size sizes[] = {{3, 5}, {65, 64}, {300, 131}, {515, 70}, {0}};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 19,
                                        .sizes = sizes,
                                        .desc = {.op = "poisson5"}};

KERNEL_HUNT(hunt)
