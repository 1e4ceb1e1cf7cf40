/* SPDX-License-Identifier: MIT */
#include "walk/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

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

/* Behind the bracket that closes the call; NULL where none does. */
static const char *end_of_call(const char *at)
{
    int depth = 0;
    for (; *at != '\0'; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (*at == ')' && depth == 0)
            return at + 1;
    }
    return NULL;
}

/* A whole word, or the end of one, with its bracket. */
static bool begins_call(const char *text, const char *at, const struct qp_fetch_word *fetch)
{
    const size_t length = strlen(fetch->word);
    size_t letters = 0;
    if (at > text && qp_is_letter(at[-1]))
        return false;
    while (qp_is_letter(at[letters]))
        letters++;
    return at[letters + strspn(at + letters, " \t")] == '(' &&
           (fetch->of_bodies ? letters > length : letters == length) &&
           strncmp(at + letters - length, fetch->word, length) == 0;
}

/* Where a call's last argument begins: behind the last comma in no brackets but its own, or behind that bracket. */
static int last_argument(const char *call, int length)
{
    int begin = 0, depth = 0;
    for (int i = 0; i < length; i++) {
        depth += call[i] == '(';
        depth -= call[i] == ')';
        if (depth == 1 && (call[i] == ',' || begin == 0))
            begin = i + 1;
    }
    return begin;
}

/* Goes to the next call from `at` on. */
static bool find_call(struct qp_mutants *mutants, const char *at)
{
    for (; *at != '\0'; at++) {
        for (int k = 0; k < WORDS; k++) {
            if (words[k].of_bodies != mutants->is_body ||
                !begins_call(mutants->text, at, &words[k]))
                continue;
            mutants->word = &words[k];
            mutants->at = at;
            mutants->end = end_of_call(at);
            if (mutants->end != NULL)
                return true;
        }
    }
    return false;
}

/* Writes the call as it is spoiled in this way, or as it is where that way is none. */
static void write_spoiled(const struct qp_mutants *mutants)
{
    static const char *const by[WAYS][2] = {
        {"0", "0"}, {"-", "0"}, {"", "0"}, {"0", "-"}, {"0", ""}};
    const struct qp_fetch_word *word = mutants->word;
    const char *call = mutants->at;
    const int length = (int)(mutants->end - call), way = mutants->way;
    const size_t room = mutants->room;
    char *to = mutants->is;
    char x[8], y[8];
    if (way == 0) {
        snprintf(to, room, "(%.*s - %.*s)", length, call, length, call);
        return;
    }
    snprintf(x, sizeof x, "%s%s", by[way][0], by[way][0][0] == '0' ? "" : word->one);
    snprintf(y, sizeof y, "%s%s", by[way][1], by[way][1][0] == '0' ? "" : word->one);
    const int open = (int)strcspn(call, "(") + 1, comma = last_argument(call, length) - 1,
              last = comma + 1 + (int)strspn(call + comma + 1, " \t\n"), left = length - 1 - last;
    if (word->vector != NULL)
        snprintf(to, room, "%.*s(%.*s) + %s(%s, %s))", last, call, left, call + last, word->vector,
                 x, y);
    else if (comma >= open)
        snprintf(to, room, "%.*s(%.*s) + %s, (%.*s) + %s)", open, call, comma - open, call + open,
                 x, left, call + last, y);
    else /* of a function that takes one number */
        snprintf(to, room, "%.*s", length, call);
}

/* ---- Mutants ---- */

enum qp_status qp_mutants_open(const char *text, bool is_body, struct qp_mutants *out)
{
    const size_t room = 3 * strlen(text) + 64; /* a call may come twice */
    *out = (struct qp_mutants){.is_body = is_body, .room = room, .way = WAYS};
    char *memory = qp_alloc(room, 4, "spoiled shaders");
    if (memory == NULL)
        return QP_NO_MEMORY;
    out->text = memory;
    out->other = memory + room;
    out->was = memory + 2 * room;
    out->is = memory + 3 * room;
    strcpy(out->text, text);
    qp_blank_comments(out->text);
    return QP_OK;
}

void qp_mutants_close(struct qp_mutants *mutants)
{
    free(mutants->text);
    *mutants = (struct qp_mutants){0};
}

bool qp_mutants_next(struct qp_mutants *mutants)
{
    do {
        if (++mutants->way >= WAYS) {
            if (!find_call(mutants, mutants->at != NULL ? mutants->at + 1 : mutants->text))
                return false;
            mutants->way = 0;
            snprintf(mutants->was, mutants->room, "%.*s", (int)(mutants->end - mutants->at),
                     mutants->at);
        }
        write_spoiled(mutants);
    } while (strcmp(mutants->was, mutants->is) == 0);
    snprintf(mutants->other, mutants->room, "%.*s%s%s", (int)(mutants->at - mutants->text),
             mutants->text, mutants->is, mutants->end);
    return true;
}

void qp_mutants_count(const struct qp_mutants *mutants, const char *shader, bool noticed,
                      const char *reason, const struct qp_spoil_desc *desc,
                      struct qp_spoil_result *out)
{
    const struct qp_spoiled mutant = {.shader = shader,
                                      .line = qp_line_of(mutants->text, mutants->at),
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
