/* SPDX-License-Identifier: MIT */
/* Poisson on the CPU in red-black order: red cells, whose column and row have an even sum, have
 * black neighbours alone, and these red ones. So all red cells go at once, from old values, and
 * then all black ones, from new values: a Gauss-Seidel step, with a weight above 1 successive
 * over-relaxation. */
#if defined(_OPENMP)
#include <omp.h>
#else /* a single thread */
#define omp_get_num_threads() 1
#define omp_get_thread_num()  0
#endif

#include "lab/engines/engines.h"
#include "lab/ops/poisson5/cpu/relax.h"
#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/sets.h"

#define VALUE   float
#define NAME(x) x
#include "lab/ops/poisson5/cpu/cpu_orders_sweeps.h"
#undef VALUE
#undef NAME
#define VALUE   double
#define NAME(x) x##_double
#include "lab/ops/poisson5/cpu/cpu_orders_sweeps.h"

static const struct qp_poisson5_variant red_black = {.order = QP_POISSON5_RED_BLACK};

/* Rows begin at a cache line, as in cpu.c. */
#define RED_BLACK(values, function)                                        \
    .engine = &qp_engine_cpu_orders, .own = &red_black, .sweep = function, \
    QP_POISSON5_IN_ROWS(values, 16)

const struct qp_recipe qp_poisson5_cpu_orders[] = {
    /* Half the cells at a time, each row of memory read and written once a step but where two cores
     * meet: as many bytes as openmp moves, for twice its arithmetic. */
    {.name = "poisson5/openmp_red_black",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "red cells, then black ones from the new red, in one go over each core's rows",
     RED_BLACK(QP_R32F, sweep)},

    {.name = "poisson5/openmp_red_black_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "the same in double",
     RED_BLACK(QP_R64F, sweep_double)},

    {0},
};
