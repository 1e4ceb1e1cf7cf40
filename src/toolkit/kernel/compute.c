/* SPDX-License-Identifier: MIT */
/* Compute shaders as kernels: checks of them, the declarations before their text, and checks of
 * their passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/passes/pass.h"

enum { GROUP = 8, HEAD_BYTES = 1024 };

/* ---- Descriptions ---- */

/* Names that compute shaders have for themselves, besides those of all kernels. */
static enum qp_status check_names(const struct qp_kernel_desc *desc, const char *name)
{
    static const char *const taken[] = {"region", "GROUP_X", "GROUP_Y"};
    for (size_t t = 0; t < sizeof taken / sizeof taken[0]; t++) {
        for (int i = 0; i < QP_KERNEL_INPUTS && desc->input[i].name != NULL; i++) {
            if (strcmp(desc->input[i].name, taken[t]) == 0)
                return qp_fail(QP_BAD_USE, "%s: '%s' cannot name an input of a compute shader",
                               name, taken[t]);
        }
        for (int i = 0; i < QP_KERNEL_NUMBERS && desc->number[i].name != NULL; i++) {
            if (strcmp(desc->number[i].name, taken[t]) == 0)
                return qp_fail(QP_BAD_USE, "%s: '%s' cannot name a number of a compute shader",
                               name, taken[t]);
        }
    }
    return QP_OK;
}

enum qp_status qp_compute_check(const struct qp_kernel_desc *desc, const char *name)
{
    if (!qp_kernel_has(&desc->compute))
        return qp_fail(QP_BAD_USE, "%s has groups of %d x %d and no compute shader", name,
                       desc->group_x, desc->group_y);
    if (desc->body != NULL || qp_kernel_has(&desc->fragment) || qp_kernel_has(&desc->vertex))
        return qp_fail(QP_BAD_USE,
                       "%s has a compute shader and a %s, and a compute shader is alone", name,
                       desc->body != NULL               ? "body"
                       : qp_kernel_has(&desc->fragment) ? "fragment shader"
                                                        : "vertex shader");
    if (desc->group_x < 0 || desc->group_y < 0)
        return qp_fail(QP_BAD_USE, "%s: groups of %d x %d; take 1 or more each way, or 0", name,
                       desc->group_x, desc->group_y);
    return check_names(desc, name);
}

static enum qp_status check_group(const struct qp_kernel_desc *desc)
{
    GLint x = 0, y = 0, all = 0;
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 0, &x);
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 1, &y);
    glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &all);
    if (desc->group_x > x || desc->group_y > y || (long)desc->group_x * desc->group_y > all)
        return qp_fail(QP_BAD_USE,
                       "%s: groups of %d x %d; this device has up to %d x %d, together at most %d "
                       "invocations",
                       desc->name, desc->group_x, desc->group_y, (int)x, (int)y, (int)all);
    return QP_OK;
}

enum qp_status qp_compute_prepare(struct qp_kernel *kernel, char *text)
{
    static const char version[] = "#version";
    struct qp_kernel_desc *desc = &kernel->desc;
    if (!(kernel->context->device.abilities & QP_CAN_COMPUTE))
        return qp_fail(QP_UNSUPPORTED,
                       "%s: this device has no compute shaders (OpenGL 4.3); take a fragment "
                       "shader",
                       desc->name);
    const bool alone = desc->group_x == 0 && desc->group_y == 0;
    desc->group_x = alone ? GROUP : desc->group_x > 0 ? desc->group_x : 1;
    desc->group_y = alone ? GROUP : desc->group_y > 0 ? desc->group_y : 1;
    for (int i = 0; i < kernel->tokens->all; i++) {
        const char *at = kernel->tokens->of[i].at;
        if (strncmp(at, "imageLoad", 9) == 0 || strncmp(at, "imageAtomic", 11) == 0)
            kernel->reads_outputs = true;
    }
    if (strncmp(text, version, strlen(version)) == 0)
        text[0] = text[1] = '/';
    kernel->computes = true;
    return check_group(desc);
}

/* ---- Texts and names ---- */

/* Image formats as GLSL writes them: all that arrays have are images in OpenGL 4.3. */
static const char *format_words(const struct qp_kernel *kernel)
{
    static const char *const words[][5] = {{"", "r32f", "rg32f", "", "rgba32f"},
                                           {"", "r16f", "rg16f", "", "rgba16f"},
                                           {"", "r32i", "rg32i", "", "rgba32i"},
                                           {"", "r32ui", "rg32ui", "", "rgba32ui"},
                                           {"", "rg32ui", "rgba32ui"}};
    return words[kernel->desc.output_type][kernel->channels];
}

