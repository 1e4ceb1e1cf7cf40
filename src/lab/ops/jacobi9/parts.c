/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in strips of rows (lab/engines/parts/parts.h), each by another variant of the
 * table: on CPU and GPU at once, or in processes. There is no code of its own for it. Costs are
 * those of the variants that run. */
#include "lab/engines/engines.h"
#include "lab/ops/jacobi9/jacobi9.h"

/* A variant in parts costs what those that it runs do. */
#define IN_PARTS(operations, moved, ...)                                                           \
    .engine = &qp_engine_parts, .state = {.format = QP_R32F}, .flops = operations, .bytes = moved, \
    .own = &(const struct qp_jacobi9_variant)                                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define RUNS(list, name)        \
    {                           \
        qp_jacobi9_##list, name \
    }
#define THREADS(...) .engine.parts = {.place = QP_PARTS_THREADS, .runs = {__VA_ARGS__}}
#define PROCESSES(...) \
    .engine.parts = {.place = QP_PARTS_PROCESSES, .link = &qp_link_mpi, .runs = {__VA_ARGS__}}

const struct qp_recipe qp_jacobi9_parts[] = {
    /* The CPU has the lowest rows. */
    {.name = "jacobi9/hybrid_rgba",
     .backend = QP_GL,
     .layout = "strips of rows, on CPU and OpenGL",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "the lowest rows by openmp, the others by rgba, at the same time",
     IN_PARTS(36, 48, THREADS(RUNS(cpu, "jacobi9/openmp"), RUNS(gl, "jacobi9/rgba")))},

    {.name = "jacobi9/hybrid_cuda",
     .backend = QP_CUDA,
     .layout = "strips of rows, on CPU and CUDA",
     .place = "paper 5, 4.1: hybrid",
     .sentence = "the lowest rows by openmp, the others by cuda_shared, at the same time",
     IN_PARTS(30, 56, THREADS(RUNS(cpu, "jacobi9/openmp"), RUNS(cuda, "jacobi9/cuda_shared")))},

    /* Parts on CUDA's devices in turn. */
    {.name = "jacobi9/parts_cuda",
     .backend = QP_CUDA,
     .layout = "strips of rows, a GPU each",
     .place = "paper 5, 4.1: several GPUs",
     .sentence = "strips by cuda_shared, each in a thread, on the devices in turn",
     IN_PARTS(30, 56,
              THREADS(RUNS(cuda, "jacobi9/cuda_shared"), RUNS(cuda, "jacobi9/cuda_shared")))},

    {.name = "jacobi9/mpi_openmp",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by openmp, one a rank; rows of borders in messages",
     IN_PARTS(20, 44, PROCESSES(RUNS(cpu, "jacobi9/openmp")), .takes_wraps = true)},

    {.name = "jacobi9/mpi_rgba",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by rgba, one a rank",
     IN_PARTS(36, 48, PROCESSES(RUNS(gl, "jacobi9/rgba")))},

    {.name = "jacobi9/mpi_cuda",
     .backend = QP_MPI,
     .layout = "strips of rows, a process each",
     .place = "paper 5, IV, over MPI",
     .sentence = "strips by cuda_shared, one a rank",
     IN_PARTS(30, 56, PROCESSES(RUNS(cuda, "jacobi9/cuda_shared")))},

    {0},
};
