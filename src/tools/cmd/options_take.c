/* SPDX-License-Identifier: MIT */
/* How values of options are taken, each kind by one function. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/io/output.h"
#include "tools/cmd/options.h"
#include "tools/cmd/output/sentence.h"

void options_refuse(struct options *o, const char *format, ...)
{
    char text[1024], who[64];
    if (o->refused)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(who, sizeof who, "quadpass %s", o->command->name);
    sentence_print(stderr, who, text);
    fprintf(stderr, "Try '%s --help'.\n", who);
    o->refused = true;
}

/* ---- Values, read from text. One that cannot be read is refused. ---- */

static int read_whole(const struct option_given *g, const char *text, long least)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > INT_MAX)
        options_refuse(g->options, "%s takes a whole number of at least %ld, not '%s'", g->name,
                       least, text);
    return (int)value;
}

static double read_number(const struct option_given *g)
{
    char *end;
    const double value = strtod(g->value, &end);
    if (end == g->value || *end != '\0' || !isfinite(value) || value <= 0.0)
        options_refuse(g->options, "%s takes a positive number, not '%s'", g->name, g->value);
    return value;
}

/* WxH, or N for both where `square` says so, which is "N or ". */
static void read_size(const struct option_given *g, const char *square, const char *such,
                      int *width, int *height)
{
    char *end;
    errno = 0;
    const long columns = strtol(g->value, &end, 10);
    const bool has_rows = *end == 'x' && end > g->value;
    const long rows = has_rows ? strtol(end + 1, &end, 10) : columns;
    if (errno != 0 || end == g->value || end[-1] == 'x' || *end != '\0' || columns < 1 ||
        columns > INT_MAX || rows < 1 || rows > INT_MAX || (square[0] == '\0' && !has_rows))
        options_refuse(g->options, "%s takes %sWxH, such as %s, each at least 1, not '%s'", g->name,
                       square, such, g->value);
    *width = (int)columns;
    *height = (int)rows;
}

int options_one_of(const char *text, const char *const names[], int count, const char *option,
                   struct options *o)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    char all[512] = "";
    for (int i = 0; i < count && strlen(all) < sizeof all - 64; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i == 0          ? ""
                 : i < count - 1 ? ", "
                                 : " or ",
                 names[i]);
    options_refuse(o, "%s%stakes %s, not '%s'%s", option, option[0] != '\0' ? " " : "", all, text,
                   sentence_hint(text, names, count));
    return 0;
}

static int read_choice(const struct option_given *g)
{
    return options_one_of(g->value, g->row->choices, g->row->count, g->name, g->options);
}

/* Copies the next of several words with commas between them; returns where the rest begins, NULL
 * after the last one. */
static const char *read_word(const char *list, char *word, size_t size)
{
    const size_t length = strcspn(list, ",");
    snprintf(word, size, "%.*s", (int)length, list);
    return list[length] == ',' ? list + length + 1 : NULL;
}

/* ---- Options that are a member ---- */

void take_flag(const struct option_given *g)
{
    *(bool *)g->place = true;
}

/* Any text, or one of those that the row has. */
void take_text(const struct option_given *g)
{
    if (g->row->choices != NULL)
        read_choice(g);
    *(const char **)g->place = g->value;
}

void take_output(const struct option_given *g)
{
    *(const char **)g->place = qp_output_is_standard(g->value) ? "-" : g->value;
}

void take_whole(const struct option_given *g)
{
    *(int *)g->place = g->all ? 0 : read_whole(g, g->value, 1);
}

/* A count whose 0 is none, and not the default, which 0 is in the library. */
void take_count(const struct option_given *g)
{
    const int count = read_whole(g, g->value, 0);
    *(int *)g->place = count > 0 ? count : -1;
}

void take_number(const struct option_given *g)
{
    *(double *)g->place = read_number(g);
}

void take_choice(const struct option_given *g)
{
    *(int *)g->place = read_choice(g);
}

/* ---- Options that are more than that ---- */

void take_size(const struct option_given *g)
{
    read_size(g, "N or ", "64 or 64x48", &g->options->width, &g->options->height);
}

void take_grid(const struct option_given *g)
{
    read_size(g, "", "30x30", &g->options->grid_width, &g->options->grid_height);
}

void take_group(const struct option_given *g)
{
    if (!g->all)
        read_size(g, "", "16x8", &g->options->group_x, &g->options->group_y);
}

/* A kind that some operation has. */
void take_problem(const struct option_given *g)
{
    const char *names[256];
    int count = 0;
    g->options->problem = g->all ? NULL : g->value;
    for (size_t i = 0; qp_op_at(i) != NULL; i++) {
        for (const struct qp_kind *kind = qp_op_at(i)->kinds; kind->name != NULL && count < 256;
             kind++) {
            if (g->all || strcmp(kind->name, g->value) == 0)
                return;
            names[count++] = kind->name;
        }
    }
    options_refuse(g->options, "--problem does not take '%s'%s", g->value,
                   sentence_hint(g->value, names, count));
}

