/* SPDX-License-Identifier: MIT */
/* Small Poisson grids on CUDA: they are stored without gaps, as on the CPU. */
#include "lab/ops/poisson5_batch/kernels.h"
#include "lab/ops/poisson5_batch/poisson5_batch.h"

/* Copies of 16 bytes take four values. */
#define STANDS                \
    .state = QP_FLAT_FROM(4), \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_BATCH_RHS, QP_FLAT_FROM(4))}, .flops = 5

/* Graphs in flight, which is what --block says. */
static const int streams[] = {32, 1, 2, 4, 8, 16, 64, 128, 0};
static const struct qp_block_rule in_flight = {.listed = streams, .counts = "graphs in flight"};

const struct qp_recipe qp_poisson5_batch_cuda[] = {
    /* A thread an unknown of all grids, and a launch a step. */
    {.name = "poisson5_batch/cuda_naive",
     .backend = QP_CUDA,
     .layout = "one grid below the other",
     .place = "ours: the usual way",
     .sentence = "a thread an unknown of all grids, a launch a step",
     STANDS,
     .kernel = &qp_kernel_poisson5_batch_naive},

    /* A graph of launches for each grid: the opponent. */
    {.name = "poisson5_batch/cuda_graphs",
     .backend = QP_CUDA,
     .layout = "one grid below the other",
     .place = "ours: the opponent",
     .sentence =
         "for each grid a CUDA graph of one launch a step; --block says how many are in flight",
     STANDS,
     .kernel = &qp_kernel_poisson5_batch_graphs,
     .blocks = &in_flight},

    /* A grid in a warp's registers for all steps. Removes the memory between steps, and the
     * launches. */
    {.name = "poisson5_batch/cuda_batch",
     .backend = QP_CUDA,
     .layout = "one grid below the other",
     .place = "ours: a grid in a warp's registers",
     .sentence = "all steps in one launch, neighbours told by shuffles, without a barrier",
     STANDS,
     .kernel = &qp_kernel_poisson5_batch_registers,
     .own = &(const struct qp_poisson5_batch_variant){.most = 64}},

    {0},
};
