/* SPDX-License-Identifier: MIT */
#include "support/drawings.h"

#include <ctype.h>
#include <stdbool.h>
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
