/* SPDX-License-Identifier: MIT */
/* The change of a step on OpenGL: residuals are drawn, squared and summed along each row; the sums
 * of the rows come back and are added on the host, from below to above, in double. So no row's
 * share depends on how many there are. */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/common.h"
#include "lab/engines/gl.h"
#include "toolkit/base/status.h"

static struct qp_plan_gl *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* Shader that draws residuals, and format that it draws into: of x in double they are floats, one
 * for each value of a texel. */
static const char *change_shader(enum qp_format format)
{
    if (qp_format_has_pairs(format))
        return "reduce/change_pairs.frag";
    return qp_format_has_words(format) ? "reduce/change_double.frag" : "reduce/change.frag";
}

static enum qp_format change_format(enum qp_format format)
{
    if (qp_format_precision(format) == QP_FLOATS)
        return qp_format_widened(format); /* squares leave the range of 16 bits */
    return qp_format_channels(format) > 1 ? QP_RGBA32F : QP_R32F;
}

enum qp_status qp_plan_gl_make_change_textures(struct qp_plan *plan)
{
    struct qp_layout wide = plan->layout;
    wide.shape.format = qp_format_widened(wide.shape.format);
    const char *scale = plan->scale_texels;
    size_t sheet = qp_layout_bytes(&wide) / (size_t)wide.sheets;
    for (int i = 0; i < wide.sheets; i++) {
        enum qp_status status = qp_texture_create(
            plan->context, qp_gl_target(plan->target), wide.shape.format, wide.storage_x,
            wide.sheet_y, scale + (size_t)i * sheet, &own_of(plan)->scale[i]);
        if (status != QP_OK)
            return status;
    }
    const struct qp_reducer_desc desc = {.climb = &qp_climb_rows,
                                         .reduction = QP_SUM_OF_SQUARES,
                                         .target = qp_gl_target(plan->target),
                                         .format = change_format(wide.shape.format),
                                         .width = plan->layout.domain_x,
                                         .height = plan->layout.domain_y,
                                         .scratch = true};
    return qp_reducer_create(plan->context, &desc, &own_of(plan)->reducer);
}

enum qp_status qp_plan_gl_make_change(struct qp_plan *plan)
{
    const enum qp_format format = plan->layout.shape.format;
    const enum qp_uniform_type sampler = qp_sampler_of(format);
    const struct qp_uniform names[] = {{"after", sampler, 0},
                                       {"before", sampler, 0},
                                       {"scale", sampler, 0},
                                       {"origin", QP_VECTOR, 0},
                                       {0}};
    const struct qp_program_source source = {.fragment = {.name = change_shader(format)},
                                             .target = qp_gl_target(plan->target)};
    return qp_step_make(plan->context, &source, names, &own_of(plan)->change);
}

/* Lists the change of one sheet: a sum for each of its rows of texels and each channel. */
static void list_sheet(struct qp_plan *plan, int sheet, struct qp_passes *to)
{
    struct qp_plan_gl *gl = plan->own;
    const int width = plan->layout.domain_x, height = plan->layout.domain_y;
    const struct qp_step_value values[] = {
        {.texture = qp_pingpong_target(&gl->pair) + sheet},
        {.texture = qp_pingpong_source(&gl->pair) + sheet},
        {.texture = &gl->scale[sheet]},
        {.x = plan->layout.origin_x, .y = plan->layout.origin_y}};
    const struct qp_gl_pass pass = {.step = &gl->change,
                                    .values = values,
                                    .surface = qp_reducer_surface(&gl->reducer),
                                    .width = width,
                                    .height = height,
                                    .geometry = qp_quad(0.0f, 0.0f, (float)width, (float)height)};
    const struct qp_region region = {
        .x = &gl->reducer.texture[0], .width = width, .height = height};
    qp_passes_add(to, &pass);
    qp_reducer_list(&gl->reducer, &region, to);
}

/* Rows of texels are dealt out to the sheets in turn. `sums` has four values a line, as many as
 * channels in use. */
static enum qp_status change_channels(struct qp_plan *plan, double *sums)
{
    const int sheets = plan->layout.sheets, height = plan->layout.domain_y;
    const int channels = own_of(plan)->reducer.channels;
    float *rows = qp_alloc((size_t)(height * channels), sizeof *rows, "sums of rows");
    enum qp_status status = rows != NULL ? QP_OK : QP_NO_MEMORY;
    for (int sheet = 0; sheet < sheets && status == QP_OK; sheet++) {
        status = qp_draw_listed(plan, list_sheet, sheet);
        if (status == QP_OK)
            status = qp_reducer_read_rows(&own_of(plan)->reducer, height, rows);
        for (int k = 0; k < height * 4 && status == QP_OK; k++)
            sums[4 * (k / 4 * sheets + sheet) + k % 4] =
                k % 4 < channels ? (double)rows[k / 4 * channels + k % 4] : 0.0;
    }
    free(rows);
    return status;
}

static double *make_sums(const struct qp_plan *plan)
{
    return qp_alloc((size_t)(4 * qp_plan_lines(plan)), sizeof(double), "sums of rows");
}

enum qp_status qp_plan_gl_change_lines(struct qp_plan *plan, double *sums)
{
    double *four = make_sums(plan);
    const enum qp_status status = four != NULL ? change_channels(plan, four) : QP_NO_MEMORY;
    for (int y = 0; y < qp_plan_lines(plan) && status == QP_OK; y++)
        sums[y] = four[4 * y] + four[4 * y + 1] + four[4 * y + 2] + four[4 * y + 3];
    free(four);
    return status;
}

/* The largest change of several systems, which have a channel each; NaN is larger than all. */
static enum qp_status change_systems(struct qp_plan *plan, double *norm)
{
    double *four = make_sums(plan), most = 0.0;
    const enum qp_status status = four != NULL ? change_channels(plan, four) : QP_NO_MEMORY;
    for (int s = 0; s < plan->problem->systems && status == QP_OK; s++) {
        double sum = 0.0;
        for (int y = 0; y < qp_plan_lines(plan); y++)
            sum += four[4 * y + s];
        most = sum <= most ? most : sum;
    }
    free(four);
    *norm = sqrt(most);
    return status;
}

enum qp_status qp_plan_gl_change(struct qp_plan *plan, double *norm)
{
    if (plan->problem->systems > 1)
        return change_systems(plan, norm);
    double *sums = make_sums(plan), sum = 0.0;
    const enum qp_status status = sums != NULL ? qp_plan_gl_change_lines(plan, sums) : QP_NO_MEMORY;
    for (int y = 0; y < qp_plan_lines(plan) && status == QP_OK; y++)
        sum += sums[y];
    free(sums);
    *norm = sqrt(sum);
    return status;
}
