/* SPDX-License-Identifier: MIT */
/* Small Poisson grids on the CPU. A thread takes one grid after the other, and all steps of each:
 * in two copies with the rim's zeros around them, which stay in the cache next to it. */
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/cpu.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/ops/poisson5_batch/poisson5_batch.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

enum { X, OUT, RHS, COPIES };

/* A plan's data besides its arrays: a thread's copies of one grid. */
struct copies {
    long pitch;    /* values of a copy's row, its rim among them */
    size_t values; /* values of a copy, its rim below and above among them */
    float *memory; /* copies of all threads; the rim is zeros */
};

static int thread_number(void)
{
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* A copy's cell (0, 0), which begins a cache line. */
static float *cell_of(const struct copies *copies, int thread, int copy)
{
    return copies->memory + (size_t)(thread * COPIES + copy) * copies->values +
           (size_t)copies->pitch + QP_RELAX_CELLS;
}

/* Copies rows between a grid without gaps and a copy. */
static void copy_rows(int n, float *to, long to_pitch, const float *from, long from_pitch)
{
    for (int y = 0; y < n; y++)
        memcpy(to + y * to_pitch, from + y * from_pitch, (size_t)n * sizeof *to);
}

/* All steps of the grid whose cells begin at value `first`. */
static void relax_grid(const struct qp_plan *plan, const struct qp_relax_step *all, size_t first,
                       int steps)
{
    const int n = plan->problem->width, thread = thread_number();
    const struct copies *copies = ((const struct qp_plan_cpu *)plan->own)->more;
    const long pitch = copies->pitch;
    float *copy[COPIES];
    for (int k = 0; k < COPIES; k++)
        copy[k] = cell_of(copies, thread, k);
    copy_rows(n, copy[X], pitch, (const float *)all->x + first, n);
    copy_rows(n, copy[RHS], pitch, (const float *)all->rhs + first, n);
    for (int k = 0; k < steps; k++) {
        const struct qp_relax_step step = {.precision = QP_FLOATS,
                                           .x = copy[k % 2 == 0 ? X : OUT],
                                           .out = copy[k % 2 == 0 ? OUT : X],
                                           .rhs = copy[RHS],
                                           .pitch = pitch,
                                           .weight = 1.0,
                                           .spike_x = -1,
                                           .spike_y = -1};
        qp_relax_block(&step, 0, n, 0, n);
    }
    copy_rows(n, (float *)all->out + first, n, copy[steps % 2 == 0 ? X : OUT], pitch);
}

/* ---- The engine ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    const int n = plan->problem->width, threads = qp_poisson5_thread_count();
    const enum qp_status status = qp_plan_cpu_upload(plan);
    struct copies *copies =
        status == QP_OK ? qp_alloc_zero(1, sizeof *copies, "a plan's copies") : NULL;
    if (copies == NULL)
        return status == QP_OK ? QP_NO_MEMORY : status;
    struct qp_plan_cpu *own = plan->own;
    own->more = copies;
    copies->pitch = (n / QP_RELAX_CELLS + 2) * QP_RELAX_CELLS;
    copies->values = (size_t)copies->pitch * (size_t)(n + 3);
    const size_t all = (size_t)(threads * COPIES) * copies->values;
    own->lines = copies->memory = qp_alloc_line(all, sizeof(float), "copies of small grids");
    if (copies->memory == NULL)
        return QP_NO_MEMORY;
    memset(copies->memory, 0, all * sizeof(float));
    plan->most_steps = qp_poisson5_most_steps(plan, 0x1p30, 16);
    return QP_OK;
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    const int n = plan->problem->width, grids = plan->problem->height / n;
    const struct qp_relax_step all = qp_poisson5_next_step(plan);
#pragma omp parallel
    {
        const unsigned before = qp_relax_flush();
#pragma omp for schedule(static)
        for (int g = 0; g < grids; g++)
            relax_grid(plan, &all, (size_t)g * (size_t)n * (size_t)n, count);
        qp_relax_restore(before);
    }
    return QP_OK;
}

/* A grid a thread. */
static const struct qp_engine engine = {.upload = upload,
                                        .program = qp_plan_cpu_warm_up,
                                        .pass = qp_pass_once,
                                        .passes = passes,
                                        .swap = qp_plan_cpu_swap,
                                        .finish = qp_plan_cpu_finish,
                                        .read = qp_plan_cpu_read,
                                        .destroy = qp_plan_cpu_destroy};

const struct qp_recipe qp_poisson5_batch_cpu[] = {
    /* The reference itself. */
    {.name = "poisson5_batch/reference",
     .backend = QP_CPU,
     .layout = "one grid below the other, in double",
     .place = "the judge of all variants",
     .sentence = "the equation in double, cell by cell; itself judged by a scatter",
     .engine = &qp_engine_reference,
     .state = {.format = QP_R64F, .flat = true},
     .flops = 5},

    {.name = "poisson5_batch/openmp",
     .backend = QP_CPU,
     .layout = "one grid below the other",
     .place = "ours: the honest opponent of small grids",
     .sentence = "a grid a core at a time, which stays in its cache for all steps",
     .engine = &engine,
     .state = QP_FLAT,
     .input = {QP_ARRAY("h^2 f", QP_POISSON5_BATCH_RHS, QP_FLAT)},
     .flops = 5},

    {0},
};
