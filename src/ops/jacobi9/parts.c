/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in strips of rows (engines/parts.h), each by another row of the table: on CPU
 * and GPU at once, or in processes. There is no code of its own for it. Costs are those of the rows
 * that run. */
#include "engines/engines.h"
#include "ops/jacobi9/jacobi9.h"

/* The rows that strips run. */
extern const struct qp_recipe qp_jacobi9_openmp, qp_jacobi9_rgba, qp_jacobi9_cuda_shared;

#define RUNS(row, kind)              \
    {                                \
        &qp_jacobi9_##row, QP_##kind \
    }
#define ROW(name, operations, moved, ...)                                     \
    const struct qp_recipe qp_jacobi9_##name = {.engine = &qp_engine_parts,   \
                                                .state = {.format = QP_R32F}, \
                                                .flops = operations,          \
                                                .bytes = moved,               \
                                                .own =                        \
                                                    &(const struct qp_jacobi9_row){__VA_ARGS__}}
#define THREADS(...) .engine.parts = {.place = QP_PARTS_THREADS, .runs = {__VA_ARGS__}}
#define PROCESSES(row, kind) \
    .engine.parts = {.place = QP_PARTS_PROCESSES, .link = &qp_link_mpi, .runs = {RUNS(row, kind)}}

/* The CPU has the lowest rows. */
ROW(hybrid_rgba, 36, 48, THREADS(RUNS(openmp, CPU), RUNS(rgba, GL)));
ROW(hybrid_cuda, 30, 56, THREADS(RUNS(openmp, CPU), RUNS(cuda_shared, CUDA)));

/* Parts on CUDA's devices in turn. */
ROW(parts_cuda, 30, 56, THREADS(RUNS(cuda_shared, CUDA), RUNS(cuda_shared, CUDA)));

ROW(mpi_openmp, 20, 44, PROCESSES(openmp, CPU), .takes_wraps = true);
ROW(mpi_rgba, 36, 48, PROCESSES(rgba, GL));
ROW(mpi_cuda, 30, 56, PROCESSES(cuda_shared, CUDA));
