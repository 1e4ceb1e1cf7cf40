/* SPDX-License-Identifier: MIT */
/* Numbers of kernel files: those that are set, those of a step, and schedules. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"

/* ---- Names of a head ---- */

struct qp_kernel_file_array *qp_kernel_file_array(struct qp_kernel_file_head *head,
                                                  const char *name, bool add)
{
    int k = 0;
    while (k < head->arrays && strcmp(head->array[k].name, name) != 0)
        k++;
    if (k == head->arrays && add && k < QP_KERNEL_INPUTS) {
        head->array[head->arrays++] = (struct qp_kernel_file_array){.from = NULL};
        strcpy(head->array[k].name, name);
    }
    return k < head->arrays ? &head->array[k] : NULL;
}

struct qp_kernel_file_number *qp_kernel_file_number(struct qp_kernel_file_head *head,
                                                    const char *name)
{
    int k = 0;
    while (k < head->numbers && strcmp(head->number[k].name, name) != 0)
        k++;
    if (k == head->numbers && k < QP_KERNEL_NUMBERS) {
        head->number[head->numbers++] = (struct qp_kernel_file_number){.values = 0};
        strcpy(head->number[k].name, name);
    }
    return k < head->numbers ? &head->number[k] : NULL;
}

static bool is_name(const char name[QP_KERNEL_LETTERS])
{
    return memchr(name, '\0', QP_KERNEL_LETTERS) != NULL;
}

enum qp_status qp_kernel_file_check_head(const struct qp_kernel_file_head *head)
{
    bool good = (unsigned)head->arrays <= QP_KERNEL_INPUTS &&
                (unsigned)head->numbers <= QP_KERNEL_NUMBERS &&
                (unsigned)head->schedules <= QP_KERNEL_NUMBERS &&
                (unsigned)head->states <= QP_KERNEL_OUTPUTS &&
                (unsigned)head->scheduled_values <= QP_KERNEL_SCHEDULED &&
                (unsigned)head->outside <= QP_OUTSIDE_VALUE &&
                (unsigned)head->blend <= QP_BLEND_MAX;
    for (int k = 0; good && k < head->arrays; k++)
        good = is_name(head->array[k].name) &&
               (unsigned)head->array[k].made <= QP_MADE_EXPRESSION &&
               (unsigned)head->array[k].outside <= QP_OUTSIDE_VALUE;
    for (int k = 0; good && k < head->numbers; k++)
        good = is_name(head->number[k].name) &&
               (unsigned)head->number[k].values - 1 < QP_KERNEL_ELEMENTS;
    for (int k = 0; good && k < head->schedules; k++) {
        const struct qp_kernel_file_schedule *s = &head->schedule[k];
        good = is_name(s->name) && (unsigned)s->values - 1 < QP_KERNEL_SCHEDULED &&
               (unsigned)s->first <= QP_KERNEL_SCHEDULED - (unsigned)s->values;
    }
    return good ? QP_OK
                : qp_fail(QP_BAD_USE, "a head has a count, a place or a kind out of its range; "
                                      "begin with one that is all zero");
}

/* The schedule of this name; the number of schedules if there is none. */
static int find_schedule(const struct qp_kernel_file_head *head, const char *name)
{
    int k = 0;
    while (k < head->schedules && strcmp(head->schedule[k].name, name) != 0)
        k++;
    return k;
}

bool qp_kernel_file_gives(const struct qp_kernel_file_head *head, const char *name)
{
    bool gives = find_schedule(head, name) < head->schedules;
    for (int k = 0; k < head->numbers; k++)
        gives = gives || strcmp(head->number[k].name, name) == 0;
    return gives;
}

enum qp_status qp_kernel_file_schedule(struct qp_kernel_file_head *head, const char *name,
                                       const double *values, int count)
{
    const int k = find_schedule(head, name);
    struct qp_kernel_file_schedule *schedule = &head->schedule[k];
    const int old = k < head->schedules ? schedule->values : 0;
    if (k == QP_KERNEL_NUMBERS)
        return qp_fail(QP_BAD_INPUT, "schedule: a kernel has %d numbers at most",
                       QP_KERNEL_NUMBERS);
    if (head->scheduled_values - old + count > QP_KERNEL_SCHEDULED)
        return qp_fail(QP_BAD_INPUT, "schedule %s: all schedules have %d values at most", name,
                       QP_KERNEL_SCHEDULED);
    for (int i = 0; i < head->schedules && old > 0; i++) /* its old values are taken out */
        head->schedule[i].first -= head->schedule[i].first > schedule->first ? old : 0;
    double *from = head->scheduled + schedule->first;
    if (old > 0)
        memmove(from, from + old,
                (size_t)(head->scheduled_values - schedule->first - old) * sizeof *from);
    else
        head->schedules++;
    head->scheduled_values -= old;
    schedule->first = head->scheduled_values;
    schedule->values = count;
    strcpy(schedule->name, name);
    memmove(head->scheduled + schedule->first, values, (size_t)count * sizeof *values);
    head->scheduled_values += count;
    return QP_OK;
}

