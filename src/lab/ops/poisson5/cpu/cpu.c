/* SPDX-License-Identifier: MIT */
/* Poisson on the CPU. Rows of x begin at a cache line; the cells are surrounded by zeros, the
 * rim. */
#include "lab/engines/engines.h"
#include "lab/ops/poisson5/async_variants.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/ops/poisson5/cpu/relax.h"
#include "lab/ops/poisson5/poisson5.h"

/* ---- Sweeps ---- */

typedef void relaxer(const struct qp_relax_step *step, int x0, int x1, int y0, int y1);

/* A single thread, which keeps its stores in the caches' usual way, in all sizes. */
static void sweep_alone(const struct qp_sweep *s, enum qp_precision precision, relaxer *relax)
{
    struct qp_relax_step step = qp_relax_step_of(s, precision);
    const unsigned before = qp_relax_flush();
    step.streams = false;
    relax(&step, 0, s->width, 0, s->height);
    qp_relax_restore(before);
}

#define ALONE(name, precision, relax)                  \
    static void sweep_##name(const struct qp_sweep *s) \
    {                                                  \
        sweep_alone(s, precision, relax);              \
    }
ALONE(sequential, QP_FLOATS, qp_relax_loop)
ALONE(sequential_double, QP_DOUBLES, qp_relax_loop)
ALONE(sequential_vectors, QP_FLOATS, qp_relax_block)
ALONE(sequential_vectors_double, QP_DOUBLES, qp_relax_block)

/* Each thread one share of the rows, so that memory is read in as few places as there are
 * threads. */
static void sweep_shares(const struct qp_sweep *s, struct qp_relax_step step)
{
    const int shares = qp_poisson5_thread_count();
#pragma omp parallel for schedule(static)
    for (int k = 0; k < shares; k++) {
        const unsigned before = qp_relax_flush();
        qp_relax_block(&step, 0, s->width, (int)((long)s->height * k / shares),
                       (int)((long)s->height * (k + 1) / shares));
        qp_relax_restore(before);
    }
}

static void sweep_openmp(const struct qp_sweep *s)
{
    sweep_shares(s, qp_relax_step_of(s, QP_FLOATS));
}

static void sweep_openmp_double(const struct qp_sweep *s)
{
    sweep_shares(s, qp_relax_step_of(s, QP_DOUBLES));
}

static void sweep_openmp_plain(const struct qp_sweep *s)
{
    struct qp_relax_step step = qp_relax_step_of(s, QP_FLOATS);
    step.streams = false;
    sweep_shares(s, step);
}

/* 16 values, 64 bytes of floats, before each row's first cell. */
#define STANDS(values) QP_POISSON5_IN_ROWS(values, QP_RELAX_CELLS)

