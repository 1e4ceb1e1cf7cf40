/* SPDX-License-Identifier: MIT */
/* The text of a kernel as the interpreter goes over it: words, and where its functions are. */
#ifndef QP_TESTS_INTERPRETER_TEXT_H
#define QP_TESTS_INTERPRETER_TEXT_H

#include <setjmp.h>

#include "support/interpreter_values.h"

enum {
    MOST_WORDS = 1 << 13,
    MOST_NAMES = 512,
    MOST_FUNCTIONS = 64,
    MOST_PARAMETERS = 8,
    NAME_LETTERS = 64
};

/* Names that a text has from the start, in the order of interpreter_words. */
enum word_name {
    THE_IF,
    THE_ELSE,
    THE_FOR,
    THE_WHILE,
    THE_DO,
    THE_BREAK,
    THE_CONTINUE,
    THE_RETURN,
    THE_TRUE,
    THE_FALSE,
    THE_CONST,
    THE_IN,
    THE_OUT,
    THE_INOUT,
    THE_HIGHP,
    THE_MEDIUMP,
    THE_LOWP,
    THE_PRECISE,
    THE_VOID,
    THE_FLOAT,
    THE_INT,
    THE_BOOL,
    THE_DOUBLE,
    THE_UINT,
    THE_VEC2,
    THE_VEC3,
    THE_VEC4,
    THE_IVEC2,
    THE_IVEC3,
    THE_IVEC4,
    THE_BVEC2,
    THE_BVEC3,
    THE_BVEC4,
    THE_DVEC2,
    THE_DVEC3,
    THE_DVEC4,
    THE_KERNEL,
    THE_HERE,
    OWN_NAMES
};

enum word_kind { WORD_END, WORD_NAME, WORD_NUMBER, WORD_SIGN };

struct word {
    enum word_kind kind;
    int id;    /* number of a name, characters of a sign */
    int match; /* the other one of a pair of brackets */
    int line;
    int strength; /* how strongly an operator binds; 0: it is none */
    struct value number;
};

struct parameter {
    enum base base;
    int n, name, way; /* way: THE_IN, THE_OUT or THE_INOUT */
};

struct function {
    enum base base;
    int n, name, count;
    struct parameter parameter[MOST_PARAMETERS];
    int from, body, end; /* its type; its brace, 0: a prototype; and what comes after it */
};

struct text {
    struct word word[MOST_WORDS];
    int words;
    char name[MOST_NAMES][NAME_LETTERS];
    int names;
    struct function function[MOST_FUNCTIONS];
    int functions;
    jmp_buf failed;
    char why[160];
    bool doubles; /* literals that are no whole numbers are doubles without a suffix, too */
};

/* Ends everything with a sentence. */
_Noreturn void text_fail(struct text *text, int at, const char *why);

/* The number of a name, which is added where it is new. */
int text_name(struct text *text, const char *at, int length);

void text_read(struct text *text, const char *characters);

/* The type that a word is; false for another word. */
bool text_type(const struct text *text, int at, enum base *base, int *n);

/* A word that says how a variable is kept, and nothing about its value. */
bool text_is_quality(const struct text *text, int at);

#endif
