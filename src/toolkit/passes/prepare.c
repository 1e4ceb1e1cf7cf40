/* SPDX-License-Identifier: MIT */
/* Passes are checked here, before anything is drawn. */
#include "toolkit/passes/pass.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/nearest.h"

/* ---- Names ---- */

/* `name` is none of the kernel's: says so, with the nearest that is, or all. */
static enum qp_status fail_unknown(const struct qp_kernel *kernel, const char *what,
                                   const char *name, const char *const names[], int count)
{
    const char *near = qp_nearest(name, names, count);
    char all[512] = "";
    if (count == 0)
        return qp_fail(QP_BAD_USE, "%s has no %s called '%s', nor any other", kernel->desc.name,
                       what, name);
    for (int i = 0; i < count && near == NULL; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s %s", i > 0 ? "," : "; it has", names[i]);
    }
    if (near != NULL)
        return qp_fail(QP_BAD_USE, "%s has no %s called '%s'; did you mean '%s'?",
                       kernel->desc.name, what, name, near);
    return qp_fail(QP_BAD_USE, "%s has no %s called '%s'%s", kernel->desc.name, what, name, all);
}

/* Finds the kernel's input, or number, of this name. */
static enum qp_status find_name(const struct qp_kernel *kernel, bool inputs, const char *name,
                                int *index)
{
    const char *names[QP_KERNEL_NUMBERS];
    const int count = inputs ? kernel->inputs : kernel->numbers;
    for (*index = 0; *index < count; ++*index) {
        names[*index] = inputs ? kernel->desc.input[*index].name : kernel->desc.number[*index].name;
        if (strcmp(names[*index], name) == 0)
            return QP_OK;
    }
    return fail_unknown(kernel, inputs ? "input" : "number", name, names, count);
}

/* ---- Inputs and numbers ---- */

static enum qp_status set_input(struct qp_prepared *prepared, const struct qp_pass_input *input)
{
    const struct qp_kernel *kernel = prepared->kernel;
    int i;
    enum qp_status status = find_name(kernel, true, input->name, &i);
    if (status != QP_OK)
        return status;
    if (prepared->input[i] != NULL)
        return qp_fail(QP_BAD_USE, "%s: input '%s' is given twice", kernel->desc.name, input->name);
    if ((status = qp_array_check_any(input->array, kernel->context, input->name)) != QP_OK)
        return status;
    const struct qp_array_desc *desc = &input->array->desc;
    const struct qp_kernel_input *wanted = &kernel->desc.input[i];
    const int channels = wanted->channels != 0 ? wanted->channels : 1;
    const bool fractions = desc->type <= QP_ARRAY_HALF && wanted->type <= QP_ARRAY_HALF;
    if ((desc->type != wanted->type && !fractions) || desc->channels != channels)
        return qp_fail(QP_BAD_USE,
                       "%s: input '%s' has cells of %d x %s, and the kernel reads %d x %s",
                       kernel->desc.name, input->name, desc->channels,
                       qp_kernel_type(desc->type, 1), channels, qp_kernel_type(wanted->type, 1));
    if (input->array->storage->texture.target != GL_TEXTURE_RECTANGLE_ARB)
        return qp_fail(QP_UNSUPPORTED,
                       "%s: input '%s' is a GL_TEXTURE_2D, and kernels read rectangles; copy it to "
                       "another array first (qp_array_copy)",
                       kernel->desc.name, input->name);
    if (desc->outside == QP_OUTSIDE_WRAP && kernel->desc.body == NULL && !kernel->stays_inside)
        return qp_fail(QP_BAD_USE,
                       "%s: input '%s' wraps, which whole shaders cannot see; take a body, or "
                       "another outside",
                       kernel->desc.name, input->name);
    prepared->input[i] = input->array;
    return QP_OK;
}

enum qp_status qp_prepared_set(struct qp_prepared *prepared, const struct qp_pass_number *number)
{
    const struct qp_kernel *kernel = prepared->kernel;
    int i;
    const enum qp_status status = find_name(kernel, false, number->name, &i);
    if (status != QP_OK)
        return status;
    if (kernel->desc.number[i].elements > 0 && number->list == NULL)
        return qp_fail(QP_BAD_USE, "%s: number '%s' has %d elements and no list", kernel->desc.name,
                       number->name, kernel->desc.number[i].elements);
    const double value = number->value[0];
    const enum qp_number_type type = kernel->desc.number[i].type;
    if ((type == QP_NUMBER_INT && !(value > INT32_MIN - 1.0 && value < INT32_MAX + 1.0)) ||
        (type == QP_NUMBER_UINT && !(value > -1.0 && value < UINT32_MAX + 1.0)))
        return qp_fail(QP_BAD_USE, "%s: number '%s' is %s, which cannot be %g", kernel->desc.name,
                       number->name, type == QP_NUMBER_INT ? "an int" : "a uint", value);
    prepared->number[i] = *number;
    return QP_OK;
}

