/* SPDX-License-Identifier: MIT */
/* Poisson in parts (paper 5, chapter IV): strips of rows, each by a row of this table, in threads,
 * on CPU and GPU at once, or in processes. Each strip computes as many rows of its neighbours as
 * steps between exchanges reach. Red-black strips begin at an even row, since colours are counted
 * from a strip's first one; a step of theirs takes values from two rows away, and the residual is
 * measured by one step more. */
#include "engines/engines.h"
#include "ops/poisson5/poisson5.h"

/* The rows that strips run. */
extern const struct qp_recipe qp_poisson5_sequential, qp_poisson5_sequential_double,
    qp_poisson5_openmp, qp_poisson5_openmp_blocked, qp_poisson5_openmp_red_black, qp_poisson5_rgba,
    qp_poisson5_targets_fused4, qp_poisson5_double_rgba, qp_poisson5_red_black,
    qp_poisson5_cuda_sweep, qp_poisson5_cuda_sweep_double, qp_poisson5_cuda_temporal;

#define RUNS(row, kind)               \
    {                                 \
        &qp_poisson5_##row, QP_##kind \
    }

/* A row costs and holds what others do, in float or double; where its values are stored is up to
 * the rows that it runs. */
#define ROW(name, values, ...)                                                                   \
    const struct qp_recipe qp_poisson5_##name = {.engine = &qp_engine_parts,                     \
                                                 QP_POISSON5_HOLDS("h^2 f", {.format = values}), \
                                                 .own =                                          \
                                                     &(const struct qp_poisson5_row){__VA_ARGS__}}
#define SINGLE(name, ...) ROW(name, QP_R32F, .parts = {__VA_ARGS__})
#define DOUBLE(name, ...) ROW(name, QP_R64F, .parts = {__VA_ARGS__})
#define RED_BLACK(name, ...)                                                                \
    ROW(name, QP_R32F, .parts = {.reach = 2, .multiple = 2, .measures = true, __VA_ARGS__}, \
        .order = QP_POISSON5_RED_BLACK)

/* ---- Threads and contexts of one process ---- */

#define THREADS .place = QP_PARTS_THREADS

SINGLE(parts_sequential, THREADS, .runs = {RUNS(sequential, CPU)});
DOUBLE(parts_sequential_double, THREADS, .runs = {RUNS(sequential_double, CPU)});
SINGLE(parts_rgba, THREADS, .runs = {RUNS(rgba, GL)});
SINGLE(parts_fused4, THREADS, .runs = {RUNS(targets_fused4, GL)}, .depth = 16);
DOUBLE(parts_double_rgba, THREADS, .runs = {RUNS(double_rgba, GL)});
RED_BLACK(parts_red_black, THREADS, .runs = {RUNS(red_black, GL)});

/* Parts on CUDA's devices in turn, so that two parts may be unlike: a split then says how many rows
 * the first one has. */
#define DEVICES(row) THREADS, .runs = {RUNS(row, CUDA), RUNS(row, CUDA)}

SINGLE(parts_cuda, DEVICES(cuda_sweep));
DOUBLE(parts_cuda_double, DEVICES(cuda_sweep_double));
/* Three launches of twelve steps from one exchange to the next. */
SINGLE(parts_cuda_temporal, DEVICES(cuda_temporal), .depth = 36);
SINGLE(parts_cuda_locked, DEVICES(cuda_sweep), .apart = true);

/* ---- CPU and OpenGL at once: the CPU has the lowest rows ---- */

SINGLE(hybrid_rgba, THREADS, .runs = {RUNS(openmp, CPU), RUNS(rgba, GL)});
SINGLE(hybrid_fused4, THREADS, .runs = {RUNS(openmp_blocked, CPU), RUNS(targets_fused4, GL)},
       .depth = 16);
RED_BLACK(hybrid_red_black, THREADS, .runs = {RUNS(openmp_red_black, CPU), RUNS(red_black, GL)});
SINGLE(hybrid_cuda, THREADS, .runs = {RUNS(openmp, CPU), RUNS(cuda_sweep, CUDA)});

/* ---- Processes ---- */

#define PROCESSES .place = QP_PARTS_PROCESSES, .link = &qp_link_mpi

SINGLE(mpi_sequential, PROCESSES, .runs = {RUNS(sequential, CPU)});
DOUBLE(mpi_sequential_double, PROCESSES, .runs = {RUNS(sequential_double, CPU)});
RED_BLACK(mpi_openmp_red_black, PROCESSES, .runs = {RUNS(openmp_red_black, CPU)});
SINGLE(mpi_rgba, PROCESSES, .runs = {RUNS(rgba, GL)});
SINGLE(mpi_fused4, PROCESSES, .runs = {RUNS(targets_fused4, GL)}, .depth = 16);
RED_BLACK(mpi_red_black, PROCESSES, .runs = {RUNS(red_black, GL)});
SINGLE(mpi_cuda, PROCESSES, .runs = {RUNS(cuda_sweep, CUDA)});
