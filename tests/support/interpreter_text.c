/* SPDX-License-Identifier: MIT */
#include "support/interpreter_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const interpreter_words[OWN_NAMES] = {
    "if",    "else",    "for",   "while", "do",     "break", "continue", "return",
    "true",  "false",   "const", "in",    "out",    "inout", "highp",    "mediump",
    "lowp",  "precise", "void",  "float", "int",    "bool",  "double",   "uint",
    "vec2",  "vec3",    "vec4",  "ivec2", "ivec3",  "ivec4", "bvec2",    "bvec3",
    "bvec4", "dvec2",   "dvec3", "dvec4", "kernel", "here"};

_Noreturn void text_fail(struct text *text, int at, const char *why)
{
    snprintf(text->why, sizeof text->why, "line %d: %s", text->word[at].line, why);
    longjmp(text->failed, 1);
}

int text_name(struct text *text, const char *at, int length)
{
    for (int i = 0; i < text->names; i++) {
        if ((int)strlen(text->name[i]) == length && memcmp(text->name[i], at, (size_t)length) == 0)
            return i;
    }
    if (text->names == MOST_NAMES || length >= NAME_LETTERS)
        text_fail(text, text->words, "too many names, or a long one");
    memcpy(text->name[text->names], at, (size_t)length);
    text->name[text->names][length] = '\0';
    return text->names++;
}

/* ---- Words ---- */

/* Blanks and comments. */
static const char *after_blanks(const char *at, int *line)
{
    for (;;) {
        if (*at == '\n')
            ++*line;
        if (*at != '\0' && isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            for (at += 2; *at != '\0' && !(at[0] == '*' && at[1] == '/'); at++)
                *line += *at == '\n';
            at += *at != '\0' ? 2 : 0;
        } else {
            return at;
        }
    }
}

static const char *read_number(const struct text *text, const char *at, struct word *word)
{
    char *end;
    const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    double v = hex ? (double)strtoul(at, &end, 16) : strtod(at, &end);
    const bool real = !hex && strcspn(at, ".eE") < (size_t)(end - at);
    if (!real && !hex && at[0] == '0')
        v = (double)strtoul(at, &end, 8);
    struct value number = value_of(IS_DOUBLE, v);
    const bool is_double = (end[0] == 'l' && end[1] == 'f') || (end[0] == 'L' && end[1] == 'F') ||
                           (text->doubles && real && v != floor(v) && strchr("fF", end[0]) == NULL),
               is_unsigned = !real && (end[0] == 'u' || end[0] == 'U');
    if (!real && !is_unsigned && v >= 0x1p31)
        number.v[0] -= 0x1p32;
    word->kind = WORD_NUMBER;
    word->number = is_double ? number
                             : value_as(real          ? IS_FLOAT
                                        : is_unsigned ? IS_UINT
                                                      : IS_INT,
                                        &number);
    return end + strspn(end, "lLfFuU");
}

/* How strongly an operator binds. */
static int strength(int sign)
{
    static const int operators[][2] = {{SIGN('|', '|'), 1},
                                       {SIGN('^', '^'), 2},
                                       {SIGN('&', '&'), 3},
                                       {'|', 4},
                                       {'^', 5},
                                       {'&', 6},
                                       {SIGN('=', '='), 7},
                                       {SIGN('!', '='), 7},
                                       {'<', 8},
                                       {'>', 8},
                                       {SIGN('<', '='), 8},
                                       {SIGN('>', '='), 8},
                                       {SIGN('<', '<'), 9},
                                       {SIGN('>', '>'), 9},
                                       {'+', 10},
                                       {'-', 10},
                                       {'*', 11},
                                       {'/', 11},
                                       {'%', 11}};
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++) {
        if (sign == operators[k][0])
            return operators[k][1];
    }
    return 0;
}

static const char *read_sign(const char *at, struct word *word)
{
    static const char *const twos[] = {"<=", ">=", "==", "!=", "&&", "||", "^^", "++", "--", "+=",
                                       "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", NULL};
    word->kind = WORD_SIGN;
    word->id = (unsigned char)at[0];
    for (int i = 0; twos[i] != NULL; i++) {
        if (at[0] == twos[i][0] && at[1] == twos[i][1]) {
            word->id = SIGN(at[0], at[1]);
            return at + 2;
        }
    }
    return at + 1;
}

