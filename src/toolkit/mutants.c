/* SPDX-License-Identifier: MIT */
/* Mutants of shaders, whose calls that fetch are spoiled. */
#include <stdio.h>

#include "toolkit/changes.h"
#include "toolkit/facts.h"

/* Words of calls that fetch, and the two-dimensional vector that they take last; two floats for
 * NULL. Words of bodies in the short form are endings: x_at(dx, dy), x_cell(cell). */
struct fetch_word {
    const char *word, *vector, *one;
    bool of_bodies;
};

/* The word whose call begins here, by a whole word or by the end of one; NULL: none does. */
static const struct fetch_word *find_word(const struct qp_changes *c, const struct qp_token *token)
{
    static const struct fetch_word words[] = {{"texture2DRect", "vec2", "1.0", false},
                                              {"texture", "vec2", "1.0", false},
                                              {"texelFetch", "ivec2", "1", false},
                                              {"_at", NULL, "1.0", true},
                                              {"_cell", "vec2", "1.0", true}};
    const bool calls = token->kind == QP_TOKEN_WORD && qp_token_is(token + 1, "("),
               is_body = c->desc != NULL;
    for (size_t k = 0; k < sizeof words / sizeof words[0] && calls && token[1].match > 0; k++) {
        const int own = token->length - (int)strlen(words[k].word);
        if (words[k].of_bodies == is_body && (is_body ? own > 0 : own == 0) &&
            strncmp(token->at + own, words[k].word, strlen(words[k].word)) == 0)
            return &words[k];
    }
    return NULL;
}

static bool spoil(struct qp_changes *c, int i)
{
    static const char *const by[][2] = {{"0", "0"}, {"-", "0"}, {"", "0"}, {"0", "-"}, {"0", ""}};
    const struct qp_token *of = c->tokens->of, *call = &of[i];
    const struct fetch_word *word = find_word(c, call);
    if (word == NULL)
        return false;
    const struct qp_token *open = call + 1, *close = &of[open->match];
    int begin = i + 2;
    qp_glsl_commas(c->tokens, i + 1, &begin);
    const struct qp_token *last = &of[begin];
    const int all = (int)(qp_token_end(close) - call->at), left = (int)(close->at - last->at);
    char x[8], y[8];
    snprintf(x, sizeof x, "%s%s", by[c->kind][0], by[c->kind][0][0] == '0' ? "" : word->one);
    snprintf(y, sizeof y, "%s%s", by[c->kind][1], by[c->kind][1][0] == '0' ? "" : word->one);
    qp_changes_copy(c, call->at);
    if (c->kind == 0)
        qp_changes_add(c, "(%.*s - %.*s)", all, call->at, all, call->at);
    else if (word->vector != NULL)
        qp_changes_add(c, "%.*s(%.*s) + %s(%s, %s))", (int)(last->at - call->at), call->at, left,
                       last->at, word->vector, x, y);
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
