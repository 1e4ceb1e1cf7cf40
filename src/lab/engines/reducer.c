/* SPDX-License-Identifier: MIT */
#include "lab/engines/reducer.h"

#include <math.h>

#include "toolkit/base/whole.h"
#include "toolkit/gl/readback.h"

/* ---- Ways up ---- */

#define ONE_OR_FOUR(index_shader)                                                         \
    {                                                                                     \
        [QP_SUM] = "reduce/sum.frag", [QP_SUM_OF_SQUARES] = "reduce/sum_of_squares.frag", \
        [QP_DOT] = "reduce/dot.frag", [QP_MAX_MAGNITUDE] = "reduce/max_magnitude.frag",   \
        [QP_INDEX] = index_shader                                                         \
    }

const struct qp_climb qp_climb_tree = {
    .fan = 4,
    .first = {ONE_OR_FOUR("reduce/index.frag"), ONE_OR_FOUR("reduce/index_rgba.frag")},
    .next = {[QP_SUM] = "reduce/sum.frag",
             [QP_SUM_OF_SQUARES] = "reduce/sum.frag",
             [QP_DOT] = "reduce/sum.frag",
             [QP_MAX_MAGNITUDE] = "reduce/max_magnitude.frag",
             [QP_INDEX] = "reduce/index_next.frag"},
};

const struct qp_climb qp_climb_tree_2x2 = {
    .fan = 2,
    .first = {{[QP_SUM] = "reduce/sum_2x2.frag"}},
    .next = {[QP_SUM] = "reduce/sum_2x2.frag"},
};

const struct qp_climb qp_climb_tree_8x8 = {
    .fan = 8,
    .first = {{[QP_SUM] = "reduce/sum_8x8.frag"}},
    .next = {[QP_SUM] = "reduce/sum_8x8.frag"},
};

const struct qp_climb qp_climb_rows = {
    .fan = 16,
    .keeps_rows = true,
    .first = {{[QP_SUM] = "reduce/row_sum.frag", [QP_SUM_OF_SQUARES] = "reduce/row_squares.frag"},
              {[QP_SUM] = "reduce/row_sum.frag", [QP_SUM_OF_SQUARES] = "reduce/row_squares.frag"}},
    .next = {[QP_SUM] = "reduce/row_sum.frag", [QP_SUM_OF_SQUARES] = "reduce/row_sum.frag"},
};

const struct qp_climb qp_climb_compensated = {
    .fan = 4,
    .pairs = true,
    .first = {{[QP_SUM] = "reduce/compensated_sum.frag",
               [QP_SUM_OF_SQUARES] = "reduce/compensated_squares.frag",
               [QP_DOT] = "reduce/compensated_dot.frag"}},
    .next = {[QP_SUM] = "reduce/compensated_next.frag",
             [QP_SUM_OF_SQUARES] = "reduce/compensated_next.frag",
             [QP_DOT] = "reduce/compensated_next.frag"},
};

const char *qp_climb_first(const struct qp_climb *climb, enum qp_reduction_kind reduction,
                           enum qp_format format)
{
    return climb->first[qp_format_channels(format) == 4][reduction];
}

static enum qp_levels levels_of(const struct qp_climb *climb, enum qp_reduction_kind reduction)
{
    if (reduction == QP_INDEX)
        return QP_PLACE;
    return climb->pairs ? QP_SUM_PAIR : QP_AS_INPUT;
}

static int shrink(const struct qp_climb *climb, int texels)
{
    return qp_groups_in(texels, climb->fan);
}

static int shrink_up(const struct qp_climb *climb, int texels)
{
    return climb->keeps_rows ? texels : shrink(climb, texels);
}

/* True if a level of this size is an answer. */
static bool is_top(const struct qp_climb *climb, int width, int height)
{
    return width == 1 && (height == 1 || climb->keeps_rows);
}

