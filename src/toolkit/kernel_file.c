/* SPDX-License-Identifier: MIT */
/* Kernel files, from the text and its head to a description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "gl/shaders.h"
#include "toolkit/kernel_file.h"

#define BLANKS " \t\r"

/* ---- The head ---- */

/* A line `//@ WORD VALUE` from behind its @ on, which ends there, as two strings. */
static enum qp_status take_line(struct qp_kernel_file_owner *all, char *line, int number)
{
    struct qp_kernel_file_head *head = &all->file.head;
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
                : qp_kernel_file_say(head, word, value);
    for (int k = 0; k < head->arrays; k++)
        all->array_line[k] += all->array_line[k] == 0 ? number : 0;
    if (head->numbers > 0 && all->number_line[head->numbers - 1] == 0)
        all->number_line[head->numbers - 1] = number;
    return status == QP_OK ? status : qp_fail_within(status, "%s:%d", all->file.path, number);
}

/* Where a comment ends that begins here; NULL for another text. */
static char *after_comment(char *at)
{
    char *end = NULL;
    if (at[0] == '/' && at[1] == '/')
        end = at + strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*')
        end = (end = strstr(at + 2, "*/")) != NULL ? end + 2 : at + strlen(at);
    return end;
}

/* Takes the lines of the head, and refuses those that come later. Newlines become the ends of their texts. */
static enum qp_status read_head(struct qp_kernel_file_owner *all)
{
    enum qp_status status = QP_OK;
    bool code = false, begins = true;
    int line = 1;
    for (char *at = all->words, *end; *at != '\0' && status == QP_OK; at = end) {
        const bool is_head = begins && strncmp(at, "//@", 3) == 0;
        end = after_comment(at);
        if (end == NULL) {
            end = at + 1;
            begins = *at == '\n' || (begins && strchr(BLANKS, *at) != NULL);
            code = code || strchr(BLANKS "\n", *at) == NULL;
        }
        for (const char *c = at; c < end; c++)
            line += *c == '\n';
        if (!is_head)
            continue;
        if (code)
            return qp_fail(QP_BAD_INPUT, "%s:%d: a line '//@' comes before the first line of code",
                           all->file.path, line);
        begins = true;
        const char was = *end;
        *end = '\0';
        status = take_line(all, at + 3, line);
        if (was == '\n') {
            line++;
            end++;
        }
    }
    return status;
}

/* Names of files lead from the kernel file's folder; others are as they are. */
static enum qp_status lead(struct qp_kernel_file_owner *all, const char **name, char **led)
{
    const char *slash = strrchr(all->file.path, '/');
    if (slash == NULL || *name == NULL || (*name)[0] == '/')
        return QP_OK;
    const size_t folder = (size_t)(slash - all->file.path) + 1;
    *led = qp_alloc(folder + strlen(*name) + 1, 1, "a file's name");
    if (*led == NULL)
        return QP_NO_MEMORY;
    memcpy(*led, all->file.path, folder);
    strcpy(*led + folder, *name);
    *name = *led;
    return QP_OK;
}

static enum qp_status lead_all(struct qp_kernel_file_owner *all)
{
    struct qp_kernel_file_head *head = &all->file.head;
    enum qp_status status = lead(all, &head->check, &all->led[QP_KERNEL_INPUTS]);
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        if (head->array[k].made == QP_MADE_NOT)
            status = lead(all, &head->array[k].from, &all->led[k]);
    }
    return status;
}

/* ---- The description ---- */

/* Puts before the sentence the place of what a head says, or, where another head says it, its word alone. */
static enum qp_status fail_at(const struct qp_kernel_file_owner *all, int line, const char *word,
                              const char *name)
{
    if (line == 0)
        return qp_fail_within(QP_BAD_USE, "%s %s", word, name);
    return qp_fail_within(QP_BAD_INPUT, "%s:%d: %s %s", all->file.path, line, word, name);
}

