/* SPDX-License-Identifier: MIT */
#include "cmd/options_run.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options_line.h"

/* ---- Pairs ---- */

/* Characters of the name in NAME=VALUE, 0 where none stands there that a uniform can have. */
static size_t name_length(const char *pair)
{
    size_t length = 0;
    while (isalnum((unsigned char)pair[length]) || pair[length] == '_')
        length++;
    return pair[length] != '=' || length > 63 || isdigit((unsigned char)pair[0]) ? 0 : length;
}

const char *options_value_of(const char *pair)
{
    return strchr(pair, '=') + 1;
}

static void take_pair(const char *text, const char *option, const char *such, const char *pairs[],
                      int *count, int most, struct options *o)
{
    if (name_length(text) == 0 || *options_value_of(text) == '\0')
        options_refuse(o, "%s takes %s, not '%s'", option, such, text);
    else if (*count == most)
        options_refuse(o, "%s may be given %d times at most", option, most);
    else
        pairs[(*count)++] = text;
}

static bool is_same_name(const char *pair, const char *other)
{
    const size_t length = name_length(pair);
    return length == name_length(other) && strncmp(pair, other, length) == 0;
}

/* ---- Values ---- */

static const char *const made[MADE_KINDS] = {"zeros", "ones", "random", "gradient", "impulse"};

int options_made(const char *value)
{
    int k = 0;
    while (k < MADE_KINDS && strcmp(value, made[k]) != 0)
        k++;
    return k < MADE_KINDS ? k : -1;
}

int options_numbers(const char *text, double *values, int most)
{
    for (int count = 0; count < most; text++) {
        char *end;
        values[count] = strtod(text, &end);
        if (end == text || !isfinite((float)values[count++]))
            return 0;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end;
    }
    return 0;
}

static void check_numbers(const char *pair, struct options *o)
{
    double values[MOST_NUMBERS_OF_ONE];
    if (!o->refused && options_numbers(options_value_of(pair), values, MOST_NUMBERS_OF_ONE) == 0)
        options_refuse(
            o,
            "--set takes numbers that a float holds, up to %d with commas between them, not '%s'",
            MOST_NUMBERS_OF_ONE, options_value_of(pair));
}

/* Outside an array. */
static void take_outside(const char *text, struct options *o)
{
    static const char *const names[] = {"zero", "clamp", "wrap"};
    o->outside = QP_OUTSIDE_VALUE;
    if (options_numbers(text, &o->outside_value, 1) == 0)
        o->outside = (enum qp_outside)options_one_of(text, names, 3, "--outside", o);
}

static const char *const reductions[REDUCTIONS] = {
    [REDUCE_SUM] = "sum",        [REDUCE_MEAN] = "mean",   [REDUCE_MIN] = "min",
    [REDUCE_MAX] = "max",        [REDUCE_NORM1] = "norm1", [REDUCE_NORM2] = "norm2",
    [REDUCE_LARGEST] = "largest"};

const char *options_reduction(enum reduction reduction)
{
    return reductions[reduction];
}

void options_take_run(const char *name, const char *value, struct options *o)
{
    if (strcmp(name, "input") == 0)
        take_pair(value, "--input", "NAME=FILE, such as x=start.mtx or x=random", o->input,
                  &o->inputs, QP_KERNEL_INPUTS, o);
    if (strcmp(name, "set") == 0) {
        take_pair(value, "--set", "NAME=VALUE, such as rate=0.5", o->number, &o->numbers,
                  QP_KERNEL_NUMBERS, o);
        check_numbers(value, o);
    }
    if (strcmp(name, "outside") == 0)
        take_outside(value, o);
    if (strcmp(name, "reduce") == 0)
        o->reduction = (enum reduction)(
            1 + options_one_of(value, reductions + 1, REDUCTIONS - 1, "--reduce", o));
}

/* ---- The whole line ---- */

/* Pair k of inputs and numbers together. */
static const char *pair_of(const struct options *o, int k)
{
    return k < o->inputs ? o->input[k] : o->number[k - o->inputs];
}

/* Each name stands for one thing, and x for the state. */
static void check_once(struct options *o)
{
    for (int k = 0; k < o->inputs + o->numbers; k++) {
        for (int i = 0; i < k; i++) {
            if (is_same_name(pair_of(o, i), pair_of(o, k)))
                options_refuse(o, "'%.*s' is given twice, as %s and %s",
                               (int)name_length(pair_of(o, k)), pair_of(o, k), pair_of(o, i),
                               pair_of(o, k));
        }
    }
    for (int k = 0; k < o->numbers; k++) {
        if (is_same_name(o->number[k], "x="))
            options_refuse(o, "x is the state, an array: --input x=..., not --set %s",
                           o->number[k]);
    }
}

void options_check_run(struct options *o)
{
    if (strcmp(o->form->name, "run") != 0)
        return;
    check_once(o);
    for (int k = 0; k < o->inputs && o->watch; k++) {
        if (strcmp(options_value_of(o->input[k]), "-") == 0)
            options_refuse(o, "--watch reads its inputs again, and standard input cannot be");
    }
    if (o->each > 0 && o->frames == NULL && o->reduction == REDUCE_NOTHING)
        options_refuse(o, "--every goes with --frames or --reduce");
    if (o->frames != NULL && o->each == 0)
        options_refuse(o, "--frames goes with --every K, the steps from one frame to the next");
    if (o->tolerance > 0.0 && o->reference == NULL)
        options_refuse(o, "--tolerance goes with --check");
}

void options_add_run_inputs(const struct options *o, struct outputs *outputs)
{
    if (strcmp(o->form->name, "run") != 0)
        return;
    for (int k = 0; k < o->inputs; k++) {
        if (options_made(options_value_of(o->input[k])) < 0)
            outputs_add_input(outputs, options_value_of(o->input[k]));
    }
    for (int i = 0; i < o->word_count; i++)
        outputs_add_input(outputs, o->words[i]);
    outputs_add_input(outputs, o->reference);
}
