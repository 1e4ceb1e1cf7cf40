/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 on CUDA, for every recipe with a kernel: arrays are device memory, packed as they
 * are on the host, guards and padding too; a pass is a launch, feedback is two pointers that change
 * roles. */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/change_kernels.h"
#include "lab/engines/common.h"
#include "lab/engines/cuda.h"
#include "lab/engines/engines.h"
#include "lab/plan/problem.h"

enum {
    ALIGNED = 256 /* bytes: as cudaMalloc aligns, and twice the widest transaction */
};

/* ---- Arrays ---- */

/* Bytes in front of the storage. They put the first padding value of a flat array at a multiple of
 * ALIGNED bytes, so that nx + 1 ghost cells shift the first cell from there, as in paper 3, section
 * 6.1; an aligned shape says itself where its first cell is. */
static size_t lead_of(const struct qp_layout *layout)
{
    size_t value = (size_t)qp_format_bytes(layout->shape.format) * (size_t)layout->channels;
    int first = layout->origin_x - layout->pad_x * layout->stride;
    if (!layout->shape.flat || layout->shape.align > 0)
        return 0;
    return (ALIGNED - (size_t)first * value % ALIGNED) % ALIGNED;
}

static enum qp_status write_array(struct qp_cuda *cuda, const void *texels,
                                  const struct qp_cuda_array *array)
{
    return qp_cuda_upload(cuda, (char *)array->block + array->lead, texels, array->bytes);
}

static enum qp_status make_array(struct qp_cuda *cuda, const struct qp_layout *layout,
                                 const void *texels, const char *what, struct qp_cuda_array *array)
{
    array->lead = lead_of(layout);
    array->bytes = qp_layout_bytes(layout);
    enum qp_status status = qp_cuda_allocate(cuda, array->lead + array->bytes, what, &array->block);
    return status == QP_OK ? write_array(cuda, texels, array) : status;
}

static int pitch_of(const struct qp_layout *layout, int width)
{
    return layout->shape.flat ? width : layout->storage_x * layout->channels;
}

/* ---- Stage 3 ---- */

static void point(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    own->launch.x = qp_plan_cuda_first(&plan->layout, &own->state[0]);
    own->launch.out = qp_plan_cuda_first(&plan->layout, &own->state[1]);
}

static enum qp_status upload_arrays(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = make_array(own->cuda, &plan->layout, plan->texels, "x", &own->state[0]);
    if (status == QP_OK)
        status = make_array(own->cuda, &plan->layout, plan->empty, "the target", &own->state[1]);
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = make_array(own->cuda, &plan->input_layout[i], plan->input_texels[i],
                            plan->variant->recipe->input[i].name, &own->input[i]);
    if (status == QP_OK && plan->measures_change) {
        status = make_array(own->cuda, &plan->layout, plan->scale_texels, "the change scale",
                            &own->scale);
        if (status == QP_OK)
            status =
                qp_cuda_allocate(own->cuda, (size_t)plan->problem->answer_height * sizeof(double),
                                 "a change", &own->sums);
    }
    return status;
}

static void describe(struct qp_plan *plan)
{
    const struct qp_problem *problem = plan->problem;
    struct qp_plan_cuda *own = plan->own;
    own->weights[0] = problem->weight;
    own->launch = (struct qp_launch){.problem = problem,
                                     .width = problem->width,
                                     .height = problem->height,
                                     .answer_width = problem->answer_width,
                                     .answer_height = problem->answer_height,
                                     .pitch = pitch_of(&plan->layout, problem->answer_width),
                                     .kind = qp_problem_kind(problem),
                                     .parameter = problem->parameter,
                                     .block = plan->block,
                                     .alpha = problem->alpha,
                                     .weight = problem->weight,
                                     .weights = own->weights,
                                     .changes = plan->measures_change,
                                     .user = plan->variant->recipe->own,
                                     .cuda = own->cuda};
    for (int i = 0; i < plan->inputs; i++) {
        own->launch.input[i] = qp_plan_cuda_first(&plan->input_layout[i], &own->input[i]);
        own->launch.input_pitch[i] = pitch_of(&plan->input_layout[i], problem->width);
    }
    point(plan);
}

static enum qp_status upload(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own = qp_alloc_zero(1, sizeof *own, "a plan's CUDA side");
    if (own == NULL)
        return QP_NO_MEMORY;
    own->kernel = qp_recipe_kernel(plan->variant->recipe);
    enum qp_status status = qp_cuda_open(plan->ordinal, &own->cuda);
    if (status == QP_OK && plan->problem->window.of != NULL)
        status = qp_plan_cuda_fork(own);
    if (status == QP_OK)
        status = upload_arrays(plan);
    if (status == QP_OK)
        describe(plan);
    return status;
}

