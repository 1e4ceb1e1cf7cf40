/* SPDX-License-Identifier: MIT */
/* Kernels of reductions, and answers that are made of their last cell. Sums of floats take the
 * shaders of the operation `reduce`. Extremes take one shader for all types, for which lines at its
 * beginning define what a value is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/reduce/reduction.h"

/* ---- Values ---- */

static bool is_extreme(enum qp_reduce_what what)
{
    return what == QP_REDUCE_MAX || what == QP_REDUCE_MIN || what == QP_REDUCE_NORM_MAX;
}

static bool is_place(enum qp_reduce_what what)
{
    return what == QP_REDUCE_MAX_PLACE || what == QP_REDUCE_MIN_PLACE;
}

static bool is_sum(enum qp_reduce_what what)
{
    return !is_extreme(what) && !is_place(what);
}

static bool is_magnitude(enum qp_reduce_what what)
{
    return what == QP_REDUCE_NORM_1 || what == QP_REDUCE_NORM_MAX;
}

/* Names that the shaders use for the array's first texel and its size, mapped to those that passes
 * set. */
#define NAMES "#define origin x_origin\n#define size x_size\n"

/* Definitions by which shaders read these arrays. */
static const char *const reads[] = {
    [QP_ARRAY_FLOAT] = NAMES "#define SAMPLER sampler2DRect\n#define CELL vec4\n",
    [QP_ARRAY_HALF] = NAMES "#define SAMPLER sampler2DRect\n#define CELL vec4\n",
    [QP_ARRAY_INT] = NAMES "#define SAMPLER isampler2DRect\n#define CELL ivec4\n"
                           "#define texture2DRect texture\n",
    [QP_ARRAY_UINT] = NAMES "#define SAMPLER usampler2DRect\n#define CELL uvec4\n"
                            "#define texture2DRect texture\n",
    [QP_ARRAY_DOUBLE] = NAMES "#define SAMPLER usampler2DRect\n#define CELL uvec4\n"
                              "#define texture2DRect texture\n"};

/* Type of a value between two passes, how it becomes a cell with its place, and how it comes
 * back. */
static const struct {
    const char *version, *lines, *back;
} values[] = {
    [QP_ARRAY_FLOAT] = {NULL,
                        "#define VALUE float\n#define OUTPUT\n#define joined gl_FragColor\n"
                        "#define CELL_OF(v, at) vec4(v, at, 0.0)\n",
                        "#define VALUE_OF(cell) (cell).r\n#define PLACE_OF(cell) (cell).gb\n"},
    [QP_ARRAY_INT] = {"#version 140",
                      "#define VALUE int\n#define OUTPUT out ivec4 joined;\n"
                      "#define CELL_OF(v, at) ivec4(v, ivec2(at), 0)\n",
                      "#define VALUE_OF(cell) (cell).r\n#define PLACE_OF(cell) vec2((cell).gb)\n"},
    [QP_ARRAY_UINT] = {"#version 140",
                       "#define VALUE uint\n#define OUTPUT out uvec4 joined;\n"
                       "#define CELL_OF(v, at) uvec4(v, uvec2(at), 0u)\n",
                       "#define VALUE_OF(cell) (cell).r\n"
                       "#define PLACE_OF(cell) vec2((cell).gb)\n"},
    [QP_ARRAY_DOUBLE] = {"#version 400 compatibility",
                         "#define VALUE double\n#define OUTPUT out uvec4 joined;\n"
                         "#define CELL_OF(v, at) uvec4(unpackDouble2x32(v), uvec2(at))\n",
                         "#define VALUE_OF(cell) packDouble2x32((cell).rg)\n"
                         "#define PLACE_OF(cell) vec2((cell).ba)\n"},
};

/* The channel of a cell, of doubles its two words. */
static const char *channel_of(const struct qp_reduction_desc *desc)
{
    static const char *const one[] = {"r", "g", "b", "a"}, *const two[] = {"rg", "ba"};
    return desc->of.type == QP_ARRAY_DOUBLE ? two[desc->channel] : one[desc->channel];
}

