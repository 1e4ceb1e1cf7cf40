/* SPDX-License-Identifier: MIT */
#include "toolkit/kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/shaders.h"

enum { MOST_ELEMENTS = 64, MOST_REACH = 1 << 20 };

_Static_assert((int)QP_KERNEL_ALL_NAMES <= (int)QP_STEP_NAMES &&
                   QP_KERNEL_ALL_NAMES + QP_KERNEL_NUMBERS * (MOST_ELEMENTS - 1) <= QP_STEP_PLACES,
               "a step has room for all names and elements of a kernel");

#define NAMES                                                                                      \
    "; take letters, digits and _, a letter first, and none of size, origin, here, kernel, main, " \
    "out0 to out3, gl_... and qp_..."

enum qp_status qp_kernel_check(const struct qp_kernel *kernel, const char *what)
{
    return qp_object_context(kernel, QP_OBJECT_KERNEL, what) != NULL ? QP_OK : QP_BAD_USE;
}

/* ---- Descriptions ---- */

static const char unnamed[] = "kernel";

static const char *name_of(const struct qp_kernel_desc *desc)
{
    const bool computes = qp_kernel_has(&desc->compute);
    const struct qp_shader_source *text = computes ? &desc->compute : &desc->fragment;
    const char *file = text->text == NULL && text->file != NULL ? text->file : unnamed;
    return desc->name != NULL ? desc->name : file;
}

static enum qp_status check_input(const struct qp_kernel_desc *desc, int i)
{
    const struct qp_kernel_input *input = &desc->input[i];
    const int channels = input->channels != 0 ? input->channels : 1;
    if (!qp_kernel_is_name(input->name))
        return qp_fail(QP_BAD_USE, "%s: '%s' cannot name an input" NAMES, name_of(desc),
                       input->name);
    if (qp_array_format(input->type, channels) == QP_FORMATS)
        return qp_fail(QP_BAD_USE, "%s: no array has %d channels of the type %d of input '%s'",
                       name_of(desc), channels, (int)input->type, input->name);
    if (input->reach < 0 || input->reach > MOST_REACH)
        return qp_fail(QP_BAD_USE, "%s: the reach %d of input '%s' is not from 0 to %d",
                       name_of(desc), input->reach, input->name, MOST_REACH);
    for (int k = 0; k < i; k++) {
        if (strcmp(desc->input[k].name, input->name) == 0)
            return qp_fail(QP_BAD_USE, "%s: two inputs are called '%s'", name_of(desc),
                           input->name);
    }
    return QP_OK;
}

static enum qp_status check_number(const struct qp_kernel_desc *desc, int i)
{
    const struct qp_kernel_number *number = &desc->number[i];
    if (!qp_kernel_is_name(number->name))
        return qp_fail(QP_BAD_USE, "%s: '%s' cannot name a number" NAMES, name_of(desc),
                       number->name);
    if ((unsigned)number->type >= QP_NUMBER_TYPES)
        return qp_fail(QP_BAD_USE, "%s: number '%s' is of type %d; see enum qp_number_type",
                       name_of(desc), number->name, (int)number->type);
    if (number->elements != 0 &&
        ((number->type != QP_NUMBER_FLOAT && number->type != QP_NUMBER_DOUBLE) ||
         number->elements < 2 || number->elements > MOST_ELEMENTS))
        return qp_fail(QP_BAD_USE,
                       "%s: number '%s' has %d elements; arrays are of floats or doubles, 2 to %d",
                       name_of(desc), number->name, number->elements, MOST_ELEMENTS);
    for (int k = 0; desc->input[k].name != NULL; k++) {
        if (strcmp(desc->input[k].name, number->name) == 0)
            return qp_fail(QP_BAD_USE, "%s: an input and a number are called '%s'", name_of(desc),
                           number->name);
    }
    for (int k = 0; k < i; k++) {
        if (strcmp(desc->number[k].name, number->name) == 0)
            return qp_fail(QP_BAD_USE, "%s: two numbers are called '%s'", name_of(desc),
                           number->name);
    }
    return QP_OK;
}