/* ---- Stage 4 ---- */

static enum qp_status wait(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    const enum qp_status status = qp_plan_cuda_join(own);
    return status == QP_OK ? qp_cuda_wait(own->cuda) : status;
}

static enum qp_status finish(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = wait(plan);
    qp_cuda_select(own->cuda);
    if (status == QP_OK && own->kernel->finish != NULL)
        status = own->kernel->finish(&own->launch);
    return status;
}

static enum qp_status start(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    return own->kernel->start != NULL ? own->kernel->start(&own->launch) : QP_OK;
}

static enum qp_status launch(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    return own->kernel->launch(&own->launch);
}

static enum qp_status warm_up(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    for (int k = 0; k < QP_CUDA_STEPS; k++)
        own->weights[k] = qp_problem_step_weight(plan->problem, k);
    return own->kernel->warm_up != NULL ? own->kernel->warm_up(&own->launch) : launch(plan);
}

/* Empties target and scratch memory after the warm-up, whose values a run could pass off as its
 * own: an output that was never written must show. */
static enum qp_status forget(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    enum qp_status status = QP_OK;
    if (own->scratch != NULL)
        status = qp_cuda_poison(own->cuda, own->scratch, own->scratch_bytes);
    if (status == QP_OK)
        status = start(plan);
    if (status == QP_OK && own->kernel->overwrites)
        status = write_array(own->cuda, plan->texels, &own->state[0]);
    return status == QP_OK ? write_array(own->cuda, plan->empty, &own->state[1]) : status;
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    const struct qp_cuda_kernel *kernel = own->kernel;
    enum qp_status status = QP_OK;
    qp_cuda_select(own->cuda);
    own->scratch_bytes = kernel->scratch != NULL ? (size_t)kernel->scratch(&own->launch) : 0;
    if (own->scratch_bytes > 0)
        status = qp_cuda_allocate(own->cuda, own->scratch_bytes, "scratch memory", &own->scratch);
    own->launch.scratch = own->scratch;
    plan->most_steps = kernel->steps != NULL ? QP_CUDA_STEPS : 1;
    if (status == QP_OK && kernel->prepare != NULL) {
        own->prepared = true;
        status = kernel->prepare(&own->launch);
    }
    if (status == QP_OK && kernel->components != NULL) {
        struct qp_launch_blocks *blocks = &own->blocks;
        status = kernel->components(&own->launch, blocks);
        blocks->occupancy = (double)blocks->d * blocks->threads / own->cuda->threads;
    }
    if (status == QP_OK)
        status = start(plan);
    if (status == QP_OK)
        status = qp_warm_up(plan, warm_up, wait);
    return status == QP_OK ? forget(plan) : status;
}

/* ---- Stages 5 and 6 ---- */

/* Takes a step. Selects the device first, since a callback may have used another one before. */
static enum qp_status pass(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    qp_cuda_select(own->cuda);
    own->started = true;
    own->launch.weight = own->weights[0] = qp_problem_step_weight(plan->problem, own->step++);
    const enum qp_status status = qp_plan_cuda_join(own);
    return status == QP_OK ? launch(plan) : status;
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct qp_plan_cuda *own = plan->own;
    qp_cuda_select(own->cuda);
    own->started = true;
    for (int k = 0; k < count; k++)
        own->weights[k] = qp_problem_step_weight(plan->problem, own->step++);
    const enum qp_status status = qp_plan_cuda_join(own);
    return status == QP_OK ? own->kernel->steps(&own->launch, count) : status;
}

static void swap(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    struct qp_cuda_array source = own->state[0];
    own->state[0] = own->state[1];
    own->state[1] = source;
    point(plan);
}

static enum qp_status change(struct qp_plan *plan, double *norm)
{
    const int height = plan->problem->answer_height;
    double *sums = qp_alloc((size_t)height, sizeof *sums, "sums of rows"), sum = 0.0;
    const enum qp_status status =
        sums != NULL ? qp_plan_cuda_rows.change(plan, sums) : QP_NO_MEMORY;
    for (int y = 0; y < height && status == QP_OK; y++)
        sum += sums[y];
    free(sums);
    *norm = sqrt(sum);
    return status;
}

