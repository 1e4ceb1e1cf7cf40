/* SPDX-License-Identifier: MIT */
/* Kernel files in turn, which say the same of each name, and what another head says of them. */
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/caller.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/kernel_file/kernel_file.h"

static struct qp_kernel_file_owner *owner_of(struct qp_kernel_file *file)
{
    return (struct qp_kernel_file_owner *)file;
}

/* The file's array of this name; its number of inputs if there is none. */
static int find_input(const struct qp_kernel_file *file, const char *name)
{
    int k = 0;
    while (k < file->inputs && strcmp(file->array[k].name, name) != 0)
        k++;
    return k;
}

static bool has_array(struct qp_kernel_file *file, const char *name)
{
    const struct qp_tokens *tokens = owner_of(file)->tokens;
    return find_input(file, name) < file->inputs ||
           (file->is_short ? qp_glsl_reads(tokens, name)
                           : qp_glsl_uniform(tokens, name).type != NULL);
}

/* Numbers of another head that a file takes: all, or of those that it reads all or the ones that it
 * does not give itself. */
enum taken { ALL, READ, MISSING };

static enum qp_status take_numbers(struct qp_kernel_file *file,
                                   const struct qp_kernel_file_head *of, enum taken which)
{
    struct qp_kernel_file_owner *owner = owner_of(file);
    struct qp_kernel_file_head *own = &file->head;
    for (int k = 0; k < of->numbers + of->schedules; k++) {
        const bool is_set = k < of->numbers;
        const struct qp_kernel_file_schedule *schedule =
            &of->schedule[is_set ? 0 : k - of->numbers];
        const char *name = is_set ? of->number[k].name : schedule->name;
        if ((which != ALL && !qp_kernel_file_reads_number(file, name)) ||
            (which == MISSING && qp_kernel_file_gives(own, name)))
            continue;
        struct qp_kernel_file_number *number = is_set ? qp_kernel_file_number(own, name) : NULL;
        if (is_set && number == NULL)
            return qp_fail(QP_BAD_USE, "set %s: a shader reads at most %d numbers", name,
                           QP_KERNEL_NUMBERS);
        if (!is_set && qp_kernel_file_schedule(own, name, of->scheduled + schedule->first,
                                               schedule->values) != QP_OK)
            return QP_BAD_USE;
        if (is_set) {
            *number = of->number[k];
            owner->number_line[number - own->number] = 0;
        }
        for (int i = 0; i < own->schedules && !is_set; i++)
            owner->schedule_line[i] *= strcmp(own->schedule[i].name, name) != 0;
    }
    return QP_OK;
}

/* True if a file says what is outside its array k. */
static bool says_outside(const struct qp_kernel_file *file, int k)
{
    bool says = file->head.has_outside;
    for (int i = 0; i < file->head.arrays; i++)
        says = says || (file->head.array[i].has_outside &&
                        strcmp(file->head.array[i].name, file->array[k].name) == 0);
    return says;
}

/* Gives array k of a file the type that the first file has which writes it, or else the first that
 * has it, and the origin and the outside that the first file says which says one. */
static enum qp_status unite_array(const struct qp_kernel_file *first, struct qp_kernel_file *file,
                                  int k)
{
    struct qp_kernel_file_array *array = &file->array[k];
    struct qp_kernel_input *input = &file->desc.input[k], type = {.name = NULL};
    bool from = false, outside = false, written = false;
    for (const struct qp_kernel_file *at = first; at != NULL; at = at->next) {
        const int i = find_input(at, array->name);
        if (i == at->inputs)
            continue;
        if (type.name == NULL || (i < at->states && !written))
            type = at->desc.input[i];
        written = written || i < at->states;
        if (!from && (from = at->array[i].from != NULL)) {
            array->from = at->array[i].from;
            array->made = at->array[i].made;
        }
        if (!outside && (outside = says_outside(at, i))) {
            array->outside = at->array[i].outside;
            array->outside_value = at->array[i].outside_value;
        }
    }
    if (k < file->states && (type.type != input->type || type.channels != input->channels))
        return qp_fail(QP_BAD_INPUT, "%s: another file in turn writes %s with another type",
                       file->path, array->name);
    *input = type;
    input->name = array->name;
    return QP_OK;
}

/* Takes what heads say of the run: the first one's word, or else the second one's. */
static void choose(const struct qp_kernel_file_head *first,
                   const struct qp_kernel_file_head *second, struct qp_kernel_file_head *out)
{
    out->steps = first->steps > 0 ? first->steps : second->steps;
    out->tolerance = first->tolerance > 0.0 ? first->tolerance : second->tolerance;
    out->check = first->check != NULL ? first->check : second->check;
    out->seed = first->has_seed ? first->seed : second->seed;
    out->has_seed = first->has_seed || second->has_seed;
}

/* The first file gets what others say of the run and, for it counts, of numbers, and hands the
 * latter on. */
static enum qp_status unite(struct qp_kernel_file *first)
{
    struct qp_kernel_file_head *head = &first->head;
    enum qp_status status = QP_OK;
    for (struct qp_kernel_file *at = first->next; at != NULL && status == QP_OK; at = at->next) {
        status = take_numbers(first, &at->head, MISSING);
        choose(head, &at->head, head);
    }
    for (struct qp_kernel_file *at = first; at != NULL && status == QP_OK; at = at->next) {
        if (at != first)
            status = take_numbers(at, head, READ);
        if (status == QP_OK)
            status = qp_kernel_file_describe(owner_of(at));
    }
    for (struct qp_kernel_file *at = first; at != NULL && status == QP_OK; at = at->next) {
        for (int k = 0; k < at->inputs && first->next != NULL && status == QP_OK; k++)
            status = unite_array(first, at, k);
    }
    return status;
}

