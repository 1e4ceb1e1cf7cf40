/* SPDX-License-Identifier: MIT */
/* Rows of a plan on CUDA that is a part of a grid. Two streams: the first takes steps; on the
 * second, which goes first where both have thread blocks waiting, rows of borders leave and arrive,
 * and the rows are computed that need those that arrive. The host waits for nothing but rows that
 * it reads itself.
 *
 *     first     ..step k | interior of step k + 1 ............ | step k + 2
 *     second             | give | take | borders of step k + 1 |
 */
#include "lab/engines/change_kernels.h"
#include "lab/engines/cuda.h"
#include "lab/engines/parts/border.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/streams.h"

void *qp_plan_cuda_first(const struct qp_layout *layout, const struct qp_cuda_array *array)
{
    size_t texel = (size_t)layout->origin_y * (size_t)layout->storage_x + (size_t)layout->origin_x;
    size_t value = (size_t)qp_format_bytes(layout->shape.format) * (size_t)layout->channels;
    return (char *)array->block + array->lead + texel * value;
}

/* ---- Streams ---- */

enum qp_status qp_plan_cuda_fork(struct qp_plan_cuda *own)
{
    enum qp_status status = qp_cuda_fork_first(own->cuda, &own->side);
    if (status == QP_OK)
        status = qp_cuda_event_make(own->cuda->ordinal, &own->stepped);
    return status == QP_OK ? qp_cuda_event_make(own->cuda->ordinal, &own->arrived) : status;
}

void qp_plan_cuda_unfork(struct qp_plan_cuda *own)
{
    qp_cuda_join(&own->side);
    qp_cuda_event_free(&own->stepped);
    qp_cuda_event_free(&own->arrived);
}

enum qp_status qp_plan_cuda_join(struct qp_plan_cuda *own)
{
    if (!own->aside)
        return QP_OK;
    own->aside = false;
    const enum qp_status status = qp_cuda_record(&own->side, own->arrived);
    return status == QP_OK ? qp_cuda_follow(own->cuda, own->arrived) : status;
}

/* The second stream goes on after all that the first was asked for, and the first after all that
 * the second was. */
static enum qp_status begin_exchange(struct qp_plan_cuda *own)
{
    qp_cuda_select(own->cuda);
    enum qp_status status = qp_plan_cuda_join(own);
    if (status == QP_OK)
        status = qp_cuda_record(own->cuda, own->stepped);
    return status == QP_OK ? qp_cuda_follow(&own->side, own->stepped) : status;
}

/* ---- Steps of some rows ---- */

/* The same launch for rows y0 up to y1, as if they were a grid: `window` is their problem. */
static struct qp_launch launch_of_rows(const struct qp_plan *plan, int y0, int y1,
                                       struct qp_problem *window)
{
    const struct qp_plan_cuda *own = plan->own;
    struct qp_launch launch = own->launch;
    const size_t first = (size_t)y0 * (size_t)launch.pitch;
    *window = *plan->problem;
    if (window->window.of == NULL)
        window->window.of = plan->problem;
    window->window.y += y0;
    launch.problem = window;
    launch.height = launch.answer_height = window->height = window->answer_height = y1 - y0;
    launch.x = qp_value_at(launch.x, plan->layout.precision, first);
    launch.out = qp_value_at(launch.out, plan->layout.precision, first);
    for (int i = 0; i < plan->inputs; i++)
        launch.input[i] = qp_value_at(launch.input[i], plan->input_layout[i].precision,
                                      (size_t)y0 * (size_t)launch.input_pitch[i]);
    return launch;
}

/* Rows that are asked for when some have begun to arrive need those. */
static enum qp_status pass(struct qp_plan *plan, int y0, int y1, bool ends)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = QP_OK;
    qp_cuda_select(own->cuda);
    own->started = true;
    if (y0 < y1) {
        struct qp_problem window;
        struct qp_launch launch = launch_of_rows(plan, y0, y1, &window);
        launch.weight = own->weights[0] = qp_problem_step_weight(plan->problem, own->step);
        launch.cuda = own->aside ? &own->side : own->cuda;
        status = own->kernel->launch(&launch);
    }
    own->step += ends;
    return status == QP_OK && ends ? qp_plan_cuda_join(own) : status;
}

