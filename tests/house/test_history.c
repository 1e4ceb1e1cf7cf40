/* SPDX-License-Identifier: MIT */
/* The history to project: screens of docs/history.md have their parts once,
 * their commands run, and each line of the time lines has a source and
 * something here that shows it. */
#include "support/files.h"
#include "support/shell.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE "docs/history.md"

enum { FIRST = 2001, LAST = 2026, LETTERS = 40, SCREENS = 12, LINE = 512, FIELDS = 5 };
enum { YEAR, WHAT, WHY, SOURCE, SHOWS };

/* ---- Time lines ---- */

/* Cuts a line of CSV, which it changes, and returns the number of its fields.
 */
static int cut(char *line, char *fields[FIELDS + 1])
{
    int count = 0;
    for (char *at = line; count <= FIELDS; at++) {
        const bool quoted = *at == '"';
        fields[count++] = at += quoted;
        at += strcspn(at, quoted ? "\"" : ",");
        if (quoted && *at == '"')
            *at++ = '\0';
        if (*at != ',')
            break;
        *at = '\0';
    }
    return count;
}

static bool is_variant(const char *name)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(qp_variant_at(i)->name, name) == 0)
            return true;
    }
    return false;
}

/* True if the words are a command of quadpass; its variants and files are
 * there. */
static bool is_command(const char *words)
{
    static char *help;
    char command[LINE], name[LINE];
    if (help == NULL && run_for(QUADPASS " --help", &help) != 0)
        return false;
    snprintf(command, sizeof command, "%s", words);
    char *word = strtok(command, " ");
    if (word == NULL || strcmp(word, "quadpass") != 0 || (word = strtok(NULL, " ")) == NULL)
        return false;
    snprintf(name, sizeof name, "\n  %.60s ", word);
    bool right = strstr(help, name) != NULL;
    while ((word = strtok(NULL, " ")) != NULL) {
        if (strchr(word, '/') != NULL && strchr(word, '*') == NULL)
            right &= is_variant(word) || access(word, R_OK) == 0;
    }
    return right;
}

/* A year such as 2004, or a span such as 2006-2010; 0 if it is neither. */
static int first_year(const char *text)
{
    int from, to, used = 0;
    if (sscanf(text, "%4d-%4d%n", &from, &to, &used) < 2 || text[used] != '\0') {
        if (sscanf(text, "%4d%n", &from, &used) != 1 || text[used] != '\0')
            return 0;
        to = from;
    }
    return from >= FIRST && to >= from && to <= LAST ? from : 0;
}

static void line_is_right(const char *path, int number, char *line, int *before)
{
    char *fields[FIELDS + 1];
    if (cut(line, fields) != FIELDS) {
        fault("%s:%d: not %d fields\n", path, number, FIELDS);
        return;
    }
    for (int i = 0; i < FIELDS; i++) {
        if (fields[i][strspn(fields[i], " ")] == '\0')
            fault("%s:%d: field %d is empty\n", path, number, i + 1);
    }
    const int year = first_year(fields[YEAR]);
    if (year == 0)
        fault("%s:%d: '%s' is no year from %d to %d\n", path, number, fields[YEAR], FIRST, LAST);
    if (year < *before)
        fault("%s:%d: %d comes after %d\n", path, number, year, *before);
    *before = year;
    if (strlen(fields[WHAT]) > LETTERS)
        fault("%s:%d: '%s' has more than %d letters\n", path, number, fields[WHAT], LETTERS);
    if (!is_variant(fields[SHOWS]) && !is_command(fields[SHOWS]))
        fault("%s:%d: '%s' is no variant and no command\n", path, number, fields[SHOWS]);
}

/* A title after #, the head, and lines. */
static void time_line_is_right(const char *path, const char *text)
{
    int number = 0, before = 0;
    for (const char *at = text; *at != '\0'; at += *at == '\n') {
        char line[2 * LINE];
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        at += length;
        number++;
        if (number == 1 && strncmp(line, "# ", 2) != 0)
            fault("%s: no title\n", path);
        if (number == 2 && strcmp(line, "year,what,why,source,shows") != 0)
            fault("%s: '%s' is another head\n", path, line);
        if (number > 2)
            line_is_right(path, number, line, &before);
    }
    if (number < 3)
        fault("%s: no lines\n", path);
}

