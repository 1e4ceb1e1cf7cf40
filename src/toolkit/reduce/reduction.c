/* SPDX-License-Identifier: MIT */
/* Reductions: descriptions, arrays between passes, making and destroying. reduce_kernels.c makes
 * their kernels, reduce.c runs them. */
#include "toolkit/reduce/reduction.h"

#include <limits.h>
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/kernel/kernel.h"

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

/* ---- Pyramids ---- */

/* Makes the levels above an array of sizes, type and channels `of`, up to one that has `most` cells
 * or fewer; qp_pyramid_destroy frees them, also after errors. */
static enum qp_status make_levels(struct qp_context *context, struct qp_array_desc of, int fan,
                                  int most, struct qp_pyramid *out)
{
    enum qp_status status;
    do {
        of.width = qp_groups_in(of.width, fan);
        of.height = qp_groups_in(of.height, fan);
        status = qp_array_create(context, &of, NULL, &out->level[out->levels++]);
    } while (status == QP_OK && of.width * of.height > most);
    return status;
}

void qp_pyramid_destroy(struct qp_pyramid *pyramid)
{
    for (int k = 0; k < pyramid->levels; k++)
        qp_array_destroy(&pyramid->level[k]);
    qp_kernel_destroy(&pyramid->next);
}

int qp_pyramid_passes(const struct qp_pyramid *pyramid, struct qp_pass *pass)
{
    pass->output[0] = pyramid->level[0];
    for (int k = 1; k < pyramid->levels; k++)
        pass[k] = (struct qp_pass){.kernel = pyramid->next,
                                   .input = {{"x", pyramid->level[k - 1]}},
                                   .output = {pyramid->level[k]}};
    return pyramid->levels;
}

/* ---- Arrays between the passes ---- */

static enum qp_status make_arrays(struct qp_reduction *r)
{
    const struct qp_array_desc grid = {.width = r->of.width, .height = r->of.height},
                               level = {.width = r->of.width,
                                        .height = r->of.height,
                                        .type = r->way.level,
                                        .channels = r->way.level_channels};
    const enum qp_status status = r->map != NULL && r->first[QP_SCALE_NONE] != NULL
                                      ? qp_array_create(r->context, &grid, NULL, &r->grid)
                                      : QP_OK;
    return status == QP_OK ? make_levels(r->context, level, 4, 1, &r->pyramid) : status;
}

/* The passes from the second one on, which never change. */
static enum qp_status record_climb(struct qp_reduction *r)
{
    struct qp_pass passes[QP_PYRAMID_LEVELS];
    const int count = qp_pyramid_passes(&r->pyramid, passes);
    return count > 1 ? qp_list_create(passes + 1, count - 1, &r->climb) : QP_OK;
}

/* ---- Making and destroying ---- */

/* Frees what was made, whatever that is. */
static void destroy(void *object)
{
    struct qp_reduction *r = object;
    qp_list_destroy(&r->climb);
    qp_pyramid_destroy(&r->pyramid);
    qp_array_destroy(&r->grid);
    qp_kernel_destroy(&r->answer);
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

/* ---- Four sums at once ---- */

enum qp_status qp_sums_create(struct qp_context *context, int width, int height, int group,
                              struct qp_pyramid *out)
{
    static const struct qp_kernel_desc join = {
        .name = "join", .input = {{"x", QP_ARRAY_FLOAT, 4, 0}}, .output_channels = 4};
    const struct qp_array_desc of = {width, height, .channels = 4};
    if (group > 0)
        return make_levels(context, of, group, INT_MAX, out);
    /* The cells that are left are added up by one fragment: more where a pass costs more. */
    const int last = context->device.software ? QP_SUMS_LAST : QP_SUMS_LAST / 8;
    const enum qp_status status = make_levels(context, of, 8, last, out);
    return status == QP_OK ? qp_sums_kernel(context, "toolkit/join.frag", false, &join, &out->next)
                           : status;
}

enum qp_status qp_sums_read(const struct qp_pyramid *sums, double total[4])
{
    const struct qp_array *top = qp_pyramid_top(sums);
    const size_t values = 4 * (size_t)top->desc.width * (size_t)top->desc.height;
    float *value = qp_alloc(values, sizeof *value, "sums");
    if (value == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = qp_array_read(top, NULL, value, 0);
    for (size_t i = 0; i < values && status == QP_OK; i++)
        total[i % 4] += (double)value[i];
    free(value);
    return status;
}
