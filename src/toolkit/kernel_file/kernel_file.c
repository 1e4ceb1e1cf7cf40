/* SPDX-License-Identifier: MIT */
/* Kernel files, from the text and its head to a description. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/kernel_file/kernel_file.h"

#define BLANKS " \t\r"

/* ---- The head ---- */

static enum qp_status take_then(struct qp_kernel_file_owner *owner, const char *value)
{
    const char *end = strrchr(value, '.');
    if (owner->then != NULL)
        return qp_fail(QP_BAD_INPUT,
                       "then is given twice; b.frag may go on with a line of its own");
    if (end == NULL || strcmp(end, ".frag") != 0)
        return qp_fail(QP_BAD_INPUT, "then takes a kernel file, such as b.frag, not '%s'", value);
    owner->then = value;
    return QP_OK;
}

/* A line `//@ WORD VALUE` from after its @ on, which ends there, as two strings. */
static enum qp_status take_line(struct qp_kernel_file_owner *owner, char *line, int number)
{
    struct qp_kernel_file_head *head = &owner->file.head;
    char *word = line + strspn(line, BLANKS), *value = word + strcspn(word, BLANKS);
    char *end = word + strlen(word);
    while (end > word && strchr(BLANKS, end[-1]) != NULL)
        end--;
    const bool goes_on = end > word && end[-1] == '\\';
    *end = '\0';
    if (value < end)
        *value++ = '\0';
    value += strspn(value, BLANKS);
    enum qp_status status =
        goes_on ? qp_fail(QP_BAD_INPUT, "a line of the head ends in a backslash, which makes the "
                                        "next one a comment; write one line")
        : strcmp(word, "tuned") == 0 && *value != '\0' ? qp_kernel_file_tune(owner, value)
        : strcmp(word, "then") == 0 && *value != '\0'  ? take_then(owner, value)
        : strcmp(word, "sync") == 0 && *value != '\0'
            ? qp_kernel_file_take_sync(owner, value, number)
            : qp_kernel_file_say(head, word, value);
    for (int k = 0; k < owner->tunings; k++)
        owner->tuned[k].line += owner->tuned[k].line == 0 ? number : 0;
    for (int k = 0; k < head->arrays; k++)
        owner->array_line[k] += owner->array_line[k] == 0 ? number : 0;
    if (head->numbers > 0 && owner->number_line[head->numbers - 1] == 0)
        owner->number_line[head->numbers - 1] = number;
    if (head->schedules > 0 && owner->schedule_line[head->schedules - 1] == 0)
        owner->schedule_line[head->schedules - 1] = number;
    return status == QP_OK ? status : qp_fail_within(status, "%s:%d", owner->file.path, number);
}

/* Newlines after the head's lines become the ends of their texts. */
static enum qp_status read_head(struct qp_kernel_file_owner *owner)
{
    const struct qp_tokens *tokens = owner->tokens;
    enum qp_status status = QP_OK;
    for (int i = 0; i < tokens->comments && status == QP_OK; i++) {
        const struct qp_token *comment = &tokens->comment[i];
        if (comment->match != 0 || strncmp(comment->at, "//@", 3) != 0)
            continue;
        if (comment->at > tokens->of[0].at)
            return qp_fail(QP_BAD_INPUT, "%s:%d: a line '//@' comes before the first line of code",
                           owner->file.path, comment->line);
        char *line = owner->words + (comment->at - tokens->text);
        line[comment->length] = '\0';
        status = take_line(owner, line + 3, comment->line);
    }
    return status;
}

/* Names of files lead from the kernel file's folder; others are as they are. */
static enum qp_status lead(struct qp_kernel_file_owner *owner, const char **name, char **led)
{
    const char *slash = strrchr(owner->file.path, '/');
    if (slash == NULL || *name == NULL || (*name)[0] == '/')
        return QP_OK;
    const size_t folder = (size_t)(slash - owner->file.path) + 1;
    *led = qp_alloc(folder + strlen(*name) + 1, 1, "a file's name");
    if (*led == NULL)
        return QP_NO_MEMORY;
    memcpy(*led, owner->file.path, folder);
    strcpy(*led + folder, *name);
    *name = *led;
    return QP_OK;
}

static enum qp_status lead_all(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file_head *head = &owner->file.head;
    enum qp_status status = lead(owner, &head->check, &owner->led[QP_KERNEL_INPUTS]);
    if (status == QP_OK)
        status = lead(owner, &owner->then, &owner->led[QP_KERNEL_INPUTS + 1]);
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        if (head->array[k].made == QP_MADE_NOT)
            status = lead(owner, &head->array[k].from, &owner->led[k]);
    }
    return status;
}

/* ---- The description ---- */

/* Rounds the value outside of array k to one of its type, as arrays do (qp_array_create). */
static enum qp_status round_outside(struct qp_kernel_file *file, int k)
{
    double *value = &file->array[k].outside_value;
    const enum qp_array_type type = file->desc.input[k].type;
    union qp_cell_value cell;
    if (file->array[k].outside != QP_OUTSIDE_VALUE)
        return QP_OK;
    enum qp_status status = qp_array_cell(type, *value, &cell);
    if (type == QP_ARRAY_FLOAT && !isfinite((float)*value))
        status = qp_fail(QP_BAD_INPUT, "the value %g is beyond float", *value);
    if (status != QP_OK)
        return qp_fail_within(QP_BAD_INPUT, "%s: outside of %s", file->path, file->array[k].name);
    *value = qp_array_is_whole(type)   ? nearbyint(*value)
             : type == QP_ARRAY_DOUBLE ? *value
                                       : (double)(float)*value;
    return QP_OK;
}

