/* SPDX-License-Identifier: MIT */
#include "cmd/run/glsl.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

/* The next word or number from here on; NULL behind the last. */
static const char *next_word(const char *at, size_t *length)
{
    while (*at != '\0' && !qp_is_letter(*at))
        at++;
    for (*length = 0; qp_is_letter(at[*length]);)
        ++*length;
    return *length > 0 ? at : NULL;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

const char *glsl_function(const char *text, const char *name)
{
    static char before[32];
    const char *at = text;
    before[0] = '\0';
    for (size_t length; (at = next_word(at, &length)) != NULL; at += length) {
        const char *behind = at + length + strspn(at + length, " \t\r\n");
        if (is_word(at, length, name) && *behind == '(' && before[0] != '\0')
            return before;
        snprintf(before, sizeof before, "%.*s", (int)length, at);
    }
    return NULL;
}

bool glsl_reads(const char *text, const char *name, bool gathers)
{
    static const char *const ends[] = {"", "_at", "_cell", "_size"};
    char word[80];
    bool found = false;
    for (int i = 0; i < (gathers ? 4 : 1) && !found; i++) {
        snprintf(word, sizeof word, "%s%s", name, ends[i]);
        found = qp_find_word(text, text, word) != NULL;
    }
    return found;
}

/* A type in front of a name makes it a function's, and not a call; so does `#define`. */
static bool is_type(const char *word)
{
    static const char *const types[] = {"float", "int",   "bool",  "void",  "vec2",  "vec3",
                                        "vec4",  "mat2",  "mat3",  "mat4",  "ivec2", "ivec3",
                                        "ivec4", "bvec2", "bvec3", "bvec4", "define"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(word, types[i]) == 0)
            return true;
    }
    return false;
}

/* Characters of NAME in NAME_at or NAME_cell; 0 for another word. */
static size_t gathered(const char *at, size_t length)
{
    static const char *const ends[] = {"_at", "_cell"};
    for (int i = 0; i < 2; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strncmp(at + length - end, ends[i], end) == 0)
            return length - end;
    }
    return 0;
}

const char *glsl_unknown_gather(const char *text, const char *const names[], int count)
{
    static char name[64];
    char word[80];
    const char *at = text;
    for (size_t length; (at = next_word(at, &length)) != NULL; at += length) {
        const size_t own = gathered(at, length);
        bool known =
            own == 0 || own >= sizeof name || at[length + strspn(at + length, " \t\r\n")] != '(';
        for (int i = 0; i < count && !known; i++)
            known = is_word(at, own, names[i]);
        snprintf(word, sizeof word, "%.*s", known ? 0 : (int)length, at);
        const char *before = known ? NULL : glsl_function(text, word);
        if (!known && (before == NULL || !is_type(before))) {
            snprintf(name, sizeof name, "%.*s", (int)own, at);
            return name;
        }
    }
    return NULL;
}

const char *glsl_nearest(const char *text, const char *name)
{
    static char best[64];
    char word[64];
    const char *at = text;
    best[0] = '\0';
    for (size_t length; (at = next_word(at, &length)) != NULL; at += length) {
        const size_t own = gathered(at, length);
        snprintf(word, sizeof word, "%.*s", (int)(own > 0 ? own : length), at);
        const char *const two[] = {best[0] != '\0' ? best : NULL, word};
        if (qp_nearest(name, two, 2) == word)
            memcpy(best, word, sizeof best);
    }
    return best[0] != '\0' ? best : NULL;
}

/* Behind a word or a type: the number of elements of a list. */
static bool is_list(const char *at)
{
    return at[strspn(at, " \t\r\n")] == '[';
}

/* One declaration, from behind its "uniform" to its semicolon: `float a[2], b` or `float[2] a, b`. */
static bool declares(const char *at, const char *name, struct glsl_uniform *out)
{
    static const char *const qualities[] = {"lowp", "mediump", "highp", "precise"};
    const char *end = at + strcspn(at, ";");
    *out = (struct glsl_uniform){.type = ""};
    for (size_t length; (at = next_word(at, &length)) != NULL && at < end; at += length) {
        bool quality = false;
        for (int i = 0; i < 4; i++)
            quality = quality || is_word(at, length, qualities[i]);
        if (out->type[0] == '\0' && !quality) {
            snprintf(out->type, sizeof out->type, "%.*s", (int)length, at);
            out->list = is_list(at + length);
        } else if (is_word(at, length, name)) {
            out->list = out->list || is_list(at + length);
            return true;
        }
    }
    return false;
}

struct glsl_uniform glsl_uniform(const char *text, const char *name)
{
    struct glsl_uniform found;
    const char *at = text;
    for (size_t length; (at = next_word(at, &length)) != NULL; at += length) {
        if (is_word(at, length, "uniform") && declares(at + length, name, &found))
            return found;
    }
    return (struct glsl_uniform){.type = ""};
}
