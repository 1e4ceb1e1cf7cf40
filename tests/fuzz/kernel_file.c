/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/stencil/stencil.h"

enum {
    MOST_BYTES = 4096,
    LIBRARY = 200 /* the descriptor, and so the name, of what is included */
};

/* Makes a line `include 200` lead to these bytes. */
static void put_library(const uint8_t *bytes, size_t size)
{
    static bool is_there;
    if (!is_there)
        PROMISE(dup2(memfd_create("library", MFD_CLOEXEC), LIBRARY) == LIBRARY);
    is_there = true;
    PROMISE(ftruncate(LIBRARY, 0) == 0 && pwrite(LIBRARY, bytes, size, 0) == (ssize_t)size);
}

/* A text with all that it includes is a kernel file by itself. */
static void check_again(const struct qp_kernel_file *file)
{
    struct qp_kernel_file *again;
    PROMISE(qp_kernel_file_make(file->path, file->text, &again) == QP_OK);
    PROMISE(strcmp(again->text, file->text) == 0 && again->inputs == file->inputs);
    qp_kernel_file_destroy(&again);
}

static void check_array(const struct qp_kernel_file *file, int k)
{
    const struct qp_kernel_file_array *array = &file->array[k];
    PROMISE(file->desc.input[k].name == array->name && array->name[0] != '\0');
    PROMISE((unsigned)array->outside <= QP_OUTSIDE_VALUE);
    PROMISE(array->from != NULL || array->made == QP_MADE_NOT);
    PROMISE(array->from == NULL || array->from[0] != '\0');
    PROMISE(k < file->states || strstr(file->text, array->name) != NULL);
    for (int i = 0; i < k; i++)
        PROMISE(strcmp(file->array[i].name, array->name) != 0);
}

static void check_file(const struct qp_kernel_file *file)
{
    const struct qp_kernel_file_head *head = &file->head;
    PROMISE(file->states >= 1 && file->states == file->desc.outputs);
    PROMISE(file->inputs >= file->states && file->inputs <= QP_KERNEL_INPUTS);
    PROMISE(file->desc.input[file->inputs].name == NULL);
    PROMISE(file->is_short == (file->desc.body != NULL));
    PROMISE(file->is_short || file->desc.output_type == QP_ARRAY_FLOAT);
    for (int k = 0; k < file->inputs; k++)
        check_array(file, k);
    for (int k = 0; k < head->numbers; k++) {
        PROMISE(head->number[k].values >= 1 && head->number[k].values <= QP_KERNEL_ELEMENTS);
        PROMISE(file->desc.number[k].name == head->number[k].name);
        PROMISE(strstr(file->text, head->number[k].name) != NULL);
    }
    int count = head->numbers; /* with those of a step, before those of schedules */
    while (file->desc.number[count].name != NULL)
        count++;
    PROMISE(count <= QP_KERNEL_NUMBERS && file->number[count].name == NULL);
    PROMISE(count >= head->numbers + head->schedules);
    for (int k = 0; k < head->schedules; k++) {
        const struct qp_kernel_file_schedule *schedule = &head->schedule[k];
        PROMISE(file->desc.number[count - head->schedules + k].name == schedule->name);
        PROMISE(schedule->first >= 0 && schedule->values >= 1);
        PROMISE(schedule->first + schedule->values <= head->scheduled_values);
    }
    PROMISE(head->scheduled_values <= QP_KERNEL_SCHEDULED);
    PROMISE(head->steps >= 0 && head->width >= 0 && (head->width > 0) == (head->height > 0));
    PROMISE(head->tolerance >= 0.0 && head->tolerance < 1.0);
}

/* A stencil, whose body becomes a text in every form, or a sentence. */
static void check_stencil(const struct qp_kernel_file *file)
{
    struct qp_stencil stencil;
    const enum qp_status status = qp_stencil_read(file, &stencil);
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    PROMISE(status == QP_OK || strstr(qp_error(), "/proc/self/fd/") != NULL);
    for (int form = QP_BODY_C; form <= QP_BODY_CUDA && status == QP_OK; form++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        PROMISE(out != NULL);
        qp_stencil_put_body(&stencil, (enum qp_body_form)form, out);
        fclose(out);
        PROMISE(strstr(text, "kernel") != NULL);
        free(text);
    }
}

/* The text of a compute shader has all of its lines, and a member more for each array. */
static void check_shader(const struct qp_kernel_file *file)
{
    char *text, *member;
    int members = 0;
    if (qp_kernel_file_shader_text(file, 64, &text) != QP_OK)
        return;
    PROMISE(strlen(text) > strlen(file->text));
    for (const char *at = text; (member = strstr(at, " qp_guard_")) != NULL; at = member + 1)
        members++;
    PROMISE(members >= file->inputs + file->states);
    free(text);
}

/* Bytes as a kernel that is no fragment shader: each parameter has its place. */
static void check_function(const char *path, const char *text)
{
    struct qp_kernel_file *file;
    const enum qp_status status = qp_kernel_file_make(path, text, &file);
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    PROMISE(status == QP_OK || strstr(text, "//#") != NULL || strstr(qp_error(), path) != NULL);
    if (file == NULL)
        return;
    const struct qp_kernel_function *function = qp_kernel_file_function(file);
    PROMISE(file->states >= 1 && file->inputs >= file->states && function->name[0] != '\0');
    for (int k = 0; k < function->parameters; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        const char *name = one->use == QP_USE_READ     ? file->desc.input[one->number].name
                           : one->use == QP_USE_NUMBER ? file->desc.number[one->number].name
                                                       : one->name;
        PROMISE(strcmp(name, one->name) == 0);
    }
    if (function->language == QP_IN_COMPUTE)
        check_shader(file);
    qp_kernel_file_destroy(&file);
}

/* Any bytes are a kernel file or a sentence about one; and what a head says it may say again.
 * Bytes after a form feed may be included. */
void fuzz_kernel_file(const uint8_t *bytes, size_t size)
{
    struct qp_kernel_file *file;
    if (size > MOST_BYTES)
        return;
    const uint8_t *feed = size > 0 ? memchr(bytes, '\f', size) : NULL, *end = bytes + size;
    put_library(feed != NULL ? feed + 1 : end, feed != NULL ? (size_t)(end - feed) - 1 : 0);
    const char *path = fuzz_file(bytes, feed != NULL ? (size_t)(feed - bytes) : size);
    char text[MOST_BYTES + 1] = "";
    memcpy(text, bytes, size);
    check_function("k.c", text);
    check_function("k.cu", text);
    check_function("k.comp", text);
    const enum qp_status status = qp_kernel_read(path, &file);
    PROMISE((status == QP_OK) == (file != NULL));
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    PROMISE(status == QP_OK || strstr(qp_error(), "/proc/self/fd/") != NULL);
    if (file == NULL)
        return;
    check_file(file);
    check_again(file);
    check_stencil(file);
    struct qp_kernel_file_head head = file->head;
    const int inputs = file->inputs;
    head.states = 0;
    PROMISE(qp_kernel_file_override(file, &head) == QP_OK);
    check_file(file);
    PROMISE(file->inputs == inputs && file->head.arrays == head.arrays);
    qp_kernel_file_destroy(&file);
}