/* A number, or several with commas between them. */
void take_parameter(const struct option_given *g)
{
    char number[64];
    struct options *o = g->options;
    o->parameter_count = 0;
    for (const char *at = g->all ? NULL : g->value; at != NULL && !o->refused;) {
        if (o->parameter_count == MOST_PARAMETERS)
            options_refuse(o, "--parameter takes %d numbers at most", MOST_PARAMETERS);
        else if (strcspn(at, ",") >= sizeof number)
            options_refuse(o, "--parameter takes numbers of fewer than %zu digits", sizeof number);
        at = read_word(at, number, sizeof number);
        if (!o->refused)
            o->parameters[o->parameter_count++] = read_whole(g, number, 0);
    }
    o->parameter = o->parameter_count > 0 ? o->parameters[0] : -1;
}

void take_seed(const struct option_given *g)
{
    g->options->seed = (unsigned long long)read_whole(g, g->value, 0);
    g->options->seed_given = true;
}

void take_condition(const struct option_given *g)
{
    g->options->condition = read_number(g);
    if (g->options->condition < 1.0)
        options_refuse(g->options, "--condition is at least 1, not '%s'", g->value);
}

void take_tolerance(const struct option_given *g)
{
    g->options->tolerance = read_number(g);
    if (g->options->tolerance >= 1.0) /* which x = 0 has */
        options_refuse(g->options,
                       "--tolerance takes a number above 0 and below 1, such as 1e-6, not '%s'",
                       g->value);
}

void take_device(const struct option_given *g)
{
    g->options->device = g->value;
    if (g->value[0] == '\0' || g->value[strspn(g->value, "0123456789")] != '\0')
        read_choice(g);
}

/* A list of gl, cuda and blas. */
void take_require(const struct option_given *g)
{
    char word[32];
    for (const char *at = g->value; at != NULL;) {
        at = read_word(at, word, sizeof word);
        if (strcmp(word, "gl") == 0)
            g->options->require_gl = true;
        else if (strcmp(word, "cuda") == 0)
            g->options->require_cuda = true;
        else if (strcmp(word, "blas") == 0)
            g->options->require_blas = true;
        else if (word[0] != '\0')
            options_refuse(g->options, "%s takes gl, cuda and blas, not '%s'", g->name, word);
    }
}

void take_paper(const struct option_given *g)
{
    g->options->paper = strlen(g->value) == 1 ? g->value[0] - '0' : 0;
    if (g->options->paper < 1 || g->options->paper > PAPERS)
        options_refuse(g->options, "--paper takes 1, 2, 3, 4 or 5, not '%s'", g->value);
}

void take_papers(const struct option_given *g)
{
    const char *at = g->value;
    while (at[0] >= '1' && at[0] <= '0' + PAPERS && at[1] == ',')
        at += 2;
    if (at[0] < '1' || at[0] > '0' + PAPERS || at[1] != '\0')
        options_refuse(g->options, "--papers takes some of 1, 2, 3, 4 and 5, such as 1,3, not '%s'",
                       g->value);
    g->options->papers = g->value;
}

void take_from(const struct option_given *g)
{
    if (g->options->from_count < MOST_FROM)
        g->options->from[g->options->from_count++] = g->value;
    else
        options_refuse(g->options, "--%s takes %d files at most", g->row->name, MOST_FROM);
}

void take_seconds(const struct option_given *g)
{
    g->options->every = strcmp(g->value, "0") == 0 ? DBL_MIN : read_number(g);
}

/* Words that a kernel file's head has, too. */
void take_head(const struct option_given *g)
{
    if (qp_kernel_file_say(&g->options->head, g->row->name, g->value) != QP_OK)
        options_refuse(g->options, "--%s", qp_error());
}

void take_check(const struct option_given *g)
{
    g->options->judged = true;
    g->options->head.check = g->value[0] != '\0' ? g->value : NULL;
}

void take_blend(const struct option_given *g)
{
    static const enum qp_pass_blend blends[] = {QP_BLEND_ADD, QP_BLEND_MIN, QP_BLEND_MAX};
    g->options->head.blend = blends[read_choice(g)];
}

void take_reduce(const struct option_given *g)
{
    g->options->reduction = (enum reduction)(1 + read_choice(g));
}

/* Names with commas between them. */
void take_backends(const struct option_given *g)
{
    char name[16];
    for (const char *at = g->value; at != NULL;) {
        at = read_word(at, name, sizeof name);
        const int k = options_one_of(name, g->row->choices, g->row->count, g->name, g->options);
        g->options->backends |= k < BACKENDS ? 1u << k : (1u << BACKENDS) - 1u;
    }
}

void options_take_environment(struct options *o)
{
    const char *required = getenv("QUADPASS_REQUIRE");
    if (required != NULL)
        take_require(
            &(struct option_given){.name = "QUADPASS_REQUIRE", .value = required, .options = o});
}
