/* SPDX-License-Identifier: MIT */
/* Programs of kernels, one for each combination of what is outside the arrays, and the names that
 * they must have. */
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/kernel/kernel.h"

/* Whole shaders know places by two vec2s, short ones by a vec4. */
void qp_kernel_list_names(struct qp_kernel *kernel)
{
    const bool is_short = kernel->desc.body != NULL;
    struct qp_uniform *next = kernel->uniforms;
    for (int i = 0; i < kernel->inputs; i++) {
        const struct qp_kernel_input *input = &kernel->desc.input[i];
        *next++ = (struct qp_uniform){input->name, qp_kernel_types[input->type].sampler, 0};
    }
    for (int i = 0; i < kernel->inputs; i++) {
        char *place = kernel->derived[2 * i], *other = kernel->derived[2 * i + 1];
        const char *name = kernel->desc.input[i].name;
        snprintf(place, sizeof kernel->derived[0], is_short ? "qp_place_%s" : "%s_origin", name);
        snprintf(other, sizeof kernel->derived[0], is_short ? "qp_beyond_%s" : "%s_size", name);
        *next++ = (struct qp_uniform){place, is_short ? QP_VECTOR_4 : QP_VECTOR, 0};
        *next++ = (struct qp_uniform){
            other, is_short ? qp_kernel_types[kernel->desc.input[i].type].beyond : QP_VECTOR, 0};
    }
    for (int i = 0; i < kernel->numbers; i++) {
        const struct qp_kernel_number *number = &kernel->desc.number[i];
        *next++ = (struct qp_uniform){number->name, qp_kernel_number_types[number->type].uniform,
                                      number->elements};
    }
    *next++ = (struct qp_uniform){"size", QP_VECTOR, 0};
    *next++ = (struct qp_uniform){"origin", QP_VECTOR, 0};
    if (kernel->computes)
        next = qp_compute_names(kernel, next);
    *next = (struct qp_uniform){0};
}

/* Makes the step with this text after the head. */
static enum qp_status draw_by(struct qp_kernel *kernel, const char *text, const char *head,
                              struct qp_step *out)
{
    const struct qp_kernel_desc *desc = &kernel->desc;
    const int words = desc->output_type == QP_ARRAY_DOUBLE ? 2 : 1;
    char fragment[QP_KERNEL_SENT];
    struct qp_outputs outputs = {.count = kernel->outputs,
                                 .type = qp_kernel_types[desc->output_type].texel,
                                 .channels = words * kernel->channels};
    outputs.built_in = qp_glsl_built_in(kernel->tokens, &outputs.word);
    const struct qp_source own = {.name = desc->name, .text = text, .head = head},
                           vertex = {.name = desc->vertex.text == NULL   ? NULL
                                             : desc->vertex.file != NULL ? desc->vertex.file
                                                                         : desc->name,
                                     .text = desc->vertex.text},
                           sent = {.name = desc->name, .text = fragment};
    qp_kernel_write_sent(kernel, fragment);
    const struct qp_program_source source = {.vertex = kernel->places ? own : vertex,
                                             .fragment = kernel->places ? sent : own,
                                             .target = GL_TEXTURE_RECTANGLE_ARB,
                                             .outputs = desc->body == NULL ? &outputs : NULL,
                                             .is_given_back = true};
    return qp_step_make(kernel->context, &source, kernel->uniforms, out);
}

/* A body that is refused is compiled once more as it was written, so that errors quote the caller's
 * text. */
static enum qp_status draw_body(struct qp_kernel *kernel, unsigned outsides, struct qp_step *out)
{
    const char *body = kernel->desc.body;
    char *head = qp_kernel_head(kernel, outsides, NULL);
    enum qp_status status = head != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && kernel->drawn == NULL)
        status = qp_drawn_text(&kernel->desc, kernel->precise, &kernel->drawn);
    if (status == QP_OK)
        status = draw_by(kernel, kernel->drawn, head, out);
    if (status == QP_BAD_INPUT) {
        char said[512];
        snprintf(said, sizeof said, "%s", qp_error());
        status = draw_by(kernel, body, head, out);
        if (status == QP_OK) {
            qp_program_give_back(kernel->context, out->program);
            out->program = NULL;
            status = qp_fail(QP_BAD_INPUT,
                             kernel->desc.output_type == QP_ARRAY_DOUBLE
                                 ? "%s (here literals without a suffix are doubles; a float is "
                                   "float(0.1))"
                                 : "%s (drawn precise alone; set `fast` to leave that out)",
                             said);
        }
    }
    free(head);
    return status;
}

static enum qp_status make_step(struct qp_kernel *kernel, unsigned outsides, struct qp_step *out)
{
    if (kernel->computes)
        return qp_compute_step(kernel, out);
    const enum qp_status status = kernel->desc.body != NULL
                                      ? draw_body(kernel, outsides, out)
                                      : draw_by(kernel, kernel->desc.fragment.text, NULL, out);
    return status == QP_OK ? QP_OK : qp_kernel_explain(kernel, status);
}

enum qp_status qp_kernel_form(struct qp_kernel *kernel, unsigned outsides,
                              struct qp_kernel_form **out)
{
    struct qp_kernel_form *form = kernel->forms;
    if (kernel->desc.body == NULL)
        outsides = 0;
    while (form != NULL && form->outsides != outsides)
        form = form->next;
    *out = form;
    if (form != NULL)
        return QP_OK;
    if ((form = qp_alloc_zero(1, sizeof *form, "a kernel's program")) == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = make_step(kernel, outsides, &form->step);
    if (status != QP_OK) {
        qp_program_give_back(kernel->context, form->step.program);
        free(form);
        return status;
    }
    form->outsides = outsides;
    form->next = kernel->forms;
    *out = kernel->forms = form;
    return QP_OK;
}