/* ---- The numbers of a kernel ---- */

/* Checks that number k has these values. Of a kernel of integers it is a float, but an integer
 * where a float does not hold one of its values, which are all whole then. */
static enum qp_status fit(struct qp_kernel_file *file, int k, const double *value, int count)
{
    struct qp_kernel_number *number = &file->desc.number[k];
    const enum qp_array_type type = file->desc.output_type;
    const double least = type == QP_ARRAY_INT ? INT32_MIN : 0.0,
                 most = type == QP_ARRAY_INT ? INT32_MAX : UINT32_MAX;
    bool whole = number->type == QP_NUMBER_FLOAT && number->elements == 0, wide = false;
    for (int i = 0; i < count && number->type < QP_NUMBER_UINT; i++) {
        const double one = value[i];
        const bool is_whole = one == floor(one) && one >= least && one <= most;
        if (number->type != QP_NUMBER_INT && !isfinite((float)one))
            return qp_fail(QP_BAD_INPUT, "%g is beyond float", one);
        whole = whole && is_whole;
        wide = wide || (is_whole && (double)(float)one != one);
    }
    if (!wide || !qp_array_is_whole(type) || number->type == QP_NUMBER_INT)
        return QP_OK;
    number->type = type == QP_ARRAY_INT ? QP_NUMBER_INT : QP_NUMBER_UINT;
    return whole ? QP_OK
                 : qp_fail(QP_BAD_INPUT, "a float does not hold its integers, and an integer is a "
                                         "number by itself; take an array");
}

/* The line of the file's head that gives a number of this name, or 0: an option does. */
static int line_of(const struct qp_kernel_file_owner *owner, const char *name)
{
    const struct qp_kernel_file_head *head = &owner->file.head;
    int line = 0;
    for (int k = 0; k < head->numbers; k++)
        line = strcmp(head->number[k].name, name) == 0 ? owner->number_line[k] : line;
    for (int k = 0; k < head->schedules; k++)
        line = strcmp(head->schedule[k].name, name) == 0 ? owner->schedule_line[k] : line;
    return line;
}

/* The line where a short form reads a name that it does not declare, and that nothing sets; or
 * 0. */
static int find_unset(const struct qp_kernel_file_owner *owner, const char *name)
{
    const struct qp_tokens *tokens = owner->tokens;
    int line = 0;
    for (int i = 1; i < tokens->count; i++) {
        const struct qp_token *token = &tokens->of[i], *next = token + 1;
        if (!qp_token_is(token, name) || qp_token_is(token - 1, "."))
            continue;
        if (qp_glsl_is_type(token) || qp_glsl_is_type(token - 1) || qp_token_is(next, "(") ||
            next->kind == QP_TOKEN_WORD || next->kind == QP_TOKEN_NUMBER)
            return 0;
        line = line == 0 ? token->line : line;
    }
    return owner->file.is_short && !qp_kernel_file_gives(&owner->file.head, name) ? line : 0;
}

/* Refuses a name that is set and not read where a near one is read and not set: there the text is
 * misspelt, or else the head. */
static enum qp_status check_misspelt(struct qp_kernel_file_owner *owner, const char *name)
{
    char near[QP_GLSL_LETTERS];
    qp_glsl_nearest(owner->tokens, name, near);
    owner->unset_line = near[0] != '\0' && line_of(owner, name) > 0 ? find_unset(owner, near) : 0;
    return owner->unset_line == 0
               ? QP_OK
               : qp_fail(QP_BAD_INPUT,
                         "the kernel reads '%s', which nothing sets; did you mean '%s', which is "
                         "set and not read?",
                         near, name);
}

/* Number k of the kernel; `values` has four at least of a number that is set. */
static enum qp_status add_number(struct qp_kernel_file_owner *owner, int k, const char *name,
                                 int values, const double *value)
{
    struct qp_kernel_file *file = &owner->file;
    enum qp_status status = QP_OK;
    if (k == QP_KERNEL_NUMBERS)
        return qp_fail(QP_BAD_INPUT, "a shader reads at most %d numbers", QP_KERNEL_NUMBERS);
    for (int i = 0; i < file->inputs; i++) {
        if (strcmp(file->array[i].name, name) == 0)
            status = qp_fail(QP_BAD_INPUT, "it is an array, whose values are input");
    }
    const bool reads = qp_kernel_file_reads_number(file, name);
    if (status == QP_OK && !reads && !qp_glsl_has(owner->tokens, name))
        status = check_misspelt(owner, name);
    if (status == QP_OK && !reads)
        status = qp_kernel_file_check_read(owner, name, false);
    if (status == QP_OK)
        status = qp_kernel_file_type(owner, name, values, &file->desc.number[k]);
    if (status == QP_OK && value != NULL)
        status = fit(file, k, value, values);
    file->number[k] = (struct qp_pass_number){.name = name, .list = value};
    for (int i = 0; i < 4 && value != NULL; i++)
        file->number[k].value[i] = value[i];
    return status;
}

