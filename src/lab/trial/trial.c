/* SPDX-License-Identifier: MIT */
/* Descriptions of trials. */
#include "lab/trial/trial.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/nearest.h"
#include "toolkit/base/values.h"
#include "toolkit/kernel/kernel.h"

/* ---- Copies ---- */

static void *keep(struct qp_trial *trial, size_t size)
{
    struct qp_trial_string *string = qp_alloc(sizeof *string + size, 1, "a trial's words");
    if (string == NULL)
        return NULL;
    string->next = trial->strings;
    trial->strings = string;
    return string->text;
}

const char *qp_trial_keep(struct qp_trial *trial, const char *text)
{
    char *copy = keep(trial, strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

static enum qp_status keep_name(struct qp_trial *trial, const char **name)
{
    *name = qp_trial_keep(trial, *name);
    return *name != NULL ? QP_OK : QP_NO_MEMORY;
}

/* ---- Names ---- */

bool qp_trial_is_word(const char *name)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    return length > 0 && length <= 63 && name[length] == '\0';
}

int qp_trial_input_of(const struct qp_trial *trial, const char *name)
{
    int i = trial->inputs - 1;
    while (i >= 0 && strcmp(trial->input[i].desc.name, name) != 0)
        i--;
    return i;
}

int qp_trial_number_of(const struct qp_trial *trial, const char *name)
{
    int i = trial->numbers - 1;
    while (i >= 0 && strcmp(trial->number[i].name, name) != 0)
        i--;
    return i;
}

static enum qp_status fail_unknown(const struct qp_trial *trial, const char *what, const char *name)
{
    const char *names[QP_KERNEL_INPUTS], *near;
    for (int i = 0; i < trial->inputs; i++)
        names[i] = trial->input[i].desc.name;
    near = qp_nearest(name, names, trial->inputs);
    return qp_fail(QP_BAD_USE,
                   "%s: the kernel has no input '%.64s', which is described as %s%s%s%s",
                   trial->desc.name, name, what, near != NULL ? "; did you mean '" : "",
                   near != NULL ? near : "", near != NULL ? "'?" : "");
}

/* ---- Inputs, numbers and states ---- */

/* The kernel's lists. */
static enum qp_status list_kernel(struct qp_trial *trial, const struct qp_kernel_desc *first)
{
    enum qp_status status = QP_OK;
    trial->outputs = first->outputs != 0 ? first->outputs : 1;
    trial->channels = first->output_channels != 0 ? first->output_channels : 1;
    trial->type = first->output_type;
    trial->size = (struct qp_size){1, 1};
    for (int i = 0; first->input[i].name != NULL && status == QP_OK; i++) {
        const struct qp_kernel_input *input = &first->input[i];
        trial->input[trial->inputs++] =
            (struct qp_trial_array){.desc = {.name = input->name},
                                    .type = input->type,
                                    .channels = input->channels != 0 ? input->channels : 1,
                                    .own = {1, 1},
                                    .state = -1};
        status = keep_name(trial, &trial->input[i].desc.name);
    }
    for (int i = 0; first->number[i].name != NULL && status == QP_OK; i++) {
        trial->number[trial->numbers++] = first->number[i];
        status = keep_name(trial, &trial->number[i].name);
        trial->value[i].name = trial->number[i].name;
    }
    return status;
}

/* Copies a table as doubles of the input's type. */
static enum qp_status set_table(struct qp_trial *trial, struct qp_trial_array *array,
                                const struct qp_matrix *table)
{
    const size_t count = (size_t)table->width * (size_t)table->height;
    if (table->width < 1 || table->height < 1 || qp_matrix_values(table) == NULL ||
        table->width % array->channels != 0)
        return qp_fail(
            QP_BAD_USE, "%s: a table of %d x %d values is none for '%s', whose cells have %d",
            trial->desc.name, table->width, table->height, array->desc.name, array->channels);
    double *values = keep(trial, count * sizeof *values);
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        values[i] = qp_typed_round(array->type, qp_matrix_value(table, i));
    array->table = (struct qp_matrix){
        .width = table->width, .height = table->height, .precision = QP_DOUBLES, .doubles = values};
    return QP_OK;
}

static enum qp_status set_input(struct qp_trial *trial, const struct qp_trial_input *input)
{
    const char *name = trial->desc.name;
    const int i = qp_trial_input_of(trial, input->name);
    if (i < 0)
        return fail_unknown(trial, "an input", input->name);
    for (const struct qp_trial_input *other = trial->desc.input; other != input; other++) {
        if (strcmp(other->name, input->name) == 0)
            return qp_fail(QP_BAD_USE, "%s: input '%s' is described twice", name, input->name);
    }
    if ((unsigned)input->outside > QP_OUTSIDE_VALUE)
        return qp_fail(QP_BAD_USE, "%s: outside of '%s' cannot be %d; see enum qp_outside", name,
                       input->name, (int)input->outside);
    if (!isfinite(input->value))
        return qp_fail(QP_BAD_USE, "%s: the value outside of '%s' must be a finite number", name,
                       input->name);
    if (!(isfinite(input->low) && isfinite(input->high)) || input->low > input->high)
        return qp_fail(QP_BAD_USE, "%s: '%s' cannot hold values from %g to %g", name, input->name,
                       input->low, input->high);
    const char *kept = trial->input[i].desc.name;
    trial->input[i].desc = *input;
    trial->input[i].desc.name = kept;
    return input->table != NULL ? set_table(trial, &trial->input[i], input->table) : QP_OK;
}

static enum qp_status set_number(struct qp_trial *trial, const struct qp_pass_number *number)
{
    const int i = qp_trial_number_of(trial, number->name);
    if (i < 0)
        return qp_fail(QP_BAD_USE, "%s: the kernel has no number '%.64s'", trial->desc.name,
                       number->name);
    const int elements = trial->number[i].elements;
    struct qp_pass_number *value = &trial->value[i];
    qp_round_numbers(trial->number[i].type, number->value, 4, value->value);
    if (elements == 0)
        return QP_OK;
    if (number->list == NULL)
        return qp_fail(QP_BAD_USE, "%s: number '%s' has %d elements and no list", trial->desc.name,
                       value->name, elements);
    double *list = keep(trial, (size_t)elements * sizeof *list);
    if (list == NULL)
        return QP_NO_MEMORY;
    qp_round_numbers(trial->number[i].type, number->list, elements, list);
    value->list = list;
    return QP_OK;
}

/* A value for each of the kernel's numbers, once. */
static enum qp_status check_numbers(const struct qp_trial *trial)
{
    const struct qp_pass_number *given = trial->desc.number;
    for (int i = 0; i < trial->numbers; i++) {
        int times = 0;
        for (int k = 0; k < QP_KERNEL_NUMBERS && given[k].name != NULL; k++)
            times += strcmp(given[k].name, trial->number[i].name) == 0;
        if (times != 1)
            return qp_fail(QP_BAD_USE, "%s: number '%s' %s", trial->desc.name,
                           trial->number[i].name, times == 0 ? "has no value" : "is given twice");
    }
    return QP_OK;
}

static enum qp_status set_state(struct qp_trial *trial, int output, const char *name)
{
    const int i = qp_trial_input_of(trial, name);
    if (i < 0)
        return fail_unknown(trial, "a state", name);
    struct qp_trial_array *input = &trial->input[i];
    const bool alike = input->type == trial->type ||
                       (input->type <= QP_ARRAY_HALF && trial->type <= QP_ARRAY_HALF);
    const char *why = output >= trial->outputs ? "there is no such output"
                      : input->state >= 0      ? "it is another one already"
                      : input->table.width > 0 ? "it is a table"
                      : !alike || input->channels != trial->channels
                          ? "its cells are of another type"
                          : NULL;
    if (why != NULL)
        return qp_fail(QP_BAD_USE, "%s: '%s' cannot be output %d in the next step: %s",
                       trial->desc.name, name, output, why);
    input->type = trial->type;
    input->state = output;
    trial->state[output] = i;
    return QP_OK;
}

static enum qp_status set_states(struct qp_trial *trial)
{
    const char *const *names = trial->desc.state;
    bool given = false;
    enum qp_status status = QP_OK;
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++)
        trial->state[k] = -1;
    for (int k = 0; k < QP_KERNEL_OUTPUTS && status == QP_OK; k++) {
        given = given || names[k] != NULL;
        if (names[k] != NULL && names[k][0] != '\0')
            status = set_state(trial, k, names[k]);
    }
    return !given && qp_trial_input_of(trial, "x") >= 0 ? set_state(trial, 0, "x") : status;
}

