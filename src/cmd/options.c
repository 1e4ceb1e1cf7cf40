/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options_line.h"
#include "cmd/options_list.h"
#include "cmd/options_run.h"
#include "cmd/output/sentence.h"
#include "cmd/output/terminal.h"
#include "io/output.h"
#include "ops/table.h"

/* Takes a list of gl, cuda and blas; refuses other words by the list's name. */
static void require(const char *text, const char *by, struct options *o)
{
    char word[32];
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
            options_refuse(o, "%s takes gl, cuda and blas, not '%s'", by, word);
        text += length + (text[length] == ',');
    }
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
    static const char *const names[] = {"auto", "llvmpipe", "nvidia", "a number"};
    const bool number = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    o->device = text;
    if (!number)
        options_one_of(text, names, 4, "--device", o);
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
             kind++) {
            if (o->all_problems || strcmp(kind->name, text) == 0)
                return;
            names[count++] = kind->name;
        }
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

static void take_paper(const char *text, struct options *o)
{
    o->paper = strlen(text) == 1 ? text[0] - '0' : 0;
    if (o->paper < 1 || o->paper > PAPERS)
        options_refuse(o, "--paper takes 1, 2, 3, 4 or 5, not '%s'", text);
}

static void take_problems(const char *name, const char *value, struct options *o)
{
    if (strcmp(name, "problem") == 0) {
        take_problem(value, o);
    } else if (strcmp(name, "size") == 0) {
        options_size(value, NULL, NULL, &o->width, &o->height, o);
    } else if (strcmp(name, "seed") == 0) {
        o->seed = (unsigned long long)options_whole(value, 0, "--seed", o);
        o->seed_given = true;
    } else if (strcmp(name, "condition") == 0) {
        o->condition = options_number(value, "--condition", o);
        if (o->condition < 1.0)
            options_refuse(o, "--condition is at least 1, not '%s'", value);
    } else if (strcmp(name, "parameter") == 0) {
        take_parameter(value, o);
    } else if (strcmp(name, "paper") == 0) {
        take_paper(value, o);
    } else if (strcmp(name, "from") == 0) {
        if (o->from_count < MOST_FROM)
            o->from[o->from_count++] = value;
        else
            options_refuse(o, "--from takes %d files at most", MOST_FROM);
    }
}

/* A count whose 0 is none, and not the default, which 0 is in the library. */
static int take_count(const char *text, const char *option, struct options *o)
{
    const int count = options_whole(text, 0, option, o);
    return count > 0 ? count : -1;
}

static void take_ways(const char *name, const char *value, struct options *o)
{
    static const char *const pingpongs[] = {"two_attachments", "two_fbos", "reattach", "copy",
                                            "all"};
    static const char *const targets[] = {"rect", "2d", "all"};
    const bool all = strcmp(value, "all") == 0;
    if (strcmp(name, "device") == 0) {
        take_device(value, o);
    } else if (strcmp(name, "pingpong") == 0) {
        o->all_pingpongs = all;
        o->pingpong = (enum qp_pingpong_style)options_one_of(value, pingpongs, 5, "--pingpong", o);
    } else if (strcmp(name, "target") == 0 &&
               (strcmp(o->form->name, "generate") == 0 || strcmp(o->form->name, "tune") == 0)) {
        o->machine = value;
    } else if (strcmp(name, "target") == 0) {
        o->all_targets = all;
        o->target = (enum qp_texture_target)options_one_of(value, targets, 3, "--target", o);
    } else if (strcmp(name, "group") == 0) {
        o->all_groups = all;
        if (!all)
            options_size(value, "--group", "16x8", &o->group_x, &o->group_y, o);
    } else if (strcmp(name, "block") == 0) {
        o->all_blocks = all;
        o->block = all ? 0 : options_whole(value, 1, "--block", o);
    } else if (strcmp(name, "split") == 0) {
        o->parts.split = take_count(value, "--split", o);
    } else if (strcmp(name, "alpha") == 0) {
        o->parts.alpha = take_count(value, "--alpha", o);
    } else if (strcmp(name, "strategy") == 0) {
        o->strategy =
            (enum qp_strategy)options_one_of(value, qp_strategies, QP_STRATEGIES, "--strategy", o);
    } else if (strcmp(name, "require") == 0) {
        require(value, "--require", o);
    }
}

static void take_method(const char *text, struct options *o)
{
    static const char *const names[] = {"jacobi", "sor", "chebyshev", "cg", "bicgstab"};
    o->method = text;
    options_one_of(text, names, (int)(sizeof names / sizeof names[0]), "--method", o);
}

static void take_precondition(const char *text, struct options *o)
{
    static const char *const names[] = {"none", "jacobi", "chebyshev"};
    o->precondition = text;
    options_one_of(text, names, (int)(sizeof names / sizeof names[0]), "--precondition", o);
}

