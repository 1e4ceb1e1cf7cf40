/* SPDX-License-Identifier: MIT */
/* Mutants like those of tests/ops/reduce/test_sabotage_cuda.c, for kernels of many small grids:
 * neighbours mistaken or dropped, rims and edges moved, steps and grids left out. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define NAIVE(after, old, instead)                                      \
    {                                                                   \
        "poisson5_batch/cuda_naive", "lab/ops/poisson5_batch/naive.cu", \
            "qp_kernel_poisson5_batch_naive", after, old, instead       \
    }
#define GRAPHS(after, old, instead)                                      \
    {                                                                    \
        "poisson5_batch/cuda_graphs", "lab/ops/poisson5_batch/naive.cu", \
            "qp_kernel_poisson5_batch_graphs", after, old, instead       \
    }
#define BATCH(after, old, instead)                                          \
    {                                                                       \
        "poisson5_batch/cuda_batch", "lab/ops/poisson5_batch/registers.cu", \
            "qp_kernel_poisson5_batch_registers", after, old, instead       \
    }

static const struct kernel_mutant mutants[] = {
    NAIVE("void relax(", "column > 0 ? x[i - 1]", "column > 0 ? x[i]"),
    NAIVE("void relax(", "column < n - 1", "column < n - 2"),
    NAIVE("void relax(", "row > 0 ? x[i - n]", "row > 1 ? x[i - n]"),
    NAIVE("void relax(", "x[i + n]", "x[i]"),
    NAIVE("void relax(", " + rhs[i]", ""),
    NAIVE("void relax_all(", "row % n", "row"),
    NAIVE("void relax_all(", "i < cells", "i + 1 < cells"),
    GRAPHS("void capture_steps(", "left > 0", "left > 1"),
    GRAPHS("void relax_one(", "i < cells", "i + 1 < cells"),
    GRAPHS("cudaError_t run_graphs(", "k < count &&", "k + 1 < count &&"),
    BATCH("float from_left(", "lane % ACROSS > 0 ? got : 0.0f", "got"),
    BATCH("float from_right(", "? got : 0.0f", "? 0.0f : got"),
    BATCH("float from_below(", "? got : 0.0f", "? value : 0.0f"),
    BATCH("float from_above(", "? got : 0.0f", "? 0.0f : 0.0f"),
    BATCH("explicit part(", "x + i < n", "x + i + 1 < n"),
    BATCH("void relax_row(", "here[i - 1] : left", "here[i] : left"),
    BATCH("void relax_row(", "here[i + 1] : right", "here[i + 1] : left"),
    BATCH("void relax_row(", "y + j < n", "y + j <= n"),
    BATCH("void relax_row(", "side[i / COUNT][lane].value[i % COUNT]", "0.0f"),
    BATCH("__device__ void relax(", "from_below(u[FIRST + TY - 1][i])", "from_below(u[FIRST][i])"),
    BATCH("__device__ void relax(", "from_above(u[FIRST][i])", "0.0f"),
    BATCH("__device__ void relax(", "side[j]);", "side[k]);"),
    BATCH("void hold(", "*= 0.25f", "*= 0.5f"),
    BATCH("relax_grids(", "pair < steps / 2", "pair + 1 < steps / 2"),
    BATCH("relax_grids(", "steps % 2 == 0", "steps % 2 == 2"),
};

/* All of a lane's cells exist, and not; several graphs a stream. */
static const struct qp_size sizes[] = {{8, 3}, {13, 40}, {32, 3}, {64, 2}, {0}};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 4,
                                        .sizes = sizes,
                                        .desc = {.op = "poisson5_batch"}};

KERNEL_HUNT(hunt)