/* True if a text reads a number of this name: a whole shader by a uniform, a short one by the word,
 * unless it declares it. */
static bool reads(const struct qp_kernel_file *file, const char *name)
{
    const struct qp_tokens *tokens = ((const struct qp_kernel_file_owner *)file)->tokens;
    bool own = false;
    for (int i = 1; i < tokens->all && file->is_short; i++)
        own = own || (qp_token_is(&tokens->of[i], name) && qp_glsl_is_type(&tokens->of[i - 1]));
    return file->is_short ? !own && qp_glsl_has(tokens, name)
                          : qp_glsl_uniform(tokens, name).type != NULL;
}

bool qp_kernel_file_reads_number(const struct qp_kernel_file *file, const char *name)
{
    while (file != NULL && !reads(file, name))
        file = file->next;
    return file != NULL;
}

/* True if the text asks for the number of a step or of all steps, and nothing else gives it. */
static bool asks_for(const struct qp_kernel_file_owner *owner, const char *name)
{
    const struct qp_glsl_uniform declared = qp_glsl_uniform(owner->tokens, name);
    const bool other =
        declared.type != NULL && (declared.list || !qp_token_is(declared.type, "float"));
    return !other && !qp_kernel_file_gives(&owner->file.head, name) &&
           qp_kernel_file_reads_number(&owner->file, name);
}

enum qp_status qp_kernel_file_describe_numbers(struct qp_kernel_file_owner *owner)
{
    static const char *const of_step[] = {"step_number", "step_count"};
    struct qp_kernel_file *file = &owner->file;
    const struct qp_kernel_file_head *head = &file->head;
    int count = 0;
    for (; count < head->numbers; count++) {
        const struct qp_kernel_file_number *said = &head->number[count];
        if (add_number(owner, count, said->name, said->values, said->value) != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->number_line[count], "set", said->name);
    }
    for (int k = 0; k < 2; k++) {
        if (asks_for(owner, of_step[k]) && add_number(owner, count++, of_step[k], 1, NULL) != QP_OK)
            return qp_fail_within(QP_BAD_INPUT, "%s: %s", file->path, of_step[k]);
    }
    for (int k = 0; k < head->schedules; k++) {
        const char *name = head->schedule[k].name;
        enum qp_status status = QP_OK;
        for (int i = 0; i < head->numbers; i++) {
            if (strcmp(head->number[i].name, name) == 0)
                status = qp_fail(QP_BAD_INPUT, "it is set, too; leave one of the two out");
        }
        if (status == QP_OK)
            status = add_number(owner, count++, name, 1, NULL);
        if (status == QP_OK)
            status = fit(file, count - 1, head->scheduled + head->schedule[k].first,
                         head->schedule[k].values);
        if (status != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->schedule_line[k], "schedule", name);
    }
    file->desc.number[count].name = file->number[count].name = NULL;
    qp_kernel_file_step(file, 0, 1, file->number);
    return QP_OK;
}

void qp_kernel_file_step(const struct qp_kernel_file *file, int step, int steps,
                         struct qp_pass_number number[QP_KERNEL_NUMBERS + 1])
{
    if (file == NULL || number == NULL)
        return;
    const struct qp_kernel_file_head *head = &file->head;
    for (int k = head->numbers; file->number[k].name != NULL; k++) {
        const int found = find_schedule(head, file->number[k].name);
        const struct qp_kernel_file_schedule *schedule = &head->schedule[found];
        number[k].value[0] =
            found < head->schedules
                ? head->scheduled[schedule->first + qp_clamp(step, 0, schedule->values - 1)]
            : strcmp(file->number[k].name, "step_number") == 0 ? step
                                                               : steps;
    }
}

const struct qp_kernel_file_schedule *qp_kernel_file_shortest(const struct qp_kernel_file *file)
{
    static const struct qp_kernel_file_schedule none = {.values = INT_MAX};
    const struct qp_kernel_file_schedule *shortest = &none;
    for (int k = 0; k < file->head.schedules; k++) { /* the first file has all */
        if (file->head.schedule[k].values < shortest->values)
            shortest = &file->head.schedule[k];
    }
    return shortest;
}