static enum qp_status check_texts(const struct qp_kernel_desc *desc)
{
    if (desc->sweep != NULL || desc->launch != NULL)
        return qp_fail(QP_BAD_USE, "%s is a function, which trials alone run; make a trial of it",
                       name_of(desc));
    if (qp_kernel_has(&desc->compute) || desc->group_x != 0 || desc->group_y != 0)
        return qp_compute_check(desc, name_of(desc));
    if (desc->body == NULL && !qp_kernel_has(&desc->fragment))
        return qp_fail(QP_BAD_USE, "%s needs either a body or a fragment shader", name_of(desc));
    if (desc->body != NULL && qp_kernel_has(&desc->fragment))
        return qp_fail(QP_BAD_USE,
                       "%s has a body and a fragment shader, and needs only one of them",
                       name_of(desc));
    if (desc->body != NULL && qp_kernel_has(&desc->vertex))
        return qp_fail(QP_BAD_USE, "%s: a vertex shader goes with a fragment shader, not a body",
                       name_of(desc));
    if (desc->body != NULL && strstr(desc->body, "#version") != NULL)
        return qp_fail(QP_BAD_USE, "%s: a body has no #version line; whole shaders are `fragment`",
                       name_of(desc));
    return QP_OK;
}

static enum qp_status check_outputs(const struct qp_kernel_desc *desc)
{
    const int channels = desc->output_channels != 0 ? desc->output_channels : 1;
    if (desc->outputs < 0 || desc->outputs > QP_KERNEL_OUTPUTS)
        return qp_fail(QP_BAD_USE, "%s: %d outputs are not from 1 to %d", name_of(desc),
                       desc->outputs, QP_KERNEL_OUTPUTS);
    if (qp_array_format(desc->output_type, channels) == QP_FORMATS)
        return qp_fail(QP_BAD_USE, "%s: no array has %d channels of the outputs' type %d",
                       name_of(desc), channels, (int)desc->output_type);
    return QP_OK;
}

/* Counts the lists, which end with a NULL name. */
static enum qp_status check_lists(const struct qp_kernel_desc *desc, struct qp_kernel *kernel)
{
    enum qp_status status = check_outputs(desc);
    for (; status == QP_OK && desc->input[kernel->inputs].name != NULL; kernel->inputs++) {
        if (kernel->inputs == QP_KERNEL_INPUTS)
            return qp_fail(QP_BAD_USE, "%s has more than %d inputs", name_of(desc),
                           QP_KERNEL_INPUTS);
        status = check_input(desc, kernel->inputs);
    }
    for (; status == QP_OK && desc->number[kernel->numbers].name != NULL; kernel->numbers++) {
        if (kernel->numbers == QP_KERNEL_NUMBERS)
            return qp_fail(QP_BAD_USE, "%s has more than %d numbers", name_of(desc),
                           QP_KERNEL_NUMBERS);
        status = check_number(desc, kernel->numbers);
    }
    return status;
}

enum qp_status qp_kernel_check_desc(const struct qp_kernel_desc *desc)
{
    struct qp_kernel kernel = {.inputs = 0};
    const bool function = desc->sweep != NULL || desc->launch != NULL;
    const enum qp_status status = function ? QP_OK : check_texts(desc);
    return status == QP_OK ? check_lists(desc, &kernel) : status;
}

/* ---- Copies ---- */

/* Appends a text to those before it, or, with `to` NULL, counts its bytes. */
static const char *keep(char **to, size_t *bytes, const char *text)
{
    if (text == NULL)
        return NULL;
    const size_t size = strlen(text) + 1;
    const char *copy = *to;
    *bytes += size;
    if (*to == NULL)
        return text;
    memcpy(*to, text, size);
    *to += size;
    return copy;
}