/* An array that is not yet an input becomes the next one. */
static enum qp_status add_input(struct qp_kernel_file *file, const char *name)
{
    for (int k = 0; k < file->inputs; k++) {
        if (strcmp(file->array[k].name, name) == 0)
            return QP_OK;
    }
    if (file->inputs == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_INPUT, "%s: a shader reads at most %d arrays, its states among them",
                       file->path, QP_KERNEL_INPUTS);
    const struct qp_kernel_file_array *said = qp_kernel_file_array(&file->head, name, false);
    struct qp_kernel_file_array *array = &file->array[file->inputs];
    *array = said != NULL ? *said : (struct qp_kernel_file_array){.from = NULL};
    snprintf(array->name, sizeof array->name, "%s", name);
    if (!array->has_outside) {
        array->outside = file->head.outside;
        array->outside_value = file->head.outside_value;
    }
    file->desc.input[file->inputs] = (struct qp_kernel_input){
        .name = array->name,
        .type = file->desc.output_type,
        .channels = file->inputs < file->states ? file->desc.output_channels : 1};
    return round_outside(file, file->inputs++);
}

static enum qp_status describe_inputs(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    const struct qp_kernel_file_head *head = &file->head;
    char name[QP_GLSL_LETTERS];
    enum qp_status status = QP_OK;
    file->inputs = 0;
    for (int k = 0; k < file->states && status == QP_OK; k++)
        status = add_input(file, head->states > 0 ? head->state[k] : "x");
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        const struct qp_kernel_file_array *said = &head->array[k];
        bool is_state = false; /* a written array need not be read */
        for (int i = 0; i < file->states; i++)
            is_state = is_state || strcmp(said->name, file->array[i].name) == 0;
        if (!is_state && qp_kernel_file_check_read(owner, said->name, true) != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->array_line[k],
                                          said->from != NULL ? "input" : "outside", said->name);
        status = add_input(file, said->name);
    }
    for (int i = 0;
         file->is_short && status == QP_OK && qp_glsl_next_gather(owner->tokens, &i, name);)
        status = add_input(file, name);
    return status;
}

enum qp_status qp_kernel_file_describe(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    const int said = file->head.states;
    file->states = said > 0 ? said : 1;
    if (file->places && said > 1)
        return qp_fail(QP_BAD_INPUT,
                       "%s: place() puts points into one state, and its head names %d; draw points "
                       "of others by files of their own",
                       file->path, said);
    if (file->is_short && file->desc.outputs < file->states)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the kernel sets %d of the %d states that its head names: set out%d, in "
                       "a 'void kernel(vec2 here)'",
                       file->path, file->desc.outputs, said, file->desc.outputs);
    if (file->is_short && file->desc.outputs > file->states)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the kernel sets %d outputs, and its head names %d; a line such as '//@ "
                       "state u v', without a blank before @, names what each is in the next step",
                       file->path, file->desc.outputs, said);
    file->desc.outputs = file->states;
    const enum qp_status status = describe_inputs(owner);
    return status == QP_OK ? qp_kernel_file_describe_numbers(owner) : status;
}

/* ---- Files ---- */

static enum qp_status fill(struct qp_kernel_file_owner *owner, const char *path, const char *text)
{
    struct qp_kernel_file *file = &owner->file;
    owner->words = strdup(text);
    owner->path = strdup(path);
    if (owner->words == NULL || owner->path == NULL)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for a copy of its text", path);
    file->path = file->desc.name = owner->path;
    if ((owner->tokens = qp_tokens_read(text)) == NULL)
        return QP_NO_MEMORY;
    file->text = owner->tokens->text;
    enum qp_status status = read_head(owner);
    if (status == QP_OK)
        status = qp_kernel_file_find_form(owner);
    if (status == QP_OK)
        status = lead_all(owner);
    if (file->is_short)
        file->desc.body = file->text;
    else
        file->desc.fragment.text = file->text;
    return status == QP_OK ? qp_kernel_file_describe(owner) : status;
}

enum qp_status qp_kernel_file_make(const char *path, const char *text, struct qp_kernel_file **out)
{
    struct qp_kernel_file_owner *owner = qp_alloc_zero(1, sizeof *owner, "a kernel file");
    *out = owner != NULL ? &owner->file : NULL;
    if (owner == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = fill(owner, path, text);
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

void qp_kernel_file_destroy(struct qp_kernel_file **file)
{
    if (file == NULL)
        return;
    for (struct qp_kernel_file *next; *file != NULL; *file = next) {
        struct qp_kernel_file_owner *owner = (struct qp_kernel_file_owner *)*file;
        next = owner->file.next;
        for (int k = 0; k < QP_KERNEL_INPUTS + 2; k++)
            free(owner->led[k]);
        qp_tokens_release(&owner->tokens);
        free(owner->path);
        free(owner->words);
        free(owner);
    }
}