/* Depth of the tree: log2(fan x fan) a pass, and one where four channels have met in double. */
int qp_climb_depth(const struct qp_climb *climb, enum qp_format format, int width, int height)
{
    int depth = qp_format_channels(format) == 4 ? 1 : 0;
    for (int side = width > height ? width : height; side > 1; side = shrink(climb, side)) {
        for (int fan = climb->fan; fan > 1; fan /= 2)
            depth += 2;
    }
    return depth;
}

/* ---- The pyramid ---- */

static enum qp_status add_level(struct qp_reducer *reducer, GLenum target, enum qp_format format,
                                int width, int height)
{
    int level = reducer->levels++;
    enum qp_status status = qp_texture_create(reducer->context, target, format, width, height, NULL,
                                              &reducer->texture[level]);
    if (status != QP_OK)
        return status;
    const struct qp_texture *const textures[] = {&reducer->texture[level]};
    return qp_framebuffer_create(reducer->context, textures, 1, &reducer->framebuffer_id[level]);
}

enum qp_status qp_reducer_create(struct qp_context *context, const struct qp_reducer_desc *desc,
                                 struct qp_reducer *out)
{
    int width = desc->width, height = desc->height;
    *out = (struct qp_reducer){.context = context,
                               .climb = desc->climb != NULL ? desc->climb : &qp_climb_tree,
                               .reduction = desc->reduction,
                               .channels = qp_format_channels(desc->format),
                               .width = width,
                               .height = height};
    if (qp_climb_first(out->climb, desc->reduction, desc->format) == NULL)
        return qp_fail(QP_UNSUPPORTED,
                       "no way up the pyramid leads to this reduction of %s texels; take "
                       "qp_climb_tree",
                       qp_format_name(desc->format));
    bool as_input = levels_of(out->climb, desc->reduction) == QP_AS_INPUT;
    enum qp_status status = QP_OK;
    if (desc->scratch)
        status = add_level(out, desc->target, desc->format, width, height);
    out->levels = 1;
    do { /* at least once, since the first pass also squares */
        width = shrink(out->climb, width);
        height = shrink_up(out->climb, height);
        if (status == QP_OK)
            status =
                add_level(out, desc->target, as_input ? desc->format : QP_RGBA32F, width, height);
    } while (status == QP_OK && !is_top(out->climb, width, height));
    return status;
}

struct qp_surface qp_reducer_surface(const struct qp_reducer *reducer)
{
    return (struct qp_surface){reducer->framebuffer_id[0], GL_COLOR_ATTACHMENT0};
}

void qp_reducer_destroy(struct qp_reducer *reducer)
{
    for (int i = 0; i < QP_REDUCE_LEVELS && reducer->context != NULL; i++) {
        qp_framebuffer_destroy(reducer->context, &reducer->framebuffer_id[i]);
        qp_texture_destroy(&reducer->texture[i]);
    }
    *reducer = (struct qp_reducer){0};
}

/* ---- The passes ---- */

/* Found once: a pass over a few texels costs less than looking for its program. */
static enum qp_status make_step(struct qp_reducer *reducer, const char *fragment, GLenum target,
                                struct qp_step *step)
{
    static const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0},     {"y", QP_SAMPLER, 0},
                                              {"origin", QP_VECTOR, 0}, {"size", QP_VECTOR, 0},
                                              {"apart", QP_VECTOR, 0},  {0}};
    const struct qp_program_source source = {.fragment = {.name = fragment}, .target = target};
    return step->program != NULL ? QP_OK : qp_step_make(reducer->context, &source, names, step);
}

/* Lists a pass: the region's texels, fan x fan to one, into texels (0, 0) and on of the level. */
static void list_level(struct qp_reducer *reducer, const struct qp_step *step, int level,
                       const struct qp_region *region, struct qp_passes *to)
{
    const int width = shrink(reducer->climb, region->width),
              height = shrink_up(reducer->climb, region->height);
    const struct qp_step_value values[] = {{.texture = region->x},
                                           {.texture = region->y},
                                           {.x = region->left, .y = region->bottom},
                                           {.x = region->width, .y = region->height},
                                           {.x = 0.0, .y = 0.0}};
    const struct qp_gl_pass pass = {
        .step = step,
        .values = values,
        .surface = {reducer->framebuffer_id[level], GL_COLOR_ATTACHMENT0},
        .width = width,
        .height = height,
        .geometry = qp_quad(0.0f, 0.0f, (float)width, (float)height)};
    qp_passes_add(to, &pass);
}

