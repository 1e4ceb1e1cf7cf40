/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options_line.h"
#include "cmd/options_list.h"
#include "cmd/options_values.h"
#include "cmd/output/sentence.h"
#include "cmd/output/terminal.h"
#include "io/output.h"
#include "ops/table.h"

/* A list of gl, cuda and blas; returns the first word that is none of them, or NULL. */
static const char *require(const char *text, struct options *o)
{
    static char word[32];
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (strcmp(word, "gl") == 0)
            o->require_gl = true;
        else if (strcmp(word, "cuda") == 0)
            o->require_cuda = true;
        else if (strcmp(word, "blas") == 0)
            o->require_blas = true;
        else if (length > 0)
            return word;
        text += length + (text[length] == ',');
    }
    return NULL;
}

/* A number, or several with commas between them. */
static void parameters(const char *text, struct options *o)
{
    char number[64];
    while (o->parameter_count < MOST_PARAMETERS && !o->refused) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof number)
            options_refuse(o, "--parameter takes numbers of fewer than %zu digits", sizeof number);
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        o->parameters[o->parameter_count++] = options_whole(number, 0, "--parameter", o);
        if (text[length] == '\0')
            return;
        text += length + 1;
    }
    options_refuse(o, "--parameter takes %d numbers at most", MOST_PARAMETERS);
}

/* ---- Each option by itself ---- */

static const char *file(const char *path)
{
    return qp_output_is_standard(path) ? "-" : path;
}

static void take_device(const char *text, struct options *o)
{
    static const char *const names[] = {"auto", "llvmpipe", "nvidia"};
    const bool number = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    o->device = text;
    if (!number)
        options_one_of(text, names, 3, "--device", o);
}

/* A kind that some operation has. */
static void take_problem(const char *text, struct options *o)
{
    const char *names[256];
    int count = 0;
    o->all_problems = strcmp(text, "all") == 0;
    o->problem = o->all_problems ? NULL : text;
    for (size_t i = 0; qp_op_at(i) != NULL; i++) {
        for (const struct qp_kind *kind = qp_op_at(i)->kinds; kind->name != NULL && count < 256;
             kind++)
            names[count++] = kind->name;
    }
    for (int i = 0; i < count; i++) {
        if (o->all_problems || strcmp(names[i], text) == 0)
            return;
    }
    options_refuse(o, "--problem does not take '%s'%s", text, sentence_hint(text, names, count));
}

static void take_parameter(const char *text, struct options *o)
{
    o->parameter_count = 0;
    o->all_parameters = strcmp(text, "all") == 0;
    if (!o->all_parameters)
        parameters(text, o);
    o->parameter = o->parameter_count > 0 ? o->parameters[0] : -1;
}

/* A name, a pattern or a file; as many as the form names, or "..." of them. */
static void take_word(const char *text, struct options *o)
{
    const char *words = o->form->words;
    int most = 0;
    for (const char *at = words; at != NULL; at = strchr(at + 1, ' '))
        most++;
    if (words != NULL && strstr(words, "...") != NULL)
        most = MOST_WORDS;
    if (o->word_count < most)
        o->words[o->word_count++] = text;
    else if (most == 0)
        options_refuse(o, "%s takes no '%s'", o->form->name, text);
    else if (most == MOST_WORDS)
        options_refuse(o, "more than %d names", MOST_WORDS);
    else
        options_refuse(o, "%s takes %s, and '%s' is one too many", o->form->name, words, text);
}

/* False for a key of another group. */
static bool take_problems(int key, const char *value, struct options *o)
{
    switch (key) {
    case KEY_VARIANT:
        o->variant = value;
        return true;
    case KEY_PROBLEM:
        take_problem(value, o);
        return true;
    case KEY_SIZE:
    case 'n':
        options_size(value, NULL, NULL, &o->width, &o->height, o);
        return true;
    case KEY_ITERATIONS:
        o->iterations = options_whole(value, 1, "--iterations", o);
        o->iterations_given = true;
        return true;
    case KEY_REPEATS:
        o->repeats = options_whole(value, 1, "--repeats", o);
        return true;
    case KEY_SEED:
        o->seed = (unsigned long long)options_whole(value, 0, "--seed", o);
        o->seed_given = true;
        return true;
    case KEY_WEIGHT:
        o->weight = options_number(value, "--weight", o);
        return true;
    case KEY_CONDITION:
        o->condition = options_number(value, "--condition", o);
        if (o->condition < 1.0)
            options_refuse(o, "--condition is at least 1, not '%s'", value);
        return true;
    case KEY_PARAMETER:
        take_parameter(value, o);
        return true;
    default:
        return false;
    }
}

