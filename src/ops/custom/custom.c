/* SPDX-License-Identifier: MIT */
#include "ops/custom/custom.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/random.h"
#include "ops/table.h"
#include "plan/problem.h"

static const struct qp_custom *custom_of(const struct qp_op *op)
{
    return (const struct qp_custom *)(const void *)op;
}

/* ---- Copies of the caller's strings ---- */

const char *qp_custom_keep(struct qp_custom *custom, const char *first, const char *second)
{
    size_t length = strlen(first), size = length + strlen(second) + 1;
    struct qp_custom_string *string =
        qp_alloc(sizeof *string + size, 1, "a custom operation's words");
    if (string == NULL)
        return NULL;
    memcpy(string->text, first, length);
    strcpy(string->text + length, second);
    string->next = custom->strings;
    custom->strings = string;
    return string->text;
}

/* Replaces a name by a copy. */
static enum qp_status keep_name(struct qp_custom *custom, const char **name)
{
    *name = qp_custom_keep(custom, *name, "");
    return *name != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status keep_names(struct qp_custom *custom)
{
    struct qp_custom_desc *desc = &custom->desc;
    enum qp_status status = keep_name(custom, &desc->name);
    if (status == QP_OK)
        status = keep_name(custom, &desc->state.name);
    for (int i = 0; i < custom->inputs && status == QP_OK; i++)
        status = keep_name(custom, &desc->input[i].name);
    for (int i = 0; i < custom->parameters && status == QP_OK; i++)
        status = keep_name(custom, &desc->parameter[i].name);
    return status;
}

/* ---- What an operation brings ---- */

struct qp_custom_grid qp_custom_grid_of(const struct qp_custom *custom, int width, int height,
                                        const float *const *input)
{
    return (struct qp_custom_grid){.width = width,
                                   .height = height,
                                   .input = input,
                                   .parameter = custom->desc.parameter,
                                   .user = custom->desc.user};
}

static double largest(const double *values, size_t count)
{
    double magnitude = 0.0;
    for (size_t i = 0; i < count; i++)
        magnitude = fmax(magnitude, fabs(values[i]));
    return magnitude;
}

/* One step by the caller's reference. A cell that it does not write stays NaN. A scale that is no number, which would
 * hide every error, is replaced by the largest magnitude. */
static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    const struct qp_custom *custom = custom_of(problem->op);
    size_t cells = qp_problem_cells(problem);
    const float *input[QP_CUSTOM_ARRAYS] = {0};
    for (int i = 0; i < custom->inputs; i++)
        input[i] = problem->field[QP_CUSTOM_INPUT + i].values;
    for (size_t i = 0; i < cells; i++)
        new[i] = NAN;
    struct qp_custom_grid grid = qp_custom_grid_of(custom, problem->width, problem->height, input);
    double magnitude = custom->desc.reference(&grid, old, new);
    if (!(magnitude > 0.0 && isfinite(magnitude)))
        magnitude = fmax(largest(old, cells), largest(new, cells));
    *scale = fmax(*scale, magnitude);
}

static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    const struct qp_custom_desc *desc = &custom_of(problem->op)->desc;
    const bool doubles = precision == QP_DOUBLES;
    const double of_a_step = doubles ? desc->tolerance_double : desc->tolerance;
    return iterations * (of_a_step > 0.0 ? of_a_step : doubles ? 0x1p-48 : 0x1p-20);
}

static void derive(const struct qp_problem *problem, int field, enum qp_precision precision,
                   void *values)
{
    (void)field;
    for (size_t i = 0; i < qp_problem_cells(problem); i++)
        qp_set_value(values, precision, i, 1.0);
}

static const struct qp_custom_array *array_of(const struct qp_custom *custom, int field)
{
    return field == QP_CUSTOM_STATE ? &custom->desc.state
                                    : &custom->desc.input[field - QP_CUSTOM_INPUT];
}

static enum qp_status fill(struct qp_problem *problem, int field, uint64_t *state)
{
    const struct qp_custom *custom = custom_of(problem->op);
    const struct qp_custom_array *array = array_of(custom, field);
    int width = problem->width, height = problem->height;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float value = array->fill != NULL ? array->fill(custom->desc.user, x, y, width, height)
                                              : (float)qp_random(state, -1.0, 1.0);
            problem->field[field].values[(size_t)y * (size_t)width + (size_t)x] = value;
            if (!isfinite(value))
                return qp_fail(QP_BAD_INPUT,
                               "room 1, problem: %s fills cell (%d, %d) of %s with %g",
                               custom->op.name, x, y, array->name, (double)value);
        }
    }
    return QP_OK;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    uint64_t state = desc->seed;
    enum qp_status status = QP_OK;
    for (int field = 0; field < problem->op->fields && status == QP_OK; field++)
        status = fill(problem, field, &state);
    return status;
}

/* ---- The description of an operation ---- */

bool qp_custom_is_word(const char *name)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    return length > 0 && length <= 63 && name[length] == '\0';
}

static enum qp_status check_uniform(const char *op, const char *name)
{
    static const char *const taken[] = {"origin", "size", "cells", "left", "right"};
    bool good =
        qp_custom_is_word(name) && !isdigit((unsigned char)name[0]) && strncmp(name, "gl_", 3) != 0;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        good = good && strcmp(name, taken[i]) != 0;
    if (good)
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "%s: '%s' cannot name a uniform: letters, digits and _, not first a digit or "
                   "gl_, and none of origin, size, cells, left, right",
                   op, name);
}

/* Operations made at run time may share names, though none has that of one of the library's. */
static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_custom_entry *entry = recipe->own;
    if (&entry->custom->op == problem->op)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "is a variant of %s, and the problem is one of %s",
                   entry->variant.op, problem->op->name);
}

