/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in strips of rows (engines/parts.h), each by another row of the table: on CPU and GPU at once, or in
 * processes. There is no code of its own for it. Costs are those of the rows that run. */
#include "engines/engines.h"
#include "ops/jacobi9/jacobi9.h"

/* The rows that strips run. */
extern const struct qp_recipe qp_jacobi9_openmp, qp_jacobi9_rgba, qp_jacobi9_cuda_shared;

#define FLOATS .engine = &qp_engine_parts, .state = {.format = QP_R32F}
#define RUNS(row, kind)              \
    {                                \
        &qp_jacobi9_##row, QP_##kind \
    }

/* The CPU has the lowest rows. */
const struct qp_recipe qp_jacobi9_hybrid_rgba = {
    FLOATS,
    .own = &(
        const struct qp_jacobi9_row){.engine.parts = {.place = QP_PARTS_THREADS,
                                                      .runs = {RUNS(openmp, CPU), RUNS(rgba, GL)}}},
    .flops = 36,
    .bytes = 48,
};

const struct qp_recipe qp_jacobi9_hybrid_cuda = {
    FLOATS,
    .own = &(const struct qp_jacobi9_row){.engine.parts = {.place = QP_PARTS_THREADS,
                                                           .runs = {RUNS(openmp, CPU),
                                                                    RUNS(cuda_shared, CUDA)}}},
    .flops = 30,
    .bytes = 56,
};

/* On CUDA's devices in turn. */
const struct qp_recipe qp_jacobi9_parts_cuda = {
    FLOATS,
    .own = &(const struct qp_jacobi9_row){.engine.parts = {.place = QP_PARTS_THREADS,
                                                           .runs = {RUNS(cuda_shared, CUDA),
                                                                    RUNS(cuda_shared, CUDA)}}},
    .flops = 30,
    .bytes = 56,
};

#define PROCESSES(row, kind) \
    .engine.parts = {.place = QP_PARTS_PROCESSES, .link = &qp_link_mpi, .runs = {RUNS(row, kind)}}

const struct qp_recipe qp_jacobi9_mpi_openmp = {
    FLOATS,
    .own = &(const struct qp_jacobi9_row){PROCESSES(openmp, CPU), .takes_wraps = true},
    .flops = 20,
    .bytes = 44,
};

const struct qp_recipe qp_jacobi9_mpi_rgba = {
    FLOATS,
    .own = &(const struct qp_jacobi9_row){PROCESSES(rgba, GL)},
    .flops = 36,
    .bytes = 48,
};

const struct qp_recipe qp_jacobi9_mpi_cuda = {
    FLOATS,
    .own = &(const struct qp_jacobi9_row){PROCESSES(cuda_shared, CUDA)},
    .flops = 30,
    .bytes = 56,
};