/* ---- Extremes and places ---- */

/* The value of the caller's cells. Magnitudes of int are unsigned, since -2^31 has one. */
static void write_value(const struct qp_reduction_desc *desc, char *lines, size_t size)
{
    const char *channel = channel_of(desc);
    const bool magnitude = is_magnitude(desc->what);
    if (desc->of.type == QP_ARRAY_DOUBLE)
        snprintf(lines, size, "#define VALUE_OF(cell) %s(packDouble2x32((cell).%s))\n",
                 magnitude ? "abs" : "", channel);
    else if (magnitude && desc->of.type == QP_ARRAY_INT)
        snprintf(lines, size,
                 "#define VALUE_OF(cell) uint((cell).%s < 0 ? -(cell).%s : (cell).%s)\n", channel,
                 channel, channel);
    else
        snprintf(lines, size, "#define VALUE_OF(cell) %s((cell).%s)\n",
                 magnitude && desc->of.type != QP_ARRAY_UINT ? "abs" : "", channel);
}

static void choose_extreme(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    const bool least = desc->what == QP_REDUCE_MIN || desc->what == QP_REDUCE_MIN_PLACE;
    const char *beyond =
        least ? "#define BEYOND(b, a) ((b) < (a))\n" : "#define BEYOND(b, a) ((b) > (a))\n";
    const enum qp_array_type type = desc->of.type == QP_ARRAY_HALF ? QP_ARRAY_FLOAT : desc->of.type,
                             value = type == QP_ARRAY_INT && is_magnitude(desc->what)
                                         ? QP_ARRAY_UINT
                                         : type;
    const bool wide = value == QP_ARRAY_DOUBLE && is_place(desc->what);
    char own[160];
    write_value(desc, own, sizeof own);
    way->first = way->next = is_place(desc->what) ? "toolkit/place.frag" : "toolkit/extreme.frag";
    way->version = values[value].version;
    way->level = wide ? QP_ARRAY_UINT : value; /* a double and its place are four words */
    way->level_channels = is_place(desc->what) ? 4 : 1;
    snprintf(way->first_lines, sizeof way->first_lines, "%s%s%s%s", reads[type],
             values[value].lines, beyond, own);
    snprintf(way->next_lines, sizeof way->next_lines, "%s%s%s%s", reads[value], values[value].lines,
             beyond, values[value].back);
}

/* ---- Sums ---- */

/* Magnitude below which a sum may have lost some to underflow. */
static double least_of(const struct qp_reduction_desc *desc)
{
    return ldexp((double)desc->of.width * desc->of.height, desc->compensated ? -78 : -100);
}

/* Sums of floats. A read of a texture goes through a line that takes the channel, its magnitude
 * and its scale: a tree carries sums of all three scales, one in each channel. */
static void choose_float_sum(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    static const char *const firsts[][2] = {
        [QP_REDUCE_SUM] = {"reduce/sum.frag", "reduce/compensated_sum.frag"},
        [QP_REDUCE_NORM_1] = {"reduce/sum.frag", "reduce/compensated_sum.frag"},
        [QP_REDUCE_NORM_2] = {"reduce/sum_of_squares.frag", "reduce/compensated_squares.frag"},
        [QP_REDUCE_DOT] = {"reduce/dot.frag", "reduce/compensated_dot.frag"}};
    const char *c = channel_of(desc);
    way->first = firsts[desc->what][desc->compensated];
    way->next = desc->compensated ? "reduce/compensated_next.frag" : "reduce/sum.frag";
    way->map_sum = desc->compensated ? NULL : "toolkit/map_sum.frag";
    way->level = QP_ARRAY_FLOAT;
    way->level_channels = 4;
    snprintf(way->next_lines, sizeof way->next_lines, NAMES);
    snprintf(way->first_lines, sizeof way->first_lines,
             NAMES "#define texture2DRect(array, at) "
                   "(qp_scale * %s(texture2DRect(array, at).%s%s%s%s))\n",
             is_magnitude(desc->what) ? "abs" : "", c, c, c, c);
}