/* Collects the names of arrays and parameters; none may come twice. */
static enum qp_status check_names(const struct qp_custom *custom)
{
    const struct qp_custom_desc *desc = &custom->desc;
    const char *names[1 + QP_CUSTOM_ARRAYS + QP_CUSTOM_PARAMETERS] = {desc->state.name};
    int count = 1;
    for (int i = 0; i < custom->inputs; i++)
        names[count++] = desc->input[i].name;
    for (int i = 0; i < custom->parameters; i++)
        names[count++] = desc->parameter[i].name;
    for (int i = 0; i < count; i++) {
        enum qp_status status = check_uniform(desc->name, names[i]);
        if (status != QP_OK)
            return status;
        for (int k = 0; k < i; k++) {
            if (strcmp(names[i], names[k]) == 0)
                return qp_fail(QP_BAD_USE, "%s: two arrays or parameters are called '%s'",
                               desc->name, names[i]);
        }
    }
    return QP_OK;
}

static enum qp_status check_numbers(const struct qp_custom *custom)
{
    const struct qp_custom_desc *desc = &custom->desc;
    const double tolerances[] = {desc->tolerance, desc->tolerance_double};
    for (int i = 0; i < 2; i++) {
        if (!(tolerances[i] >= 0.0 && isfinite(tolerances[i])))
            return qp_fail(QP_BAD_USE, "%s: a tolerance of %g is of no use", desc->name,
                           tolerances[i]);
    }
    if (!(desc->flops >= 0.0 && desc->bytes >= 0.0))
        return qp_fail(QP_BAD_USE, "%s: a cost of %g flops and %g bytes is of no use", desc->name,
                       desc->flops, desc->bytes);
    for (int field = 0; field <= custom->inputs; field++) {
        if (!isfinite(array_of(custom, field)->padding))
            return qp_fail(QP_BAD_USE, "%s: the padding of %s must be a finite number", desc->name,
                           array_of(custom, field)->name);
    }
    return QP_OK;
}

static enum qp_status check_desc(const struct qp_custom *custom)
{
    const struct qp_custom_desc *desc = &custom->desc;
    if (desc->name == NULL || !qp_custom_is_word(desc->name))
        return qp_fail(QP_BAD_USE, "an operation needs a name of letters, digits and _, not '%s'",
                       desc->name != NULL ? desc->name : "");
    if (qp_op_find(desc->name) != NULL)
        return qp_fail(QP_BAD_USE, "the library has an operation %s; take another name",
                       desc->name);
    if (desc->reference == NULL)
        return qp_fail(QP_BAD_USE, "%s has no reference: nothing could judge its variants",
                       desc->name);
    enum qp_status status = check_names(custom);
    return status == QP_OK ? check_numbers(custom) : status;
}

static void fill_op(struct qp_custom *custom)
{
    custom->op = (struct qp_op){.name = custom->desc.name,
                                .equation = "",
                                .state = QP_CUSTOM_STATE,
                                .fields = QP_CUSTOM_INPUT + custom->inputs,
                                .change_scale = QP_CUSTOM_INPUT + custom->inputs,
                                .field = custom->field,
                                .trial = &qp_usual_trial,
                                .parameters = custom->desc.parameter,
                                .takes = takes,
                                .create = create,
                                .step = step,
                                .cost = qp_cost_of_arrays,
                                .tolerance = tolerance,
                                .derive = derive};
    for (int field = 0; field < custom->op.fields; field++)
        custom->field[field] =
            (struct qp_field){array_of(custom, field)->name, array_of(custom, field)->padding};
    custom->field[custom->op.fields] = (struct qp_field){.name = "1"};
}

enum qp_status qp_custom_create(const struct qp_custom_desc *desc, struct qp_custom **out)
{
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    if (desc == NULL)
        return qp_fail(QP_BAD_USE, "an operation needs a description, not NULL");
    struct qp_custom *custom = qp_alloc_zero(1, sizeof *custom, "a custom operation");
    if (custom == NULL)
        return QP_NO_MEMORY;
    custom->desc = *desc;
    if (custom->desc.state.name == NULL)
        custom->desc.state.name = "x";
    while (custom->inputs < QP_CUSTOM_ARRAYS && desc->input[custom->inputs].name != NULL)
        custom->inputs++;
    while (custom->parameters < QP_CUSTOM_PARAMETERS &&
           desc->parameter[custom->parameters].name != NULL)
        custom->parameters++;
    enum qp_status status = check_desc(custom);
    if (status == QP_OK)
        status = keep_names(custom);
    if (status != QP_OK) {
        qp_custom_destroy(&custom);
        return status;
    }
    fill_op(custom);
    *out = custom;
    return QP_OK;
}

void qp_custom_destroy(struct qp_custom **custom)
{
    if (custom == NULL || *custom == NULL)
        return;
    for (struct qp_custom_entry *entry = (*custom)->entries, *next; entry != NULL; entry = next) {
        next = entry->next;
        free(entry);
    }
    for (struct qp_custom_string *string = (*custom)->strings, *next; string != NULL;
         string = next) {
        next = string->next;
        free(string);
    }
    free(*custom);
    *custom = NULL;
}

enum qp_status qp_custom_problem(const struct qp_custom *custom, int width, int height,
                                 unsigned long long seed, struct qp_problem *out)
{
    if (QP_NEED_OUT(out, (struct qp_problem){0}))
        return QP_BAD_USE;
    if (custom == NULL)
        return qp_fail(QP_BAD_USE, "room 1, problem: there is no operation; it is NULL");
    struct qp_problem_desc desc = {
        .kind = "custom", .width = width, .height = height, .seed = seed};
    return qp_problem_make(&custom->op, &desc, out);
}
