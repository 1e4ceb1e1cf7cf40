/* SPDX-License-Identifier: MIT */
/* Poisson on the CPU. Rows of x begin at a cache line; the cells are surrounded by zeros, the
 * rim. */
#include "engines/engines.h"
#include "ops/poisson5/async_rows.h"
#include "ops/poisson5/engines.h"
#include "ops/poisson5/poisson5.h"
#include "ops/poisson5/relax.h"

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

/* ---- Recipes ---- */

/* 16 values, 64 bytes of floats, before each row's first cell. */
#define STANDS(values) QP_POISSON5_IN_ROWS(values, QP_RELAX_CELLS)

/* A row in float and one in double, by an engine, or each by a sweep of its own. */
#define BOTH(name, ...)                                                         \
    const struct qp_recipe qp_poisson5_##name = {STANDS(QP_R32F), __VA_ARGS__}; \
    const struct qp_recipe qp_poisson5_##name##_double = {STANDS(QP_R64F), __VA_ARGS__}
#define SWEPT(name)                                                                       \
    const struct qp_recipe qp_poisson5_##name = {STANDS(QP_R32F), .sweep = sweep_##name}; \
    const struct qp_recipe qp_poisson5_##name##_double = {STANDS(QP_R64F),                \
                                                          .sweep = sweep_##name##_double}

/* The reference itself. */
const struct qp_recipe qp_poisson5_reference = {
    .engine = &qp_engine_reference,
    .state = {.format = QP_R64F, .flat = true},
    .flops = 5,
};

/* Paper 5, 3.1: one thread, vectors by the compiler. */
SWEPT(sequential);

/* + 2-D blocks, a thread each, and a barrier. */
BOTH(threads, .engine = &qp_engine_poisson5_threads);

/* Ours: the same threads, blocks one above the other. */
const struct qp_recipe qp_poisson5_threads_strips = {
    STANDS(QP_R32F), .engine = &qp_engine_poisson5_threads,
    .own = &(const struct qp_poisson5_row){.strips = true}};

/* threads, bound to cores. */
BOTH(threads_bound, .engine = &qp_engine_poisson5_threads,
     .own = &(const struct qp_poisson5_row){.bound = true});

/* + each block in its thread's memory, with ghost cells and the second barrier. */
BOTH(threads_numa, .engine = &qp_engine_poisson5_threads_numa);

/* Ours: one thread, vectors by hand. */
SWEPT(sequential_vectors);

/* All cores: the opponent, and what its streaming stores are worth. */
const struct qp_recipe qp_poisson5_openmp_plain = {STANDS(QP_R32F), .sweep = sweep_openmp_plain};
SWEPT(openmp);

/* + several steps while the cells are in the caches. */
BOTH(openmp_blocked, .engine = &qp_engine_poisson5_blocked);

/* ---- Paper 5, chapter V: engines and grids as `threads` ---- */

#define ASYNC(number, update_order, ...)                         \
    const struct qp_recipe qp_poisson5_threads_async##number = { \
        STANDS(QP_R32F), .engine = &qp_engine_poisson5_threads,  \
        QP_ASYNC_LAUNCH(qp_async_heights, 65534, __VA_ARGS__),   \
        .own = &(const struct qp_poisson5_row){.order = update_order, .figure = 17 + number}}

QP_ASYNC_ROWS(ASYNC);