static enum qp_status follow(struct qp_plan *plan, struct qp_plan *other)
{
    struct qp_plan_cuda *own = plan->own, *before = other->own;
    qp_cuda_select(own->cuda);
    enum qp_status status = qp_plan_cuda_join(before);
    if (status == QP_OK)
        status = qp_cuda_record(before->cuda, before->stepped);
    return status == QP_OK ? qp_cuda_follow(own->cuda, before->stepped) : status;
}

/* ---- Changes ---- */

/* A step more with all cells together, which goes over the old values: its change is the residual
 * of the result of steps in another order, whose own change is none. */
static enum qp_status take_together(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    struct qp_launch launch = own->launch;
    launch.x = own->launch.out;
    launch.out = qp_plan_cuda_first(&plan->layout, &own->state[0]);
    launch.weight = plan->problem->weight;
    launch.weights = &plan->problem->weight;
    return own->kernel->together(&launch);
}

/* Squares are summed along rows on the device, and one sum per row comes back. */
static enum qp_status change(struct qp_plan *plan, double *sums)
{
    struct qp_plan_cuda *own = plan->own;
    struct qp_launch launch = own->launch;
    launch.input[0] = qp_plan_cuda_first(&plan->layout, &own->scale);
    launch.scratch = own->sums;
    launch.kind = plan->layout.precision == QP_DOUBLES;
    qp_cuda_select(own->cuda);
    enum qp_status status = own->kernel->together != NULL ? take_together(plan) : QP_OK;
    if (status == QP_OK)
        status = qp_kernel_change.launch(&launch);
    return status == QP_OK ? qp_cuda_download(own->cuda, sums, own->sums,
                                              (size_t)plan->problem->answer_height * sizeof *sums)
                           : status;
}

/* ---- Rows that leave and arrive ---- */

/* Copies rows between x in the source and values without gaps, on the second stream. */
static enum qp_status move(struct qp_plan *plan, int y, int count, void *values, bool arrive)
{
    struct qp_plan_cuda *own = plan->own;
    const size_t value = qp_value_bytes(plan->layout.precision);
    const size_t row = (size_t)plan->problem->answer_width * value;
    const size_t pitch = (size_t)own->launch.pitch * value;
    char *x = (char *)qp_plan_cuda_first(&plan->layout, &own->state[0]) + (size_t)y * pitch;
    const struct qp_cuda_rows rows = {.to = arrive ? x : values,
                                      .from = arrive ? values : x,
                                      .to_pitch = arrive ? pitch : row,
                                      .from_pitch = arrive ? row : pitch,
                                      .bytes = row,
                                      .count = count};
    qp_cuda_select(own->cuda);
    own->aside = own->aside || arrive;
    return qp_cuda_move_rows(&own->side, &rows);
}

static enum qp_status get(struct qp_plan *plan, int y, int count, void *values)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = begin_exchange(own);
    if (status == QP_OK)
        status = move(plan, y, count, values, false);
    return status == QP_OK ? qp_cuda_wait(&own->side) : status;
}

static enum qp_status put(struct qp_plan *plan, int y, int count, const void *values)
{
    struct qp_plan_cuda *own = plan->own;
    const enum qp_status status = move(plan, y, count, (void *)values, true);
    return status == QP_OK ? qp_cuda_wait(&own->side) : status;
}

static enum qp_status give(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = begin_exchange(own);
    if (status == QP_OK)
        status = move(plan, y, count, border->values, false);
    return status == QP_OK && border->there != NULL ? qp_cuda_record(&own->side, border->there)
                                                    : status;
}

static enum qp_status take(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = QP_OK;
    if (border->there != NULL)
        status = qp_cuda_follow(&own->side, border->there);
    return status == QP_OK ? move(plan, y, count, border->values, true) : status;
}

const struct qp_engine_rows qp_plan_cuda_rows = {.pass = pass,
                                                 .change = change,
                                                 .get = get,
                                                 .put = put,
                                                 .give = give,
                                                 .take = take,
                                                 .follow = follow};