/* Sends the answer that distances are measured from, with the first of them. */
static enum qp_status upload_wanted(struct qp_plan *plan, const double *wanted)
{
    struct qp_plan_cuda *own = plan->own;
    const size_t height = (size_t)plan->problem->answer_height,
                 bytes = (size_t)plan->problem->answer_width * height * sizeof *wanted;
    if (own->distances != NULL)
        return QP_OK;
    enum qp_status status = qp_cuda_allocate(own->cuda, bytes, "the answer wanted", &own->wanted);
    if (status == QP_OK)
        status = qp_cuda_upload(own->cuda, own->wanted, wanted, bytes);
    return status == QP_OK ? qp_cuda_allocate(own->cuda, 2 * height * sizeof(double), "distances",
                                              &own->distances)
                           : status;
}

/* Measures with a launch: the largest of each row come back, and after them the sums of squares.
 * NaN in x is NaN in both. */
static enum qp_status measure(struct qp_plan *plan, double *largest, double *squares)
{
    const struct qp_plan_cuda *own = plan->own;
    struct qp_launch launch = own->launch;
    const size_t height = (size_t)launch.answer_height;
    double *rows = qp_alloc(2 * height, sizeof *rows, "distances of rows");
    launch.input[0] = own->wanted;
    launch.scratch = own->distances;
    launch.kind = plan->layout.precision == QP_DOUBLES;
    qp_cuda_select(own->cuda);
    enum qp_status status = rows != NULL ? qp_kernel_distance.launch(&launch) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_cuda_download(own->cuda, rows, own->distances, 2 * height * sizeof *rows);
    *largest = *squares = 0.0;
    for (size_t y = 0; y < height && status == QP_OK; y++) {
        *largest = rows[y] <= *largest ? *largest : rows[y]; /* NaN stays */
        *squares += rows[height + y];
    }
    free(rows);
    return status;
}

static enum qp_status distance(struct qp_plan *plan, const double *wanted, double *largest,
                               double *squares)
{
    const enum qp_status status = upload_wanted(plan, wanted);
    return status == QP_OK ? measure(plan, largest, squares) : status;
}

/* ---- Stage 7 ---- */

/* Reads the log that a kernel kept, and hands it to the operation. */
static enum qp_status read_log(struct qp_plan *plan)
{
    const struct qp_plan_cuda *own = plan->own;
    const size_t bytes = (size_t)own->kernel->log_bytes(&own->launch);
    void *log = qp_alloc(bytes, 1, "a kernel's log");
    enum qp_status status =
        log == NULL ? QP_NO_MEMORY : qp_cuda_download(own->cuda, log, own->scratch, bytes);
    if (status == QP_OK)
        status = plan->problem->op->judge->explain(plan, log);
    free(log);
    return status;
}

static enum qp_status read_state(struct qp_plan *plan, bool target, void *texels)
{
    struct qp_plan_cuda *own = plan->own;
    const struct qp_cuda_array *state = &own->state[target ? 1 : 0];
    enum qp_status status =
        qp_cuda_download(own->cuda, texels, (const char *)state->block + state->lead, state->bytes);
    const bool logged = own->kernel->log_bytes != NULL && own->started;
    return status == QP_OK && logged ? read_log(plan) : status;
}

static struct qp_launch_blocks blocks(const struct qp_plan *plan)
{
    const struct qp_plan_cuda *own = plan->own;
    return own->blocks;
}

static void destroy(struct qp_plan *plan)
{
    struct qp_plan_cuda *own = plan->own;
    if (own == NULL)
        return;
    if (own->prepared && own->kernel->release != NULL) {
        qp_cuda_select(own->cuda);
        own->kernel->release(&own->launch);
    }
    qp_plan_cuda_unfork(own);
    for (int i = 0; i < 2; i++)
        qp_cuda_free(own->cuda, own->state[i].block);
    for (int i = 0; i < QP_INPUTS; i++)
        qp_cuda_free(own->cuda, own->input[i].block);
    qp_cuda_free(own->cuda, own->scale.block);
    qp_cuda_free(own->cuda, own->sums);
    qp_cuda_free(own->cuda, own->wanted);
    qp_cuda_free(own->cuda, own->distances);
    qp_cuda_free(own->cuda, own->scratch);
    qp_cuda_close(&own->cuda);
}

const struct qp_engine qp_engine_cuda = {.upload = upload,
                                         .program = program,
                                         .pass = pass,
                                         .passes = passes,
                                         .swap = swap,
                                         .finish = finish,
                                         .change = change,
                                         .distance = distance,
                                         .rows = &qp_plan_cuda_rows,
                                         .blocks = blocks,
                                         .read = read_state,
                                         .destroy = destroy};
