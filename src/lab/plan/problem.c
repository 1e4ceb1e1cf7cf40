/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/sparse.h"

size_t qp_problem_cells(const struct qp_problem *problem)
{
    return (size_t)problem->width * (size_t)problem->height;
}

size_t qp_problem_answers(const struct qp_problem *problem)
{
    return (size_t)problem->answer_width * (size_t)problem->answer_height *
           (size_t)problem->systems;
}

int qp_problem_kind(const struct qp_problem *problem)
{
    int kind = qp_op_kind(problem->op, problem->kind);
    return kind > 0 ? kind : 0;
}

const struct qp_kind *qp_problem_kind_row(const struct qp_problem *problem)
{
    return qp_op_kind_at(problem->op, qp_problem_kind(problem));
}

struct qp_extent qp_problem_extent(const struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    struct qp_extent extent = op->extent != NULL ? op->extent(problem) : (struct qp_extent){0};
    if (extent.width == 0) {
        extent.width = problem->width;
        extent.height = problem->height;
    }
    if (extent.systems == 0)
        extent.systems = problem->systems;
    if (extent.updates == 0.0)
        extent.updates = (double)problem->width * problem->height * problem->systems;
    if (extent.answer.width == 0)
        extent.answer = (struct qp_size){problem->width, problem->height};
    return extent;
}

/* Bytes of a problem: fields stored, packed, uploaded, the answer twice, the reference's steps. */
static double bytes_of(const struct qp_op *op, double cells)
{
    return cells * (op->cell_bytes > 0.0
                        ? op->cell_bytes
                        : (3.0 * op->fields + 2.0) * sizeof(float) + 3.0 * sizeof(double));
}

static enum qp_status check_memory(const struct qp_op *op, int width, int height)
{
    const double wanted = bytes_of(op, (double)width * height), there = qp_memory_for(wanted);
    if (wanted <= 0.9 * there)
        return QP_OK;
    return qp_fail(
        QP_NO_MEMORY,
        "stage 1, problem: %d x %d cells need about %.1f GB, and may take %.1f of what this "
        "machine or this container has; take a smaller grid",
        width, height, wanted * 1e-9, 0.9 * there * 1e-9);
}

/* Most cells of a field, so that indices of all fields side by side, and of four, fit an int. */
static int most_cells(const struct qp_op *op)
{
    int most = 1 << 29;
    while ((double)most * op->fields > 0x1p31)
        most /= 2;
    return most;
}

static enum qp_status check_size(const struct qp_op *op, int width, int height)
{
    const int most = most_cells(op);
    if (width < 1 || height < 1)
        return qp_fail(QP_BAD_USE,
                       "stage 1, problem: %d x %d cells are no grid; both must be at least 1",
                       width, height);
    if ((double)width * height > most)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d x %d cells are above the limit of %d",
                       width, height, most);
    return check_memory(op, width, height);
}

/* Makes one matrix for all systems: the start as large as the answer, other fields as the grid. */
static enum qp_status allocate_field(struct qp_problem *problem, int field)
{
    bool start = field == problem->op->state;
    return qp_matrix_create(start ? problem->answer_width : problem->width,
                            (start ? problem->answer_height : problem->height) * problem->systems,
                            &problem->field[field]);
}

enum qp_status qp_problem_allocate(const struct qp_op *op, const char *kind, int width, int height,
                                   int systems, struct qp_problem *out)
{
    *out = (struct qp_problem){0};
    enum qp_status status = check_size(op, width, height);
    if (status == QP_OK && systems != 1 && systems != 4)
        return qp_fail(QP_BAD_USE,
                       "stage 1, problem: %d systems do not go together; take 1, or 4 for the "
                       "channels of a texel",
                       systems);
    if (status == QP_OK)
        status = check_size(op, width, height > INT_MAX / systems ? INT_MAX : height * systems);
    if (status == QP_NO_MEMORY && strcmp(kind, "file") == 0)
        return QP_BAD_INPUT; /* the file is too large; no size was asked for */
    if (status != QP_OK)
        return status;
    *out = (struct qp_problem){
        .op = op, .kind = kind, .width = width, .height = height, .systems = systems};
    const struct qp_size answer = qp_problem_extent(out).answer;
    out->answer_width = answer.width;
    out->answer_height = answer.height;
    for (int i = 0; i < op->fields && status == QP_OK; i++)
        status = allocate_field(out, i);
    if (status == QP_OK)
        return QP_OK;
    qp_problem_destroy(out);
    return qp_fail_within(status, "stage 1, problem");
}

