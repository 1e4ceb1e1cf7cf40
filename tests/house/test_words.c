/* SPDX-License-Identifier: MIT */
/* Words of pages and comments: docs/glossary.md explains those of ours in headings, and a comment
 * begins with the name of its thing. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD = 64 /* letters, and the end */ };

/* Coined words that are no name of a struct. */
static const char coined[] =
    " abreast baseline board errand flat guard half hands judge ladder letter lent log mailbox "
    "outside "
    "padding "
    "planes probe pyramid reach reference rim roof round row rung settles sheet slice slot "
    "spoil "
    "square stamp turn unwritten witness wraps ";

/* Words in names of structs that are everyday words or names of people and products. */
static const char everyday[] =
    " access by call check choice compute cost counters cpu cuda end equation file find function "
    "gauss input "
    "item "
    "jordan krylov line list machine machines name number numbers output own plain poisson "
    "product progress "
    "report result rule run "
    "search share shared "
    "size storage test tried tune tuning type use value what width ";

/* Words that point at a thing instead of naming it: no comment begins with one. */
static const char pointing[] = " As Of Such That Those What Where Whether ";

/* Pronouns and the like, in capitals or not: no comment begins with one either. */
static const char pronouns[] = " none of one that those what who ";

static char *tags; /* words in the names of the headers' structs and enums, a blank around each */
static char *glossary;

static bool is_among(const char *words, const char *word)
{
    char padded[WORD + 2];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(words, padded) != NULL;
}

/* True if the glossary has a line for the word, in bold or bold italics. */
static bool is_explained(const char *lines, const char *word)
{
    char plain[WORD + 16], ours[WORD + 16];
    snprintf(plain, sizeof plain, "\n- **%s**", word);
    snprintf(ours, sizeof ours, "\n- ***%s***", word);
    return strstr(lines, plain) != NULL || strstr(lines, ours) != NULL;
}

/* Removes the ending of a plural: stages, passes, matrices. */
static void make_singular(char *word)
{
    const size_t length = strlen(word);
    if (strcmp(word, "matrices") == 0)
        strcpy(word, "matrix");
    else if (length > 4 && strcmp(word + length - 4, "sses") == 0)
        word[length - 2] = '\0';
    else if (length > 3 && word[length - 1] == 's' && word[length - 2] != 's')
        word[length - 1] = '\0';
}

static bool lacks_line(const char *lines, const char *word)
{
    char one[WORD];
    snprintf(one, sizeof one, "%s", word);
    make_singular(one);
    if (is_among(everyday, word) || is_among(everyday, one))
        return false;
    const bool is_ours = is_among(coined, word) || is_among(tags, word) || is_among(coined, one) ||
                         is_among(tags, one);
    return is_ours && !is_explained(lines, word) && !is_explained(lines, one);
}

/* Reports each word of a heading that lacks its line; names in `...` are left out. */
static void check_heading(const char *path, const char *lines, const char *at, size_t length)
{
    char word[WORD];
    size_t letters = 0;
    bool is_name = false;
    for (size_t i = 0; i <= length; i++) {
        is_name ^= i < length && at[i] == '`';
        if (i < length && !is_name && isalpha((unsigned char)at[i]) && letters < sizeof word - 1) {
            word[letters++] = (char)tolower((unsigned char)at[i]);
            continue;
        }
        word[letters] = '\0';
        if (letters > 0 && lacks_line(lines, word))
            fault("%s: '%s' heads \"%.*s\" and is not in docs/glossary.md\n", path, word,
                  (int)length, at);
        letters = 0;
    }
}

/* Headings are lines that begin with #, and the bold beginnings of list items. */
static void check_page(const char *path, const char *text, const char *lines)
{
    bool is_code = false;
    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        is_code ^= strncmp(line, "```", 3) == 0;
        if (!is_code && line[0] == '#') {
            check_heading(path, lines, line, length);
        } else if (!is_code && strncmp(line, "- **", 4) == 0) {
            const char *end = strstr(line + 4, "**");
            if (end != NULL && (size_t)(end - line) < length)
                check_heading(path, lines, line + 4, (size_t)(end - line) - 4);
        }
        line += length;
    }
}

static void page_is_explained(const char *path, const char *text)
{
    if (strcmp(path, "docs/glossary.md") != 0)
        check_page(path, text, glossary);
}

TEST(headings_are_explained)
{
    each_file("{*.md,docs/*.md,docs/*/*.md,docs/*/*/*.md}", 20, page_is_explained);
}

/* A line each, in the order of the alphabet below each heading of a list, with a link to a page or
 * file that shows it; all coined words among them. */
TEST(glossary_is_whole)
{
    char last[WORD] = "", word[WORD], list[sizeof coined];
    for (const char *line = glossary; (line = strchr(line, '\n')) != NULL; line++) {
        if (strncmp(line, "\n## ", 4) == 0)
            *last = '\0';
        if (strncmp(line, "\n- ", 3) != 0)
            continue;
        assert_int_equal(sscanf(line, "\n- %*[*]%63[^*]", word), 1);
        if (strcasecmp(last, word) >= 0)
            fail_msg("docs/glossary.md: '%s' stands behind '%s'", word, last);
        strcpy(last, word);
        const char *rest = strstr(line + 4, "**"), *link = strstr(line + 1, "](");
        assert_true(rest != NULL && strcspn(rest, "\n") > 20);
        if (link == NULL || link > line + 1 + strcspn(line + 1, "\n"))
            fail_msg("docs/glossary.md: '%s' has no link to where it is shown", word);
    }
    strcpy(list, coined);
    for (char *at = strtok(list, " "); at != NULL; at = strtok(NULL, " "))
        if (!is_explained(glossary, at))
            fail_msg("docs/glossary.md does not explain '%s'", at);
}

