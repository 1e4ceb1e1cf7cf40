/* SPDX-License-Identifier: MIT */
/* GLSL as tokens: words, numbers and signs without comments. Every fact about a shader's text is
 * read off them. */
#ifndef QP_BASE_TOKENS_H
#define QP_BASE_TOKENS_H

#include <stdbool.h>
#include <string.h>

#include "toolkit/base/status.h"

enum qp_token_kind {
    QP_TOKEN_END, /* after the last */
    QP_TOKEN_WORD,
    QP_TOKEN_NUMBER,
    QP_TOKEN_SIGN, /* the longest that GLSL has, such as <= or ++ */
    QP_TOKEN_LINE, /* a line of the preprocessor from its # on, with those that it goes on in */
    QP_TOKEN_COMMENT
};

struct qp_token {
    enum qp_token_kind kind;
    const char *at;   /* its place in the text */
    int length, line; /* characters; the line that it begins in, from 1 on */
    /* Index of the other bracket, of ( [ { and ) ] }; 0 of a comment that begins its line; -1 of
     * all others. */
    int match;
};

/* A function, as indices of tokens. */
struct qp_glsl_function {
    int type, name;  /* words */
    int open, close; /* the brackets of its parameters */
    int begin, end;  /* the braces of its body; both -1: a prototype */
};

/* `of` has `count` tokens and QP_TOKEN_END. After that, up to `all`, come the tokens in lines of
 * the preprocessor, without their #: line after line, each ends with QP_TOKEN_END. Comments are
 * listed apart; `open` is the line of one that never ends, or 0. Functions begin outside of braces;
 * a name 0 ends their list. */
struct qp_tokens {
    char *text; /* a copy, in which the tokens are */
    struct qp_token *of, *comment;
    struct qp_glsl_function *function;
    int count, all, comments, open;
    struct qp_tokens *next; /* the next text that is held */
    int holders;
};

/* Cuts a text into tokens, or shares those of an equal text that somebody holds, in any thread. A
 * comment that never ends goes to the end. NULL, with the sentence, if there is no memory. Owner:
 * the caller, by qp_tokens_release. */
const struct qp_tokens *qp_tokens_read(const char *text);
void qp_tokens_release(const struct qp_tokens **tokens);

/* How many texts were cut since the process began. */
int qp_tokens_cuts(void);

static inline bool qp_token_is(const struct qp_token *token, const char *text)
{
    return strlen(text) == (size_t)token->length && memcmp(token->at, text, strlen(text)) == 0;
}

static inline bool qp_token_same(const struct qp_token *a, const struct qp_token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, (size_t)a->length) == 0;
}

/* Goes on by one token if it is this one. */
static inline bool qp_token_take(const struct qp_token **at, const char *text)
{
    const bool is = qp_token_is(*at, text);
    *at += is;
    return is;
}

/* The end of a token. */
static inline const char *qp_token_end(const struct qp_token *token)
{
    return token->at + token->length;
}

/* True if a token is one of these, which NULL ends. */
bool qp_token_is_one_of(const struct qp_token *token, const char *const texts[]);

/* True for a number with a point or an exponent. */
bool qp_token_is_real(const struct qp_token *token);

/* The next token from i on that is this one; `count` if there is none. */
int qp_tokens_find(const struct qp_tokens *tokens, int i, const char *word);

/* The token that ends an expression from i on: a sign of the two at its own depth, a bracket that
 * closes, or QP_TOKEN_END. */
int qp_tokens_until(const struct qp_tokens *tokens, int i, const char *sign, const char *other);

/* The first token after the last of these signs before token i; what is in brackets that close
 * before it is passed. */
int qp_tokens_since(const struct qp_tokens *tokens, int i, const char *const signs[]);

/* The bracket around token i, and the commas before the token in it; -1: there is none. */
int qp_tokens_around(const struct qp_tokens *tokens, int i, int *commas);

/* ---- Places ---- */

/* Letters of a file and a line in a sentence. */
enum { QP_PLACE_LETTERS = 4096 };

/* The line, in its own file, of a line of a text called `name`, and that file. Marks are comments
 * "//# FILE:LINE", alone in their lines: LINE is the number of the next line in FILE, which leads
 * from the folder of `name`, or without FILE in the text itself. Where no mark is before a line, it
 * is the text's. */
int qp_tokens_line(const struct qp_tokens *tokens, const char *name, int line,
                   char file[QP_PLACE_LETTERS]);

/* FILE:LINE of a line, likewise; QP_PLACE is for sentences. */
const char *qp_tokens_place(const struct qp_tokens *tokens, const char *name, int line,
                            char place[QP_PLACE_LETTERS]);
#define QP_PLACE(tokens, name, line) \
    qp_tokens_place(tokens, name, line, (char[QP_PLACE_LETTERS]){""})

#endif
