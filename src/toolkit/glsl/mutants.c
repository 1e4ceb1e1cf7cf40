/* SPDX-License-Identifier: MIT */
/* Mutants of shaders, whose calls that fetch are spoiled. */
#include <stdio.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/glsl/facts.h"

/* The vector that a call which fetches takes last, "" for two floats; NULL: none begins here. A
 * body's are x_at(dx, dy) and x_cell(cell). */
static const char *find_vector(const struct qp_changes *c, const struct qp_token *token)
{
    if (token->kind != QP_TOKEN_WORD || !qp_token_is(token + 1, "(") || token[1].match < 0)
        return NULL;
    const int name = qp_glsl_gathered(token);
    if (c->desc != NULL)
        return name == 0 ? NULL : token->at[name + 1] == 'a' ? "" : "vec2";
    return !qp_token_is_one_of(token, qp_glsl_fetches) ? NULL
           : qp_token_is(token, qp_glsl_fetches[0])    ? "ivec2"
                                                       : "vec2";
}

static bool spoil(struct qp_changes *c, int i)
{
    static const char *const by[][2] = {{"0", "0"}, {"-", "0"}, {"", "0"}, {"0", "-"}, {"0", ""}};
    const struct qp_token *of = c->tokens->of, *call = &of[i];
    const char *vector = find_vector(c, call);
    if (vector == NULL)
        return false;
    const struct qp_token *open = call + 1, *close = &of[open->match];
    int begin = i + 2;
    qp_glsl_commas(c->tokens, i + 1, &begin);
    const struct qp_token *last = &of[begin];
    const int all = (int)(qp_token_end(close) - call->at), left = (int)(close->at - last->at);
    const char *one = *vector == 'i' ? "1" : "1.0";
    char x[8], y[8];
    snprintf(x, sizeof x, "%s%s", by[c->kind][0], by[c->kind][0][0] == '0' ? "" : one);
    snprintf(y, sizeof y, "%s%s", by[c->kind][1], by[c->kind][1][0] == '0' ? "" : one);
    qp_changes_copy(c, call->at);
    if (c->kind == 0)
        qp_changes_add(c, "(%.*s - %.*s)", all, call->at, all, call->at);
    else if (*vector != '\0')
        qp_changes_add(c, "%.*s(%.*s) + %s(%s, %s))", (int)(last->at - call->at), call->at, left,
                       last->at, vector, x, y);
    else if (last > open + 1)
        qp_changes_add(c, "%.*s(%.*s) + %s, (%.*s) + %s)", (int)(open[1].at - call->at), call->at,
                       (int)(last[-1].at - open[1].at), open[1].at, x, left, last->at, y);
    else /* a function that takes one number */
        return false;
    c->from = qp_token_end(close);
    return true;
}

const struct qp_change_ways qp_mutants = {
    .by_place = true,
    .count = 5,
    .of = {{"", spoil}, {"", spoil}, {"", spoil}, {"", spoil}, {"", spoil}}};
