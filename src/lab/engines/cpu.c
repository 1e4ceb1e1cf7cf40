/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 on the CPU: arrays are the packed texels themselves, a kernel is a function, a pass
 * is a call, feedback is two pointers that change roles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/cpu.h"
#include "lab/engines/engines.h"
#include "lab/plan/problem.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

static struct qp_plan_cpu *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

void qp_plan_cpu_swap(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    void *source = own->state[0];
    own->state[0] = own->state[1];
    own->state[1] = source;
}

enum qp_status qp_plan_cpu_finish(struct qp_plan *plan)
{
    (void)plan;
    return QP_OK;
}

static void *first_cell(const struct qp_layout *layout, const void *texels)
{
    const size_t first = (size_t)layout->origin_y * (size_t)layout->storage_x;
    return qp_value_at(texels, layout->precision, first + (size_t)layout->origin_x);
}

/* Values from one row of cells to the next. */
static size_t pitch_of(const struct qp_plan *plan)
{
    return (size_t)(plan->layout.shape.flat ? plan->problem->answer_width : plan->layout.storage_x);
}

/* Sum of the squares of the change in row y, from `old` to `new`, whose first cells they are. */
static double change_in_row(const struct qp_plan *plan, int y, enum qp_precision precision,
                            const void *old, const void *new)
{
    const void *scale = first_cell(&plan->layout, plan->scale_texels);
    const size_t first = (size_t)y * pitch_of(plan);
    double sum = 0.0;
    for (size_t i = first; i < first + (size_t)plan->problem->answer_width; i++) {
        double residual = qp_value(scale, plan->layout.precision, i) *
                          (qp_value(new, precision, i) - qp_value(old, precision, i));
        sum += residual * residual;
    }
    return sum;
}

static double change_between(const struct qp_plan *plan, enum qp_precision precision,
                             const void *old, const void *new)
{
    double sum = 0.0;
    for (int y = 0; y < plan->problem->answer_height; y++)
        sum += change_in_row(plan, y, precision, old, new);
    return sqrt(sum);
}

/* ---- Variants ---- */

/* The arrays as they are packed; of variants in place the target is the start. */
static void take_arrays(struct qp_plan *plan)
{
    own_of(plan)->state[0] = plan->texels;
    own_of(plan)->state[1] = plan->empty;
    own_of(plan)->step = 0;
    if (plan->variant->recipe->in_place)
        memcpy(plan->empty, plan->texels, qp_layout_bytes(&plan->layout));
}

/* Resets them after a run; cells of the target are unwritten again. */
static void empty_target(struct qp_plan *plan)
{
    const struct qp_op *op = plan->problem->op;
    take_arrays(plan);
    for (int slot = 0; slot < plan->layout.slots && !plan->variant->recipe->in_place; slot++)
        qp_layout_pack(&plan->layout, slot, NULL, op->field[op->state].padding, plan->empty);
}

enum qp_status qp_plan_cpu_upload(struct qp_plan *plan)
{
    const struct qp_lent *lent = plan->variant->recipe->lent;
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_cpu), "a plan's CPU side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    take_arrays(plan);
    return lent != NULL && lent->open != NULL ? lent->open() : QP_OK;
}

void qp_plan_cpu_renew(struct qp_plan *plan)
{
    const struct qp_matrix *start = &plan->problem->field[plan->problem->op->state];
    void *x = first_cell(&plan->layout, plan->texels);
    const size_t width = (size_t)plan->problem->answer_width;
    for (size_t y = 0; y < (size_t)plan->problem->answer_height; y++) {
        for (size_t i = 0; i < width; i++)
            qp_set_value(x, plan->layout.precision, y * pitch_of(plan) + i,
                         qp_matrix_value(start, y * width + i));
    }
    empty_target(plan);
}

/* A sweep's rows, and what it does with them. */
struct rows {
    int first, end;
    double weight;
    bool together; /* as in qp_sweep */
};

static void *row_of(const struct qp_plan *plan, const struct qp_layout *layout, const void *texels,
                    int y)
{
    const int pitch = layout->shape.flat ? plan->problem->width : layout->storage_x;
    return qp_value_at(first_cell(layout, texels), layout->precision, (size_t)y * (size_t)pitch);
}