/* A heading whose word loses its line is a fault; so is one for a struct's name; a name or plain
 * words are none. */
TEST(missing_lines_are_found)
{
    static const char page[] = "# Two roofs\n```\n# roof\n```\n- **A plan** of `roof`.\n"
                               "- a **roof**\n## What it costs\n- **`plan`, quickly**\n";
    faults = 0;
    check_page("x.md", page, "\n- ***roof***, upper bound\n- **plan**: one run\n");
    assert_int_equal(faults, 0);
    check_page("x.md", page, "\n- **plan**: one run\n");
    assert_int_equal(faults, 1);
    check_page("x.md", page, "\n");
    assert_int_equal(faults, 3);
    faults = 0;
}

/* ---- Comments ---- */

/* Reports a comment whose first word, after the signs of comments and headings, only points. */
static void check_first_word(const char *path, const char *text, const char *at)
{
    char word[WORD], small[WORD];
    int line = 1;
    const char *first = at + strspn(at, "/*#-\t\n ");
    const size_t letters = strspn(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    snprintf(word, sizeof word, "%.*s", (int)letters, first);
    for (size_t i = 0; i <= strlen(word); i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    for (const char *end = text; (end = strchr(end, '\n')) != NULL && end < at; end++)
        line++;
    if (letters > 0 && (is_among(pointing, word) || is_among(pronouns, small)))
        fault("%s:%d: a comment begins with '%s'; name the thing first\n", path, line, word);
}

/* End of a comment; lines that begin with the sign // or # belong to it, but for the licence. */
static const char *end_of_comment(const char *at, const char *sign)
{
    const char *end = sign[1] == '*' ? strstr(at + 2, "*/") : at + strcspn(at, "\n");
    if (sign[1] == '*')
        return end != NULL ? end + 2 : at + strlen(at);
    const char *next = end + strspn(end, "\n") + strspn(end + strspn(end, "\n"), " \t");
    const bool goes_on = end[0] != '\0' && end[1] != '\n' && strncmp(at + strlen(sign), " SPDX", 5);
    return goes_on && strncmp(next, sign, strlen(sign)) == 0 ? end_of_comment(next, sign) : end;
}

/* Sign of the comment that begins here; NULL if none does. */
static const char *sign_at(const char *text, const char *at, bool is_script)
{
    if (is_script)
        return at[0] == '#' && at[1] == ' ' && (at == text || isspace((unsigned char)at[-1]))
                   ? "#"
                   : NULL;
    return at[0] != '/' ? NULL : at[1] == '*' ? "/*" : at[1] == '/' ? "//" : NULL;
}

static void comments_name_things(const char *path, const char *text)
{
    const char *dot = strrchr(path, '.');
    const bool is_script = strstr(path, "Makefile") != NULL || strncmp(path, ".ci/", 4) == 0 ||
                           strcmp(dot, ".sh") == 0 || strcmp(dot, ".jq") == 0;
    for (const char *at = text; *at != '\0';) {
        const char *sign = sign_at(text, at, is_script);
        if (sign != NULL) {
            check_first_word(path, text, at);
            at = end_of_comment(at, sign);
        } else {
            at = is_script ? at + 1 : skip_literal(at);
        }
    }
}

TEST(comments_begin_with_names)
{
    each_file(
        "{src/*/{*,*/*,*/*/*}/*.*,include/*/*.h,shaders/*/*.*,templates/*.*,templates/*/*.[chg]*,"
        "tests/*/*.[ch],tests/*/*/*.[ch],tests/*/*.frag,tests/*/*.cu,demos/*.*,demos/*/"
        "*.*,headless/*}",
        900, comments_name_things);
    each_file("{Makefile,templates/*/Makefile,.ci/*,tools/*.sh,tools/*.jq,tests/*/*.sh}", 30,
              comments_name_things);
    assert_int_equal(faults, 0);
}

TEST(pointing_words_are_found)
{
    faults = 0;
    comments_name_things("x.c", "/* Whatever it is. */ int a; /* as many */\n// a\n// What b\n"
                                "char b[] = \"/* What */\", c = '\"';\n/* An Of */\n");
    comments_name_things("x.sh", "#!/bin/sh\n# A line\n# Of two\nx=${a# What}; echo a#b\n");
    assert_int_equal(faults, 0);
    comments_name_things("x.c", "/* What it is. */ int a; /* Of b */ char c = '\"';\n"
                                "// SPDX\n// As d\n\n// Where e\n/* ---- Those f ---- */\n"
                                "/*\n * Such as g */\n");
    assert_int_equal(faults, 6);
    comments_name_things("x.sh", "# SPDX\n# Whether\na # That b\n");
    assert_int_equal(faults, 8);
    comments_name_things("x.c", "/* One a */ int a; /* none */\n// who\n\nint b; /* of c */\n");
    comments_name_things("x.sh", "# SPDX\nx=1 # that y\n");
    assert_int_equal(faults, 13);
    faults = 0;
}

static int read_words(void **state)
{
    (void)state;
    FILE *file = fopen(QP_SOURCE_DIR "/docs/glossary.md", "r");
    glossary = slurp(file);
    fclose(file);
    const int code = run_for("cd " QP_SOURCE_DIR " && printf ' ' && grep -rhoE "
                             "'^(struct|enum) qp_[a-z_]+ [{]' include src --include='*.h' | "
                             "sed -E 's/.* qp_//; s/ .*//' | tr '_\\n' '  '",
                             &tags);
    return code == 0 && is_among(tags, "plan") ? 0 : -1;
}

static int free_words(void **state)
{
    (void)state;
    free(glossary);
    free(tags);
    return 0;
}

GROUP(read_words, free_words)