/* Sums of integers, of 64 bits. */
static void choose_whole_sum(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    const char *c = channel_of(desc), *output = "#define OUTPUT out uvec4 joined;\n";
    const bool is_signed = desc->of.type == QP_ARRAY_INT;
    char own[160];
    if (!is_signed)
        snprintf(own, sizeof own, "#define WORDS_OF(cell) uvec2((cell).%s, 0u)\n", c);
    else if (is_magnitude(desc->what))
        snprintf(own, sizeof own,
                 "#define WORDS_OF(cell) uvec2((cell).%s < 0 ? -(cell).%s : (cell).%s, 0)\n", c, c,
                 c);
    else
        snprintf(own, sizeof own,
                 "#define WORDS_OF(cell) uvec2((cell).%s, (cell).%s < 0 ? -1 : 0)\n", c, c);
    way->first = way->next = "toolkit/whole_sum.frag";
    way->version = "#version 140";
    way->level = QP_ARRAY_UINT;
    way->level_channels = 2;
    snprintf(way->first_lines, sizeof way->first_lines, "%s%s%s", reads[desc->of.type], output,
             own);
    snprintf(way->next_lines, sizeof way->next_lines, "%s%s%s", reads[QP_ARRAY_UINT], output,
             "#define WORDS_OF(cell) (cell).rg\n");
}

static void choose_double_sum(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    static const char *const terms[] = {[QP_REDUCE_SUM] = "a",
                                        [QP_REDUCE_NORM_1] = "dvec2(abs(a.x), a.y)",
                                        [QP_REDUCE_NORM_2] = "times(a, a)",
                                        [QP_REDUCE_DOT] = "times(a, b)"};
    way->first = way->next = "toolkit/double_sum.frag";
    way->level = QP_ARRAY_DOUBLE;
    way->level_channels = 2;
    snprintf(way->first_lines, sizeof way->first_lines,
             NAMES "%s#define VALUE_OF(cell) wide(packDouble2x32((cell).%s))\n"
                   "#define TERM_OF(a, b) %s\n",
             desc->what == QP_REDUCE_DOT ? "#define TWO\n" : "", channel_of(desc),
             terms[desc->what]);
    snprintf(way->next_lines, sizeof way->next_lines,
             NAMES "#define VALUE_OF(cell) dvec2(packDouble2x32((cell).rg), "
                   "packDouble2x32((cell).ba))\n#define TERM_OF(a, b) a\n");
}

/* ---- Answers ---- */

/* Chooses how the last level's cell becomes the answer on the device. */
static void choose_answer(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    way->to = desc->of.type == QP_ARRAY_HALF ? QP_ARRAY_FLOAT : desc->of.type;
    way->to_channels = is_place(desc->what) ? 4 : 1;
    snprintf(way->answer_lines, sizeof way->answer_lines,
             "#define ANSWER %s\n#define LEAST %.9e\n%s%s%s",
             qp_kernel_type(way->to, way->to_channels), least_of(desc),
             !is_sum(desc->what)          ? ""
             : way->to == QP_ARRAY_FLOAT  ? "#define FLOAT_SUM\n"
             : way->to == QP_ARRAY_DOUBLE ? "#define DOUBLE_SUM\n"
                                          : "#define WHOLE_SUM\n",
             desc->what == QP_REDUCE_NORM_2 ? "#define ROOT\n"
             : desc->what == QP_REDUCE_DOT  ? "#define PRODUCTS\n"
                                            : "",
             desc->compensated ? "#define COMPENSATED\n" : "");
}

/* ---- The choice ---- */

