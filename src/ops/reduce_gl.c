/* SPDX-License-Identifier: MIT */
#include "ops/reduce_gl.h"

#include <math.h>

#include "gl/readback.h"

static int quarter(int texels)
{
    return (texels + 3) / 4;
}

static enum qp_status add_level(struct qp_reducer *reducer, GLenum target, enum qp_format format,
                                int width, int height)
{
    int level = reducer->levels;
    enum qp_status status = qp_texture_create(reducer->context, target, format, width, height, NULL,
                                              &reducer->texture[level]);
    if (status != QP_OK)
        return status;
    reducer->levels++;
    const struct qp_texture *const textures[] = {&reducer->texture[level]};
    return qp_framebuffer_create(reducer->context, textures, 1, &reducer->framebuffer_id[level]);
}

enum qp_status qp_reducer_create(struct qp_context *context, GLenum target, enum qp_format format,
                                 int width, int height, struct qp_reducer *out)
{
    *out = (struct qp_reducer){.context = context};
    enum qp_status status = add_level(out, target, format, width, height);
    do { /* at least once, since the first pass also squares */
        width = quarter(width);
        height = quarter(height);
        if (status == QP_OK)
            status = add_level(out, target, format, width, height);
    } while (status == QP_OK && (width > 1 || height > 1));
    return status;
}

struct qp_surface qp_reducer_surface(const struct qp_reducer *reducer)
{
    return (struct qp_surface){reducer->framebuffer_id[0], GL_COLOR_ATTACHMENT0};
}

/* One pass: 4 x 4 texels of the input, which begins at (x, y) and is as large as level - 1,
 * to one. */
static enum qp_status draw_level(struct qp_reducer *reducer, const char *fragment, int level,
                                 const struct qp_texture *input, int x, int y)
{
    const struct qp_texture *output = &reducer->texture[level];
    const struct qp_texture *below = &reducer->texture[level - 1];
    struct qp_pass pass = {.surface = {reducer->framebuffer_id[level], GL_COLOR_ATTACHMENT0},
                           .width = output->width,
                           .height = output->height,
                           .geometry = qp_quad(0, 0, (float)output->width, (float)output->height),
                           .texture = {input},
                           .textures = 1};
    enum qp_status status =
        qp_program_get(reducer->context, NULL, fragment, output->target, &pass.program);
    if (status != QP_OK)
        return status;
    qp_program_use(pass.program);
    qp_uniform_sampler(qp_program_location(pass.program, "x"), 0);
    qp_uniform_vector(qp_program_location(pass.program, "origin"), x, y);
    qp_uniform_vector(qp_program_location(pass.program, "size"), below->width, below->height);
    qp_pass_draw(reducer->context, &pass);
    return QP_OK;
}

enum qp_status qp_reducer_run_channels(struct qp_reducer *reducer, enum qp_reduction reduction,
                                       const struct qp_texture *texture, int x, int y,
                                       double result[4])
{
    static const char *const first[] = {"reduce/sum_of_squares.frag", "reduce/max_magnitude.frag"};
    static const char *const next[] = {"reduce/sum.frag", "reduce/max_magnitude.frag"};
    int top = reducer->levels - 1;
    enum qp_status status = draw_level(reducer, first[reduction], 1, texture, x, y);
    for (int level = 2; level <= top && status == QP_OK; level++)
        status = draw_level(reducer, next[reduction], level, &reducer->texture[level - 1], 0, 0);
    if (status != QP_OK)
        return status;
    float texel[4] = {NAN, NAN, NAN, NAN};
    struct qp_surface surface = {reducer->framebuffer_id[top], GL_COLOR_ATTACHMENT0};
    status =
        qp_readback(reducer->context, surface, reducer->texture[top].format, 0, 0, 1, 1, texel);
    for (int i = 0; i < 4; i++)
        result[i] = texel[i];
    return status;
}

enum qp_status qp_reducer_run(struct qp_reducer *reducer, enum qp_reduction reduction,
                              const struct qp_texture *texture, int x, int y, double *result)
{
    double channel[4];
    enum qp_status status = qp_reducer_run_channels(reducer, reduction, texture, x, y, channel);
    *result = channel[0];
    for (int i = 1; i < qp_format_channels(reducer->texture[0].format); i++) {
        if (reduction == QP_SUM_OF_SQUARES || isnan(channel[i]))
            *result += channel[i];
        else if (channel[i] > *result)
            *result = channel[i];
    }
    return status;
}

void qp_reducer_destroy(struct qp_reducer *reducer)
{
    for (int i = 0; i < QP_REDUCE_LEVELS && reducer->context != NULL; i++) {
        qp_framebuffer_destroy(reducer->context, &reducer->framebuffer_id[i]);
        qp_texture_destroy(&reducer->texture[i]);
    }
    *reducer = (struct qp_reducer){0};
}
