/* SPDX-License-Identifier: MIT */
/* Compute shaders as kernels: their groups, and the images that they write. */
#include <string.h>

#include "toolkit/pass.h"

enum { USUAL_GROUP = 8, MOST_INVOCATIONS = 1024 /* of a group, that every OpenGL 4.3 has */ };

bool qp_kernel_computes(const struct qp_kernel_desc *desc)
{
    return desc->compute.text != NULL || desc->compute.file != NULL;
}

struct qp_group qp_kernel_group(const struct qp_kernel_desc *desc)
{
    if (!qp_kernel_computes(desc))
        return (struct qp_group){0, 0};
    return (struct qp_group){desc->group_x != 0 ? desc->group_x : USUAL_GROUP,
                             desc->group_y != 0 ? desc->group_y : USUAL_GROUP};
}

static enum qp_status check_group(const struct qp_kernel_desc *desc, const char *name)
{
    const struct qp_group group = qp_kernel_group(desc);
    if (group.x >= 1 && group.x <= MOST_INVOCATIONS && group.y >= 1 &&
        group.y <= MOST_INVOCATIONS / group.x)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: a group of %d x %d invocations; take 1 to %d in all", name,
                   group.x, group.y, MOST_INVOCATIONS);
}

enum qp_status qp_kernel_check_compute(const struct qp_kernel_desc *desc, const char *name)
{
    static const char *const taken[] = {"first", "end"};
    if (!qp_kernel_computes(desc))
        return desc->group_x == 0 && desc->group_y == 0
                   ? QP_OK
                   : qp_fail(QP_BAD_USE, "%s has a group of invocations and no compute shader",
                             name);
    if (desc->body != NULL || desc->fragment.text != NULL || desc->fragment.file != NULL ||
        desc->vertex.text != NULL || desc->vertex.file != NULL)
        return qp_fail(QP_BAD_USE, "%s has a compute shader and another one, and needs only one",
                       name);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < QP_KERNEL_INPUTS && desc->input[i].name != NULL; i++) {
            if (strcmp(desc->input[i].name, taken[k]) == 0)
                return qp_fail(QP_BAD_USE, "%s: '%s' is the region's, and no input's", name,
                               taken[k]);
        }
        for (int i = 0; i < QP_KERNEL_NUMBERS && desc->number[i].name != NULL; i++) {
            if (strcmp(desc->number[i].name, taken[k]) == 0)
                return qp_fail(QP_BAD_USE, "%s: '%s' is the region's, and no number's", name,
                               taken[k]);
        }
    }
    return check_group(desc, name);
}

struct qp_uniform *qp_kernel_list_images(const struct qp_kernel *kernel, struct qp_uniform *next)
{
    static const char *const images[QP_KERNEL_OUTPUTS] = {"out0", "out1", "out2", "out3"};
    static const enum qp_uniform_type types[] = {[QP_ARRAY_FLOAT] = QP_IMAGE,
                                                 [QP_ARRAY_HALF] = QP_IMAGE,
                                                 [QP_ARRAY_INT] = QP_IMAGE_INTEGERS,
                                                 [QP_ARRAY_UINT] = QP_IMAGE_WORDS,
                                                 [QP_ARRAY_DOUBLE] = QP_IMAGE_WORDS};
    if (!qp_kernel_computes(&kernel->desc))
        return next;
    *next++ = (struct qp_uniform){"first", QP_VECTOR, 0};
    *next++ = (struct qp_uniform){"end", QP_VECTOR, 0};
    for (int i = 0; i < kernel->outputs; i++)
        *next++ = (struct qp_uniform){images[i], types[kernel->desc.output_type], 0};
    return next;
}

void qp_prepared_fill_images(const struct qp_prepared *prepared, struct qp_step_value *values)
{
    const struct qp_rect *region = &prepared->region;
    values[0] = (struct qp_step_value){.x = region->x, .y = region->y};
    values[1] =
        (struct qp_step_value){.x = region->x + region->width, .y = region->y + region->height};
    for (int i = 0; i < prepared->kernel->outputs; i++)
        values[QP_KERNEL_REGION + i].texture = &prepared->output[i]->storage->texture;
}

enum qp_status qp_pass_check_compute(const struct qp_pass *pass, const struct qp_kernel *kernel)
{
    const char *what = pass->blend != QP_BLEND_REPLACE             ? "blending"
                       : pass->points != 0                         ? "points"
                       : pass->mask != NULL || pass->mask_inverted ? "a mask"
                       : pass->depth != NULL                       ? "a depth"
                                                                   : NULL;
    if (what == NULL || !qp_kernel_computes(&kernel->desc))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: a compute shader draws nothing, so it has not %s",
                   kernel->desc.name, what);
}
