/* SPDX-License-Identifier: MIT */
/* Expressions whose parts C and drivers compute in any order, and arguments that are one variable
 * for C. */
#include <stdlib.h>
#include <string.h>

#include "toolkit/glsl/facts.h"

static const char *const choosing[] = {"&&", "||", "?", ":", NULL}, *const ending[] = {";", "{",
                                                                                       "}", NULL};

static bool asks(const struct qp_token *token)
{
    return qp_token_is(token, "return") || qp_token_is_one_of(token, qp_glsl_asks);
}

static bool is_call(const struct qp_tokens *tokens, int open)
{
    return open > 0 && qp_token_is(&tokens->of[open], "(") &&
           tokens->of[open - 1].kind == QP_TOKEN_WORD && !asks(&tokens->of[open - 1]);
}

/* True if all of C has computed token i before it begins with token k. */
static bool is_sequenced(const struct qp_tokens *tokens, int i, int k)
{
    const struct qp_token *of = tokens->of;
    bool sets = false;
    int commas, open = qp_tokens_around(tokens, i, &commas);
    for (; open >= 0 && of[open].match < k; open = qp_tokens_around(tokens, i, &commas))
        i = open;
    while (qp_tokens_around(tokens, k, &commas) > open)
        k = qp_tokens_around(tokens, k, &commas);
    if (i > 0 && of[i].match > i && qp_token_is_one_of(&of[i - 1], qp_glsl_asks))
        return true;
    for (; i < k; i++) {
        if (qp_token_is_one_of(&of[i], ending) || (!sets && qp_token_is_one_of(&of[i], choosing)) ||
            (qp_token_is(&of[i], ",") && !is_call(tokens, open)))
            return true;
        sets = sets || qp_token_is_one_of(&of[i], qp_glsl_assigns);
        i = of[i].match > i && of[i].match < k ? of[i].match : i;
    }
    return qp_token_is(&of[k], "{");
}

/* The end of an index from token i on without the number that is added to it, which is *number. */
static int index_end(const struct qp_tokens *tokens, int i, int *number)
{
    const struct qp_token *of = tokens->of;
    const int end = of[i].match, sign = end - 2;
    const bool alone = end == i + 2, less = qp_token_is(&of[sign], "-"),
               adds = less || qp_token_is(&of[sign], "+");
    *number = 0;
    if (of[end - 1].kind != QP_TOKEN_NUMBER || (!alone && !adds))
        return end;
    *number = (int)strtol(of[end - 1].at, NULL, 0) * (!alone && less ? -1 : 1);
    return alone ? i + 1 : sign;
}

/* True if the names at tokens i and k, which are the same, name different members, or elements
 * whose indices differ by a number. */
static bool are_apart(const struct qp_tokens *tokens, int i, int k)
{
    static const char sets[] = "xyzwrgbastpq";
    const struct qp_token *a = &tokens->of[i + 1], *b = &tokens->of[k + 1];
    int first, second;
    if (qp_token_is(a, ".") && qp_token_is(b, ".") && a[1].length == 1 && b[1].length == 1)
        return (strchr(sets, *a[1].at) - sets) % 4 != (strchr(sets, *b[1].at) - sets) % 4;
    if (!qp_token_is(a, "[") || !qp_token_is(b, "["))
        return false;
    const int end = index_end(tokens, i + 1, &first),
              length = index_end(tokens, k + 1, &second) - k;
    for (int n = 1; n < length - 1; n++) {
        if (!qp_token_same(&a[n], &b[n]))
            return false;
    }
    return end - i == length && first != second;
}

/* True if the name at token i, which is set by the sign or call at `setter`, is set by that after
 * token k is read or set. */
static bool is_after(const struct qp_tokens *tokens, int setter, int k)
{
    const struct qp_token *sign = &tokens->of[setter];
    const int other = qp_glsl_setter(tokens, k);
    if (qp_token_is(sign, "("))
        return other < 0 && setter < k && k < sign->match;
    return qp_token_is_one_of(sign, qp_glsl_assigns) &&
           (other < 0 ||
            (qp_token_is(sign, "=") && !qp_token_is_one_of(&tokens->of[other], qp_glsl_counts))) &&
           k < qp_tokens_until(tokens, setter + 1, ";", ",");
}

/* True if the name at token i is set, and named again where C does not say what comes first. */
static bool is_open(const struct qp_tokens *tokens, int i, int setter)
{
    const struct qp_token *of = tokens->of;
    int first = i, last = i;
    while (first > 0 && !qp_token_is_one_of(&of[first - 1], ending))
        first--;
    while (last + 1 < tokens->count && !qp_token_is_one_of(&of[last + 1], ending))
        last++;
    for (int k = first; k <= last; k++) {
        if (k != i && qp_token_same(&of[k], &of[i]) && !(k > 0 && qp_token_is(&of[k - 1], ".")) &&
            !are_apart(tokens, i, k) && !(k > i && is_after(tokens, setter, k)) &&
            !(k < i && qp_glsl_setter(tokens, k) >= 0) && /* which was looked at */
            !(k < i && qp_token_is(&of[setter], "(") && setter < k) &&
            !is_sequenced(tokens, k < i ? k : i, k < i ? i : k))
            return true;
    }
    return false;
}

enum qp_status qp_glsl_check_effects(const struct qp_tokens *tokens, const char *name)
{
    const struct qp_token *of = tokens->of;
    for (int i = 0; i < tokens->count; i++) {
        const bool names = of[i].kind == QP_TOKEN_WORD && !(i > 0 && qp_token_is(&of[i - 1], "."));
        const int setter = names ? qp_glsl_setter(tokens, i) : -1;
        if (setter >= 0 && is_open(tokens, i, setter))
            return qp_fail(QP_BAD_INPUT,
                           "%s: '%.*s' is set and named again by one expression, and OpenGL "
                           "and C leave the order open; write several statements, or several "
                           "variables",
                           QP_PLACE(tokens, name, of[i].line), of[i].length, of[i].at);
    }
    return QP_OK;
}
