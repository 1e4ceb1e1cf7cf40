/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options_list.h"
#include "io/output.h"
#include "ops/op.h"

/* Says what is wrong with the command line, the first time. Callers go on with any legal value, for
 * `parse` ends the parsing: nothing but options_read leaves the program. */
__attribute__((format(printf, 2, 3))) static void refuse(struct argp_state *state,
                                                         const char *format, ...)
{
    struct options *o = state->input;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!o->refused)
        argp_error(state, "%s", text);
    o->refused = true;
}

/* A whole number of at least `least`. */
static int whole(const char *text, long least, const char *option, struct argp_state *state)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > INT_MAX) {
        refuse(state, "%s takes a whole number of at least %ld, not '%s'", option, least, text);
        return (int)least;
    }
    return (int)value;
}

static double number(const char *text, const char *option, struct argp_state *state)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0.0) {
        refuse(state, "%s takes a positive number, not '%s'", option, text);
        return 1.0;
    }
    return value;
}

/* N or WxH; WxH alone for an option that is named, with an example. */
static void size(const char *text, const char *option, const char *such, int *width, int *height,
                 struct argp_state *state)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *cross = strchr(copy, 'x');
    if (strlen(text) >= sizeof copy)
        refuse(state, "a size has fewer than %zu digits", sizeof copy);
    if (cross == NULL && option != NULL)
        refuse(state, "%s takes WxH, such as %s, not '%s'", option, such, text);
    if (cross != NULL)
        *cross = '\0';
    *width = whole(copy, 1, "a size", state);
    *height = cross != NULL ? whole(cross + 1, 1, "a size", state) : *width;
}

static int one_of(const char *text, const char *const names[], int count, const char *option,
                  struct argp_state *state)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    refuse(state, "%s does not take '%s'", option, text);
    return 0;
}

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
static void parameters(const char *text, struct options *o, struct argp_state *state)
{
    char number[16];
    while (o->parameter_count < MOST_PARAMETERS) {
        size_t length = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)(length < 16 ? length : 15), text);
        o->parameters[o->parameter_count++] = whole(number, 0, "--parameter", state);
        if (text[length] == '\0')
            return;
        text += length + 1;
    }
    refuse(state, "--parameter takes %d numbers at most", MOST_PARAMETERS);
}

