/* SPDX-License-Identifier: MIT */
/* Poisson on the CPU. Rows of x begin at a cache line; around the cells stand zeros, the rim. */
#include "engines/engines.h"
#include "ops/poisson5/engines.h"
#include "ops/poisson5/poisson5.h"
#include "ops/poisson5/relax.h"

/* ---- Sweeps ---- */

typedef void relaxer(const struct qp_relax_step *step, int x0, int x1, int y0, int y1);

/* One thread, which keeps its stores in the caches' usual way, in all sizes. */
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

/* Each thread one share of the rows, so that memory is read in as few places as there are threads. */
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

/* Both arrays in one shape: 16 values, 64 bytes of floats, before each row's first cell. */
#define STANDS(values)                                                                        \
    .state = {.format = values, .pad_x = 1, .pad_y = 1, .align = QP_RELAX_CELLS},             \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS,                                              \
                       {.format = values, .pad_x = 1, .pad_y = 1, .align = QP_RELAX_CELLS})}, \
    .flops = 5

/* A row in float and one in double. */
#define BOTH(name, ...)                                                         \
    const struct qp_recipe qp_poisson5_##name = {STANDS(QP_R32F), __VA_ARGS__}; \
    const struct qp_recipe qp_poisson5_##name##_double = {STANDS(QP_R64F), __VA_ARGS__}

/* The reference itself. */
const struct qp_recipe qp_poisson5_reference = {
    .engine = &qp_engine_reference,
    .state = {.format = QP_R64F, .flat = true},
    .flops = 5,
};

/* Paper 5, 3.1: one thread, vectors by the compiler. */
const struct qp_recipe qp_poisson5_sequential = {STANDS(QP_R32F), .sweep = sweep_sequential};
const struct qp_recipe qp_poisson5_sequential_double = {STANDS(QP_R64F),
                                                        .sweep = sweep_sequential_double};

/* + 2-D blocks, a thread each, and a barrier. */
BOTH(threads, .engine = &qp_engine_poisson5_threads);

/* Ours: the same threads, blocks one above the other. */
const struct qp_recipe qp_poisson5_threads_strips = {
    STANDS(QP_R32F), .engine = &qp_engine_poisson5_threads,
    .own = &(const struct qp_poisson5_row){.strips = true}};

/* threads, bound to cores. */
BOTH(threads_bound, .engine = &qp_engine_poisson5_threads_bound);

/* + each block in its thread's memory, with ghost cells and the second barrier. */
BOTH(threads_numa, .engine = &qp_engine_poisson5_threads_numa);

/* Ours: one thread, vectors by hand. */
const struct qp_recipe qp_poisson5_sequential_vectors = {STANDS(QP_R32F),
                                                         .sweep = sweep_sequential_vectors};
const struct qp_recipe qp_poisson5_sequential_vectors_double = {
    STANDS(QP_R64F), .sweep = sweep_sequential_vectors_double};

/* All cores: the opponent, and what its streaming stores are worth. */
const struct qp_recipe qp_poisson5_openmp_plain = {STANDS(QP_R32F), .sweep = sweep_openmp_plain};
const struct qp_recipe qp_poisson5_openmp = {STANDS(QP_R32F), .sweep = sweep_openmp};
const struct qp_recipe qp_poisson5_openmp_double = {STANDS(QP_R64F), .sweep = sweep_openmp_double};

/* + several steps while the cells are in the caches. */
BOTH(openmp_blocked, .engine = &qp_engine_poisson5_blocked);

/* ---- Paper 5, chapter V ---- */

/* As the rows on CUDA have them, engines and grids as `threads`. */
#define FACTORS .usual = 6, .most = 65534
#define RACES   .unjudged = 1u << QP_POISSON5_FIELD

static const struct qp_alpha_rule racing_pairs = {FACTORS, RACES, .even = true},
                                  lone_pairs = {FACTORS, .even = true}, racing = {FACTORS, RACES};

#define ASYNC(number, update_order, rule)                                                 \
    const struct qp_recipe qp_poisson5_threads_async##number = {                          \
        STANDS(QP_R32F), .engine = &qp_engine_poisson5_threads,                           \
        .blocks = &(const struct qp_block_rule){.listed = (const int[]){8, 4, 16, 32, 0}, \
                                                .counts = "rows of unknowns",             \
                                                .alpha = &rule},                          \
        .own = &(const struct qp_poisson5_row){.order = update_order,                     \
                                               .component = qp_poisson5_component_async##number}}

ASYNC(0, QP_POISSON5_ASYNC_BLOCKS, racing_pairs);
ASYNC(1, QP_POISSON5_ASYNC_BLOCKS, racing_pairs);
ASYNC(2, QP_POISSON5_BLOCKS, lone_pairs);
ASYNC(3, QP_POISSON5_ASYNC_COLUMNS, racing);
