/* SPDX-License-Identifier: MIT */
/* Reductions: descriptions, arrays between passes, making and destroying. reduce_kernels.c makes
 * their kernels, reduce.c runs them. */
#include "toolkit/reduction.h"

#include <stdlib.h>

#include "base/caller.h"
#include "base/whole.h"
#include "gl/context.h"
#include "toolkit/kernel.h"

/* ---- Descriptions ---- */

static enum qp_status check_names(const struct qp_reduction_desc *desc)
{
    if ((unsigned)desc->what > QP_REDUCE_NORM_MAX)
        return qp_fail(QP_BAD_USE,
                       "a reduction's 'what' is %d, which is none; see enum "
                       "qp_reduce_what",
                       (int)desc->what);
    if (desc->map != NULL && desc->what == QP_REDUCE_DOT)
        return qp_fail(QP_BAD_USE, "a dot product of a map; let the map return the product and "
                                   "take QP_REDUCE_SUM");
    if (desc->map == NULL && (desc->input[0].name != NULL || desc->number[0].name != NULL))
        return qp_fail(QP_BAD_USE, "a reduction has inputs or numbers, but no map that reads them");
    const int channels = desc->map != NULL ? 1 : qp_most(desc->of.channels, 1);
    if (desc->channel < 0 || desc->channel >= channels)
        return qp_fail(QP_BAD_USE, "channel %d of %s of %d; the first is 0", desc->channel,
                       desc->map != NULL ? "a map" : "arrays", channels);
    return QP_OK;
}

/* The arrays as they are; or a map's, one float a cell. */
static enum qp_status check_desc(const struct qp_context *context,
                                 const struct qp_reduction_desc *desc, struct qp_array_desc *out)
{
    struct qp_array_desc of = desc->of;
    of.outside = QP_OUTSIDE_ZERO;
    if (desc->map != NULL)
        of = (struct qp_array_desc){.width = of.width, .height = of.height};
    enum qp_status status = qp_array_check_desc(context, GL_TEXTURE_RECTANGLE_ARB, &of, out);
    if (status != QP_OK)
        return status;
    if (desc->compensated && !(context->device.abilities & QP_CAN_PRECISE))
        return qp_fail(QP_UNSUPPORTED, "a compensated sum needs the ability \"precise\", which "
                                       "this device lacks; leave 'compensated' false");
    return QP_OK;
}

/* ---- Arrays between the passes ---- */

static enum qp_status make_arrays(struct qp_reduction *r)
{
    struct qp_array_desc level = {.width = r->of.width, .height = r->of.height};
    enum qp_status status = QP_OK;
    if (r->map != NULL && r->first[QP_SCALE_NONE] != NULL)
        status = qp_array_create(r->context, &level, NULL, &r->grid);
    level.type = r->way.level;
    level.channels = r->way.level_channels;
    while (status == QP_OK && (r->levels == 0 || level.width > 1 || level.height > 1)) {
        level.width = qp_groups_in(level.width, QP_REDUCTION_FAN);
        level.height = qp_groups_in(level.height, QP_REDUCTION_FAN);
        status = qp_array_create(r->context, &level, NULL, &r->level[r->levels++]);
    }
    return status;
}

/* The passes from the second one on, which never change. */
static enum qp_status record_climb(struct qp_reduction *r)
{
    struct qp_pass passes[QP_REDUCTION_LEVELS] = {0};
    for (int k = 0; k + 1 < r->levels; k++) {
        passes[k].kernel = r->next;
        passes[k].input[0] = (struct qp_pass_input){"x", r->level[k]};
        passes[k].output[0] = r->level[k + 1];
    }
    return r->levels > 1 ? qp_list_create(passes, r->levels - 1, &r->climb) : QP_OK;
}

/* ---- Making and destroying ---- */

/* Frees what was made, whatever that is. */
static void destroy(void *object)
{
    struct qp_reduction *r = object;
    qp_list_destroy(&r->climb);
    for (int k = 0; k < QP_REDUCTION_LEVELS; k++)
        qp_array_destroy(&r->level[k]);
    qp_array_destroy(&r->grid);
    qp_kernel_destroy(&r->answer);
    qp_kernel_destroy(&r->next);
    for (int k = 0; k < QP_SCALES; k++)
        qp_kernel_destroy(&r->first[k]);
    qp_array_destroy(&r->scaled);
    qp_kernel_destroy(&r->map);
    free(r);
}

static enum qp_status create(struct qp_context *context, const struct qp_reduction_desc *desc,
                             struct qp_reduction **out)
{
    struct qp_array_desc of;
    enum qp_status status = check_names(desc);
    if (status == QP_OK)
        status = check_desc(context, desc, &of);
    if (status != QP_OK)
        return status;
    struct qp_reduction *r = qp_alloc_zero(1, sizeof *r, "a reduction");
    if (r == NULL)
        return QP_NO_MEMORY;
    r->context = context;
    r->of = of;
    r->what = desc->what;
    r->maps = desc->map != NULL;
    r->two = desc->what == QP_REDUCE_DOT;
    status = qp_reduction_kernels(r, desc);
    if (status == QP_OK)
        status = make_arrays(r);
    if (status == QP_OK)
        status = record_climb(r);
    if (status == QP_OK) /* its arrays and kernels go with the context themselves */
        status = qp_object_born(r, QP_OBJECT_REDUCTION, context, free);
    if (status == QP_OK)
        *out = r;
    else
        destroy(r);
    return status;
}

enum qp_status qp_reduction_create(struct qp_context *context, const struct qp_reduction_desc *desc,
                                   struct qp_reduction **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(context) || QP_NEED(desc))
        return QP_BAD_USE;
    enum qp_status status = qp_context_begin(&call, context);
    if (status == QP_OK)
        status = create(context, desc, out);
    return qp_call_end(&call, status);
}

void qp_reduction_destroy(struct qp_reduction **reduction)
{
    qp_object_destroy(reduction, QP_OBJECT_REDUCTION, "reduction", destroy);
}