static error_t parse_solve(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case KEY_TOLERANCE:
        o->tolerance = number(arg, "--tolerance", state);
        return 0;
    case KEY_MAX_ITERATIONS:
        o->max_iterations = whole(arg, 1, "--max-iterations", state);
        return 0;
    case KEY_REFINE:
        o->refine = true;
        return 0;
    case 'o':
        o->output = arg;
        return 0;
    case KEY_START:
        o->start = arg;
        return 0;
    case KEY_PICTURE:
        o->picture = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Options that take one of a few words, and files. */
static error_t parse_words(int key, char *arg, struct argp_state *state)
{
    static const char *const pingpongs[] = {"two_attachments", "two_fbos", "reattach", "copy",
                                            "all"};
    static const char *const targets[] = {"rect", "2d", "all"};
    struct options *o = state->input;
    switch (key) {
    case KEY_VARIANT:
        o->variant = arg;
        return 0;
    case KEY_PROBLEM:
        o->all_problems = strcmp(arg, "all") == 0;
        o->problem = o->all_problems ? NULL : arg;
        if (!o->all_problems && !qp_op_knows(arg))
            refuse(state, "--problem does not take '%s'", arg);
        return 0;
    case KEY_DEVICE:
        o->device = arg;
        return 0;
    case KEY_PINGPONG:
        o->all_pingpongs = strcmp(arg, "all") == 0;
        o->pingpong = (enum qp_pingpong_style)one_of(arg, pingpongs, 5, "--pingpong", state);
        return 0;
    case KEY_TARGET:
        o->all_targets = strcmp(arg, "all") == 0;
        o->target = (enum qp_texture_target)one_of(arg, targets, 3, "--target", state);
        return 0;
    case KEY_GROUP:
        o->all_groups = strcmp(arg, "all") == 0;
        if (!o->all_groups)
            size(arg, "--group", "16x8", &o->group_x, &o->group_y, state);
        return 0;
    case KEY_BLOCK:
        o->all_blocks = strcmp(arg, "all") == 0;
        o->block = o->all_blocks ? 0 : whole(arg, 1, "--block", state);
        return 0;
    case KEY_REQUIRE:
        if (require(arg, o) != NULL)
            refuse(state, "--require takes gl, cuda and blas, not '%s'", arg);
        return 0;
    case KEY_JSON:
        o->json = arg;
        return 0;
    case KEY_CSV:
        o->csv = arg;
        return 0;
    case KEY_MARKDOWN:
        o->markdown = true;
        return 0;
    case KEY_PAPER:
        o->paper = strlen(arg) == 1 && strchr("1234", arg[0]) != NULL ? arg[0] - '0' : 0;
        if (o->paper == 0)
            refuse(state, "--paper takes 1, 2, 3 or 4, not '%s'", arg);
        return 0;
    case ARGP_KEY_ARG:
        if (o->word_count < MOST_WORDS)
            o->words[o->word_count++] = arg;
        else
            refuse(state, "more than %d names", MOST_WORDS);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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

/* Several ways to run a row, one after the other. */
static bool compares(const struct options *o)
{
    return o->all_pingpongs || o->all_targets || o->all_groups || o->all_blocks;
}

/* A paper's table names its rows and its problem itself, and has one column for each row. */
static void check_paper(const struct options *o, struct argp_state *state)
{
    bool asked = o->paper != 0 || o->budget > 0.0;
    if (asked && strcmp(o->form->name, "bench") != 0)
        refuse(state, "--paper and --budget belong to bench");
    if (o->budget > 0.0 && o->paper == 0)
        refuse(state, "--budget goes with --paper");
    if (o->budget > 0.0 && o->iterations_given && o->paper != 2)
        refuse(state, "--budget chooses the steps: leave --iterations out, or --budget");
    if (o->paper != 0 && (o->word_count > 0 || o->variant != NULL || o->problem != NULL ||
                          o->all_problems || o->parameter_count > 0 || o->all_parameters))
        refuse(state, "--paper takes no variants, --problem or --parameter: the paper names them");
    if (o->paper != 0 && (compares(o) || o->group_x > 0 || o->block > 0))
        refuse(state, "--paper runs each row in one way: leave out --group, --block and 'all'");
}

/* A run may take long, and its end is too late to find that nothing can be written. */
static void check_output(const char *path, struct argp_state *state)
{
    if (path != NULL && !qp_output_is_possible(path))
        refuse(state, "%s: cannot be written: %s", path, strerror(errno));
}

/* The whole command line is looked at before anything is computed or written. */
static void check_together(struct options *o, struct argp_state *state)
{
    const char *wrong = getenv("REQUIRE") != NULL ? require(getenv("REQUIRE"), o) : NULL;
    if (wrong != NULL)
        refuse(state, "REQUIRE takes gl, cuda and blas, not '%s'", wrong);
    if (o->form->words == NULL && o->word_count > 0)
        refuse(state, "%s takes no '%s'", o->form->name, o->words[0]);
    if (is_dash(o->json) + is_dash(o->csv) + is_dash(o->output) + is_dash(o->picture) > 1)
        refuse(state, "only one output can go to standard output");
    check_output(o->json, state);
    check_output(o->csv, state);
    check_output(o->output, state);
    check_output(o->picture, state);
    check_paper(o, state);
    if ((compares(o) || o->group_x > 0 || o->block > 0) && strcmp(o->form->name, "bench") != 0)
        refuse(state, "only bench compares styles, groups and blocks");
    if ((o->all_parameters || o->parameter_count > 1) && strcmp(o->form->name, "bench") != 0)
        refuse(state, "only bench takes several parameters");
    if (o->all_problems && strcmp(o->form->name, "bench") != 0)
        refuse(state, "only bench takes all problems in turn");
    if (o->weight >= 2.0)
        refuse(state, "--weight must lie between 0 and 2");
}

static error_t parse_any(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        if (o->form->solves)
            state->child_inputs[0] = o;
        return 0;
    case ARGP_KEY_END:
        check_together(o, state);
        return 0;
    case KEY_SIZE:
    case 'n':
        size(arg, NULL, NULL, &o->width, &o->height, state);
        return 0;
    case KEY_GRID:
        size(arg, "--grid", "30x30", &o->grid_width, &o->grid_height, state);
        return 0;
    case KEY_ITERATIONS:
        o->iterations = whole(arg, 0, "--iterations", state);
        o->iterations_given = true;
        return 0;
    case KEY_REPEATS:
        o->repeats = whole(arg, 1, "--repeats", state);
        return 0;
    case KEY_SEED:
        o->seed = (unsigned long long)whole(arg, 0, "--seed", state);
        return 0;
    case KEY_BUDGET:
        o->budget = number(arg, "--budget", state);
        return 0;
    case KEY_CONDITION:
        o->condition = number(arg, "--condition", state);
        if (o->condition < 1.0)
            refuse(state, "--condition is at least 1, not '%s'", arg);
        return 0;
    case KEY_PARAMETER:
        o->parameter_count = 0;
        o->all_parameters = strcmp(arg, "all") == 0;
        if (!o->all_parameters)
            parameters(arg, o, state);
        o->parameter = o->parameter_count > 0 ? o->parameters[0] : -1;
        return 0;
    case KEY_WEIGHT:
        o->weight = number(arg, "--weight", state);
        return 0;
    default:
        return parse_words(key, arg, state);
    }
}

/* ECANCELED once help or version was given: that ends the parsing, as a refusal does. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
    const struct options *o = state->input;
    switch (key) {
    case '?':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return ECANCELED;
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE);
        return ECANCELED;
    case 'V':
        printf("quadpass %s\n", qp_version());
        return ECANCELED;
    default: {
        error_t status = parse_any(key, arg, state);
        return status == 0 && o->refused ? EINVAL : status;
    }
    }
}

int options_parse(int argc, char **argv, const struct options_form *form, struct options *out)
{
    *out = (struct options){.form = form, .seed = 1, .parameter = -1};
    remember_command(argc, argv, out);
    struct argp solve_argp = {.options = options_of_solve, .parser = parse_solve};
    struct argp_child children[] = {{&solve_argp, 0, form->solves ? "Solving:" : NULL, 1}, {0}};
    struct argp argp = {.options = options_common,
                        .parser = parse,
                        .args_doc = form->words != NULL ? form->words : "",
                        .doc = form->text,
                        .children = form->solves ? children : NULL};
    char name[64], *typed = argv[0];
    snprintf(name, sizeof name, "quadpass %s", form->name);
    argv[0] = name; /* what messages begin with */
    error_t status = argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, out);
    argv[0] = typed;
    out->table =
        is_dash(out->json) || is_dash(out->csv) || is_dash(out->output) || is_dash(out->picture)
            ? stderr
            : stdout;
    if (status == ECANCELED)
        return EXIT_GOOD;
    return status != 0 || out->refused ? EXIT_USAGE : -1;
}

void options_read(int argc, char **argv, const struct options_form *form, struct options *out)
{
    int code = options_parse(argc, argv, form, out);
    if (code >= 0)
        exit(code);
}
