/* SPDX-License-Identifier: MIT */
/* Poisson on the CPU. Rows of x begin at a cache line; around the cells stand zeros, the rim. */
#include "engines/engines.h"
#include "ops/poisson5/poisson5.h"

/* Compiled for several instruction sets and chosen when the program starts; sanitizers cannot
 * follow that, so a debug build has the plain form only. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(QP_DEBUG)
#define EACH_INSTRUCTION_SET __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EACH_INSTRUCTION_SET
#endif

#define VALUE   float
#define NAME(x) x
#include "ops/poisson5/cpu_sweeps.h"
#undef VALUE
#undef NAME
#define VALUE   double
#define NAME(x) x##_double
#include "ops/poisson5/cpu_sweeps.h"

/* Both arrays in one shape: 16 values, 64 bytes of floats, before each row's first cell. */
#define STANDS(values)                                                            \
    .state = {.format = values, .pad_x = 1, .pad_y = 1, .align = 16},             \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS,                                  \
                       {.format = values, .pad_x = 1, .pad_y = 1, .align = 16})}, \
    .flops = 5

/* The reference itself. */
const struct qp_recipe qp_poisson5_reference = {
    .engine = &qp_engine_reference,
    .state = {.format = QP_R64F, .flat = true},
    .flops = 5,
};

/* Paper 5, 3.1: one thread; vectors by the compiler. */
const struct qp_recipe qp_poisson5_sequential = {STANDS(QP_R32F), .sweep = sweep_sequential};
const struct qp_recipe qp_poisson5_sequential_double = {STANDS(QP_R64F),
                                                        .sweep = sweep_sequential_double};

/* Ours: all cores, rows dealt out in equal shares. */
const struct qp_recipe qp_poisson5_openmp = {STANDS(QP_R32F), .sweep = sweep_openmp};
const struct qp_recipe qp_poisson5_openmp_double = {STANDS(QP_R64F), .sweep = sweep_openmp_double};