/* Calls the variant's sweep, or what comes before it, from one state to the other. */
static enum qp_status call(struct qp_plan *plan, qp_sweep_function *function, int from, int to,
                           struct rows rows)
{
    enum qp_status status = QP_OK;
    struct qp_sweep sweep = {
        .problem = plan->problem,
        .width = plan->problem->width,
        .height = rows.end - rows.first,
        .pitch = plan->layout.storage_x,
        .kind = qp_problem_kind(plan->problem),
        .parameter = plan->problem->parameter,
        .weight = rows.weight,
        .together = rows.together,
        .row = rows.first,
        .user = plan->variant->recipe->own,
        .threads = &own_of(plan)->threads,
        .status = &status,
        .x = row_of(plan, &plan->layout, own_of(plan)->state[from], rows.first),
        .out = row_of(plan, &plan->layout, own_of(plan)->state[to], rows.first)};
    for (int i = 0; i < plan->inputs; i++)
        sweep.input[i] = row_of(plan, &plan->input_layout[i], plan->input_texels[i], rows.first);
    function(&sweep);
    return qp_watch_left() ? qp_watch_fail() : status;
}

static enum qp_status sweep_rows(struct qp_plan *plan, int from, int to, struct rows rows)
{
    return call(plan, qp_recipe_sweep(plan->variant->recipe), from, to, rows);
}

static enum qp_status sweep(struct qp_plan *plan, int from, int to, double weight, bool together)
{
    return sweep_rows(plan, from, to, (struct rows){0, plan->problem->height, weight, together});
}

/* A step. In place, every step after the first needs the start once more, and pays for the copy, as
 * variants of other engines do. */
static enum qp_status pass(struct qp_plan *plan)
{
    if (plan->variant->recipe->in_place && own_of(plan)->state[0] != plan->texels)
        empty_target(plan);
    return sweep(plan, 0, 1, qp_problem_step_weight(plan->problem, own_of(plan)->step++), false);
}

static enum qp_status pass_rows(struct qp_plan *plan, int y0, int y1, bool ends)
{
    const double weight = qp_problem_step_weight(plan->problem, own_of(plan)->step);
    own_of(plan)->step += ends;
    return sweep_rows(plan, 0, 1, (struct rows){y0, y1, weight, false});
}

/* Warm-up steps, of whatever engine builds on this one: fresh memory is mapped, libraries start
 * their threads, and a core leaves its idle clock. Errors are ignored here, since the run finds
 * them again. */
enum qp_status qp_plan_cpu_warm_up(struct qp_plan *plan)
{
    const struct qp_lent *lent = plan->variant->recipe->lent;
    enum qp_status status = QP_OK;
    if (plan->warm_seconds > 0.0 && lent != NULL && lent->tune != NULL) {
        status = call(plan, lent->tune, 0, 1,
                      (struct rows){0, plan->problem->height, plan->problem->weight, false});
        empty_target(plan);
    }
    const double begin = qp_clock();
    while (status == QP_OK && qp_clock() - begin < plan->warm_seconds && !qp_watch_wants_end()) {
        status = plan->engine->pass(plan);
        empty_target(plan);
    }
    return QP_OK;
}

enum qp_status qp_plan_cpu_change(struct qp_plan *plan, double *norm)
{
    *norm = change_between(plan, plan->layout.precision,
                           first_cell(&plan->layout, own_of(plan)->state[0]),
                           first_cell(&plan->layout, own_of(plan)->state[1]));
    return QP_OK;
}

enum qp_status qp_plan_cpu_change_lines(struct qp_plan *plan, double *sums)
{
    for (int y = 0; y < plan->problem->answer_height; y++)
        sums[y] = change_in_row(plan, y, plan->layout.precision,
                                first_cell(&plan->layout, own_of(plan)->state[0]),
                                first_cell(&plan->layout, own_of(plan)->state[1]));
    return QP_OK;
}

/* A step in another order: its change is no residual, and that of its result is measured, the
 * change of one Jacobi step more. This goes over the old values: the next step writes all of
 * them. */
static enum qp_status change_together(struct qp_plan *plan, double *norm)
{
    const enum qp_status status = sweep(plan, 1, 0, plan->problem->weight, true);
    return status == QP_OK ? qp_plan_cpu_change(plan, norm) : status;
}

static enum qp_status change_lines_together(struct qp_plan *plan, double *sums)
{
    const enum qp_status status = sweep(plan, 1, 0, plan->problem->weight, true);
    return status == QP_OK ? qp_plan_cpu_change_lines(plan, sums) : status;
}

/* A row of x in the source, which holds its values as they are. */
static void *row_at(const struct qp_plan *plan, int y)
{
    return row_of(plan, &plan->layout, own_of(plan)->state[0], y);
}

static size_t row_bytes(const struct qp_plan *plan)
{
    return (size_t)plan->problem->answer_width * qp_value_bytes(plan->layout.precision);
}

