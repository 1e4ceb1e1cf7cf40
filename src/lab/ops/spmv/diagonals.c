/* SPDX-License-Identifier: MIT */
/* Stages 4 and 5 for diagonals, `block` of them a draw: the first draw replaces what is in the
 * target, and the blender adds those after it, as Krueger and Westermann's passes did. */
#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/spmv/spmv.h"
#include "toolkit/base/sparse.h"
#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"

struct qp_plan_diagonals {
    struct qp_plan_gl gl; /* first */
    int count;            /* number of diagonals */
};

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_diagonals *own = qp_alloc_zero(1, sizeof *own, "a plan's OpenGL side");
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    plan->own = own;
    if (own == NULL)
        return QP_NO_MEMORY;
    own->count = qp_sparse_offsets(plan->problem->sparse, QP_SPMV_DIAGONALS_MOST, offset);
    return qp_engine_gl.upload(plan);
}

/* Names of a draw, with the range of its diagonals. */
static void list_names(const struct qp_plan *plan, int first, int end, struct qp_draw_names *out)
{
    const struct qp_plan_diagonals *own = plan->own;
    qp_draw_names_list(plan, &own->gl.pair, own->gl.input, plan->variant->recipe->draw, out);
    qp_draw_names_add(out, (struct qp_uniform){.name = "range", .type = QP_VECTOR},
                      (struct qp_step_value){.x = first, .y = end});
}

static void list_draws(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    struct qp_plan_diagonals *own = plan->own;
    int first = 0;
    do {
        const int end = qp_least(first + plan->block, own->count);
        struct qp_draw_names names;
        list_names(plan, first, end, &names);
        qp_passes_add(to, &(struct qp_gl_pass){.step = own->gl.step,
                                               .values = names.value,
                                               .surface = qp_passes_target(to, &own->gl.pair),
                                               .x = plan->layout.origin_x,
                                               .y = plan->layout.origin_y,
                                               .width = plan->layout.domain_x,
                                               .height = plan->layout.domain_y,
                                               .geometry = qp_cover_geometry(plan, QP_COVER_ALL),
                                               .blend = first > 0 ? QP_ADD : QP_REPLACE});
        first = end;
    } while (first < own->count);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_draws, 0);
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_diagonals *own = plan->own;
    const struct qp_program_source source = {
        .fragment = {.name = plan->variant->recipe->draw[0].fragment},
        .target = qp_gl_target(plan->target)};
    struct qp_draw_names names;
    if (plan->block < own->count &&
        (qp_context_device(plan->context)->abilities & QP_CAN_FLOAT_BLEND) == 0)
        return qp_fail(QP_UNSUPPORTED,
                       "%d diagonals a draw are added by blending floats, which this device "
                       "cannot; --block %d takes all in one draw",
                       plan->block, QP_SPMV_DIAGONALS_MOST);
    list_names(plan, 0, 0, &names);
    const enum qp_status status = qp_step_make(plan->context, &source, names.name, own->gl.step);
    return status == QP_OK ? qp_plan_gl_warm_up(plan, pass) : status;
}

const struct qp_engine qp_engine_spmv_diagonals = {QP_PLAN_GL_MEMBERS, .upload = upload,
                                                   .program = program, .pass = pass};