struct qp_problem qp_problem_system(const struct qp_problem *problem, int system)
{
    struct qp_problem view = *problem;
    view.systems = 1;
    view.reference = NULL;
    for (int i = 0; i < problem->op->fields; i++) {
        struct qp_matrix *field = &view.field[i];
        field->height /= problem->systems;
        if (field->values != NULL)
            field->values += (size_t)system * (size_t)field->width * (size_t)field->height;
    }
    return view;
}

void qp_problem_name(const struct qp_problem *problem, int *x, int *y, char *place, size_t size)
{
    const struct qp_judge *judge = problem->op->judge;
    if (judge != NULL && judge->name != NULL)
        judge->name(problem, x, y, place, size);
    else
        snprintf(place, size, "cell (%d, %d)", *x, *y);
}

const struct qp_problem *qp_problem_whole(const struct qp_problem *problem)
{
    return problem->window.of != NULL ? problem->window.of : problem;
}

size_t qp_problem_place(const struct qp_problem *problem, size_t x, size_t y)
{
    const size_t width = (size_t)qp_problem_whole(problem)->width;
    return (y + (size_t)problem->window.y) * width + x + (size_t)problem->window.x;
}

enum qp_status qp_problem_repeat(const struct qp_problem *one, int systems, struct qp_problem *out)
{
    enum qp_status status =
        qp_problem_allocate(one->op, one->kind, one->width, one->height, systems, out);
    if (status != QP_OK)
        return status;
    out->wraps = one->wraps;
    out->parameter = one->parameter;
    out->mark_x = one->mark_x;
    out->mark_y = one->mark_y;
    out->weight = one->weight;
    for (int s = 0; s < systems; s++) {
        struct qp_problem view = qp_problem_system(out, s);
        for (int i = 0; i < one->op->fields; i++)
            memcpy(view.field[i].values, one->field[i].values,
                   (size_t)one->field[i].width * (size_t)one->field[i].height * sizeof(float));
    }
    return QP_OK;
}

/* Fills each system from a seed of its own; all share the smallest of their weights. */
static enum qp_status create_systems(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    enum qp_status status = QP_OK;
    for (int s = 0; s < problem->systems && status == QP_OK; s++) {
        struct qp_problem_desc one = *desc;
        struct qp_problem view = qp_problem_system(problem, s);
        one.seed += (unsigned long long)s;
        view.weight = desc->weight;
        status = problem->op->create(&one, &view);
        problem->wraps = view.wraps;
        problem->sparse = view.sparse;
        if (s == 0 || view.weight < problem->weight)
            problem->weight = view.weight;
    }
    return status;
}

/* The operation's own word for the kind, which outlives the caller's; NULL with a sentence. */
static const char *choose_kind(const struct qp_op *op, const char *wanted)
{
    if (op->kinds == NULL)
        return wanted != NULL ? wanted : "random";
    int kind = wanted != NULL ? qp_op_kind(op, wanted) : 0;
    if (kind >= 0)
        return op->kinds[kind].name;
    char all[256] = "";
    for (const struct qp_kind *row = op->kinds; row->name != NULL; row++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? ", " : "",
                 row->name);
    qp_fail(QP_BAD_USE, "stage 1, problem: %s has no problem '%s'; it has %s", op->name, wanted,
            all);
    return NULL;
}

/* Range of a kind's parameter; NULL where it takes none. */
static const struct qp_range *range_of(const struct qp_op *op, const char *kind)
{
    const int number = qp_op_kind(op, kind);
    const struct qp_range *range = number >= 0 ? &qp_op_kind_at(op, number)->range : NULL;
    return range != NULL && range->what != NULL ? range : NULL;
}