static enum qp_status add_input(struct qp_kernel_file *file, const char *name)
{
    struct qp_kernel_file_array array = {.outside = file->head.outside,
                                         .has_outside = file->head.has_outside,
                                         .outside_value = file->head.outside_value};
    for (int k = 0; k < file->inputs; k++) {
        if (strcmp(file->array[k].name, name) == 0)
            return QP_OK;
    }
    if (file->inputs == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_INPUT, "%s: a shader reads at most %d arrays, its states among them",
                       file->path, QP_KERNEL_INPUTS);
    snprintf(array.name, sizeof array.name, "%s", name);
    for (int k = 0; k < file->head.arrays; k++) {
        const struct qp_kernel_file_array *said = &file->head.array[k];
        if (strcmp(said->name, name) != 0)
            continue;
        array.from = said->from;
        array.made = said->made;
        if (said->has_outside) {
            array.outside = said->outside;
            array.outside_value = said->outside_value;
        }
    }
    const bool is_state = file->inputs < file->states;
    struct qp_kernel_file_array *to = &file->array[file->inputs];
    *to = array;
    file->desc.input[file->inputs++] =
        (struct qp_kernel_input){.name = to->name,
                                 .type = file->desc.output_type,
                                 .channels = is_state ? file->desc.output_channels : 1};
    return QP_OK;
}

static enum qp_status describe_inputs(struct qp_kernel_file_owner *all)
{
    struct qp_kernel_file *file = &all->file;
    const struct qp_kernel_file_head *head = &file->head;
    char name[QP_KERNEL_LETTERS];
    enum qp_status status = QP_OK;
    file->inputs = 0;
    for (int k = 0; k < file->states && status == QP_OK; k++)
        status = add_input(file, head->states > 0 ? head->state[k] : "x");
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        bool known = qp_kernel_file_reads(all, head->array[k].name, true);
        for (int s = 0; s < file->states; s++) /* what is written need not be read */
            known = known || strcmp(head->array[k].name, file->array[s].name) == 0;
        status = add_input(file, head->array[k].name);
        if (status == QP_OK && !known) {
            qp_kernel_file_reads_no(all, head->array[k].name);
            status =
                fail_at(all, all->array_line[k], head->array[k].from != NULL ? "input" : "outside",
                        head->array[k].name);
        }
    }
    for (int i = 0; file->is_short && status == QP_OK && qp_kernel_file_next_gather(all, &i, name);)
        status = add_input(file, name);
    return status;
}

static enum qp_status describe_number(struct qp_kernel_file_owner *all, int k)
{
    struct qp_kernel_file *file = &all->file;
    const struct qp_kernel_file_number *said = &file->head.number[k];
    enum qp_status status = QP_OK;
    for (int i = 0; i < file->inputs; i++) {
        if (strcmp(file->array[i].name, said->name) == 0)
            status = qp_fail(QP_BAD_INPUT, "it is an array, which 'input' says");
    }
    if (status == QP_OK && !qp_kernel_file_reads(all, said->name, false))
        status = qp_kernel_file_reads_no(all, said->name);
    if (status == QP_OK)
        status = qp_kernel_file_type(all, said->name, said->values, &file->desc.number[k]);
    file->number[k] = (struct qp_pass_number){.name = said->name, .list = said->value};
    for (int i = 0; i < 4; i++)
        file->number[k].value[i] = said->value[i];
    return status == QP_OK ? QP_OK : fail_at(all, all->number_line[k], "set", said->name);
}

static enum qp_status describe(struct qp_kernel_file_owner *all)
{
    struct qp_kernel_file *file = &all->file;
    const int said = file->head.states;
    file->states = said > 0 ? said : 1;
    if (file->is_short && file->desc.outputs != file->states)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the kernel writes %d output%s, and its head names %d; a line '//@ "
                       "state' names what each is in the next step, such as u v",
                       file->path, file->desc.outputs, file->desc.outputs > 1 ? "s" : "", said);
    file->desc.outputs = file->states;
    enum qp_status status = describe_inputs(all);
    for (int k = 0; k < file->head.numbers && status == QP_OK; k++)
        status = describe_number(all, k);
    return status;
}

/* ---- Files ---- */

/* Tokens of the whole text, lines of the preprocessor too, and of the head's lines none. */
static enum qp_status read_tokens(struct qp_kernel_file_owner *all)
{
    enum qp_status status = qp_tokens_read(all->words, &all->tokens);
    for (int i = 0; i < all->tokens.count; i++) {
        if (all->tokens.of[i].kind == QP_TOKEN_LINE)
            *(char *)all->tokens.of[i].at = ' ';
    }
    qp_tokens_destroy(&all->tokens);
    return status == QP_OK ? qp_tokens_read(all->words, &all->tokens) : status;
}

