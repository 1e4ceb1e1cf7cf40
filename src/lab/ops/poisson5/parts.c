/* SPDX-License-Identifier: MIT */
/* Poisson in parts (paper 5, chapter IV): strips of rows, each by a variant of this table, in
 * threads, on CPU and GPU at once, or in processes. Each strip computes as many rows of its
 * neighbours as steps between exchanges reach. Red-black strips begin at an even row, since colours
 * are counted from a strip's first one; a step of theirs takes values from two rows away, and the
 * residual is measured by one step more. */
#include "lab/engines/engines.h"
#include "lab/ops/poisson5/poisson5.h"

#define RUNS(list, name)         \
    {                            \
        qp_poisson5_##list, name \
    }

/* A variant costs and holds what others do, in float or double; where its values are stored is up
 * to the variants that it runs. */
#define IN_PARTS(values, ...)                                                   \
    .engine = &qp_engine_parts, QP_POISSON5_HOLDS("h^2 f", {.format = values}), \
    .own = &(const struct qp_poisson5_variant)                                  \
    {                                                                           \
        __VA_ARGS__                                                             \
    }
#define SINGLE(...) IN_PARTS(QP_R32F, .parts = {__VA_ARGS__})
#define DOUBLE(...) IN_PARTS(QP_R64F, .parts = {__VA_ARGS__})
#define RED_BLACK(...)                                                                     \
    IN_PARTS(QP_R32F, .parts = {.reach = 2, .multiple = 2, .measures = true, __VA_ARGS__}, \
             .order = QP_POISSON5_RED_BLACK)

#define THREADS .place = QP_PARTS_THREADS

/* Parts on CUDA's devices in turn, so that two parts may be unlike: a split then says how many rows
 * the first one has. */
#define DEVICES(list, name) THREADS, .runs = {RUNS(list, name), RUNS(list, name)}

#define PROCESSES .place = QP_PARTS_PROCESSES, .link = &qp_link_mpi