TEST(time_lines_have_sources)
{
    static const char head[] = "# T\nyear,what,why,source,shows\n";
    static const struct {
        const char *lines;
        int faults;
    } cases[] = {
        {"2004,a,b,\"c, d\",jacobi9/vertex\n2004-2010,a,b,c,quadpass info\n", 0},
        {"2004,a,b,,jacobi9/vertex\n", 1},
        {"2004,a,b,\"\",jacobi9/vertex\n", 1},
        {"2004,a,b,c,jacobi9/vortex\n", 1},
        {"2004,a,b,c,quadpass nifo\n", 1},
        {"2004,a,b,c,quadpass check jacobi9/vortex\n", 1},
        {"2004,a,b,c,quadpass run demos/none.frag\n", 1},
        {"2004,a,b,c\n", 1},
        {"2004,a,b,c, d,jacobi9/vertex\n", 1},
        {"2005,a,b,c,jacobi9/vertex\n2004,a,b,c,jacobi9/vertex\n", 1},
        {"2000,a,b,c,jacobi9/vertex\n", 1},
        {"2027,a,b,c,jacobi9/vertex\n", 1},
        {"2010-2004,a,b,c,jacobi9/vertex\n", 1},
        {"2004x,a,b,c,jacobi9/vertex\n", 1},
        {"2004,aaaaaaaaaabbbbbbbbbbccccccccccddddddddddx,b,c,jacobi9/vertex\n", 1},
        {"", 1},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char text[LINE];
        snprintf(text, sizeof text, "%s%s", head, cases[i].lines);
        faults = 0;
        time_line_is_right("x.csv", text);
        assert_int_equal(faults, cases[i].faults);
    }
    each_file("docs/{timeline,papers/forgiven-years}.csv", 2, time_line_is_right);
}

/* ---- Screens ---- */

/* Sentences that end in a paragraph: marks with nothing or a blank behind. */
static int sentences(const char *paragraph, size_t length)
{
    int found = 0;
    for (size_t i = 0; i < length; i++)
        found += strchr(".?!", paragraph[i]) != NULL &&
                 (i + 1 == length || isspace((unsigned char)paragraph[i + 1]));
    return found;
}

struct parts {
    int pictures, sentences, commands, sources;
};

/* Counts the parts of a screen, whose paragraphs are apart by empty lines; code
 * is none. */
static struct parts parts_of(const char *at, const char *end)
{
    struct parts found = {0};
    bool is_code = false;
    at += strcspn(at, "\n");
    for (at += strspn(at, "\n"); at < end; at += strspn(at, "\n")) {
        const char *next = strstr(at, "\n\n");
        const size_t length = next != NULL && next < end ? (size_t)(next - at) : (size_t)(end - at);
        const bool opens = strncmp(at, "```", 3) == 0;
        if (!is_code && strncmp(at, "<!-- run:", 9) == 0)
            found.pictures += memmem(at, length, "\n![", 3) != NULL;
        else if (!is_code && strncmp(at, "    quadpass ", 13) == 0)
            found.commands += 1 + (memchr(at, '\n', length - 1) != NULL);
        else if (!is_code && strncmp(at, "Source: ", 8) == 0)
            found.sources++;
        else if (!is_code && !opens)
            found.sentences += sentences(at, length - (at[length - 1] == '\n'));
        is_code = opens || is_code;
        if (is_code && memmem(at, length, "\n```", 4) != NULL)
            is_code = false;
        at += length;
    }
    return found;
}

static void screens_are_whole(const char *path, const char *text)
{
    int number = 0;
    for (const char *at = text; (at = strstr(at, "\n## ")) != NULL; number++) {
        const char *next = strstr(at + 1, "\n## ");
        const struct parts found = parts_of(at + 1, next != NULL ? next : at + strlen(at));
        if (atoi(at + 4) != number + 1)
            fault("%s: screen %d is called %.20s\n", path, number + 1, at + 4);
        if (found.pictures != 1 || found.sentences != 1 || found.commands != 1 ||
            found.sources != 1)
            fault("%s: screen %d has %d pictures, %d sentences, %d commands and %d "
                  "sources, where "
                  "one is wanted of each\n",
                  path, number + 1, found.pictures, found.sentences, found.commands, found.sources);
        at++;
    }
    if (strcmp(path, PAGE) == 0 && number != SCREENS)
        fault("%s: %d screens and not %d\n", path, number, SCREENS);
}