/* ---- Trials ---- */

static enum qp_status check_desc(const struct qp_trial_desc *desc)
{
    if (desc->name == NULL || !qp_trial_is_word(desc->name))
        return qp_fail(QP_BAD_USE, "a trial needs a name of letters, digits and _, not '%s'",
                       desc->name != NULL ? desc->name : "");
    if (qp_op_find(desc->name) != NULL)
        return qp_fail(QP_BAD_USE, "the library has an operation %s; take another name",
                       desc->name);
    if (!(desc->tolerance >= 0.0 && isfinite(desc->tolerance)))
        return qp_fail(QP_BAD_USE, "%s: a tolerance of %g is of no use", desc->name,
                       desc->tolerance);
    if (!(desc->flops >= 0.0 && desc->bytes >= 0.0))
        return qp_fail(QP_BAD_USE, "%s: a cost of %g flops and %g bytes is of no use", desc->name,
                       desc->flops, desc->bytes);
    return QP_OK;
}

static enum qp_status keep_steps(struct qp_trial *trial)
{
    const int *steps = trial->desc.steps;
    size_t count = 0;
    if (steps == NULL)
        return QP_OK;
    while (steps[count] > 0)
        count++;
    int *kept = keep(trial, (count + 1) * sizeof *kept);
    if (kept == NULL)
        return QP_NO_MEMORY;
    memcpy(kept, steps, count * sizeof *kept);
    kept[count] = 0;
    trial->desc.steps = kept;
    return QP_OK;
}

