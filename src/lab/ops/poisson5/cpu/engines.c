/* SPDX-License-Identifier: MIT */
#include "lab/ops/poisson5/cpu/engines.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "lab/engines/cpu.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

int qp_poisson5_thread_count(void)
{
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static void *first_cell(const struct qp_layout *layout, void *texels)
{
    const size_t first = (size_t)layout->origin_y * (size_t)layout->storage_x;
    return qp_value_at(texels, layout->precision, first + (size_t)layout->origin_x);
}

struct qp_relax_step qp_poisson5_next_step(const struct qp_plan *plan)
{
    const struct qp_plan_cpu *own = plan->own;
    struct qp_sweep sweep = {.problem = plan->problem,
                             .width = plan->problem->width,
                             .height = plan->problem->height,
                             .pitch = plan->layout.storage_x,
                             .kind = qp_problem_kind(plan->problem),
                             .weight = qp_problem_step_weight(plan->problem, own->step),
                             .x = first_cell(&plan->layout, own->state[0]),
                             .out = first_cell(&plan->layout, own->state[1])};
    if (plan->inputs > 0)
        sweep.input[0] = first_cell(&plan->input_layout[0], plan->input_texels[0]);
    return qp_relax_step_of(&sweep, plan->layout.precision);
}

int qp_poisson5_most_steps(const struct qp_plan *plan, double updates, int unit)
{
    return unit * qp_clamp(updates / (unit * (double)qp_problem_cells(plan->problem)), 1,
                           QP_POISSON5_MOST_STEPS);
}