TEST(screens_have_one_of_each)
{
#define PICTURE "<!-- run: a -->\n![b](c)\n<!-- end -->\n\n"
#define COMMAND "    quadpass d\n\n"
    static const struct {
        const char *text;
        int faults;
    } cases[] = {
        {"\n## 1. X\n\n" PICTURE "A b.\n\n" COMMAND "```c\na. b.\n\nc.\n```\n\nSource: e. f.\n", 0},
        {"\n## 1. X\n\nA b.\n\n" COMMAND "Source: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE PICTURE "A b.\n\n" COMMAND "Source: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE COMMAND "Source: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE "A b. C d.\n\n" COMMAND "Source: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE "A b.\n\n" COMMAND "C.\n\nSource: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE "A b.\n\nSource: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE "A b.\n\n    quadpass d\n    quadpass e\n\nSource: e.\n", 1},
        {"\n## 1. X\n\n" PICTURE "A b.\n\n" COMMAND, 1},
        {"\n## 2. X\n\n" PICTURE "A b.\n\n" COMMAND "Source: e.\n", 1},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        faults = 0;
        screens_are_whole("x.md", cases[i].text);
        assert_int_equal(faults, cases[i].faults);
    }
    each_file(PAGE, 1, screens_are_whole);
}

/* Commands of the page, indented by four; none of them says why it would fail.
 */
static void commands_run(const char *path, const char *text)
{
    for (const char *at = text; (at = strstr(at, "\n    quadpass ")) != NULL; at++) {
        char command[LINE];
        snprintf(command, sizeof command, "%.*s", (int)strcspn(at + 5, "\n"), at + 5);
        if (shell(command) != 0)
            fault("%s: %s\n%s", path, command, output);
    }
}

TEST(commands_of_screens_run)
{
    need_gl();
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(shell("ln -sf " QP_SOURCE_DIR "/demos " QP_SOURCE_DIR "/docs ."), 0);
    FILE *file = fopen(QP_SOURCE_DIR "/" PAGE, "r");
    char *text = slurp(file);
    fclose(file);
    faults = 0;
    commands_run(PAGE, text);
    free(text);
    assert_int_equal(faults, 0);
    commands_run("x.md", "\n    quadpass check jacobi9/vortex\n");
    assert_int_equal(faults, 1);
    faults = 0;
}

/* Numbers of pictures by hand are those that their commands print. */
TEST(pictures_have_the_numbers)
{
    static const struct {
        const char *picture, *command, *printed, *drawn;
    } cases[] = {
        {"eight-bits", "walk " QP_SOURCE_DIR "/demos/shaders/colours.frag", " 70     255\n",
         ">70<"},
        {"eight-bits", "walk " QP_SOURCE_DIR "/demos/shaders/colours.frag", " 30     200\n",
         ">200<"},
        {"strip", "walk poisson5/luminance --problem spike -n 3", "0.062   0.250", ">0.0625<"},
        {"strip", "walk poisson5/luminance --problem spike -n 3", "0.062   0.250", ">0.25<"},
    };
    need_gl();
    for (int i = 0; i < COUNT(cases); i++) {
        char path[LINE];
        snprintf(path, sizeof path, QP_SOURCE_DIR "/docs/pictures/%s.svg", cases[i].picture);
        FILE *file = fopen(path, "r");
        char *drawing = slurp(file);
        fclose(file);
        assert_int_equal(run(cases[i].command), 0);
        if (count(cases[i].printed) == 0 || strstr(drawing, cases[i].drawn) == NULL)
            fail_msg("%s: '%s', and '%s' of %s", path, cases[i].drawn, cases[i].printed,
                     cases[i].command);
        free(drawing);
    }
}

GROUP(make_folder_in_haste, remove_folder)