static enum qp_status choose(const struct qp_reduction_desc *desc, struct qp_reduction_way *out)
{
    const bool fraction = desc->of.type == QP_ARRAY_FLOAT || desc->of.type == QP_ARRAY_HALF;
    *out = (struct qp_reduction_way){0};
    if (desc->compensated && !is_sum(desc->what))
        return qp_fail(QP_BAD_USE, "a compensated extreme: maxima and minima are exact, so leave "
                                   "'compensated' false");
    if (desc->compensated && !fraction)
        return qp_fail(QP_BAD_USE, "a compensated sum of %s; only sums of floats and halves can be",
                       desc->of.type == QP_ARRAY_DOUBLE ? "doubles" : "integers, which is exact");
    if (!is_sum(desc->what))
        choose_extreme(desc, out);
    else if (fraction)
        choose_float_sum(desc, out);
    else if (desc->of.type == QP_ARRAY_DOUBLE)
        choose_double_sum(desc, out);
    else
        choose_whole_sum(desc, out);
    choose_answer(desc, out);
    return QP_OK;
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
    enum qp_status status = make_map(r, desc, r->way.map_sum, lines, 4);
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
    char lines[sizeof r->way.first_lines + 128];
    if (r->first[scale] != NULL)
        return QP_OK;
    snprintf(lines, sizeof lines, "#define qp_scale %s\n%s",
             scale == QP_SCALE_NONE && r->sums.compensated ? "1.0" : scales[scale],
             r->way.first_lines);
    return make_level_kernel(r, r->way.first, lines, r->sums.of.type, r->sums.of.channels,
                             r->sums.what == QP_REDUCE_DOT, &r->first[scale]);
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
    enum qp_status status = choose(&r->sums, &r->way);
    const bool both = desc->map != NULL && r->way.map_sum != NULL && !has_loop(desc->map);
    if (status == QP_OK && desc->map != NULL)
        status = both ? make_map_sum(r, desc) : make_map(r, desc, "toolkit/map.frag", "", 1);
    if (status == QP_OK && !both)
        status = qp_reduction_scale(r, QP_SCALE_NONE);
    if (status == QP_OK)
        status = make_level_kernel(r, r->way.next, r->way.next_lines, r->way.level,
                                   r->way.level_channels, false, &r->pyramid.next);
    return status;
}

/* The same of integers whose floats are reduced. */
static enum qp_status make_kernels_of_floats(struct qp_reduction *r,
                                             const struct qp_reduction_desc *desc)
{
    struct qp_reduction_desc floats = {
        .of = {.width = r->of.width, .height = r->of.height, .channels = 1},
        .what = r->two ? QP_REDUCE_SUM : desc->what,
        .compensated = desc->compensated,
        .input = {{"x", r->of.type, r->of.channels, 0},
                  {r->two ? "y" : NULL, r->of.type, r->of.channels, 0}}};
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
        status = make_kernels(r, &floats, &floats.of);
    }
    free(map);
    free(text);
    return map != NULL ? status : QP_NO_MEMORY;
}

/* Integers that are added as floats: there would be no room for their products. */
static bool wants_floats(const struct qp_reduction_desc *desc)
{
    return desc->map == NULL && qp_array_is_whole(desc->of.type) &&
           (desc->what == QP_REDUCE_DOT || desc->what == QP_REDUCE_NORM_2);
}

enum qp_status qp_reduction_kernels(struct qp_reduction *r, const struct qp_reduction_desc *desc)
{
    return wants_floats(desc) ? make_kernels_of_floats(r, desc) : make_kernels(r, desc, &r->of);
}

enum qp_status qp_reduction_answer_kernel(struct qp_reduction *r)
{
    const struct qp_kernel_desc desc = {.input = {{"last", r->way.level, r->way.level_channels, 0}},
                                        .output_type = r->way.to,
                                        .output_channels = r->way.to_channels};
    return r->answer != NULL ? QP_OK
                             : qp_kernel_built_in(r->context, "toolkit/answer.frag", NULL,
                                                  r->way.answer_lines, &desc, &r->answer);
}