enum qp_status qp_problem_check_parameter(const struct qp_op *op, const char *kind, int parameter)
{
    const struct qp_range *range = range_of(op, kind);
    if (range == NULL)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %s takes no parameter", op->name);
    if (parameter < range->least || parameter > range->most)
        return qp_fail(QP_BAD_USE,
                       "stage 1, problem: the parameter of '%s' (%s) lies between %d and %d, it "
                       "cannot be %d",
                       kind, range->what, range->least, range->most, parameter);
    return QP_OK;
}

enum qp_status qp_problem_make(const struct qp_op *op, const struct qp_problem_desc *desc,
                               struct qp_problem *out)
{
    *out = (struct qp_problem){0};
    if (!(desc->weight >= 0.0 && desc->weight < 2.0))
        return qp_fail(QP_BAD_USE,
                       "stage 1, problem: a weight of %g is of no use; it must lie between 0 and 2",
                       desc->weight);
    if (!(desc->condition >= 0.0 && isfinite(desc->condition)))
        return qp_fail(QP_BAD_USE, "stage 1, problem: there is no matrix of condition %g",
                       desc->condition);
    if (desc->systems < 0)
        return qp_fail(QP_BAD_USE, "stage 1, problem: %d systems cannot be made", desc->systems);
    const char *kind = choose_kind(op, desc->kind);
    if (kind == NULL)
        return QP_BAD_USE;
    const struct qp_range *range = range_of(op, kind);
    int width = desc->width, height = desc->height;
    enum qp_status status = QP_OK;
    if (desc->parameter != 0)
        status = qp_problem_check_parameter(op, kind, desc->parameter);
    if (status == QP_OK && op->grid != NULL)
        status = op->grid(desc, &width, &height);
    if (status == QP_OK)
        status = qp_problem_allocate(op, kind, width, height, desc->systems > 0 ? desc->systems : 1,
                                     out);
    if (status != QP_OK)
        return status;
    out->weight = desc->weight;
    out->mark_x = desc->mark_x;
    out->mark_y = desc->mark_y;
    out->parameter = desc->parameter != 0 || range == NULL ? desc->parameter : range->usual;
    status = create_systems(desc, out);
    if (status == QP_OK)
        return QP_OK;
    qp_problem_destroy(out);
    return qp_fail_within(status, "stage 1, problem");
}

void qp_problem_start_at_random(struct qp_problem *problem, bool random)
{
    if (random != problem->random_start && problem->op->runs->start != NULL)
        problem->op->runs->start(problem, random);
}

double qp_problem_step_weight(const struct qp_problem *problem, int step)
{
    const struct qp_weights *weights = problem->weights;
    return weights != NULL ? weights->value[(problem->first + step) % weights->count]
                           : problem->weight;
}

struct qp_matrix *qp_problem_field(struct qp_problem *problem, const char *name)
{
    if (QP_NEED(problem) || QP_NEED(name))
        return NULL;
    for (int i = 0; problem->op != NULL && i < problem->op->fields; i++) {
        if (strcmp(problem->op->field[i].name, name) == 0)
            return &problem->field[i];
    }
    return NULL;
}

struct qp_past_answer *qp_problem_newest(const struct qp_problem *problem)
{
    return problem->reference != NULL
               ? (struct qp_past_answer *)((char *)problem->reference -
                                           offsetof(struct qp_past_answer, answer))
               : NULL;
}

void qp_past_answers_free(struct qp_past_answer *first)
{
    while (first != NULL) {
        struct qp_past_answer *const next = first->next;
        free(first);
        first = next;
    }
}

void qp_problem_forget(struct qp_problem *problem)
{
    qp_past_answers_free(qp_problem_newest(problem));
    problem->reference = NULL;
    problem->reference_iterations = -1;
}

void qp_problem_destroy(struct qp_problem *problem)
{
    if (problem == NULL)
        return;
    for (int i = 0; i < QP_FIELDS; i++)
        qp_matrix_destroy(&problem->field[i]);
    if (problem->sparse != NULL)
        qp_sparse_destroy(problem->sparse);
    free(problem->sparse);
    qp_problem_forget(problem);
    *problem = (struct qp_problem){0};
}
