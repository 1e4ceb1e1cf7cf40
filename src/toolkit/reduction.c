/* SPDX-License-Identifier: MIT */
/* Reductions: what is made once. reduce.c runs them. */
#include "toolkit/reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/whole.h"
#include "gl/context.h"
#include "gl/shaders.h"
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

/* Integers that are added as floats: there would be no room for their products. */
static bool wants_floats(const struct qp_reduction_desc *desc)
{
    return desc->map == NULL && qp_array_is_whole(desc->of.type) &&
           (desc->what == QP_REDUCE_DOT || desc->what == QP_REDUCE_NORM_2);
}

/* ---- Kernels ---- */

/* 2^-80 and 2^86 keep squares and sums of the largest and of the smallest floats in range. NVIDIA's
 * compiler makes K^2 v^2 of (K v)(K v), unless it does not know K: a position is 0.5 to 2^15. */
#define SMALLER "min(8.2718061255302767e-25, gl_FragCoord.x)"
#define LARGER  "max(7.7371252455336267e+25, gl_FragCoord.x)"
static const char *const scales[] = {[QP_SCALE_NONE] = "vec4(1.0, " SMALLER ", " LARGER ", 1.0)",
                                     [QP_SCALE_SMALLER] = SMALLER,
                                     [QP_SCALE_LARGER] = LARGER};

/* A function of cells by a built-in shader, with these lines before its text. */
static enum qp_status make_map(struct qp_reduction *r, const struct qp_reduction_desc *desc,
                               const char *shader, const char *lines, int channels)
{
    struct qp_kernel_desc kernel = {.name = "map", .output_channels = channels};
    const size_t size = strlen(lines) + strlen(desc->map) + 2;
    char *map = qp_alloc(size, 1, "a map");
    if (map == NULL)
        return QP_NO_MEMORY;
    snprintf(map, size, "%s%s\n", lines, desc->map);
    memcpy(kernel.input, desc->input, sizeof kernel.input);
    memcpy(kernel.number, desc->number, sizeof kernel.number);
    enum qp_status status = qp_kernel_built_in(r->context, shader, NULL, map, &kernel, &r->map);
    free(map);
    return status;
}

/* A map and the first pass in one, which calls the map at 16 places: a loop would be compiled for
 * minutes. Errors as without it, for their lines are those of the caller's text. */
static enum qp_status make_map_sum(struct qp_reduction *r, const struct qp_reduction_desc *desc)
{
    static const char *const terms[] = {[QP_REDUCE_SUM] = "(qp_scale * (v))",
                                        [QP_REDUCE_NORM_1] = "(qp_scale * abs(v))",
                                        [QP_REDUCE_NORM_2] =
                                            "((qp_scale * (v)) * (qp_scale * (v)))"};
    char lines[256];
    snprintf(lines, sizeof lines,
             "#define size vec2(%d.0, %d.0)\n#define qp_scale %s\n#define TERM_OF(v) %s\n",
             r->of.width, r->of.height, scales[QP_SCALE_NONE], terms[desc->what]);
    enum qp_status status = make_map(r, desc, "toolkit/map_sum.frag", lines, 4);
    return status == QP_BAD_INPUT ? make_map(r, desc, "toolkit/map.frag", "", 1) : status;
}

/* A kernel that joins 4 x 4 cells of such arrays. */
static enum qp_status make_level_kernel(const struct qp_reduction *r, const char *shader,
                                        const char *lines, enum qp_array_type type, int channels,
                                        bool two, struct qp_kernel **out)
{
    struct qp_kernel_desc kernel = {.input = {{"x", type, channels, 0}},
                                    .output_type = r->way.level,
                                    .output_channels = r->way.level_channels};
    if (two) {
        kernel.input[1] = (struct qp_kernel_input){"y", type, channels, 0};
        kernel.number[0] = (struct qp_kernel_number){"apart", QP_NUMBER_VEC2, 0};
    }
    return qp_kernel_built_in(r->context, shader, r->way.version, lines, &kernel, out);
}

enum qp_status qp_reduction_scale(struct qp_reduction *r, enum qp_reduction_scale scale)
{
    const struct qp_reduction_desc *sums = &r->sums;
    char lines[sizeof r->way.first_lines + 128];
    if (r->first[scale] != NULL)
        return QP_OK;
    snprintf(lines, sizeof lines, "#define qp_scale %s\n%s",
             scale == QP_SCALE_NONE && sums->compensated ? "1.0" : scales[scale],
             r->way.first_lines);
    return make_level_kernel(r, r->way.first, lines, sums->of.type, sums->of.channels,
                             sums->what == QP_REDUCE_DOT, &r->first[scale]);
}

static bool has_loop(const char *map)
{
    const struct qp_tokens *tokens = qp_tokens_read(map);
    const bool found = tokens == NULL || qp_glsl_loops(tokens);
    qp_tokens_release(&tokens);
    return found;
}

/* Makes the kernels of a reduction of arrays, or of a map, which is then in `desc`. */
static enum qp_status make_kernels(struct qp_reduction *r, const struct qp_reduction_desc *desc,
                                   const struct qp_array_desc *of)
{
    r->sums = (struct qp_reduction_desc){
        .what = desc->what, .compensated = desc->compensated, .of = *of, .channel = desc->channel};
    enum qp_status status = qp_reduction_choose(&r->sums, &r->way);
    const bool both = desc->map != NULL && r->way.next != NULL &&
                      strcmp(r->way.next, "reduce/sum.frag") == 0 && !has_loop(desc->map);
    if (status == QP_OK && desc->map != NULL)
        status = both ? make_map_sum(r, desc) : make_map(r, desc, "toolkit/map.frag", "", 1);
    if (status == QP_OK && !both)
        status = qp_reduction_scale(r, QP_SCALE_NONE);
    if (status == QP_OK)
        status = make_level_kernel(r, r->way.next, r->way.next_lines, r->way.level,
                                   r->way.level_channels, false, &r->next);
    return status;
}

/* The same of integers whose floats are reduced. */
static enum qp_status make_kernels_of_floats(struct qp_reduction *r,
                                             const struct qp_reduction_desc *desc)
{
    const struct qp_array_desc of = {.width = r->of.width, .height = r->of.height, .channels = 1};
    struct qp_reduction_desc floats = *desc;
    char lines[64], *text, *map;
    snprintf(lines, sizeof lines, "%s#define VALUE_OF(cell) (cell)%s%.1s\n",
             r->two ? "#define TWO\n" : "", r->of.channels > 1 ? "." : "",
             r->of.channels > 1 ? &"xyzw"[desc->channel] : "");
    enum qp_status status = qp_shader_read("toolkit/floats.frag", &text);
    if (status != QP_OK)
        return status;
    const size_t size = strlen(lines) + strlen(text) + 1;
    if ((map = qp_alloc(size, 1, "a map")) != NULL) {
        snprintf(map, size, "%s%s", lines, text);
        floats.map = map;
        floats.channel = 0;
        floats.what = r->two ? QP_REDUCE_SUM : desc->what;
        floats.input[0] = (struct qp_kernel_input){"x", r->of.type, r->of.channels, 0};
        floats.input[1] =
            (struct qp_kernel_input){r->two ? "y" : NULL, r->of.type, r->of.channels, 0};
        status = make_kernels(r, &floats, &of);
    }
    free(map);
    free(text);
    return map != NULL ? status : QP_NO_MEMORY;
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
    status = wants_floats(desc) ? make_kernels_of_floats(r, desc) : make_kernels(r, desc, &of);
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