/* Makes the declarations that precede the text, as a string that the caller frees; NULL, with the
 * sentence, if there is no memory. */
static char *make_head(const struct qp_kernel *kernel)
{
    const struct qp_kernel_desc *desc = &kernel->desc;
    char *head = qp_alloc(HEAD_BYTES, 1, "a kernel's text");
    if (head == NULL)
        return NULL;
    size_t used = (size_t)snprintf(head, HEAD_BYTES,
                                   "#version 430 compatibility\n"
                                   "#define GROUP_X %d\n#define GROUP_Y %d\n"
                                   "layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n",
                                   desc->group_x, desc->group_y);
    for (int i = 0; i < kernel->outputs; i++)
        used += (size_t)snprintf(head + used, HEAD_BYTES - used,
                                 "layout(%s) %suniform %simage2DRect out%d;\n",
                                 format_words(kernel), kernel->reads_outputs ? "" : "writeonly ",
                                 qp_kernel_types[desc->output_type].letter, i);
    snprintf(head + used, HEAD_BYTES - used, "#line 1\n");
    return head;
}

struct qp_uniform *qp_compute_names(const struct qp_kernel *kernel, struct qp_uniform *next)
{
    static const char *const names[QP_KERNEL_OUTPUTS] = {"out0", "out1", "out2", "out3"};
    *next++ = (struct qp_uniform){"region", QP_VECTOR_4, 0};
    for (int i = 0; i < kernel->outputs; i++)
        *next++ = (struct qp_uniform){names[i], qp_kernel_types[kernel->desc.output_type].image, 0};
    return next;
}

static enum qp_status check_outputs(const struct qp_kernel *kernel, const struct qp_step *step)
{
    const int first = 3 * kernel->inputs + kernel->numbers + 3;
    for (int i = 0; i < kernel->outputs; i++) {
        if (!qp_step_uses(step, first + i, 0))
            return qp_fail(QP_BAD_USE, "%s has %d output%s, and its shader never writes out%d",
                           kernel->desc.name, kernel->outputs, kernel->outputs == 1 ? "" : "s", i);
    }
    return QP_OK;
}

enum qp_status qp_compute_step(const struct qp_kernel *kernel, struct qp_step *out)
{
    const struct qp_kernel_desc *desc = &kernel->desc;
    char *head = make_head(kernel);
    if (head == NULL)
        return QP_NO_MEMORY;
    const struct qp_program_source source = {
        .compute = {.name = desc->name, .text = desc->compute.text, .head = head},
        .group = {desc->group_x, desc->group_y},
        .target = GL_TEXTURE_RECTANGLE_ARB,
        .is_given_back = true};
    const enum qp_status status = qp_step_make(kernel->context, &source, kernel->uniforms, out);
    free(head);
    return status == QP_OK ? check_outputs(kernel, out) : qp_kernel_explain(kernel, status);
}

/* ---- Passes ---- */

/* Images have their array's own format, and are rectangles. */
static enum qp_status check_images(const struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    for (int i = 0; i < kernel->outputs; i++) {
        const struct qp_array *output = prepared->output[i];
        if (output->desc.type != kernel->desc.output_type)
            return qp_fail(
                QP_BAD_USE, "%s: output %d is of %s, and a compute shader for %s does not convert",
                kernel->desc.name, i, output->desc.type == QP_ARRAY_HALF ? "halves" : "floats",
                output->desc.type == QP_ARRAY_HALF ? "floats" : "halves");
        if (output->storage->texture.target != GL_TEXTURE_RECTANGLE_ARB)
            return qp_fail(QP_UNSUPPORTED,
                           "%s: output %d is a GL_TEXTURE_2D, and compute shaders write "
                           "rectangles; copy from another array (qp_array_copy)",
                           kernel->desc.name, i);
    }
    return QP_OK;
}

enum qp_status qp_compute_check_pass(const struct qp_pass *pass, const struct qp_prepared *prepared)
{
    const char *name = prepared->kernel->desc.name;
    if (pass->blend != QP_BLEND_REPLACE)
        return qp_fail(QP_BAD_USE, "%s: a compute shader does not blend; read and add in_place",
                       name);
    if (pass->points > 0)
        return qp_fail(QP_BAD_USE,
                       "%s: a compute shader has no points; it stores at any cell itself", name);
    if (pass->mask != NULL || pass->depth != NULL)
        return qp_fail(QP_BAD_USE,
                       "%s: a compute shader draws nothing that a mask or a depth could drop",
                       name);
    if (prepared->kernel->reads_outputs && !pass->in_place)
        return qp_fail(QP_BAD_USE,
                       "%s: its text reads an output (imageLoad or imageAtomic), which needs "
                       "in_place",
                       name);
    return check_images(prepared);
}
