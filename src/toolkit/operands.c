/* SPDX-License-Identifier: MIT */
/* Sums whose operands can change places: each is a single value without effects, and no sign beside them binds as strongly. */
#include <stdio.h>

#include "toolkit/facts.h"

/* True if tokens have no effect but their value. Functions of the text's own may have one. */
static bool is_pure(const struct qp_tokens *tokens, int begin, int end)
{
    static const char *const setting[] = {"++", "--", "=", NULL};
    bool pure = true;
    for (int i = begin; i <= end && pure; i++) {
        const struct qp_token *token = &tokens->of[i];
        struct qp_glsl_function function;
        char name[QP_GLSL_LETTERS];
        snprintf(name, sizeof name, "%.*s", token->length, token->at);
        pure = !qp_token_is_one_of(token, setting) && strncmp(name, "imageAtomic", 11) != 0 &&
               strncmp(name, "atomic", 6) != 0 && token->length < QP_GLSL_LETTERS &&
               !(qp_token_is(token + 1, "(") && qp_glsl_find(tokens, name, &function));
    }
    return pure;
}

/* The first token of a single value that ends with token i, in a function: a name or a number with all that is bound to it, or
 * a bracket; -1: there is none. */
static int value_begin(const struct qp_tokens *tokens, int i)
{
    static const char *const keywords[] = {"return", "if", "while", "for", "switch", "else", NULL};
    const struct qp_token *of = tokens->of;
    for (;;) {
        if (of[i].kind == QP_TOKEN_WORD && qp_token_is(&of[i - 1], "."))
            i -= 2;
        else if (of[i].kind == QP_TOKEN_WORD || of[i].kind == QP_TOKEN_NUMBER)
            return qp_token_is_one_of(&of[i], keywords) ? -1 : i;
        else if (of[i].match < 0 || of[i].match > i || qp_token_is(&of[i], "}"))
            return -1;
        else if (qp_token_is(&of[i], ")") && (of[of[i].match - 1].kind != QP_TOKEN_WORD ||
                                              qp_token_is_one_of(&of[of[i].match - 1], keywords)))
            return of[i].match;
        else
            i = of[i].match - 1;
    }
}

/* Likewise the last token of one that begins with token i. */
static int value_end(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *of = tokens->of;
    if (of[i].kind == QP_TOKEN_NUMBER)
        return i;
    if (of[i].kind != QP_TOKEN_WORD && !qp_token_is(&of[i], "("))
        return -1;
    i = of[i].kind == QP_TOKEN_WORD ? i : of[i].match;
    while (i >= 0 && (qp_token_is(&of[i + 1], ".") || qp_token_is(&of[i + 1], "(") ||
                      qp_token_is(&of[i + 1], "[")))
        i = qp_token_is(&of[i + 1], ".") ? i + 2 : of[i + 1].match;
    return i;
}

bool qp_glsl_sum(const struct qp_tokens *tokens, int i, int *begin, int *end)
{
    static const char *const weaker[] = {"(",  "[",  "{",  "}",  ";",  ",",  "=",      "+=",
                                         "-=", "*=", "/=", "?",  ":",  "<",  ">",      "<=",
                                         ">=", "==", "!=", "&&", "||", "^^", "return", NULL},
                             *const stronger[] = {"*", "/", "%", "++", "--", NULL};
    const struct qp_token *of = tokens->of;
    if (!qp_token_is(&of[i], "+"))
        return false;
    *begin = value_begin(tokens, i - 1);
    *end = value_end(tokens, i + 1);
    return *begin > 0 && *end > i && qp_token_is_one_of(&of[*begin - 1], weaker) &&
           !qp_token_is_one_of(&of[*end + 1], stronger) && is_pure(tokens, *begin, *end);
}