static enum qp_status fill(struct qp_trial *trial, const struct qp_kernel_desc *first)
{
    enum qp_status status = check_desc(&trial->desc);
    if (status == QP_OK)
        status = keep_name(trial, &trial->desc.name);
    if (status == QP_OK && (status = qp_kernel_check_desc(first)) != QP_OK)
        return first->name != NULL ? status : qp_fail_within(status, "%s", trial->desc.name);
    if (status == QP_OK)
        status = list_kernel(trial, first);
    for (int i = 0; i < QP_KERNEL_INPUTS && trial->desc.input[i].name != NULL && status == QP_OK;
         i++)
        status = set_input(trial, &trial->desc.input[i]);
    for (int i = 0; i < QP_KERNEL_NUMBERS && trial->desc.number[i].name != NULL && status == QP_OK;
         i++)
        status = set_number(trial, &trial->desc.number[i]);
    if (status == QP_OK)
        status = check_numbers(trial);
    if (status == QP_OK)
        status = set_states(trial);
    if (status == QP_OK)
        status = keep_steps(trial);
    if (status == QP_OK)
        qp_trial_fill_op(trial);
    trial->judge.trivial = qp_trial_trivial;
    return status;
}

enum qp_status qp_trial_create(const struct qp_trial_desc *desc, const struct qp_kernel_desc *first,
                               struct qp_trial **out)
{
    if (QP_NEED_OUT(out, NULL) || QP_NEED(desc) || QP_NEED(first))
        return QP_BAD_USE;
    struct qp_trial *trial = qp_alloc_zero(1, sizeof *trial, "a trial");
    if (trial == NULL)
        return QP_NO_MEMORY;
    trial->desc = *desc;
    const enum qp_status status = fill(trial, first);
    if (status == QP_OK)
        *out = trial;
    else
        qp_trial_destroy(&trial);
    return status;
}

void qp_trial_destroy_recipe(struct qp_trial_recipe *recipe)
{
    for (int i = 0; i < QP_TRIAL_KERNELS; i++)
        free(recipe->strings[i]);
    free(recipe);
}

void qp_trial_destroy(struct qp_trial **trial)
{
    if (trial == NULL || *trial == NULL)
        return;
    for (struct qp_trial_recipe *recipe = (*trial)->recipes, *next; recipe != NULL; recipe = next) {
        next = recipe->next;
        qp_trial_destroy_recipe(recipe);
    }
    for (struct qp_trial_string *string = (*trial)->strings, *next; string != NULL; string = next) {
        next = string->next;
        free(string);
    }
    free(*trial);
    *trial = NULL;
}