static enum qp_status set_number(struct qp_prepared *prepared, const struct qp_pass_number *number)
{
    int i;
    const enum qp_status status = find_name(prepared->kernel, false, number->name, &i);
    if (status == QP_OK && prepared->number[i].name != NULL)
        return qp_fail(QP_BAD_USE, "%s: number '%s' is given twice", prepared->kernel->desc.name,
                       number->name);
    return status == QP_OK ? qp_prepared_set(prepared, number) : status;
}

/* Checks that the pass gives every input and number that the program uses; unused ones may be
 * missing. */
static enum qp_status check_all_given(const struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const struct qp_step *step = &kernel->forms->step;
    for (int i = 0; i < kernel->inputs; i++) {
        if (prepared->input[i] == NULL && qp_step_uses(step, i, 0))
            return qp_fail(QP_BAD_USE, "%s: input '%s' is missing", kernel->desc.name,
                           kernel->desc.input[i].name);
    }
    for (int i = 0; i < kernel->numbers; i++) {
        if (prepared->number[i].name == NULL && qp_step_uses(step, 3 * kernel->inputs + i, 0))
            return qp_fail(QP_BAD_USE, "%s: number '%s' is missing", kernel->desc.name,
                           kernel->desc.number[i].name);
    }
    return QP_OK;
}

/* ---- Outputs ---- */

/* Several outputs share a viewport, so they begin at the same texel. */
static enum qp_status check_output(const struct qp_prepared *prepared, int i)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const struct qp_array *output = prepared->output[i], *first = prepared->output[0];
    const enum qp_status status = qp_array_check_any(output, kernel->context, "output");
    if (status != QP_OK)
        return status;
    const struct qp_array_desc *desc = &output->desc;
    const bool fractions = desc->type <= QP_ARRAY_HALF && kernel->desc.output_type <= QP_ARRAY_HALF;
    if ((desc->type != kernel->desc.output_type && !fractions) ||
        desc->channels != kernel->channels)
        return qp_fail(QP_BAD_USE,
                       "%s: output %d has cells of %d x %s, and the kernel writes %d x %s",
                       kernel->desc.name, i, desc->channels, qp_kernel_type(desc->type, 1),
                       kernel->channels, qp_kernel_type(kernel->desc.output_type, 1));
    if (!kernel->computes &&
        (desc->width != first->desc.width || desc->height != first->desc.height))
        return qp_fail(QP_BAD_USE, "%s: output %d has %d x %d cells, and output 0 has %d x %d",
                       kernel->desc.name, i, desc->width, desc->height, first->desc.width,
                       first->desc.height);
    if (output->x != first->x || output->y != first->y)
        return qp_fail(QP_BAD_USE,
                       "%s: outputs 0 and %d begin at different cells of their arrays; several "
                       "outputs that are views begin at the same one",
                       kernel->desc.name, i);
    for (int k = 0; k < i; k++) {
        if (qp_array_shares(prepared->output[k], output))
            return qp_fail(QP_BAD_USE, "%s: outputs %d and %d are in the same array",
                           kernel->desc.name, k, i);
    }
    return QP_OK;
}

static enum qp_status set_outputs(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    enum qp_status status = QP_OK;
    for (int i = 0; i < QP_KERNEL_OUTPUTS && status == QP_OK; i++) {
        if ((pass->output[i] != NULL) != (i < kernel->outputs))
            return qp_fail(QP_BAD_USE, "%s has %d output%s; output %d is %s", kernel->desc.name,
                           kernel->outputs, kernel->outputs == 1 ? "" : "s", i,
                           pass->output[i] != NULL ? "one more" : "missing");
        prepared->output[i] = pass->output[i];
        if (pass->output[i] != NULL)
            status = check_output(prepared, i);
    }
    return status;
}