static enum qp_status list_levels(struct qp_reducer *reducer, const struct qp_region *region,
                                  struct qp_passes *to)
{
    const struct qp_climb *climb = reducer->climb;
    struct qp_region input = *region;
    if (input.width < 1 || input.height < 1 || input.width > reducer->width ||
        input.height > reducer->height)
        return qp_fail(QP_BAD_USE, "%d x %d texels do not fit a reducer made for %d x %d",
                       input.width, input.height, reducer->width, reducer->height);
    reducer->top = 0;
    do {
        int next = reducer->top > 0;
        const char *fragment = next ? climb->next[reducer->reduction]
                                    : climb->first[reducer->channels == 4][reducer->reduction];
        enum qp_status status = make_step(reducer, fragment, input.x->target, &reducer->step[next]);
        if (status != QP_OK)
            return status;
        list_level(reducer, &reducer->step[next], ++reducer->top, &input, to);
        input = (struct qp_region){.x = &reducer->texture[reducer->top],
                                   .width = shrink(climb, input.width),
                                   .height = shrink_up(climb, input.height)};
    } while (!is_top(climb, input.width, input.height));
    return QP_OK;
}

void qp_reducer_list(struct qp_reducer *reducer, const struct qp_region *region,
                     struct qp_passes *to)
{
    const enum qp_status status = list_levels(reducer, region, to);
    if (to->status == QP_OK)
        to->status = status;
}

/* ---- The answer ---- */

const struct qp_texture *qp_reducer_answer(const struct qp_reducer *reducer)
{
    return &reducer->texture[reducer->top];
}

enum qp_status qp_reducer_read_channels(const struct qp_reducer *reducer, double result[4])
{
    float texel[4] = {NAN, NAN, NAN, NAN};
    struct qp_surface surface = {reducer->framebuffer_id[reducer->top], GL_COLOR_ATTACHMENT0};
    enum qp_status status = qp_readback(reducer->context, surface,
                                        qp_reducer_answer(reducer)->format, 0, 0, 1, 1, texel);
    for (int i = 0; i < 4; i++)
        result[i] = texel[i];
    return status;
}

enum qp_status qp_reducer_read_rows(const struct qp_reducer *reducer, int rows, float *sums)
{
    struct qp_surface surface = {reducer->framebuffer_id[reducer->top], GL_COLOR_ATTACHMENT0};
    return qp_readback(reducer->context, surface, qp_reducer_answer(reducer)->format, 0, 0, 1, rows,
                       sums);
}

/* Combines two channels: sums are added, of maxima the larger counts, and NaN is the largest. */
static double join(enum qp_reduction_kind reduction, double a, double b)
{
    if (reduction != QP_MAX_MAGNITUDE)
        return a + b;
    return b > a || isnan(b) ? b : a;
}

enum qp_status qp_reducer_read(const struct qp_reducer *reducer, double result[3])
{
    enum qp_levels levels = levels_of(reducer->climb, reducer->reduction);
    int parts = levels == QP_PLACE ? 1 : levels == QP_SUM_PAIR ? 2 : reducer->channels;
    double channel[4];
    enum qp_status status = qp_reducer_read_channels(reducer, channel);
    result[0] = channel[0];
    for (int i = 1; i < parts; i++)
        result[0] = join(reducer->reduction, result[0], channel[i]);
    result[1] = levels == QP_PLACE ? channel[1] : 0.0;
    result[2] = levels == QP_PLACE ? channel[2] : 0.0;
    return status;
}