enum qp_status qp_kernel_file_then(struct qp_kernel_file *file, struct qp_kernel_file **next)
{
    if (QP_NEED(file) || QP_NEED(next) || QP_NEED(*next))
        return QP_BAD_USE;
    struct qp_kernel_file *last = file;
    int count = 1;
    for (int k = 0; k < 2; k++) {
        const struct qp_kernel_file *one = k == 0 ? file : *next;
        const enum qp_kernel_language language = qp_kernel_file_function(one)->language;
        if (language != QP_IN_FRAGMENTS)
            return qp_fail(QP_BAD_USE, "%s: a kernel in %s is judged by itself, and not in turn",
                           one->path, qp_kernel_file_called(language));
    }
    if (*next == file)
        return qp_fail(QP_BAD_USE, "%s is to come after itself; read it twice", file->path);
    for (const struct qp_kernel_file *at = *next; at != NULL; at = at->next)
        count++;
    for (; last->next != NULL; last = last->next)
        count++;
    if (count > QP_KERNEL_TURNS)
        return qp_fail(QP_BAD_INPUT,
                       "%s: a run takes %d files in turn at most, and %s comes after them; do "
                       "lines 'then' lead in a circle?",
                       file->path, QP_KERNEL_TURNS, (*next)->path);
    last->next = *next;
    *next = NULL;
    const enum qp_status status = unite(file);
    return status == QP_BAD_USE ? qp_fail_within(QP_BAD_INPUT, "%s, in turn", file->path) : status;
}

/* ---- Reading ---- */

enum qp_status qp_kernel_read(const char *path, struct qp_kernel_file **out)
{
    if (QP_NEED_OUT(out, NULL) || QP_NEED(path))
        return QP_BAD_USE;
    const enum qp_kernel_language language = qp_kernel_file_language(path);
    return language == QP_IN_FRAGMENTS
               ? qp_kernel_file_read(path, out)
               : qp_fail(QP_BAD_INPUT,
                         "%s: kernels in %s are judged by 'quadpass check' and timed by 'quadpass "
                         "bench'; nothing else takes them",
                         path, qp_kernel_file_called(language));
}

enum qp_status qp_kernel_file_read(const char *path, struct qp_kernel_file **out)
{
    char *text;
    enum qp_status status = QP_OK;
    *out = NULL;
    while (path != NULL && status == QP_OK) {
        struct qp_kernel_file *next = NULL;
        status = qp_shader_read_file(path, &text);
        if (status == QP_OK)
            status = qp_kernel_file_make(path, text, &next);
        else if (*out != NULL)
            qp_fail_within(status, "%s, then", (*out)->path);
        free(text);
        path = next != NULL ? owner_of(next)->then : NULL;
        if (status == QP_OK && *out != NULL)
            status = qp_kernel_file_then(*out, &next);
        else if (status == QP_OK)
            *out = next;
        if (next != *out)
            qp_kernel_file_destroy(&next);
    }
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

/* ---- Another head ---- */

/* Says of an array what another head says, in the first file that has it. */
static enum qp_status put_array(struct qp_kernel_file *first,
                                const struct qp_kernel_file_array *said)
{
    struct qp_kernel_file *file = first;
    while (file != NULL && !has_array(file, said->name))
        file = file->next;
    file = file != NULL ? file : first; /* which refuses it */
    struct qp_kernel_file_array *array = qp_kernel_file_array(&file->head, said->name, true);
    if (array == NULL)
        return qp_fail(QP_BAD_USE, "input %s: a shader reads at most %d arrays", said->name,
                       QP_KERNEL_INPUTS);
    if (said->from != NULL) {
        array->from = said->from;
        array->made = said->made;
    }
    if (said->has_outside) {
        array->has_outside = true;
        array->outside = said->outside;
        array->outside_value = said->outside_value;
    }
    return QP_OK;
}

enum qp_status qp_kernel_file_override(struct qp_kernel_file *file,
                                       const struct qp_kernel_file_head *head)
{
    if (QP_NEED(file) || QP_NEED(head) || qp_kernel_file_check_head(head) != QP_OK)
        return QP_BAD_USE;
    struct qp_kernel_file_head *own = &file->head;
    if (head->states > 0)
        return qp_fail(QP_BAD_USE, "state: which output is which state the file alone says");
    for (struct qp_kernel_file *at = file; at != NULL && head->has_outside; at = at->next) {
        at->head.has_outside = true;
        at->head.outside = head->outside;
        at->head.outside_value = head->outside_value;
        for (int k = 0; k < at->head.arrays; k++)
            at->head.array[k].has_outside = false;
    }
    enum qp_status status = QP_OK;
    for (int k = 0; k < head->arrays && status == QP_OK; k++)
        status = put_array(file, &head->array[k]);
    if (status == QP_OK)
        status = take_numbers(file, head, ALL);
    choose(head, own, own);
    own->points = head->points > 0 ? head->points : own->points;
    own->blend = head->blend != QP_BLEND_REPLACE ? head->blend : own->blend;
    if (head->width > 0) {
        own->width = head->width;
        own->height = head->height;
    }
    return status == QP_OK ? unite(file) : status;
}