/* Reading what is being written gives whatever the device happens to have, so it is refused. */
static enum qp_status check_feedback(const struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    for (int i = 0; i < kernel->inputs && !prepared->in_place; i++) {
        for (int k = 0; k < kernel->outputs && prepared->input[i] != NULL; k++) {
            if (qp_array_shares(prepared->input[i], prepared->output[k]))
                return qp_fail(QP_BAD_USE,
                               "%s: input '%s' is in the array that output %d writes; take another "
                               "array, or in_place",
                               kernel->desc.name, kernel->desc.input[i].name, k);
        }
    }
    if (prepared->in_place && !kernel->computes &&
        !(kernel->context->device.abilities & QP_CAN_TEXTURE_BARRIER))
        return qp_fail(QP_UNSUPPORTED,
                       "%s: this device has no texture barrier, so no pass in place",
                       kernel->desc.name);
    return QP_OK;
}

/* ---- Region, blending, points, mask and depth ---- */

static enum qp_status set_region(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    const struct qp_rect *region = &pass->region;
    const bool all = region->width == 0 && region->height == 0;
    if (all && (region->x != 0 || region->y != 0))
        return qp_fail(QP_BAD_USE, "%s: a region at (%d, %d) without a size",
                       prepared->kernel->desc.name, region->x, region->y);
    const enum qp_status status =
        qp_array_part(prepared->output[0], all ? NULL : region, &prepared->region);
    return status == QP_OK ? QP_OK
                           : qp_fail_within(status, "%s: region", prepared->kernel->desc.name);
}

static enum qp_status set_blend(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    static const enum qp_blend blends[] = {QP_REPLACE, QP_ADD, QP_SUBTRACT, QP_LEAST, QP_GREATEST};
    const struct qp_kernel *kernel = prepared->kernel;
    if ((unsigned)pass->blend > QP_BLEND_MAX)
        return qp_fail(QP_BAD_USE, "%s: the blend %d is none; see enum qp_pass_blend",
                       kernel->desc.name, (int)pass->blend);
    prepared->blend = blends[pass->blend];
    if (pass->blend == QP_BLEND_REPLACE || kernel->computes)
        return QP_OK;
    if (kernel->desc.output_type > QP_ARRAY_HALF)
        return qp_fail(QP_BAD_USE, "%s: integers and doubles are not blended", kernel->desc.name);
    if (!(kernel->context->device.abilities & QP_CAN_FLOAT_BLEND))
        return qp_fail(QP_UNSUPPORTED, "%s: this device cannot blend floats", kernel->desc.name);
    return QP_OK;
}

static enum qp_status set_points(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    if (pass->points < 0 || pass->points > QP_KERNEL_POINTS)
        return qp_fail(QP_BAD_USE, "%s: %d points are not from 0 to %d", kernel->desc.name,
                       pass->points, QP_KERNEL_POINTS);
    if (pass->points > 0 && kernel->desc.vertex.text == NULL && !kernel->computes &&
        !kernel->places)
        return qp_fail(QP_BAD_USE, "%s: points need a kernel with a vertex shader, or with place()",
                       kernel->desc.name);
    if (pass->points == 0 && kernel->places)
        return qp_fail(QP_BAD_USE, "%s: place() puts points into cells; say how many, .points",
                       kernel->desc.name);
    prepared->points = pass->points;
    return QP_OK;
}

/* ---- Masks and depths ---- */

/* Checks a mask or depth: its buffer begins where the output's texture does, so a view that begins
 * elsewhere has none. */
static enum qp_status check_beside(const struct qp_prepared *prepared, const char *what,
                                   const struct qp_test_buffer *buffer)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const struct qp_array *output = prepared->output[0];
    if (buffer->width != output->desc.width || buffer->height != output->desc.height)
        return qp_fail(QP_BAD_USE, "%s: %s has %d x %d cells, and output 0 has %d x %d",
                       kernel->desc.name, what, buffer->width, buffer->height, output->desc.width,
                       output->desc.height);
    if (output->x != 0 || output->y != 0)
        return qp_fail(
            QP_BAD_USE,
            "%s: output 0 is a view from cell (%d, %d) of its array on, and %s needs one "
            "from (0, 0); take the array itself, and a region",
            kernel->desc.name, output->x, output->y, what);
    return QP_OK;
}