static void keep_all(struct qp_kernel_desc *desc, char *to, size_t *bytes)
{
    desc->compute.text = keep(&to, bytes, desc->compute.text);
    desc->name = keep(&to, bytes, desc->name);
    desc->body = keep(&to, bytes, desc->body);
    desc->fragment.text = keep(&to, bytes, desc->fragment.text);
    desc->fragment.file = keep(&to, bytes, desc->fragment.file);
    desc->vertex.text = keep(&to, bytes, desc->vertex.text);
    desc->vertex.file = keep(&to, bytes, desc->vertex.file);
    desc->compute.file = keep(&to, bytes, desc->compute.file);
    for (int i = 0; i < QP_KERNEL_INPUTS && desc->input[i].name != NULL; i++)
        desc->input[i].name = keep(&to, bytes, desc->input[i].name);
    for (int i = 0; i < QP_KERNEL_NUMBERS && desc->number[i].name != NULL; i++)
        desc->number[i].name = keep(&to, bytes, desc->number[i].name);
}

enum qp_status qp_kernel_copy_desc(const struct qp_kernel_desc *desc, struct qp_kernel_desc *out,
                                   char **strings)
{
    struct qp_shader_source *const sources[] = {&out->fragment, &out->vertex, &out->compute};
    char *texts[3] = {NULL};
    size_t bytes = 0;
    enum qp_status status = QP_OK;
    *out = *desc;
    *strings = NULL;
    for (int i = 0; i < 3 && status == QP_OK; i++) {
        if (sources[i]->text == NULL && sources[i]->file != NULL)
            status = qp_shader_read_file(sources[i]->file, &texts[i]);
        if (texts[i] != NULL)
            sources[i]->text = texts[i];
    }
    if (status == QP_OK) {
        keep_all(out, NULL, &bytes);
        *strings = qp_alloc(bytes, 1, "a kernel's texts");
        status = *strings != NULL ? QP_OK : QP_NO_MEMORY;
    }
    if (status == QP_OK)
        keep_all(out, *strings, &bytes);
    for (int i = 0; i < 3; i++)
        free(texts[i]);
    return status;
}

/* An unnamed kernel is called by the beginning of its text; #version is no name. */
static void call_by_text(struct qp_kernel *kernel)
{
    const struct qp_token *first = kernel->tokens->of, *end;
    while (first->kind == QP_TOKEN_LINE)
        first++;
    for (end = first; end->kind != QP_TOKEN_END && end->line == first->line;)
        end++;
    const int length = end > first ? (int)(end[-1].at - first->at) + end[-1].length : 0;
    snprintf(kernel->called, sizeof kernel->called, "kernel '%.*s'", qp_least(length, 40),
             first->at);
    kernel->desc.name = kernel->called;
}

static enum qp_status copy(const struct qp_kernel_desc *desc, struct qp_kernel *kernel)
{
    struct qp_kernel_desc named = *desc;
    named.name = name_of(desc);
    enum qp_status status = qp_kernel_copy_desc(&named, &kernel->desc, &kernel->strings);
    if (status != QP_OK)
        return qp_kernel_explain(kernel, status);
    kernel->tokens = qp_tokens_read(*qp_kernel_text(&kernel->desc));
    status = kernel->tokens != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && named.name == unnamed)
        call_by_text(kernel);
    return status;
}

/* ---- Life ---- */

/* All but what OpenGL holds. */
static void abandon(void *object)
{
    struct qp_kernel *kernel = object;
    while (kernel->forms != NULL) {
        struct qp_kernel_form *next = kernel->forms->next;
        free(kernel->forms);
        kernel->forms = next;
    }
    qp_tokens_release(&kernel->tokens);
    free(kernel->strings);
    free(kernel->drawn);
    free(kernel);
}

static void destroy(void *object)
{
    struct qp_kernel *kernel = object;
    for (struct qp_kernel_form *form = kernel->forms; form != NULL; form = form->next)
        qp_program_give_back(kernel->context, form->step.program);
    qp_framebuffer_destroy(kernel->context, &kernel->framebuffer_id);
    abandon(kernel);
}