const struct qp_recipe qp_poisson5_parts[] = {
    /* ---- Threads and contexts of one process ---- */

    {.name = "poisson5/parts_sequential",
     .backend = QP_CPU,
     .layout = "strips of rows, a thread each",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "strips by sequential, each in a thread; rows of borders through memory",
     SINGLE(THREADS, .runs = {RUNS(cpu, "poisson5/sequential")})},

    {.name = "poisson5/parts_sequential_double",
     .backend = QP_CPU,
     .layout = "strips of rows, a thread each, in double",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "the same in double",
     DOUBLE(THREADS, .runs = {RUNS(cpu, "poisson5/sequential_double")})},

    {.name = "poisson5/parts_rgba",
     .backend = QP_GL,
     .layout = "strips of rows, a context each",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "strips by rgba, each in a thread and a context; rows of borders through memory",
     SINGLE(THREADS, .runs = {RUNS(gl, "poisson5/rgba")})},

    {.name = "poisson5/parts_fused4",
     .backend = QP_GL,
     .layout = "strips of rows, a context each",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "strips by targets_fused4; 16 steps from one exchange to the next",
     SINGLE(THREADS, .runs = {RUNS(gl, "poisson5/targets_fused4")}, .depth = 16)},

    {.name = "poisson5/parts_double_rgba",
     .backend = QP_GL,
     .layout = "strips of rows, a context each, in double",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "strips by double_rgba",
     DOUBLE(THREADS, .runs = {RUNS(gl_double, "poisson5/double_rgba")})},

    {.name = "poisson5/parts_red_black",
     .backend = QP_GL,
     .layout = "strips of rows, a context each",
     .place = "paper 5, IV: parts of a grid",
     .sentence = "strips by red_black, two rows of neighbours a step",
     RED_BLACK(THREADS, .runs = {RUNS(gl_in_place, "poisson5/red_black")})},

    {.name = "poisson5/parts_cuda",
     .backend = QP_CUDA,
     .layout = "strips of rows, a GPU each",
     .place = "paper 5, 4.1: several GPUs",
     .sentence = "strips by cuda_sweep, a thread each, on the devices in turn; borders from device "
                 "to device",
     SINGLE(DEVICES(cuda_fast, "poisson5/cuda_sweep"))},

    {.name = "poisson5/parts_cuda_double",
     .backend = QP_CUDA,
     .layout = "strips of rows, a GPU each, in double",
     .place = "paper 5, 4.1: several GPUs",
     .sentence = "the same in double",
     DOUBLE(DEVICES(cuda_fast, "poisson5/cuda_sweep_double"))},

    /* Three launches of twelve steps from one exchange to the next. */
    {.name = "poisson5/parts_cuda_temporal",
     .backend = QP_CUDA,
     .layout = "strips of rows, a GPU each",
     .place = "paper 5, 4.1: several GPUs",
     .sentence = "strips by cuda_temporal; 36 steps from one exchange to the next",
     SINGLE(DEVICES(cuda_fast, "poisson5/cuda_temporal"), .depth = 36)},

    {.name = "poisson5/parts_cuda_locked",
     .backend = QP_CUDA,
     .layout = "strips of rows, a GPU each",
     .place = "paper 5, 4.1: several GPUs",
     .sentence = "borders through locked memory of the host, as where no device reaches another",
     SINGLE(DEVICES(cuda_fast, "poisson5/cuda_sweep"), .apart = true)},

    /* ---- CPU and OpenGL at once: the CPU has the lowest rows ---- */

    {.name = "poisson5/hybrid_rgba",
     .backend = QP_GL,
     .layout = "strips of rows, on CPU and OpenGL",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "the lowest rows by openmp, the others by rgba, at the same time",
     SINGLE(THREADS, .runs = {RUNS(cpu, "poisson5/openmp"), RUNS(gl, "poisson5/rgba")})},

    {.name = "poisson5/hybrid_fused4",
     .backend = QP_GL,
     .layout = "strips of rows, on CPU and OpenGL",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "by openmp_blocked and targets_fused4; 16 steps from one exchange to the next",
     SINGLE(THREADS,
            .runs = {RUNS(cpu, "poisson5/openmp_blocked"), RUNS(gl, "poisson5/targets_fused4")},
            .depth = 16)},

    {.name = "poisson5/hybrid_red_black",
     .backend = QP_GL,
     .layout = "strips of rows, on CPU and OpenGL",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "by openmp_red_black and red_black",
     RED_BLACK(THREADS, .runs = {RUNS(cpu_orders, "poisson5/openmp_red_black"),
                                 RUNS(gl_in_place, "poisson5/red_black")})},

    {.name = "poisson5/hybrid_cuda",
     .backend = QP_CUDA,
     .layout = "strips of rows, on CPU and CUDA",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "the lowest rows by openmp, the others by cuda_sweep, at the same time",
     SINGLE(THREADS,
            .runs = {RUNS(cpu, "poisson5/openmp"), RUNS(cuda_fast, "poisson5/cuda_sweep")})},

    /* ---- Processes ---- */

    {.name = "poisson5/mpi_sequential",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by sequential, one a rank; rows of borders in messages",
     SINGLE(PROCESSES, .runs = {RUNS(cpu, "poisson5/sequential")})},

    {.name = "poisson5/mpi_sequential_double",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each, in double",
     .place = "paper 5, IV, over MPI",
     .sentence = "the same in double",
     DOUBLE(PROCESSES, .runs = {RUNS(cpu, "poisson5/sequential_double")})},

    {.name = "poisson5/mpi_openmp_red_black",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by openmp_red_black, two rows of neighbours a step",
     RED_BLACK(PROCESSES, .runs = {RUNS(cpu_orders, "poisson5/openmp_red_black")})},

    {.name = "poisson5/mpi_rgba",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by rgba, one a rank",
     SINGLE(PROCESSES, .runs = {RUNS(gl, "poisson5/rgba")})},

    {.name = "poisson5/mpi_fused4",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by targets_fused4; 16 steps from one message to the next",
     SINGLE(PROCESSES, .runs = {RUNS(gl, "poisson5/targets_fused4")}, .depth = 16)},

    {.name = "poisson5/mpi_red_black",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by red_black",
     RED_BLACK(PROCESSES, .runs = {RUNS(gl_in_place, "poisson5/red_black")})},

    {.name = "poisson5/mpi_cuda",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by cuda_sweep, one a rank",
     SINGLE(PROCESSES, .runs = {RUNS(cuda_fast, "poisson5/cuda_sweep")})},

    {0},
};