static bool take_ways(int key, const char *value, struct options *o)
{
    static const char *const pingpongs[] = {"two_attachments", "two_fbos", "reattach", "copy",
                                            "all"};
    static const char *const targets[] = {"rect", "2d", "all"};
    const bool all = value != NULL && strcmp(value, "all") == 0;
    switch (key) {
    case KEY_DEVICE:
        take_device(value, o);
        return true;
    case KEY_PINGPONG:
        o->all_pingpongs = all;
        o->pingpong = (enum qp_pingpong_style)options_one_of(value, pingpongs, 5, "--pingpong", o);
        return true;
    case KEY_TARGET:
        o->all_targets = all;
        o->target = (enum qp_texture_target)options_one_of(value, targets, 3, "--target", o);
        return true;
    case KEY_GROUP:
        o->all_groups = all;
        if (!all)
            options_size(value, "--group", "16x8", &o->group_x, &o->group_y, o);
        return true;
    case KEY_BLOCK:
        o->all_blocks = all;
        o->block = all ? 0 : options_whole(value, 1, "--block", o);
        return true;
    case KEY_PARTS:
        o->parts.count = options_whole(value, 1, "--parts", o);
        return true;
    case KEY_DEPTH:
        o->parts.depth = options_whole(value, 1, "--depth", o);
        return true;
    case KEY_SPLIT:
        o->parts.split = options_whole(value, 0, "--split", o);
        o->parts.split -= o->parts.split == 0; /* none, not the default */
        return true;
    case KEY_SLOW:
        o->parts.slow = options_whole(value, 1, "--slow", o);
        return true;
    case KEY_ALPHA:
        o->parts.alpha = options_whole(value, 0, "--alpha", o);
        o->parts.alpha -= o->parts.alpha == 0; /* none, not the default */
        return true;
    case KEY_REQUIRE:
        if (require(value, o) != NULL)
            options_refuse(o, "--require takes gl, cuda and blas, not '%s'", value);
        return true;
    case KEY_PAPER:
        o->paper = strlen(value) == 1 ? value[0] - '0' : 0;
        if (o->paper < 1 || o->paper > PAPERS)
            options_refuse(o, "--paper takes 1, 2, 3, 4 or 5, not '%s'", value);
        return true;
    case KEY_BUDGET:
        o->budget = options_number(value, "--budget", o);
        return true;
    case KEY_STALL:
        o->stall = options_number(value, "--stall", o);
        return true;
    default:
        return false;
    }
}

static void take_method(const char *text, struct options *o)
{
    enum { MOST = 8 };
    const char *names[MOST];
    int count = 0;
    while (count < MOST && (names[count] = qp_poisson_method(count)) != NULL)
        count++;
    o->method = text;
    options_one_of(text, names, count, "--method", o);
}

static void take_solving(int key, const char *value, struct options *o)
{
    switch (key) {
    case KEY_GRID:
        options_size(value, "--grid", "30x30", &o->grid_width, &o->grid_height, o);
        return;
    case KEY_TOLERANCE:
        o->tolerance = options_number(value, "--tolerance", o);
        if (o->tolerance >= 1.0) /* which x = 0 has */
            options_refuse(o, "--tolerance lies below 1, the residual of 0, and is not '%s'",
                           value);
        return;
    case KEY_MAX_ITERATIONS:
        o->max_iterations = options_whole(value, 1, "--max-iterations", o);
        return;
    case KEY_REFINE:
        o->refine = true;
        return;
    case KEY_START:
        o->start = value;
        return;
    case KEY_METHOD:
        take_method(value, o);
        return;
    case KEY_DOUBLE:
        o->in_double = true;
        return;
    case KEY_RHS:
        o->rhs = value;
        return;
    case KEY_CHECKPOINT:
        o->checkpoint = value;
        return;
    case KEY_EVERY:
        o->every = strcmp(value, "0") == 0 ? DBL_MIN : options_number(value, "--every", o);
        return;
    case KEY_RESUME:
        o->resume = value;
        return;
    }
}

static void take_outputs(int key, const char *value, struct options *o)
{
    switch (key) {
    case 'o':
        if (strcmp(o->form->name, "shaders") == 0)
            o->folder = value;
        else
            o->output = file(value);
        return;
    case KEY_PICTURE:
        o->picture = file(value);
        return;
    case KEY_JSON:
        o->json = file(value);
        return;
    case KEY_CSV:
        o->csv = file(value);
        return;
    case KEY_JUNIT:
        o->junit = file(value);
        return;
    case KEY_TAP:
        o->tap = file(value);
        return;
    case KEY_MARKDOWN:
        o->markdown = true;
        return;
    case KEY_TEXT:
        o->text = true;
        return;
    case KEY_KINDS:
        o->kinds = true;
        return;
    case KEY_LONG:
        o->wordy = true;
        return;
    }
}

static void take(int key, const char *value, struct options *o)
{
    if (key == 0) {
        take_word(value, o);
    } else if (!take_problems(key, value, o) && !take_ways(key, value, o)) {
        take_solving(key, value, o);
        take_outputs(key, value, o);
    }
}

/* ---- The whole line ---- */

static void remember_command(int argc, char **argv, struct options *o)
{
    size_t used = (size_t)snprintf(o->command_line, sizeof o->command_line, "quadpass");
    for (int i = 0; i < argc && used < sizeof o->command_line; i++)
        used +=
            (size_t)snprintf(o->command_line + used, sizeof o->command_line - used, " %s", argv[i]);
}

static bool is_dash(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* QUADPASS_REQUIRE. */
static void take_environment(struct options *o)
{
    const char *required = getenv("QUADPASS_REQUIRE");
    const char *wrong = required != NULL ? require(required, o) : NULL;
    if (wrong != NULL)
        options_refuse(o, "QUADPASS_REQUIRE takes gl, cuda and blas, not '%s'", wrong);
}

int options_parse(int argc, char **argv, const struct options_form *form, struct options *out)
{
    *out = (struct options){.form = form, .seed = 1, .parameter = -1, .table = stdout};
    sentence_expect(argc, argv);
    remember_command(argc, argv, out);
    if (options_line(argc, argv, out, take))
        return EXIT_GOOD;
    take_environment(out);
    if (is_dash(out->json) || is_dash(out->csv) || is_dash(out->output) || is_dash(out->picture) ||
        is_dash(out->junit) || is_dash(out->tap))
        out->table = stderr;
    options_check(out);
    out->table = terminal_stream(out->table);
    return out->refused ? EXIT_USAGE : -1;
}

void options_read(int argc, char **argv, const struct options_form *form, struct options *out)
{
    int code = options_parse(argc, argv, form, out);
    if (code >= 0)
        exit(options_silent ? EXIT_GOOD : code);
}