static enum qp_status set_mask(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    prepared->mask = pass->mask;
    prepared->mask_inverted = pass->mask_inverted;
    if (pass->mask == NULL && pass->mask_inverted)
        return qp_fail(QP_BAD_USE, "%s: mask_inverted without a mask", kernel->desc.name);
    if (pass->mask == NULL)
        return QP_OK;
    const enum qp_status status =
        qp_object_check(pass->mask, QP_OBJECT_MASK, kernel->context, "mask");
    return status == QP_OK ? check_beside(prepared, "the mask", &pass->mask->buffer) : status;
}

static enum qp_status set_depth(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    prepared->depth = pass->depth;
    if (pass->depth == NULL)
        return QP_OK;
    if (pass->mask != NULL)
        return qp_fail(
            QP_BAD_USE,
            "%s: a pass has a mask or a depth, not both; let the kernel discard what the "
            "mask would drop",
            kernel->desc.name);
    const enum qp_status status =
        qp_object_check(pass->depth, QP_OBJECT_DEPTH, kernel->context, "depth");
    return status == QP_OK ? check_beside(prepared, "the depth", &pass->depth->buffer) : status;
}

struct qp_test qp_prepared_test(const struct qp_prepared *prepared)
{
    if (prepared->mask != NULL)
        return (struct qp_test){prepared->mask_inverted ? QP_TEST_UNMARKED : QP_TEST_MARKED,
                                prepared->mask->buffer.renderbuffer_id};
    if (prepared->depth != NULL)
        return (struct qp_test){prepared->depth->keeps == QP_DEPTH_NEAREST ? QP_TEST_NEARER
                                                                           : QP_TEST_FARTHER,
                                prepared->depth->buffer.renderbuffer_id};
    return (struct qp_test){QP_TEST_NONE, 0};
}

/* ---- Preparing ---- */

/* Outside of an input as the short form needs it (struct qp_kernel_form). */
static unsigned outside_of(const struct qp_array *array)
{
    const struct qp_texture *texture = &array->storage->texture;
    if (array->desc.outside == QP_OUTSIDE_WRAP)
        return array->tiles != NULL ? QP_KERNEL_WINDOW : QP_OUTSIDE_WRAP;
    const bool part = array->desc.width != texture->width || array->desc.height != texture->height;
    return (unsigned)array->desc.outside | (part ? QP_KERNEL_PART : 0);
}

static unsigned outsides_of(const struct qp_prepared *prepared)
{
    unsigned outsides = 0;
    for (int i = 0; i < prepared->kernel->inputs; i++) {
        if (prepared->input[i] != NULL)
            outsides |= outside_of(prepared->input[i]) << 3 * i;
    }
    return outsides;
}

static enum qp_status prepare(const struct qp_pass *pass, struct qp_prepared *prepared)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i <= QP_KERNEL_INPUTS && pass->input[i].name != NULL && status == QP_OK; i++)
        status = set_input(prepared, &pass->input[i]);
    for (int i = 0; i <= QP_KERNEL_NUMBERS && pass->number[i].name != NULL && status == QP_OK; i++)
        status = set_number(prepared, &pass->number[i]);
    if (status == QP_OK)
        status = check_all_given(prepared);
    if (status == QP_OK)
        status = set_outputs(pass, prepared);
    if (status == QP_OK)
        status = check_feedback(prepared);
    if (status == QP_OK)
        status = set_region(pass, prepared);
    if (status == QP_OK)
        status = set_blend(pass, prepared);
    if (status == QP_OK)
        status = set_points(pass, prepared);
    if (status == QP_OK)
        status = set_mask(pass, prepared);
    if (status == QP_OK)
        status = set_depth(pass, prepared);
    if (status == QP_OK && prepared->kernel->computes)
        status = qp_compute_check_pass(pass, prepared);
    return status == QP_OK ? qp_tiles_prepare(prepared) : status;
}

enum qp_status qp_pass_prepare(const struct qp_pass *pass, struct qp_prepared *out)
{
    enum qp_status status = qp_kernel_check(pass->kernel, "kernel");
    if (status != QP_OK)
        return status;
    /* Programs are made when arrays are known, so a kernel changes inside. */
    *out = (struct qp_prepared){.kernel = (struct qp_kernel *)pass->kernel,
                                .in_place = pass->in_place};
    status = qp_context_enter(out->kernel->context);
    if (status == QP_OK)
        status = prepare(pass, out);
    return status == QP_OK ? qp_kernel_form(out->kernel, outsides_of(out), &out->form) : status;
}
