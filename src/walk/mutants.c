/* SPDX-License-Identifier: MIT */
#include "walk/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Words of calls that fetch, and the two-dimensional vector that they take last; two floats for NULL. Words of bodies in the
 * short form are endings: x_at(dx, dy), x_cell(cell). */
struct qp_fetch_word {
    const char *word, *vector, *one;
    bool of_bodies;
};

static const struct qp_fetch_word words[] = {{"texture2DRect", "vec2", "1.0", false},
                                             {"texture", "vec2", "1.0", false},
                                             {"texelFetch", "ivec2", "1", false},
                                             {"_at", NULL, "1.0", true},
                                             {"_cell", "vec2", "1.0", true}};

enum { WORDS = sizeof words / sizeof words[0], WAYS = 5 /* nothing, and four neighbours */ };

/* ---- Calls ---- */

/* The word whose call begins here, by a whole word or by the end of one; NULL: none does. */
static const struct qp_fetch_word *find_word(const struct qp_mutants *mutants,
                                             const struct qp_token *token)
{
    const bool calls = token->kind == QP_TOKEN_WORD && qp_token_is(token + 1, "(");
    for (int k = 0; k < WORDS && calls && token[1].match > 0; k++) {
        const int own = token->length - (int)strlen(words[k].word);
        if (words[k].of_bodies == mutants->is_body && (mutants->is_body ? own > 0 : own == 0) &&
            strncmp(token->at + own, words[k].word, strlen(words[k].word)) == 0)
            return &words[k];
    }
    return NULL;
}

/* The first token of a call's last argument, which comes after the last comma in no brackets but its own. */
static const struct qp_token *last_argument(const struct qp_mutants *mutants)
{
    const struct qp_token *of = mutants->tokens.of;
    const int open = mutants->call + 1;
    int begin = open + 1;
    for (int i = open + 1; i < of[open].match; i++) {
        if (of[i].match > i)
            i = of[i].match;
        else if (qp_token_is(&of[i], ","))
            begin = i + 1;
    }
    return &of[begin];
}

/* Goes to the next call. */
static bool find_call(struct qp_mutants *mutants)
{
    while (++mutants->call < mutants->tokens.all) {
        mutants->word = find_word(mutants, &mutants->tokens.of[mutants->call]);
        if (mutants->word != NULL)
            return true;
    }
    return false;
}

/* Writes the call as it is spoiled in this way, or as it is where that way is none. */
static void write_spoiled(const struct qp_mutants *mutants)
{
    static const char *const by[WAYS][2] = {
        {"0", "0"}, {"-", "0"}, {"", "0"}, {"0", "-"}, {"0", ""}};
    const struct qp_fetch_word *word = mutants->word;
    const struct qp_token *open = &mutants->tokens.of[mutants->call + 1],
                          *last = last_argument(mutants);
    const char *call = mutants->was;
    const int length = (int)strlen(call), way = mutants->way, begin = (int)(last->at - open[-1].at),
              left = length - 1 - begin;
    const size_t room = mutants->room;
    char *to = mutants->is;
    char x[8], y[8];
    if (way == 0) {
        snprintf(to, room, "(%.*s - %.*s)", length, call, length, call);
        return;
    }
    snprintf(x, sizeof x, "%s%s", by[way][0], by[way][0][0] == '0' ? "" : word->one);
    snprintf(y, sizeof y, "%s%s", by[way][1], by[way][1][0] == '0' ? "" : word->one);
    if (word->vector != NULL)
        snprintf(to, room, "%.*s(%.*s) + %s(%s, %s))", begin, call, left, call + begin,
                 word->vector, x, y);
    else if (last > open + 1) {
        const char *first = call + (open[1].at - open[-1].at);
        snprintf(to, room, "%.*s(%.*s) + %s, (%.*s) + %s)", (int)(first - call), call,
                 (int)(last[-1].at - open[1].at), first, x, left, call + begin, y);
    } else /* of a function that takes one number */
        snprintf(to, room, "%s", call);
}

/* ---- Mutants ---- */

enum qp_status qp_mutants_open(const char *text, bool is_body, struct qp_mutants *out)
{
    const size_t room = 3 * strlen(text) + 64; /* a call may come twice */
    *out = (struct qp_mutants){.is_body = is_body, .room = room, .call = -1, .way = WAYS};
    char *memory = qp_alloc(room, 4, "spoiled shaders");
    if (memory == NULL)
        return QP_NO_MEMORY;
    out->text = memory;
    out->other = memory + room;
    out->was = memory + 2 * room;
    out->is = memory + 3 * room;
    strcpy(out->text, text);
    const enum qp_status status = qp_tokens_read(out->text, &out->tokens);
    if (status != QP_OK)
        qp_mutants_close(out);
    return status;
}

void qp_mutants_close(struct qp_mutants *mutants)
{
    qp_tokens_destroy(&mutants->tokens);
    free(mutants->text);
    *mutants = (struct qp_mutants){0};
}

bool qp_mutants_next(struct qp_mutants *mutants)
{
    const struct qp_token *of = mutants->tokens.of;
    do {
        if (++mutants->way >= WAYS) {
            if (!find_call(mutants))
                return false;
            mutants->way = 0;
            const struct qp_token *call = &of[mutants->call], *close = &of[call[1].match];
            snprintf(mutants->was, mutants->room, "%.*s", (int)(close->at - call->at) + 1,
                     call->at);
        }
        write_spoiled(mutants);
    } while (strcmp(mutants->was, mutants->is) == 0);
    const char *at = of[mutants->call].at;
    snprintf(mutants->other, mutants->room, "%.*s%s%s", (int)(at - mutants->text), mutants->text,
             mutants->is, at + strlen(mutants->was));
    return true;
}

void qp_mutants_count(const struct qp_mutants *mutants, const char *shader, bool noticed,
                      const char *reason, const struct qp_spoil_desc *desc,
                      struct qp_spoil_result *out)
{
    const struct qp_spoiled mutant = {.shader = shader,
                                      .line = mutants->tokens.of[mutants->call].line,
                                      .was = mutants->was,
                                      .is = mutants->is,
                                      .noticed = noticed,
                                      .reason = reason};
    out->made++;
    out->noticed += noticed;
    if (!noticed && out->survivor[0] == '\0')
        snprintf(out->survivor, sizeof out->survivor,
                 "%.128s:%d: nothing notices '%.160s' in place of '%.160s'", shader, mutant.line,
                 mutant.is, mutant.was);
    if (desc->on_mutant != NULL)
        desc->on_mutant(desc->user, &mutant);
}
