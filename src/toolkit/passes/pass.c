/* SPDX-License-Identifier: MIT */
#include "toolkit/passes/pass.h"

#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/framebuffer.h"

/* ---- Drawing ---- */

/* The value outside as the array's type has it, a double apart rounded; of unsigned integers as the
 * signed one with its bits. */
static double value_beyond(const struct qp_array_desc *desc)
{
    union qp_cell_value cell;
    if (desc->outside != QP_OUTSIDE_VALUE || qp_array_cell(desc->type, desc->value, &cell) != QP_OK)
        return 0.0;
    if (desc->type == QP_ARRAY_DOUBLE)
        return desc->value;
    return desc->type >= QP_ARRAY_INT ? cell.integer[0] : (double)cell.fraction[0];
}

/* Values in the order of the kernel's names; `places` has four numbers an input. */
static void fill_values(const struct qp_prepared *prepared, double (*places)[4],
                        struct qp_step_value *values)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const bool is_short = kernel->desc.body != NULL;
    for (int i = 0; i < kernel->inputs; i++) {
        const struct qp_array *array = prepared->input[i];
        struct qp_step_value *place = &values[kernel->inputs + 2 * i];
        if (array == NULL)
            continue;
        const double at[4] = {array->x, array->y, array->desc.width, array->desc.height};
        memcpy(places[i], at, sizeof at);
        values[i].texture = &array->storage->texture;
        place[0] = (struct qp_step_value){.x = at[0], .y = at[1], .list = places[i]};
        place[1].x = is_short ? value_beyond(&array->desc) : at[2];
        place[1].y = at[3];
    }
    for (int i = 0; i < kernel->numbers; i++) {
        const struct qp_kernel_number *number = &kernel->desc.number[i];
        const struct qp_pass_number *given = &prepared->number[i];
        const bool several = number->elements > 0 || number->type >= QP_NUMBER_VEC3;
        values[3 * kernel->inputs + i] =
            (struct qp_step_value){.x = given->value[0],
                                   .y = given->value[1],
                                   .list = !several               ? NULL
                                           : number->elements > 0 ? given->list
                                                                  : given->value};
    }
    struct qp_step_value *last = &values[3 * kernel->inputs + kernel->numbers];
    const struct qp_array *output = prepared->output[0];
    last[0] = (struct qp_step_value){.x = output->desc.width, .y = output->desc.height};
    last[1] = (struct qp_step_value){.x = output->x, .y = output->y};
}

static enum qp_status choose_surface(const struct qp_prepared *prepared, struct qp_surface *out)
{
    struct qp_kernel *kernel = prepared->kernel;
    struct qp_texture textures[QP_KERNEL_OUTPUTS];
    const struct qp_texture *pointers[QP_KERNEL_OUTPUTS];
    if (kernel->outputs == 1)
        return qp_array_surface(prepared->output[0], out);
    for (int i = 0; i < kernel->outputs; i++) {
        textures[i] = prepared->output[i]->storage->texture;
        pointers[i] = &textures[i];
    }
    *out = (struct qp_surface){0, GL_COLOR_ATTACHMENT0};
    enum qp_status status = QP_OK;
    if (kernel->framebuffer_id != 0)
        qp_framebuffer_attach(kernel->framebuffer_id, textures, kernel->outputs);
    else
        status = qp_framebuffer_create(kernel->context, pointers, kernel->outputs,
                                       &kernel->framebuffer_id);
    out->framebuffer_id = kernel->framebuffer_id;
    return status;
}

/* Points are at (number, 0); a cell's corners are whole numbers, as in all passes. */
static struct qp_geometry geometry_of(const struct qp_prepared *prepared)
{
    const struct qp_rect *region = &prepared->region;
    if (prepared->points == 0)
        return qp_quad(0.0f, 0.0f, (float)region->width, (float)region->height);
    struct qp_geometry points = qp_points(0, 0);
    points.x0 = points.y0 = -0.5f;
    points.x1 = (float)prepared->points - 0.5f;
    points.y1 = 0.5f;
    return points;
}

/* Values of the names that compute kernels alone have; `place` is the region, four numbers. */
static void fill_compute_values(const struct qp_prepared *prepared, double place[4],
                                struct qp_step_value *values)
{
    const struct qp_rect *region = &prepared->region;
    const double numbers[4] = {region->x, region->y, region->width, region->height};
    memcpy(place, numbers, sizeof numbers);
    values[0] = (struct qp_step_value){.list = place};
    for (int i = 0; i < prepared->kernel->outputs; i++)
        values[1 + i].texture = &prepared->output[i]->storage->texture;
}

static void dispatch(const struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    struct qp_step_value values[QP_KERNEL_ALL_NAMES] = {0};
    double places[QP_KERNEL_INPUTS][4], region[4];
    const struct qp_gl_pass pass = {.step = &prepared->form->step,
                                    .values = values,
                                    .width = prepared->region.width,
                                    .height = prepared->region.height,
                                    .barrier = true};
    fill_values(prepared, places, values);
    fill_compute_values(prepared, region, &values[3 * kernel->inputs + kernel->numbers + 2]);
    qp_step_run(kernel->context, &pass);
}

enum qp_status qp_prepared_draw(const struct qp_prepared *prepared)
{
    if (prepared->tiled)
        return qp_tiles_draw(prepared, qp_prepared_draw);
    const struct qp_kernel *kernel = prepared->kernel;
    if (kernel->computes) {
        dispatch(prepared);
        return QP_OK;
    }
    const struct qp_rect *region = &prepared->region;
    struct qp_step_value values[QP_KERNEL_NAMES];
    double places[QP_KERNEL_INPUTS][4];
    struct qp_gl_pass pass = {.step = &prepared->form->step,
                              .values = values,
                              .targets = kernel->outputs,
                              .x = prepared->output[0]->x + region->x,
                              .y = prepared->output[0]->y + region->y,
                              .width = region->width,
                              .height = region->height,
                              .geometry = geometry_of(prepared),
                              .blend = prepared->blend,
                              .test = qp_prepared_test(prepared),
                              .barrier = prepared->in_place};
    enum qp_status status = choose_surface(prepared, &pass.surface);
    if (status == QP_OK && kernel->counts)
        status = qp_gl_watch_rounds(kernel->context, kernel->desc.name);
    if (status != QP_OK)
        return status;
    memset(values, 0, (size_t)prepared->form->step.names * sizeof *values);
    fill_values(prepared, places, values);
    qp_step_run(kernel->context, &pass);
    return QP_OK;
}

/* ---- Public functions ---- */

enum qp_status qp_pass_run(const struct qp_pass *pass)
{
    struct qp_call call;
    struct qp_prepared prepared;
    if (QP_NEED(pass))
        return QP_BAD_USE;
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = qp_pass_prepare(pass, &prepared);
    if (status == QP_OK)
        status = qp_prepared_draw(&prepared);
    if (status == QP_OK)
        status = qp_gl_check_pass(prepared.kernel->context, prepared.kernel->desc.name);
    return qp_call_end(&call, status);
}

enum qp_status qp_context_finish(struct qp_context *context)
{
    struct qp_call call;
    if (QP_NEED(context))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK) {
        glFinish();
        status = qp_gl_check(context, "waiting for passes");
    }
    return qp_call_end(&call, status);
}