enum qp_status qp_plan_cpu_get_rows(struct qp_plan *plan, int y, int count, void *values)
{
    for (int k = 0; k < count; k++)
        memcpy((char *)values + (size_t)k * row_bytes(plan), row_at(plan, y + k), row_bytes(plan));
    return QP_OK;
}

enum qp_status qp_plan_cpu_put_rows(struct qp_plan *plan, int y, int count, const void *values)
{
    for (int k = 0; k < count; k++)
        memcpy(row_at(plan, y + k), (const char *)values + (size_t)k * row_bytes(plan),
               row_bytes(plan));
    return QP_OK;
}

enum qp_status qp_plan_cpu_read(struct qp_plan *plan, bool target, void *texels)
{
    const void *state = own_of(plan)->state[target ? 1 : 0];
    if (texels != state)
        memcpy(texels, state, qp_layout_bytes(&plan->layout));
    return QP_OK;
}

static int threads(const struct qp_plan *plan)
{
    return own_of(plan)->threads;
}

void qp_plan_cpu_destroy(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    if (own == NULL)
        return;
    free(own->lines);
    free(own->more);
}

static const struct qp_engine_rows rows = {QP_PLAN_CPU_ROWS, .pass = pass_rows,
                                           .change = qp_plan_cpu_change_lines};

const struct qp_engine qp_engine_cpu = {QP_PLAN_CPU_MEMBERS, .upload = qp_plan_cpu_upload,
                                        .pass = pass,        .change = qp_plan_cpu_change,
                                        .rows = &rows,       .threads = threads};

static const struct qp_engine_rows rows_of_orders = {QP_PLAN_CPU_ROWS,
                                                     .change = change_lines_together};

const struct qp_engine qp_engine_cpu_orders = {QP_PLAN_CPU_MEMBERS, .upload = qp_plan_cpu_upload,
                                               .pass = pass, .change = change_together,
                                               .rows = &rows_of_orders};

/* ---- The reference as a variant of its own: doubles between the steps ---- */

static enum qp_status upload_double(struct qp_plan *plan)
{
    const size_t cells = qp_problem_answers(plan->problem);
    const struct qp_matrix *start = &plan->problem->field[plan->problem->op->state];
    struct qp_plan_cpu *own = qp_alloc_zero(1, sizeof *own, "a plan's reference");
    plan->own = own;
    for (int i = 0; i < 2; i++) {
        if (own != NULL)
            own->state[i] = qp_alloc(cells, sizeof(double), "the reference's state");
        if (own == NULL || own->state[i] == NULL)
            return QP_NO_MEMORY;
    }
    for (size_t i = 0; i < cells; i++) {
        qp_set_value(own->state[0], QP_DOUBLES, i, qp_matrix_value(start, i));
        qp_set_value(own->state[1], QP_DOUBLES, i, NAN);
    }
    return QP_OK;
}

static enum qp_status pass_double(struct qp_plan *plan)
{
    double scale = 0.0;
    struct qp_problem now = *plan->problem;
    now.weight = qp_problem_step_weight(plan->problem, own_of(plan)->step++);
    plan->problem->op->step(&now, own_of(plan)->state[0], own_of(plan)->state[1], &scale);
    if (scale < 0.0)
        return QP_NO_MEMORY;
    return qp_watch_left() ? qp_watch_fail() : QP_OK;
}

static enum qp_status change_double(struct qp_plan *plan, double *norm)
{
    *norm = change_between(plan, QP_DOUBLES, own_of(plan)->state[0], own_of(plan)->state[1]);
    return QP_OK;
}

static enum qp_status read_double(struct qp_plan *plan, bool target, void *texels)
{
    void *x = first_cell(&plan->layout, texels);
    const double *state = own_of(plan)->state[target ? 1 : 0];
    if (texels != plan->texels)
        memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
    for (size_t i = 0; i < qp_problem_answers(plan->problem); i++)
        qp_set_value(x, plan->layout.precision, i, state[i]);
    return QP_OK;
}

static void destroy_double(struct qp_plan *plan)
{
    struct qp_plan_cpu *own = plan->own;
    for (int i = 0; own != NULL && i < 2; i++)
        free(own->state[i]);
}

const struct qp_engine qp_engine_reference = {.upload = upload_double,
                                              .program = qp_plan_cpu_finish,
                                              .pass = pass_double,
                                              .swap = qp_plan_cpu_swap,
                                              .finish = qp_plan_cpu_finish,
                                              .change = change_double,
                                              .read = read_double,
                                              .destroy = destroy_double};
