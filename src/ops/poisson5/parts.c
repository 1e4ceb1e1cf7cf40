/* SPDX-License-Identifier: MIT */
/* Poisson in parts (paper 5, chapter IV): strips of rows, each by a row of this table, in threads, on CPU and GPU at once,
 * or in processes. Each strip computes as many rows of its neighbours as steps between exchanges reach. Red-black
 * strips begin at an even row, since colours are counted from a strip's first one; a step of theirs takes values from
 * two rows away, and the residual is measured by one step more. */
#include "engines/engines.h"
#include "ops/poisson5/poisson5.h"

/* The rows that strips run. */
extern const struct qp_recipe qp_poisson5_sequential, qp_poisson5_sequential_double,
    qp_poisson5_openmp, qp_poisson5_openmp_blocked, qp_poisson5_openmp_red_black, qp_poisson5_rgba,
    qp_poisson5_targets_fused4, qp_poisson5_double_rgba, qp_poisson5_red_black,
    qp_poisson5_cuda_sweep, qp_poisson5_cuda_sweep_double, qp_poisson5_cuda_temporal;

/* What such a row costs and holds, in float or double; where its values stand is told by what runs. */
#define HOLDS(values)                                        \
    .engine = &qp_engine_parts, .state = {.format = values}, \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS, {.format = values})}, .flops = 5

#define RUNS(row, kind)               \
    {                                 \
        &qp_poisson5_##row, QP_##kind \
    }

#define PARTS(...)                         \
    .own = &(const struct qp_poisson5_row) \
    {                                      \
        .parts = { __VA_ARGS__ }           \
    }

#define RED_BLACK_PARTS(...)                                                 \
    .own = &(const struct qp_poisson5_row)                                   \
    {                                                                        \
        .parts = {.reach = 2, .multiple = 2, .measures = true, __VA_ARGS__}, \
        .order = QP_POISSON5_RED_BLACK                                       \
    }

/* ---- Threads and contexts of one process ---- */

#define THREADS .place = QP_PARTS_THREADS

const struct qp_recipe qp_poisson5_parts_sequential = {
    HOLDS(QP_R32F), PARTS(THREADS, .runs = {RUNS(sequential, CPU)})};
const struct qp_recipe qp_poisson5_parts_sequential_double = {
    HOLDS(QP_R64F), PARTS(THREADS, .runs = {RUNS(sequential_double, CPU)})};
const struct qp_recipe qp_poisson5_parts_rgba = {HOLDS(QP_R32F),
                                                 PARTS(THREADS, .runs = {RUNS(rgba, GL)})};
const struct qp_recipe qp_poisson5_parts_fused4 = {
    HOLDS(QP_R32F), PARTS(THREADS, .runs = {RUNS(targets_fused4, GL)}, .depth = 16)};
const struct qp_recipe qp_poisson5_parts_double_rgba = {
    HOLDS(QP_R64F), PARTS(THREADS, .runs = {RUNS(double_rgba, GL)})};
const struct qp_recipe qp_poisson5_parts_red_black = {
    HOLDS(QP_R32F), RED_BLACK_PARTS(THREADS, .runs = {RUNS(red_black, GL)})};

/* On CUDA's devices in turn, so that two parts may be unlike: a split then says how many rows the first one has. */
#define DEVICES(row) THREADS, .runs = {RUNS(row, CUDA), RUNS(row, CUDA)}

const struct qp_recipe qp_poisson5_parts_cuda = {HOLDS(QP_R32F), PARTS(DEVICES(cuda_sweep))};
const struct qp_recipe qp_poisson5_parts_cuda_double = {HOLDS(QP_R64F),
                                                        PARTS(DEVICES(cuda_sweep_double))};
/* Three launches of twelve steps from one exchange to the next. */
const struct qp_recipe qp_poisson5_parts_cuda_temporal = {
    HOLDS(QP_R32F), PARTS(DEVICES(cuda_temporal), .depth = 36)};
const struct qp_recipe qp_poisson5_parts_cuda_locked = {HOLDS(QP_R32F),
                                                        PARTS(DEVICES(cuda_sweep), .apart = true)};

/* ---- CPU and OpenGL at once: the CPU has the lowest rows ---- */

const struct qp_recipe qp_poisson5_hybrid_rgba = {
    HOLDS(QP_R32F), PARTS(THREADS, .runs = {RUNS(openmp, CPU), RUNS(rgba, GL)})};
const struct qp_recipe qp_poisson5_hybrid_fused4 = {
    HOLDS(QP_R32F),
    PARTS(THREADS, .runs = {RUNS(openmp_blocked, CPU), RUNS(targets_fused4, GL)}, .depth = 16)};
const struct qp_recipe qp_poisson5_hybrid_red_black = {
    HOLDS(QP_R32F),
    RED_BLACK_PARTS(THREADS, .runs = {RUNS(openmp_red_black, CPU), RUNS(red_black, GL)})};

const struct qp_recipe qp_poisson5_hybrid_cuda = {
    HOLDS(QP_R32F), PARTS(THREADS, .runs = {RUNS(openmp, CPU), RUNS(cuda_sweep, CUDA)})};

/* ---- Processes ---- */

#define PROCESSES .place = QP_PARTS_PROCESSES, .link = &qp_link_mpi

const struct qp_recipe qp_poisson5_mpi_sequential = {
    HOLDS(QP_R32F), PARTS(PROCESSES, .runs = {RUNS(sequential, CPU)})};
const struct qp_recipe qp_poisson5_mpi_sequential_double = {
    HOLDS(QP_R64F), PARTS(PROCESSES, .runs = {RUNS(sequential_double, CPU)})};
const struct qp_recipe qp_poisson5_mpi_openmp_red_black = {
    HOLDS(QP_R32F), RED_BLACK_PARTS(PROCESSES, .runs = {RUNS(openmp_red_black, CPU)})};
const struct qp_recipe qp_poisson5_mpi_rgba = {HOLDS(QP_R32F),
                                               PARTS(PROCESSES, .runs = {RUNS(rgba, GL)})};
const struct qp_recipe qp_poisson5_mpi_fused4 = {
    HOLDS(QP_R32F), PARTS(PROCESSES, .runs = {RUNS(targets_fused4, GL)}, .depth = 16)};
const struct qp_recipe qp_poisson5_mpi_red_black = {
    HOLDS(QP_R32F), RED_BLACK_PARTS(PROCESSES, .runs = {RUNS(red_black, GL)})};
const struct qp_recipe qp_poisson5_mpi_cuda = {HOLDS(QP_R32F),
                                               PARTS(PROCESSES, .runs = {RUNS(cuda_sweep, CUDA)})};
