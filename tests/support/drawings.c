/* SPDX-License-Identifier: MIT */
#include "support/drawings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16 };

struct element {
    const char *name;
    size_t length;
};

static size_t length_of_name(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '-' || at[length] == ':')
        length++;
    return length;
}

/* The end of an escape such as &#38; from its & on, or NULL. */
static const char *after_escape(const char *at)
{
    const size_t digits = at[1] == '#' ? strspn(at + 2, "0123456789") : 0;
    return digits > 0 && at[2 + digits] == ';' ? at + 3 + digits : NULL;
}

/* The end of ` NAME="VALUE"`, or NULL. */
static const char *after_attribute(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    const bool size = strncmp(at, "font-size=\"", 11) == 0;
    at += length_of_name(at);
    if (at[0] != '=' || at[1] != '"' || (size && atof(at + 2) < 11.0))
        return NULL;
    for (at += 2; *at != '"'; at++) {
        if (*at == '\0' || *at == '<' || (*at == '&' && after_escape(at) == NULL))
            return NULL;
    }
    return at + 1;
}

/* The end of a tag, whose element is opened or closed; NULL at a fault. */
static const char *after_tag(const char *at, struct element *open, int *depth)
{
    const bool closes = at[1] == '/';
    const char *name = at + 1 + closes;
    const size_t length = length_of_name(name);
    if (length == 0 || *depth == DEEPEST)
        return NULL;
    at = name + length;
    if (closes) {
        const bool matches = *depth > 0 && open[*depth - 1].length == length &&
                             memcmp(open[*depth - 1].name, name, length) == 0;
        --*depth;
        return matches && *at == '>' ? at + 1 : NULL;
    }
    while (at != NULL && isspace((unsigned char)*at))
        at = after_attribute(at);
    if (at != NULL && at[0] == '/' && at[1] == '>')
        return at + 2;
    open[(*depth)++] = (struct element){name, length};
    return at != NULL && *at == '>' ? at + 1 : NULL;
}

static bool has(const char *text, const char *element)
{
    const char *at = strstr(text, element);
    at = at != NULL ? strchr(at, '>') : NULL;
    return at != NULL && at[1] != '<';
}

const char *drawing_fault(const char *text)
{
    struct element open[DEEPEST];
    int depth = 0;
    const char *at = text, *next = text;
    if (strncmp(text, "<svg ", 5) != 0 || strstr(text, " role=\"img\"") == NULL ||
        !has(text, "<title") || !has(text, "<desc"))
        return text;
    do {
        at = next;
        next = *at == '<'   ? after_tag(at, open, &depth)
               : *at == '&' ? after_escape(at)
               : *at != '\0' && ((unsigned char)*at >= ' ' || *at == '\n') ? at + 1
                                                                           : NULL;
    } while (next != NULL && depth > 0);
    return next != NULL && strcmp(next, "\n") == 0 ? NULL : at;
}

int drawing_count(const char *text, const char *words)
{
    int found = 0;
    while ((text = strstr(text, words)) != NULL) {
        found++;
        text += strlen(words);
    }
    return found;
}

/* ---- By the command ---- */

/* The text of an element, which is said in `output` at *said, from where the next goes on. */
static void must_be_said(const char *drawing, const char *begin, const char *end, const char **said)
{
    const char *text = strchr(strstr(drawing, begin), '>') + 1;
    const size_t length = (size_t)(strstr(text, end) - text);
    assert_true(length > 20 && strncmp(*said, text, length) == 0);
    *said += length + 2; /* ". ", or the end of the line */
}

const char *drawing_of(const char *arguments)
{
    static char text[1 << 20];
    char line[512];
    const char *said = output;
    snprintf(line, sizeof line, "draw %s -o p.svg", arguments);
    if (run(line) != 0)
        fail_msg("%s: %s", line, output);
    FILE *file = fopen("p.svg", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    if (drawing_fault(text) != NULL)
        fail_msg("%s: a fault at %.60s", line, drawing_fault(text));
    must_be_said(text, "<title", "</title>", &said);
    must_be_said(text, "<desc", "</desc>", &said);
    return text;
}

void drawing_refused(const char *arguments, const char *words)
{
    char line[512];
    remove("p.svg");
    snprintf(line, sizeof line, "draw %s -o p.svg", arguments);
    assert_int_equal(run(line), 2);
    if (count(words) != 1)
        fail_msg("'%s' is not in '%s'", words, output);
    assert_false(exists("p.svg"));
}

void spoil_shader(const char *shader, const char *script)
{
    char line[512];
    snprintf(line, sizeof line,
             "rm -rf r; mkdir r && cp -r " QP_SOURCE_DIR "/shaders/. r && sed -i '%s' r/%s && "
             "! cmp -s r/%s " QP_SOURCE_DIR "/shaders/%s",
             script, shader, shader, shader);
    assert_int_equal(shell(line), 0);
    setenv("QUADPASS_SHADER_DIR", "r", 1);
}

void heal_shaders(void)
{
    unsetenv("QUADPASS_SHADER_DIR");
}
