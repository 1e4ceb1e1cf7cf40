/* SPDX-License-Identifier: MIT */
/* Choice of the shaders of a reduction. Sums of floats take those of the operation `reduce`.
 * Extremes take one shader for all types, for which lines at its beginning define what a value
 * is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gl/context.h"
#include "toolkit/kernel.h"
#include "toolkit/reduction.h"

/* ---- Values ---- */

static bool is_extreme(enum qp_reduce_what what)
{
    return what == QP_REDUCE_MAX || what == QP_REDUCE_MIN || what == QP_REDUCE_NORM_MAX;
}

static bool is_place(enum qp_reduce_what what)
{
    return what == QP_REDUCE_MAX_PLACE || what == QP_REDUCE_MIN_PLACE;
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

/* Sums of floats. A read of a texture goes through a line that takes the channel, and its
 * magnitude. */
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
    way->level = QP_ARRAY_FLOAT;
    way->level_channels = desc->compensated ? 4 : 1;
    snprintf(way->next_lines, sizeof way->next_lines, NAMES);
    snprintf(way->first_lines, sizeof way->first_lines, NAMES);
    if (is_magnitude(desc->what) || desc->of.channels > 1)
        snprintf(way->first_lines, sizeof way->first_lines,
                 NAMES "#define texture2DRect(array, at) %s(texture2DRect(array, at).%s%s%s%s)\n",
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
                                        [QP_REDUCE_NORM_1] = "abs(a)",
                                        [QP_REDUCE_NORM_2] = "(a * a)",
                                        [QP_REDUCE_DOT] = "(a * b)"};
    way->first = way->next = "toolkit/double_sum.frag";
    way->level = QP_ARRAY_DOUBLE;
    way->level_channels = 1;
    snprintf(way->first_lines, sizeof way->first_lines,
             NAMES "%s#define VALUE_OF(cell) packDouble2x32((cell).%s)\n#define TERM_OF(a, b) %s\n",
             desc->what == QP_REDUCE_DOT ? "#define TWO\n" : "", channel_of(desc),
             terms[desc->what]);
    snprintf(way->next_lines, sizeof way->next_lines,
             NAMES "#define VALUE_OF(cell) packDouble2x32((cell).rg)\n#define TERM_OF(a, b) a\n");
}

/* ---- Answers ---- */

/* Chooses how the last level's cell becomes the answer on the device. */
static void choose_answer(const struct qp_reduction_desc *desc, struct qp_reduction_way *way)
{
    const char *sum = way->level_channels == 4 ? "(cell.x + cell.y)" : "cell", *answer = sum;
    const bool root = desc->what == QP_REDUCE_NORM_2;
    way->to = desc->of.type == QP_ARRAY_HALF ? QP_ARRAY_FLOAT : desc->of.type;
    way->to_channels = is_place(desc->what) ? 4 : 1;
    if (is_place(desc->what))
        answer = "cell";
    else if (qp_array_is_whole(way->to))
        answer = is_extreme(desc->what) ? "cell" : "cell.x";
    const char *type = qp_kernel_type(way->to, way->to_channels);
    snprintf(way->answer_lines, sizeof way->answer_lines,
             "#define ANSWER %s\n#define ANSWER_OF(cell) %s(%s(%s))\n", type, type,
             root ? "sqrt" : "", answer);
}

static double from_words(const uint32_t words[2])
{
    double value;
    memcpy(&value, words, sizeof value);
    return value;
}

/* Sums of magnitudes are below 2^63 too. */
static double from_whole(const uint32_t words[2])
{
    return (double)(int64_t)((uint64_t)words[1] << 32 | words[0]);
}

void qp_reduction_answer(const struct qp_reduction *reduction, const void *cell,
                         struct qp_reduced *out)
{
    const float *fraction = cell;
    const int32_t *whole = cell;
    const uint32_t *words = cell;
    const enum qp_array_type level = reduction->way.level, to = reduction->way.to;
    const bool place = is_place(reduction->what);
    *out = (struct qp_reduced){0};
    if (level == QP_ARRAY_FLOAT) {
        out->value = fraction[0];
        if (!place && reduction->way.level_channels == 4)
            out->value += fraction[1];
    } else if (to == QP_ARRAY_DOUBLE) {
        out->value = from_words(words);
    } else if (reduction->way.level_channels == 2) {
        out->value = from_whole(words);
    } else {
        out->value = level == QP_ARRAY_INT ? (double)whole[0] : (double)words[0];
    }
    if (reduction->what == QP_REDUCE_NORM_2)
        out->value = sqrt(out->value);
    if (place && level == QP_ARRAY_FLOAT) {
        out->x = (int)fraction[1];
        out->y = (int)fraction[2];
    } else if (place) {
        out->x = whole[to == QP_ARRAY_DOUBLE ? 2 : 1];
        out->y = whole[to == QP_ARRAY_DOUBLE ? 3 : 2];
    }
}

/* ---- The choice ---- */

enum qp_status qp_reduction_choose(const struct qp_reduction_desc *desc,
                                   struct qp_reduction_way *out)
{
    const bool fraction = desc->of.type == QP_ARRAY_FLOAT || desc->of.type == QP_ARRAY_HALF;
    const bool sums = !is_extreme(desc->what) && !is_place(desc->what);
    *out = (struct qp_reduction_way){0};
    if (desc->compensated && !sums)
        return qp_fail(QP_BAD_USE, "a compensated extreme: maxima and minima are exact, so leave "
                                   "'compensated' false");
    if (desc->compensated && !fraction)
        return qp_fail(QP_BAD_USE, "a compensated sum of %s; only sums of floats and halves can be",
                       desc->of.type == QP_ARRAY_DOUBLE ? "doubles" : "integers, which is exact");
    if (!sums)
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
