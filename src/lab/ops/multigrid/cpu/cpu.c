/* SPDX-License-Identifier: MIT */
/* Multigrid on the CPU: a variant is a scheme and a precision. */
#include "lab/engines/cpu.h"
#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/ops/poisson5/cpu/engines.h"
#include "lab/plan/problem.h"

/* ---- The engine: qp_engine_cpu with grids of its own ---- */

static struct qp_multigrid_solver *solver_of(const struct qp_plan *plan)
{
    return ((const struct qp_plan_cpu *)plan->own)->more;
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_problem *problem = plan->problem;
    const struct qp_multigrid_scheme *scheme =
        &qp_multigrid_schemes[qp_multigrid_scheme_of(plan->variant->recipe)];
    struct qp_multigrid multigrid = {0};
    enum qp_status status = qp_plan_cpu_upload(plan);
    struct qp_multigrid_solver *solver =
        status == QP_OK ? qp_alloc_zero(1, sizeof *solver, "a multigrid's plan") : NULL;
    if (solver == NULL)
        return status == QP_OK ? QP_NO_MEMORY : status;
    ((struct qp_plan_cpu *)plan->own)->more = solver;
    status = qp_multigrid_make(problem->field, scheme->bottom, &multigrid);
    if (status == QP_OK)
        status = qp_multigrid_solver_make(&multigrid, plan->layout.precision, scheme,
                                          &problem->field[QP_MULTIGRID_B],
                                          qp_poisson5_thread_count(), solver);
    qp_multigrid_free(&multigrid);
    return status;
}

static enum qp_status renew(struct qp_plan *plan)
{
    qp_multigrid_solver_set(solver_of(plan), &plan->problem->field[QP_MULTIGRID_B]);
    qp_plan_cpu_renew(plan);
    return QP_OK;
}

/* The domain's first cell in one of the plan's arrays. */
static void *cells_of(const struct qp_plan *plan, int state)
{
    const struct qp_layout *layout = &plan->layout;
    const long first = (long)layout->origin_y * layout->storage_x + layout->origin_x;
    return qp_value_at(((const struct qp_plan_cpu *)plan->own)->state[state], layout->precision,
                       (size_t)first);
}

static enum qp_status pass(struct qp_plan *plan)
{
    qp_multigrid_solver_cycle(solver_of(plan), cells_of(plan, 0), cells_of(plan, 1),
                              plan->layout.storage_x);
    return QP_OK;
}

static void destroy(struct qp_plan *plan)
{
    if (plan->own != NULL && solver_of(plan) != NULL)
        qp_multigrid_solver_free(solver_of(plan));
    qp_plan_cpu_destroy(plan);
}

static const struct qp_engine engine = {.upload = upload,
                                        .program = qp_plan_cpu_warm_up,
                                        .renew = renew,
                                        .pass = pass,
                                        .swap = qp_plan_cpu_swap,
                                        .finish = qp_plan_cpu_finish,
                                        .read = qp_plan_cpu_read,
                                        .destroy = destroy};

/* ---- Variants ---- */

/* Reference and witness each round some 200 times in a cycle, and an error in x grows by the
 * condition of A, up to the squares of the sides: in scales, with u = 2^-53, 400 u times those. */
static double tolerance_of_reference(const struct qp_recipe *recipe,
                                     const struct qp_problem *problem)
{
    const double width = problem->width, height = problem->height;
    (void)recipe;
    return 400.0 * 0x1p-53 * (width * width + height * height);
}

#define BY_SCHEME(values, number)                                               \
    .backend = QP_CPU, .engine = &engine, .place = "ours: after Brandt (1977)", \
    .state = {.format = (values), .pad_x = 1, .pad_y = 1, .align = 16},         \
    .own = &(const struct qp_multigrid_variant)                                 \
    {                                                                           \
        .scheme = (number)                                                      \
    }
#define ROWS "bands in rows, equal rows once"

const struct qp_recipe qp_multigrid_cpu[] = {
    /* The reference itself. */
    {.name = "multigrid/reference",
     .backend = QP_CPU,
     .layout = "bands in rows, in double",
     .place = "the judge of all variants",
     .sentence = "the cycle in double, sweep by sweep; itself judged by other ways to do each part",
     .engine = &qp_engine_reference,
     .state = {.format = QP_R64F, .flat = true},
     .tolerance = tolerance_of_reference},

    {.name = "multigrid/openmp",
     .layout = ROWS,
     .sentence = "V cycles, Chebyshev's smoother of degree 3; all cores, and the smoother's steps "
                 "in one sweep",
     BY_SCHEME(QP_R32F, QP_MULTIGRID_CHEBYSHEV3)},

    {.name = "multigrid/openmp_double",
     .layout = ROWS ", in double",
     .after = "multigrid/openmp",
     .sentence = "the same in double",
     BY_SCHEME(QP_R64F, QP_MULTIGRID_CHEBYSHEV3)},

    {.name = "multigrid/openmp_refined",
     .layout = ROWS ", the finest in double, too",
     .after = "multigrid/openmp_double",
     .sentence = "x and its residual in double, the cycle of that residual in float",
     BY_SCHEME(QP_R64F, QP_MULTIGRID_REFINED)},

    {.name = "multigrid/openmp_chebyshev2",
     .layout = ROWS,
     .after = "multigrid/openmp",
     .sentence = "Chebyshev's smoother of degree 2",
     BY_SCHEME(QP_R32F, QP_MULTIGRID_CHEBYSHEV2)},

    {.name = "multigrid/openmp_jacobi",
     .layout = ROWS,
     .after = "multigrid/openmp",
     .sentence = "two steps of Jacobi, of weight 1.7 / r, before and after",
     BY_SCHEME(QP_R32F, QP_MULTIGRID_JACOBI)},

    {.name = "multigrid/openmp_colours",
     .layout = ROWS,
     .after = "multigrid/openmp",
     .sentence = "two steps of Gauss-Seidel in four colours, in place, before and after",
     BY_SCHEME(QP_R32F, QP_MULTIGRID_COLOURS)},

    {.name = "multigrid/openmp_w",
     .layout = ROWS,
     .after = "multigrid/openmp",
     .sentence = "W cycles: the next coarser grid twice",
     BY_SCHEME(QP_R32F, QP_MULTIGRID_W_CYCLE)},

    {.name = "multigrid/openmp_full",
     .layout = ROWS ", in double",
     .after = "multigrid/openmp_double",
     .sentence = "full multigrid: from the coarsest grid up, each begins with the answer below it",
     BY_SCHEME(QP_R64F, QP_MULTIGRID_FULL_CYCLE)},

    {0},
};