static enum qp_status check_device(struct qp_kernel *kernel)
{
    const struct qp_kernel_desc *desc = &kernel->desc;
    enum qp_status status =
        qp_array_check_device(kernel->context, desc->output_type, kernel->channels);
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++)
        status = qp_array_check_device(kernel->context, desc->input[i].type,
                                       desc->input[i].channels != 0 ? desc->input[i].channels : 1);
    if (status == QP_OK && desc->compute.text != NULL)
        return qp_compute_prepare(kernel, kernel->strings);
    if (status == QP_OK && kernel->outputs > kernel->context->device.draw_buffers)
        return qp_fail(QP_UNSUPPORTED, "%s: a shader writes %d outputs at most on this device",
                       desc->name, kernel->context->device.draw_buffers);
    return status;
}

/* Registers of four floats that a body's numbers take: one each, of arrays one for each element,
 * and one for `origin`. */
static enum qp_status check_registers(const struct qp_kernel *kernel)
{
    GLint components = 0;
    int registers = 1;
    for (int i = 0; i < kernel->numbers; i++) {
        const struct qp_kernel_number *number = &kernel->desc.number[i];
        if (qp_glsl_has(kernel->tokens, number->name))
            registers += qp_most(1, number->elements);
    }
    glGetIntegerv(kernel->places ? GL_MAX_VERTEX_UNIFORM_COMPONENTS
                                 : GL_MAX_FRAGMENT_UNIFORM_COMPONENTS,
                  &components);
    return registers <= components / 4
               ? QP_OK
               : qp_fail(QP_UNSUPPORTED,
                         "%s: its numbers take %d registers, each element of an array one, and "
                         "this device has %d; put long arrays into an input",
                         kernel->desc.name, registers, (int)components / 4);
}

static enum qp_status fill(struct qp_context *context, const struct qp_kernel_desc *desc,
                           struct qp_kernel *kernel)
{
    struct qp_kernel_form *form;
    enum qp_status status = check_texts(desc);
    if (status == QP_OK)
        status = check_lists(desc, kernel);
    if (status == QP_OK)
        status = copy(desc, kernel);
    if (status != QP_OK)
        return status;
    kernel->context = context;
    kernel->outputs = desc->outputs != 0 ? desc->outputs : 1;
    kernel->channels = desc->output_channels != 0 ? desc->output_channels : 1;
    kernel->places = desc->body != NULL && qp_glsl_places(kernel->tokens);
    kernel->precise =
        desc->body != NULL && !desc->fast && (context->device.abilities & QP_CAN_PRECISE) != 0;
    status = check_device(kernel);
    if (status == QP_OK && desc->body != NULL)
        status = qp_kernel_check_body(kernel);
    if (status == QP_OK && desc->body != NULL)
        status = qp_reach_find(kernel);
    kernel->may_be_ended =
        status == QP_OK && qp_reach_has_long_loops(kernel) && qp_gl_ends_loops(context);
    kernel->counts = kernel->may_be_ended && desc->body != NULL &&
                     qp_context_has(context, "GL_ARB_shader_storage_buffer_object");
    if (status == QP_OK && desc->body != NULL)
        status = check_registers(kernel);
    qp_kernel_list_names(kernel);
    if (status == QP_OK)
        status = qp_kernel_form(kernel, 0, &form);
    return status == QP_OK ? qp_object_born(kernel, QP_OBJECT_KERNEL, context, abandon) : status;
}

enum qp_status qp_kernel_create(struct qp_context *context, const struct qp_kernel_desc *desc,
                                struct qp_kernel **out)
{
    struct qp_call call;
    struct qp_kernel *kernel = NULL;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context) || QP_NEED(desc))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK) {
        kernel = qp_alloc_zero(1, sizeof *kernel, "a kernel");
        status = kernel != NULL ? fill(context, desc, kernel) : QP_NO_MEMORY;
        if (status == QP_OK)
            *out = kernel;
        else if (kernel != NULL)
            destroy(kernel);
    }
    return qp_call_end(&call, status);
}

void qp_kernel_destroy(struct qp_kernel **kernel)
{
    qp_object_destroy(kernel, QP_OBJECT_KERNEL, "kernel", destroy);
}