/* ---- Four sums at once ---- */

enum qp_status qp_sums_kernel(struct qp_context *context, const char *shader, bool ends,
                              const struct qp_kernel_desc *desc, struct qp_kernel **out)
{
    char *lines = NULL;
    enum qp_status status = qp_shader_read(ends ? "toolkit/total.frag" : shader, &lines);
    if (status == QP_OK)
        status = qp_kernel_built_in(context, ends ? shader : "toolkit/sums.frag", NULL, lines, desc,
                                    out);
    free(lines);
    return status;
}

/* ---- Answers on the host ---- */

/* Sums of magnitudes are below 2^63 too. */
static double from_whole(const uint32_t words[2])
{
    return (double)(int64_t)((uint64_t)words[1] << 32 | words[0]);
}

bool qp_reduction_wants(const struct qp_reduction *r, enum qp_reduction_scale scale,
                        const union qp_reduction_cell *cell)
{
    const double sum = (double)cell->fraction[0] + (double)cell->fraction[1];
    return r->sums.compensated &&
           (scale == QP_SCALE_SMALLER ? !isfinite(sum) : fabs(sum) < least_of(&r->sums));
}

/* The sum of the scale whose terms neither overflow nor underflow. answer.frag does the same. */
static double float_sum(const struct qp_reduction_desc *sums, const union qp_reduction_cell *cell)
{
    double high[QP_SCALES], sum[QP_SCALES];
    const int factors = sums->what == QP_REDUCE_DOT || sums->what == QP_REDUCE_NORM_2 ? 2 : 1;
    for (int k = 0; k < QP_SCALES; k++) {
        high[k] = sums->compensated ? cell[k].fraction[0] : cell->fraction[k];
        sum[k] = high[k] + (sums->compensated ? (double)cell[k].fraction[1] : 0.0);
    }
    if (isfinite(sum[0]))
        return fabs(sum[0]) < least_of(sums) && isfinite(sum[QP_SCALE_LARGER])
                   ? ldexp(sum[QP_SCALE_LARGER], -86 * factors)
                   : sum[0];
    if (isfinite(sum[QP_SCALE_SMALLER]))
        return ldexp(sum[QP_SCALE_SMALLER], 80 * factors);
    return isnan(high[QP_SCALE_SMALLER]) ? high[0] : high[QP_SCALE_SMALLER];
}

void qp_reduction_answer(const struct qp_reduction *reduction, const union qp_reduction_cell *cell,
                         struct qp_reduced *out)
{
    const enum qp_array_type level = reduction->way.level, to = reduction->way.to;
    const bool place = is_place(reduction->what), root = reduction->what == QP_REDUCE_NORM_2,
               sums = is_sum(reduction->what);
    *out = (struct qp_reduced){0};
    if (sums && level == QP_ARRAY_FLOAT)
        out->value = float_sum(&reduction->sums, cell);
    else if (level == QP_ARRAY_FLOAT)
        out->value = cell->fraction[0];
    else if (to == QP_ARRAY_DOUBLE)
        out->value = cell->number[0];
    else if (reduction->way.level_channels == 2)
        out->value = from_whole(cell->words);
    else
        out->value = level == QP_ARRAY_INT ? (double)(int32_t)cell->words[0] : cell->words[0];
    if (root)
        out->value = sqrt(out->value);
    if (sums && level == QP_ARRAY_DOUBLE)
        out->value = ldexp(out->value, (root ? 300 : 600) * (int)cell->number[1]);
    if (place && level == QP_ARRAY_FLOAT) {
        out->x = (int)cell->fraction[1];
        out->y = (int)cell->fraction[2];
    } else if (place) {
        out->x = (int)cell->words[to == QP_ARRAY_DOUBLE ? 2 : 1];
        out->y = (int)cell->words[to == QP_ARRAY_DOUBLE ? 3 : 2];
    }
}