#define ASYNC(number)                                                                  \
    STANDS(QP_R32F), .engine = &qp_engine_poisson5_threads,                            \
                     QP_ASYNC_LAUNCH(qp_async_heights, 65534, QP_ASYNC_RULE_##number), \
                     .own = &(const struct qp_poisson5_variant)                        \
    {                                                                                  \
        .order = QP_ASYNC_ORDER_##number, .figure = 17 + number                        \
    }

const struct qp_recipe qp_poisson5_cpu[] = {
    /* The reference itself. */
    {.name = "poisson5/reference",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "the judge of all variants",
     .sentence = "the equation in double, cell by cell; itself judged by a scatter",
     .engine = &qp_engine_reference,
     .state = {.format = QP_R64F, .flat = true},
     .flops = 5},

    /* Paper 5, 3.1: one thread, vectors by the compiler. */
    {.name = "poisson5/sequential",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 3.1: sequential",
     .sentence = "one thread, a plain loop over rows and cells, which the compiler vectorises",
     STANDS(QP_R32F),
     .sweep = sweep_sequential},

    {.name = "poisson5/sequential_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "paper 5, 3.1: sequential",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .sweep = sweep_sequential_double},

    /* + 2-D blocks, a thread each, and a barrier. */
    {.name = "poisson5/threads",
     .after = "poisson5/sequential",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 3.1: Pthreads",
     .sentence = "POSIX threads, a block of the grid each, the loop of sequential, and a barrier "
                 "after each step",
     STANDS(QP_R32F),
     .engine = &qp_engine_poisson5_threads},

    {.name = "poisson5/threads_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "paper 5, 3.1: Pthreads",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .engine = &qp_engine_poisson5_threads},

    /* threads, bound to cores. */
    {.name = "poisson5/threads_bound",
     .after = "poisson5/threads",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 3.1: bound to cores",
     .sentence = "each thread stays on a core of its own",
     STANDS(QP_R32F),
     .engine = &qp_engine_poisson5_threads,
     .own = &(const struct qp_poisson5_variant){.bound = true}},

    {.name = "poisson5/threads_bound_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "paper 5, 3.1: bound to cores",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .engine = &qp_engine_poisson5_threads,
     .own = &(const struct qp_poisson5_variant){.bound = true}},

    /* + each block in its thread's memory, with ghost cells and the second barrier. */
    {.name = "poisson5/threads_numa",
     .after = "poisson5/threads",
     .backend = QP_CPU,
     .layout = "one grid, a block a thread",
     .place = "paper 5, 3.1: NUMA",
     .sentence = "blocks in their threads' memory, squares of them a node; on one node ghost cells "
                 "and a second barrier",
     STANDS(QP_R32F),
     .engine = &qp_engine_poisson5_threads_numa},

    {.name = "poisson5/threads_numa_double",
     .backend = QP_CPU,
     .layout = "one grid, a block a thread, in double",
     .place = "paper 5, 3.1: NUMA",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .engine = &qp_engine_poisson5_threads_numa},

    /* Ours: the same threads, blocks one above the other. */
    {.name = "poisson5/threads_strips",
     .after = "poisson5/threads",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: strips against blocks",
     .sentence = "threads with a strip of rows each in place of a 2-D block",
     STANDS(QP_R32F),
     .engine = &qp_engine_poisson5_threads,
     .own = &(const struct qp_poisson5_variant){.strips = true}},

    /* Ours: one thread, vectors by hand. */
    {.name = "poisson5/sequential_vectors",
     .after = "poisson5/sequential",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: vectors by hand",
     .sentence =
         "one thread, vectors as wide as the processor has them, four rows of cells at a time",
     STANDS(QP_R32F),
     .sweep = sweep_sequential_vectors},

    {.name = "poisson5/sequential_vectors_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "ours: vectors by hand",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .sweep = sweep_sequential_vectors_double},

    /* All cores: the opponent, and what its streaming stores are worth. */
    {.name = "poisson5/openmp_plain",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: the opponent's usual form",
     .sentence = "all cores, rows in equal shares",
     STANDS(QP_R32F),
     .sweep = sweep_openmp_plain},

    {.name = "poisson5/openmp",
     .after = "poisson5/openmp_plain",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: the honest opponent",
     .sentence = "streaming stores, past the caches, of grids that outgrow them",
     STANDS(QP_R32F),
     .sweep = sweep_openmp},

    {.name = "poisson5/openmp_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "ours: the honest opponent",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .sweep = sweep_openmp_double},

    /* + several steps while the cells are in the caches. */
    {.name = "poisson5/openmp_blocked",
     .after = "poisson5/openmp",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "ours: temporal blocking",
     .sentence = "up to 16 steps in one sweep, while cells are in the caches; equal bit for bit",
     STANDS(QP_R32F),
     .engine = &qp_engine_poisson5_blocked},

    {.name = "poisson5/openmp_blocked_double",
     .backend = QP_CPU,
     .layout = "one grid, in double",
     .place = "ours: temporal blocking",
     .sentence = "the same in double",
     STANDS(QP_R64F),
     .engine = &qp_engine_poisson5_blocked},

    {0},
};

/* ---- Paper 5, chapter V: engines and grids as `threads` ---- */

const struct qp_recipe qp_poisson5_threads[] = {
    {.name = "poisson5/threads_async0",
     .after = "poisson5/threads",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 5.3, figure 17: Async 0",
     .sentence = "a thread takes blocks of 64 x 8 for alpha + 1 steps each; fringes meet in the "
                 "grid after each whole step",
     ASYNC(0)},

    {.name = "poisson5/threads_async1",
     .after = "poisson5/threads_async0",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 5.3, figure 18: Async 1",
     .sentence = "half a block computes and moves its fringe before the other half, for 4 of 6 "
                 "barriers are gone",
     ASYNC(1)},

    {.name = "poisson5/threads_async2",
     .after = "poisson5/threads_async1",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 5.3, figure 19: Async 2",
     .sentence = "without an exchange of fringes: a launch takes blocks for themselves; its "
                 "barriers have no counterpart",
     ASYNC(2)},

    {.name = "poisson5/threads_async3",
     .after = "poisson5/threads_async2",
     .backend = QP_CPU,
     .layout = "one grid",
     .place = "paper 5, 5.3, figure 20: Async 3",
     .sentence = "one block in place, row after row of half a block, fringes exchanged",
     ASYNC(3)},

    {0},
};
