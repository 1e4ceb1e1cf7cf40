/* SPDX-License-Identifier: MIT */
/* Reading of a command line by argp, which prints the help, too; what it refuses is said here. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/nearest.h"
#include "tools/cmd/options.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/terminal.h"

enum { MOST_OPTIONS = 64, MOST_KINDS = 9, FIRST_KEY = 256 /* rows without a letter */ };

/* ---- Help ---- */

/* Leaves out what argp adds about letters and their values. */
static char *filter(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

/* Text of an option, with the kinds of problem where it announces them: the first two if an
 * operation has many. */
static const char *text_of(const struct option_row *row, char *text, size_t size)
{
    if (row->text[strlen(row->text) - 1] != ':')
        return row->text;
    size_t used = (size_t)snprintf(text, size, "%s", row->text);
    for (size_t i = 0; qp_op_at(i) != NULL && used < size; i++) {
        const struct qp_kind *kinds = qp_op_at(i)->kinds;
        int all = 0;
        while (kinds[all].name != NULL)
            all++;
        const int shown = all > MOST_KINDS ? 2 : all;
        used += (size_t)snprintf(text + used, size - used, "%s of %s", i > 0 ? ";" : "",
                                 qp_op_at(i)->name);
        for (int k = 0; k < shown && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, "%s %s", k > 0 ? "," : "",
                                     kinds[k].name);
        if (shown < all && used < size)
            used += (size_t)snprintf(text + used, size - used, " and %d more", all - shown);
    }
    return text;
}

/* ---- Which option ---- */

/* The commands whose options this one has: itself, and all. */
static int set_of(const struct options *o)
{
    return o->command->set | IN_HELP;
}

/* The first row of an option of these commands that a word such as "-n4" or "--size=4" names, or
 * alone begins to name. *several counts the options that may be meant. */
static const struct option_row *find(const char *word, int set, int *several)
{
    const struct option_row *found = NULL;
    const bool is_long = word[1] == '-';
    const size_t length = strcspn(word + 2, "=");
    *several = 0;
    for (const struct option_row *row = option_rows; row->text != NULL; row++) {
        if ((row->commands & set) == 0 || (is_long && row->name == NULL) ||
            (is_long ? strncmp(row->name, word + 2, length) != 0 : row->letter != word[1]))
            continue;
        if (!is_long || row->name[length] == '\0') {
            *several = 1;
            return row;
        }
        *several += found == NULL || !option_is_same(found, row);
        found = found != NULL ? found : row;
    }
    return found;
}

/* ---- Refusals ---- */

/* Says that an option of this command has a value where it takes none, or none where it takes
 * one. */
static void refuse_value(struct options *o, const struct option_row *row)
{
    if (row->value == NULL)
        options_refuse(o, "--%s takes no value", row->name);
    else if (row->name == NULL)
        options_refuse(o, "-%c takes %s", row->letter, row->value);
    else
        options_refuse(o, "--%s takes %s", row->name, row->value);
}

/* The refusal says "--grid belongs to solve". Steps have two names. */
static void refuse_foreign(struct options *o, const struct option_row *row)
{
    const char letter[2] = {row->letter, '\0'}, *name = row->name != NULL ? row->name : letter,
               *other = strcmp(name, "steps") == 0        ? "--iterations"
                        : strcmp(name, "iterations") == 0 ? "--steps"
                                                          : NULL;
    char commands[128] = "";
    size_t used = 0;
    int several;
    const int set = option_belongs(row);
    for (const struct command_row *c = o->commands; c->name != NULL; c++) {
        if ((set & c->set) != 0 && used < sizeof commands)
            used += (size_t)snprintf(commands + used, sizeof commands - used, "%s%s",
                                     used > 0 ? ", " : "", c->name);
    }
    if (other != NULL && find(other, set_of(o), &several) != NULL)
        options_refuse(o, "--%s belongs to %s; %s takes %s", name, commands, o->command->name,
                       other);
    else
        options_refuse(o, "%s%s belongs to %s", row->name != NULL ? "--" : "-", name, commands);
}

static void refuse_unknown(struct options *o, const char *word)
{
    const char *names[MOST_OPTIONS];
    char name[64];
    int count = 0;
    for (const struct option_row *row = option_rows; row->text != NULL && count < MOST_OPTIONS;
         row++) {
        if (row->name != NULL && (row->commands & set_of(o)) != 0)
            names[count++] = row->name;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near = qp_nearest(name, names, count);
    if (word[1] != '-')
        options_refuse(o, "there is no option -%c", word[1]);
    else if (near == NULL)
        options_refuse(o, "there is no option --%s", name);
    else
        options_refuse(o, "there is no option --%s; did you mean --%s?", name, near);
}

/* Says what is wrong with a word that begins with a dash. */
static void refuse_word(struct options *o, const char *word)
{
    int several, elsewhere;
    const struct option_row *row = find(word, set_of(o), &several);
    const struct option_row *foreign = find(word, IN_ALL, &elsewhere);
    if (several > 1)
        options_refuse(o, "%.*s may be --%s or another option; write more of it",
                       (int)strcspn(word, "="), word, row->name);
    else if (several == 1)
        refuse_value(o, row);
    else if (elsewhere == 1)
        refuse_foreign(o, foreign);
    else
        refuse_unknown(o, word);
}

/* ---- The line ---- */

struct line {
    struct options *options;
    int read; /* words that argp has taken; it does not say which one it refuses: the next */
    struct argp_option option[MOST_OPTIONS];
};

/* A name, a pattern or a file; as many as the form names, or "..." of them. */
static void take_word(const char *text, struct options *o)
{
    const char *words = o->command->words;
    int most = 0;
    for (const char *at = words; at != NULL; at = strchr(at + 1, ' '))
        most++;
    if (words != NULL && strstr(words, "...") != NULL)
        most = MOST_WORDS;
    if (o->word_count < most)
        o->words[o->word_count++] = text;
    else if (most == 0)
        options_refuse(o, "%s takes no '%s'", o->command->name, text);
    else if (most == MOST_WORDS)
        options_refuse(o, "more than %d names", MOST_WORDS);
    else
        options_refuse(o, "%s takes %s, and '%s' is one too many", o->command->name, words, text);
}

/* True if a word ends as the row's value in brackets does, such as [REF.c]. */
static bool is_optional(const struct option_row *row, const char *word)
{
    const char *kind = strchr(row->value, '.'), *end = strrchr(word, '.');
    return end != NULL && strncmp(end, kind, strlen(kind) - 1) == 0 &&
           strlen(end) + 1 == strlen(kind);
}

/* Stores an option's value, or refuses it with a sentence that names the option. */
static void store(const struct option_row *row, const char *value, struct options *o)
{
    const struct option_row *how = row;
    while (how->take == NULL || !option_is_same(how, row))
        how--;
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name != NULL ? row->name : "size"); /* -n */
    const struct option_given given = {.row = how,
                                       .name = name,
                                       .value = value,
                                       .all = how->all != 0 && strcmp(value, "all") == 0,
                                       .place = (char *)o + how->place,
                                       .options = o};
    if (how->all != 0)
        *(bool *)((char *)o + how->all) = given.all;
    o->styled = o->styled || how->style;
    how->take(&given);
}

/* Prints what --help, --usage or --version asks for. Brackets are in the names of values. */
static void tell(const struct option_row *row, const struct argp_state *state)
{
    struct line *line = state->input;
    char name[64];
    snprintf(name, sizeof name, "quadpass %s", line->options->command->name);
    for (int k = 0; k < MOST_OPTIONS; k++)
        line->option[k].flags = 0;
    if (row->letter == 'V')
        printf("quadpass %s\n", qp_version());
    else
        argp_help(state->root_argp, stdout,
                  row->letter == '?' ? ARGP_HELP_STD_HELP : ARGP_HELP_USAGE, name);
    line->options->told = true;
}

/* Takes an option. A value in brackets may also be the next word. */
static void take_option(const struct option_row *row, const char *value, struct argp_state *state)
{
    struct line *line = state->input;
    const bool optional = row->value != NULL && row->value[0] == '[';
    if (optional && value == NULL)
        value = state->next < state->argc && is_optional(row, state->argv[state->next])
                    ? state->argv[state->next++]
                    : "";
    if ((row->commands & IN_HELP) == 0)
        store(row, value, line->options);
    else
        tell(row, state);
}

static error_t take(int key, char *text, struct argp_state *state)
{
    struct line *line = state->input;
    struct options *o = line->options;
    int several;
    if (key == ARGP_KEY_ARG)
        take_word(text, o);
    else if (key == ARGP_KEY_ERROR && !o->told && !o->refused)
        refuse_word(o, state->argv[line->read]);
    else if (key >= FIRST_KEY && key < ARGP_KEY_END)
        take_option(option_rows + key - FIRST_KEY, text, state);
    else if (key > 0 && key < FIRST_KEY)
        take_option(find((const char[]){'-', (char)key, '\0'}, set_of(o), &several), text, state);
    else
        return ARGP_ERR_UNKNOWN;
    line->read = state->next;
    return o->told || o->refused ? EINVAL : 0;
}

/* Takes all words in order, up to the first that is refused or asks for help. Names may be cut as
 * long as one option of the command is meant; words may come before options; after -- all are
 * words. */
static void read_line(int argc, char **argv, struct options *o)
{
    const struct command_row *command = o->command;
    char text[2048], kinds[1024];
    struct line line = {.options = o, .read = 1};
    int count = 0;
    for (const struct option_row *row = option_rows; row->text != NULL && count < MOST_OPTIONS - 1;
         row++) {
        if ((row->commands & set_of(o)) != 0)
            line.option[count++] = (struct argp_option){
                row->name,
                row->letter != 0 ? row->letter : FIRST_KEY + (int)(row - option_rows),
                row->value,
                row->value != NULL && row->value[0] == '[' ? OPTION_ARG_OPTIONAL : 0,
                text_of(row, kinds, sizeof kinds),
                row->commands & IN_HELP ? -1 : 0};
    }
    snprintf(text, sizeof text, "%s", command->purpose);
    if (command->kinds != NULL)
        command->kinds(text + strlen(text), sizeof text - strlen(text));
    snprintf(text + strlen(text), sizeof text - strlen(text), "\vExamples:\n  %s",
             command->examples);
    const struct argp argp = {.options = line.option,
                              .parser = take,
                              .args_doc = o->command->words,
                              .doc = text,
                              .help_filter = filter};
    if (argp_parse(&argp, argc, argv, ARGP_SILENT | ARGP_IN_ORDER, NULL, &line) != 0 && !o->told)
        options_refuse(o, "there is no memory left");
}

static void remember_command(int argc, char **argv, struct options *o)
{
    size_t used = (size_t)snprintf(o->command_line, sizeof o->command_line, "quadpass");
    for (int i = 0; i < argc && used < sizeof o->command_line; i++)
        used +=
            (size_t)snprintf(o->command_line + used, sizeof o->command_line - used, " %s", argv[i]);
}

const struct command_row *command_find(const struct command_row *row, int argc, char **argv)
{
    while (row->name != NULL && strcmp(row->name, argv[0]) != 0)
        row++;
    for (int i = 1; i < argc && row->of_file != NULL; i++)
        row = options_is_kernel_file(argv[i]) ? row->of_file : row;
    return row->name != NULL ? row : NULL;
}

int options_parse(const struct command_row *commands, int argc, char **argv, struct options *out)
{
    *out = (struct options){.commands = commands,
                            .command = command_find(commands, argc, argv),
                            .seed = 1,
                            .parameter = -1,
                            .table = stdout};
    sentence_expect(argc, argv);
    remember_command(argc, argv, out);
    read_line(argc, argv, out);
    if (out->told)
        return EXIT_GOOD;
    options_take_environment(out);
    options_check(out);
    out->table = terminal_stream(out->table);
    return out->refused ? EXIT_USAGE : -1;
}

void options_read(const struct command_row *commands, int argc, char **argv, struct options *out)
{
    int code = options_parse(commands, argc, argv, out);
    if (code >= 0)
        exit(options_silent ? EXIT_GOOD : code);
}

bool options_names_device(const struct options *options)
{
    const char *device = options->device != NULL ? options->device : getenv("QUADPASS_DEVICE");
    return device != NULL && device[0] != '\0' && strcmp(device, "auto") != 0;
}