static enum qp_status fill(struct qp_kernel_file_owner *all, const char *path)
{
    struct qp_kernel_file *file = &all->file;
    enum qp_status status = qp_shader_read_file(path, &all->text);
    if (status != QP_OK)
        return status;
    all->words = strdup(all->text);
    all->path = strdup(path);
    if (all->words == NULL || all->path == NULL)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for a copy of its text", path);
    file->path = file->desc.name = all->path;
    file->text = all->text;
    status = read_tokens(all);
    if (status == QP_OK)
        status = qp_kernel_file_find_form(all);
    if (status == QP_OK)
        status = read_head(all);
    if (status == QP_OK)
        status = lead_all(all);
    if (file->is_short)
        file->desc.body = all->text;
    else
        file->desc.fragment.text = all->text;
    return status == QP_OK ? describe(all) : status;
}

enum qp_status qp_kernel_read(const char *path, struct qp_kernel_file **out)
{
    if (QP_NEED_OUT(out, NULL) || QP_NEED(path))
        return QP_BAD_USE;
    struct qp_kernel_file_owner *all = qp_alloc_zero(1, sizeof *all, "a kernel file");
    if (all == NULL)
        return QP_NO_MEMORY;
    *out = &all->file;
    const enum qp_status status = fill(all, path);
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

void qp_kernel_file_destroy(struct qp_kernel_file **file)
{
    if (file == NULL || *file == NULL)
        return;
    struct qp_kernel_file_owner *all = (struct qp_kernel_file_owner *)*file;
    for (int k = 0; k <= QP_KERNEL_INPUTS; k++)
        free(all->led[k]);
    qp_tokens_destroy(&all->tokens);
    free(all->path);
    free(all->words);
    free(all->text);
    free(all);
    *file = NULL;
}

/* ---- Another head ---- */

static enum qp_status override_array(struct qp_kernel_file_owner *all,
                                     const struct qp_kernel_file_array *said)
{
    struct qp_kernel_file_head *head = &all->file.head;
    int k = 0;
    while (k < head->arrays && strcmp(head->array[k].name, said->name) != 0)
        k++;
    if (k == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_USE, "input %s: a shader reads at most %d arrays", said->name, k);
    if (k == head->arrays) {
        head->array[head->arrays++] = *said;
        return QP_OK;
    }
    if (said->from != NULL) {
        head->array[k].from = said->from;
        head->array[k].made = said->made;
    }
    if (said->has_outside) {
        head->array[k].has_outside = true;
        head->array[k].outside = said->outside;
        head->array[k].outside_value = said->outside_value;
    }
    return QP_OK;
}

static enum qp_status override_number(struct qp_kernel_file_owner *all,
                                      const struct qp_kernel_file_number *said)
{
    struct qp_kernel_file_head *head = &all->file.head;
    int k = 0;
    while (k < head->numbers && strcmp(head->number[k].name, said->name) != 0)
        k++;
    if (k == QP_KERNEL_NUMBERS)
        return qp_fail(QP_BAD_USE, "set %s: a shader reads at most %d numbers", said->name, k);
    head->numbers += k == head->numbers;
    head->number[k] = *said;
    all->number_line[k] = 0;
    return QP_OK;
}

enum qp_status qp_kernel_file_override(struct qp_kernel_file *file,
                                       const struct qp_kernel_file_head *head)
{
    enum qp_status status = QP_OK;
    if (QP_NEED(file) || QP_NEED(head))
        return QP_BAD_USE;
    struct qp_kernel_file_owner *all = (struct qp_kernel_file_owner *)file;
    struct qp_kernel_file_head *own = &file->head;
    if (head->states > 0)
        return qp_fail(QP_BAD_USE, "state: which output is which state the file alone says");
    for (int k = 0; k < own->arrays && head->has_outside; k++)
        own->array[k].has_outside = false;
    if (head->has_outside) {
        own->has_outside = true;
        own->outside = head->outside;
        own->outside_value = head->outside_value;
    }
    for (int k = 0; k < head->arrays && status == QP_OK; k++)
        status = override_array(all, &head->array[k]);
    for (int k = 0; k < head->numbers && status == QP_OK; k++)
        status = override_number(all, &head->number[k]);
    own->steps = head->steps > 0 ? head->steps : own->steps;
    own->tolerance = head->tolerance > 0.0 ? head->tolerance : own->tolerance;
    own->check = head->check != NULL ? head->check : own->check;
    if (head->width > 0) {
        own->width = head->width;
        own->height = head->height;
    }
    if (head->has_seed) {
        own->has_seed = true;
        own->seed = head->seed;
    }
    return status == QP_OK ? describe(all) : status;
}