static void take_solving(const char *name, const char *value, struct options *o)
{
    if (strcmp(name, "grid") == 0) {
        options_size(value, "--grid", "30x30", &o->grid_width, &o->grid_height, o);
    } else if (strcmp(name, "tolerance") == 0) {
        o->tolerance = options_number(value, "--tolerance", o);
        if (o->tolerance >= 1.0) /* which x = 0 has */
            options_refuse(
                o, "--tolerance takes a number above 0 and below 1, such as 1e-6, not '%s'", value);
    } else if (strcmp(name, "method") == 0) {
        take_method(value, o);
    } else if (strcmp(name, "precondition") == 0) {
        take_precondition(value, o);
    } else if (strcmp(name, "every") == 0) {
        if (strcmp(o->form->name, "run") == 0)
            o->each = options_whole(value, 1, "--every", o);
        else
            o->every = strcmp(value, "0") == 0 ? DBL_MIN : options_number(value, "--every", o);
    } else if (strcmp(name, "output") == 0) {
        if (strcmp(o->form->name, "shaders") == 0 || strcmp(o->form->name, "generate") == 0)
            o->folder = value;
        else
            o->output = file(value);
    }
}

/* ---- Options that are a member, as they are ---- */

enum member_type { TEXT, OUTPUT, FLAG, WHOLE /* at least 1 */, NUMBER };

static const struct member {
    const char *option;
    enum member_type type;
    size_t place;
} members[] = {{"variant", TEXT, offsetof(struct options, variant)},
               {"iterations", WHOLE, offsetof(struct options, iterations)},
               {"repeats", WHOLE, offsetof(struct options, repeats)},
               {"jobs", WHOLE, offsetof(struct options, jobs)},
               {"weight", NUMBER, offsetof(struct options, weight)},
               {"parts", WHOLE, offsetof(struct options, parts.count)},
               {"depth", WHOLE, offsetof(struct options, parts.depth)},
               {"slow", WHOLE, offsetof(struct options, parts.slow)},
               {"budget", NUMBER, offsetof(struct options, budget)},
               {"runs", WHOLE, offsetof(struct options, runs)},
               {"simulate", TEXT, offsetof(struct options, simulate)},
               {"list", FLAG, offsetof(struct options, list)},
               {"stall", NUMBER, offsetof(struct options, stall)},
               {"max-iterations", WHOLE, offsetof(struct options, max_iterations)},
               {"refine", FLAG, offsetof(struct options, refine)},
               {"x0", TEXT, offsetof(struct options, start)},
               {"double", FLAG, offsetof(struct options, in_double)},
               {"rhs", TEXT, offsetof(struct options, rhs)},
               {"checkpoint", TEXT, offsetof(struct options, checkpoint)},
               {"resume", TEXT, offsetof(struct options, resume)},
               {"steps", WHOLE, offsetof(struct options, head.steps)},
               {"points", WHOLE, offsetof(struct options, head.points)},
               {"frames", OUTPUT, offsetof(struct options, frames)},
               {"watch", FLAG, offsetof(struct options, watch)},
               {"fast", FLAG, offsetof(struct options, fast)},
               {"disguise", FLAG, offsetof(struct options, disguise)},
               {"mutants", FLAG, offsetof(struct options, mutants)},
               {"no-reference", FLAG, offsetof(struct options, no_reference)},
               {"untuned", FLAG, offsetof(struct options, untuned)},
               {"write", TEXT, offsetof(struct options, folder)},
               {"picture", OUTPUT, offsetof(struct options, picture)},
               {"json", OUTPUT, offsetof(struct options, json)},
               {"csv", OUTPUT, offsetof(struct options, csv)},
               {"junit", OUTPUT, offsetof(struct options, junit)},
               {"tap", OUTPUT, offsetof(struct options, tap)},
               {"markdown", FLAG, offsetof(struct options, markdown)},
               {"text", FLAG, offsetof(struct options, text)},
               {"print", FLAG, offsetof(struct options, print)},
               {"all", FLAG, offsetof(struct options, all)},
               {"kinds", FLAG, offsetof(struct options, kinds)},
               {"long", FLAG, offsetof(struct options, wordy)}};

/* False for an option that is none of these. */
static bool take_member(const char *option, const char *value, struct options *o)
{
    enum { MEMBERS = sizeof members / sizeof members[0] };
    char name[64];
    int k = 0;
    while (k < MEMBERS && strcmp(members[k].option, option) != 0)
        k++;
    if (k == MEMBERS)
        return false;
    void *place = (char *)o + members[k].place;
    snprintf(name, sizeof name, "--%s", option);
    if (members[k].type == FLAG)
        *(bool *)place = true;
    else if (members[k].type == WHOLE)
        *(int *)place = options_whole(value, 1, name, o);
    else if (members[k].type == NUMBER)
        *(double *)place = options_number(value, name, o);
    else
        *(const char **)place = members[k].type == OUTPUT ? file(value) : value;
    return true;
}

static void take(const struct option_row *row, const char *value, struct options *o)
{
    static const char ways[] = " pingpong target group block parts depth split ";
    const char *name = row != NULL && row->name != NULL ? row->name : "size"; /* -n is that too */
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    o->styled = o->styled || strstr(ways, word) != NULL;
    if (row == NULL) {
        take_word(value, o);
    } else if (!take_member(name, value, o)) { /* which takes those without a value */
        take_problems(name, value, o);
        take_ways(name, value, o);
        take_solving(name, value, o);
        options_take_run(name, value, o);
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
    if (required != NULL)
        require(required, "QUADPASS_REQUIRE", o);
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
        is_dash(out->junit) || is_dash(out->tap) || is_dash(out->frames))
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

bool options_names_device(const struct options *options)
{
    const char *device = options->device != NULL ? options->device : getenv("QUADPASS_DEVICE");
    return device != NULL && device[0] != '\0' && strcmp(device, "auto") != 0;
}