static void read_words(struct text *text, const char *at)
{
    int open[64], depth = 0, line = 1;
    while (*(at = after_blanks(at, &line)) != '\0') {
        struct word *word = &text->word[text->words];
        *word = (struct word){.line = line};
        if (text->words >= MOST_WORDS - 2)
            text_fail(text, text->words, "too many words");
        if (isalpha((unsigned char)*at) || *at == '_') {
            const char *begin = at;
            while (isalnum((unsigned char)*at) || *at == '_')
                at++;
            word->kind = WORD_NAME;
            word->id = text_name(text, begin, (int)(at - begin));
        } else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
            at = read_number(text, at, word);
        } else {
            at = read_sign(at, word);
            word->strength = strength(word->id);
        }
        if (word->kind == WORD_SIGN && strchr("([{", word->id) != NULL && depth < 64) {
            open[depth++] = text->words;
        } else if (word->kind == WORD_SIGN && strchr(")]}", word->id) != NULL) {
            if (depth == 0)
                text_fail(text, text->words, "a bracket that nothing opens");
            word->match = open[--depth];
            text->word[word->match].match = text->words;
        }
        text->words++;
    }
    text->word[text->words] = (struct word){.kind = WORD_END, .line = line};
    if (depth > 0)
        text_fail(text, text->words, "a bracket that nothing closes");
}

/* ---- Types and functions ---- */

bool text_type(const struct text *text, int at, enum base *base, int *n)
{
    static const enum base bases[] = {IS_FLOAT, IS_FLOAT, IS_INT, IS_BOOL, IS_DOUBLE, IS_UINT};
    static const enum base vectors[] = {IS_FLOAT, IS_INT, IS_BOOL, IS_DOUBLE};
    const struct word *word = &text->word[at];
    if (word->kind != WORD_NAME || word->id < THE_VOID || word->id > THE_DVEC4)
        return false;
    if (word->id < THE_VEC2) {
        *base = bases[word->id - THE_VOID];
        *n = word->id != THE_VOID;
    } else {
        *base = vectors[(word->id - THE_VEC2) / 3];
        *n = (word->id - THE_VEC2) % 3 + 2;
    }
    return true;
}

bool text_is_quality(const struct text *text, int at)
{
    const struct word *word = &text->word[at];
    return word->kind == WORD_NAME &&
           (word->id == THE_CONST || (word->id >= THE_HIGHP && word->id <= THE_PRECISE));
}

static void read_parameters(struct text *text, int at, struct function *function)
{
    const int end = text->word[at].match;
    if (text->word[at + 1].id == THE_VOID && at + 2 == end)
        return;
    for (at++; at < end; at++) {
        struct parameter *p = &function->parameter[function->count++];
        if (function->count == MOST_PARAMETERS)
            text_fail(text, at, "too many parameters");
        for (p->way = THE_IN; !text_type(text, at, &p->base, &p->n); at++) {
            if (text->word[at].id >= THE_IN && text->word[at].id <= THE_INOUT)
                p->way = text->word[at].id;
            else if (!text_is_quality(text, at))
                text_fail(text, at, "a parameter without a type");
        }
        at++;
        p->name = text->word[at].kind == WORD_NAME ? text->word[at].id : -1;
        at += text->word[at].kind == WORD_NAME;
        if (text->word[at].id != ',' && at != end)
            text_fail(text, at, "a parameter that is no name");
    }
}

/* Functions are outside of all braces: a type, a name and a bracket. */
static void read_functions(struct text *text)
{
    for (int i = 0; i < text->words; i++) {
        struct function *function = &text->function[text->functions];
        const struct word *word = &text->word[i];
        *function = (struct function){.from = i};
        if (word->kind == WORD_SIGN && word->id == '{')
            i = word->match;
        if (!text_type(text, i, &function->base, &function->n) || word[1].kind != WORD_NAME ||
            word[2].kind != WORD_SIGN || word[2].id != '(')
            continue;
        if (++text->functions == MOST_FUNCTIONS)
            text_fail(text, i, "too many functions");
        function->name = word[1].id;
        read_parameters(text, i + 2, function);
        const int after = word[2].match + 1;
        const bool has_body = text->word[after].kind == WORD_SIGN && text->word[after].id == '{';
        function->body = has_body ? after : 0;
        function->end = has_body ? text->word[after].match + 1 : after + 1;
        i = function->end - 1;
    }
}

void text_read(struct text *text, const char *characters)
{
    text->words = text->names = text->functions = 0;
    for (int i = 0; i < OWN_NAMES; i++)
        text_name(text, interpreter_words[i], (int)strlen(interpreter_words[i]));
    read_words(text, characters);
    read_functions(text);
}
