/* SPDX-License-Identifier: MIT */
#include "cmd/options_line.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cmd/output/sentence.h"
#include "ops/table.h"

enum { MOST_OPTIONS = 64, MOST_KINDS = 9 };

void options_refuse(struct options *o, const char *format, ...)
{
    char text[1024], who[64];
    if (o->refused)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(who, sizeof who, "quadpass %s", o->form->name);
    sentence_print(stderr, who, text);
    fprintf(stderr, "Try '%s --help'.\n", who);
    o->refused = true;
}

/* ---- Values ---- */

int options_whole(const char *text, long least, const char *option, struct options *o)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > INT_MAX) {
        options_refuse(o, "%s takes a whole number of at least %ld, not '%s'", option, least, text);
        return (int)least;
    }
    return (int)value;
}

double options_number(const char *text, const char *option, struct options *o)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0.0) {
        options_refuse(o, "%s takes a positive number, not '%s'", option, text);
        return 1.0;
    }
    return value;
}

void options_size(const char *text, const char *option, const char *such, int *width, int *height,
                  struct options *o)
{
    char *end;
    errno = 0;
    const long columns = strtol(text, &end, 10);
    const bool has_rows = *end == 'x' && end > text;
    const long rows = has_rows ? strtol(end + 1, &end, 10) : columns;
    const bool good = errno == 0 && end > text && end[-1] != 'x' && *end == '\0' && columns > 0 &&
                      columns <= INT_MAX && rows > 0 && rows <= INT_MAX;
    if (!good || (option != NULL && !has_rows))
        options_refuse(o, "%s takes %sWxH, such as %s, each at least 1, not '%s'",
                       option != NULL ? option : "--size", option != NULL ? "" : "N or ",
                       option != NULL ? such : "64 or 64x48", text);
    *width = good ? (int)columns : 1;
    *height = good ? (int)rows : 1;
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

static void print_help(const struct options_form *form, unsigned flags)
{
    struct argp_option options[MOST_OPTIONS] = {{0}};
    const struct option_command *command = option_command(form->name);
    char name[64], text[1024], kinds[1024];
    int count = 0;
    for (const struct option_row *row = option_rows; row->text != NULL && count < MOST_OPTIONS - 1;
         row++) {
        if ((row->commands & (command->set | IN_HELP)) != 0)
            options[count++] = (struct argp_option){row->name,
                                                    row->letter,
                                                    row->value,
                                                    0,
                                                    text_of(row, kinds, sizeof kinds),
                                                    row->commands & IN_HELP ? -1 : 0};
    }
    snprintf(name, sizeof name, "quadpass %s", form->name);
    snprintf(text, sizeof text, "%s\v%s%s", form->text, command->examples ? "Examples:\n  " : "",
             command->examples ? command->examples : "");
    const struct argp argp = {
        .options = options, .args_doc = form->words, .doc = text, .help_filter = filter};
    argp_help(&argp, stdout, flags, name);
}

/* ---- Which option ---- */

/* The first row of an option of these commands that is called so, or is the only one that begins
 * so. *several counts the options that may be meant. */
static const struct option_row *find(const char *name, size_t length, int set, int *several)
{
    const struct option_row *found = NULL;
    *several = 0;
    for (const struct option_row *row = option_rows; row->text != NULL; row++) {
        if (row->name == NULL || (row->commands & set) == 0 ||
            strncmp(row->name, name, length) != 0)
            continue;
        if (row->name[length] == '\0') {
            *several = 1;
            return row;
        }
        if (found == NULL || !option_is_same(found, row))
            ++*several;
        found = found != NULL ? found : row;
    }
    return found;
}

static const struct option_row *find_letter(char letter, int set)
{
    const struct option_row *row = option_rows;
    while (row->text != NULL && (row->letter != letter || (row->commands & set) == 0))
        row++;
    return row->text != NULL ? row : NULL;
}

/* The refusal says "--grid belongs to solve". Steps have two names. */
static void refuse_foreign(struct options *o, const struct option_row *row)
{
    const char letter[2] = {row->letter, '\0'}, *name = row->name != NULL ? row->name : letter,
               *other = strcmp(name, "steps") == 0        ? "iterations"
                        : strcmp(name, "iterations") == 0 ? "steps"
                                                          : NULL;
    char commands[128] = "";
    size_t used = 0;
    int several;
    const int set = option_belongs(row);
    for (const struct option_command *c = option_commands; c->name != NULL; c++) {
        if ((set & c->set) != 0 && used < sizeof commands)
            used += (size_t)snprintf(commands + used, sizeof commands - used, "%s%s",
                                     used > 0 ? ", " : "", c->name);
    }
    if (other != NULL && find(other, strlen(other), option_command(o->form->name)->set, &several))
        options_refuse(o, "--%s belongs to %s; %s takes --%s", name, commands, o->form->name,
                       other);
    else
        options_refuse(o, "%s%s belongs to %s", row->name != NULL ? "--" : "-", name, commands);
}

static void refuse_unknown(struct options *o, const char *word, size_t length, int set)
{
    const char *names[MOST_OPTIONS];
    char name[64];
    int count = 0;
    for (const struct option_row *row = option_rows; row->text != NULL && count < MOST_OPTIONS;
         row++) {
        if (row->name != NULL && (row->commands & set) != 0)
            names[count++] = row->name;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *near = qp_nearest(name, names, count);
    options_refuse(
        o, near != NULL ? "there is no option --%s; did you mean --%s?" : "there is no option --%s",
        name, near);
}

/* An option by its name without dashes; NULL once it was refused. */
static const struct option_row *find_long(struct options *o, const char *word, size_t length)
{
    const int set = option_command(o->form->name)->set | IN_HELP;
    int several, elsewhere;
    const struct option_row *row = find(word, length, set, &several);
    const struct option_row *foreign = find(word, length, IN_ALL, &elsewhere);
    if (several == 1)
        return row;
    if (several > 1)
        options_refuse(o, "--%.*s may be --%s or another option; write more of it", (int)length,
                       word, row->name);
    else if (elsewhere == 1)
        refuse_foreign(o, foreign);
    else
        refuse_unknown(o, word, length, set);
    return NULL;
}

/* ---- The line ---- */

struct line {
    char **word;
    int left; /* words from here on */
    struct options *o;
    options_take *take;
    bool told; /* help or the version was printed */
};

static void give(struct line *line, const struct option_row *row, const char *value)
{
    line->told = (row->commands & IN_HELP) != 0;
    if (!line->told)
        line->take(row, value, line->o);
    else if (row->letter == 'V')
        printf("quadpass %s\n", qp_version());
    else
        print_help(line->o->form, row->letter == '?' ? ARGP_HELP_STD_HELP : ARGP_HELP_USAGE);
}

/* True if a word ends as the row's value in brackets does, such as [REF.c]. */
static bool is_optional(const struct option_row *row, const char *word)
{
    const char *kind = strchr(row->value, '.'), *end = strrchr(word, '.');
    return end != NULL && strncmp(end, kind, strlen(kind) - 1) == 0 &&
           strlen(end) + 1 == strlen(kind);
}

/* Gives an option with its value: the one attached to it, or else the next word. */
static void give_with(struct line *line, const struct option_row *row, const char *value)
{
    const char letter[2] = {row->letter, '\0'};
    const bool optional = row->value[0] == '[';
    if (value == NULL && line->left > 1 && (!optional || is_optional(row, line->word[1]))) {
        line->word++;
        line->left--;
        value = line->word[0];
    }
    if (value != NULL || optional)
        give(line, row, value != NULL ? value : "");
    else
        options_refuse(line->o, "%s%s takes %s", row->name != NULL ? "--" : "-",
                       row->name != NULL ? row->name : letter, row->value);
}

static void read_long(struct line *line)
{
    const char *word = line->word[0] + 2, *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const struct option_row *row = find_long(line->o, word, length);
    if (row != NULL && row->value != NULL)
        give_with(line, row, equals != NULL ? equals + 1 : NULL);
    else if (row != NULL && equals != NULL)
        options_refuse(line->o, "--%s takes no value", row->name);
    else if (row != NULL)
        give(line, row, NULL);
}

/* Letters in one word, the last of them with its value. */
static void read_letters(struct line *line)
{
    const int set = option_command(line->o->form->name)->set | IN_HELP;
    const char *at = line->word[0] + 1;
    for (; *at != '\0' && !line->told && !line->o->refused; at++) {
        const struct option_row *row = find_letter(*at, set), *foreign = find_letter(*at, IN_ALL);
        if (row != NULL && row->value != NULL) {
            give_with(line, row, at[1] != '\0' ? at + 1 : NULL);
            return;
        }
        if (row != NULL)
            give(line, row, NULL);
        else if (foreign != NULL)
            refuse_foreign(line->o, foreign);
        else
            options_refuse(line->o, "there is no option -%c", *at);
    }
}

bool options_line(int argc, char **argv, struct options *o, options_take *take)
{
    struct line line = {.word = argv + 1, .left = argc - 1, .o = o, .take = take};
    bool words_alone = false;
    for (; line.left > 0 && !line.told && !o->refused; line.word++, line.left--) {
        const char *word = line.word[0];
        if (words_alone || word[0] != '-' || word[1] == '\0')
            take(NULL, word, o);
        else if (strcmp(word, "--") == 0)
            words_alone = true;
        else if (word[1] == '-')
            read_long(&line);
        else
            read_letters(&line);
    }
    return line.told;
}
