/* SPDX-License-Identifier: MIT */
/* Shaders spoiled one fetch at a time, in a copy of the row's recipe. */
#include <quadpass/spoil.h>

#include <quadpass/walk.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "gl/shaders.h"
#include "plan/op.h"
#include "walk/description.h"

/* Words of calls that fetch, and the two-dimensional vector that they take last; two floats for NULL. Words of bodies in the
 * short form are endings: x_at(dx, dy), x_cell(cell). */
static const struct fetch {
    const char *word, *vector, *one;
    bool of_bodies;
} fetches[] = {{"texture2DRect", "vec2", "1.0", false},
               {"texture", "vec2", "1.0", false},
               {"texelFetch", "ivec2", "1", false},
               {"_at", NULL, "1.0", true},
               {"_cell", "vec2", "1.0", true}};

enum { FETCHES = sizeof fetches / sizeof fetches[0], WAYS = 5 /* nothing, and four neighbours */ };

/* A row whose recipe is a copy, and the shader of it that is spoiled. */
struct victim {
    struct qp_context *context;
    struct qp_problem *problem;
    const struct qp_spoil_desc *desc;
    struct qp_spoil_result *out;
    struct qp_recipe recipe;
    struct qp_variant variant;
    int draw;
    char *text; /* of that draw, its comments blank */
    char *
        other; /* as spoiled, in so much room; behind it as much for the call as it is spoiled, and for the call */
    size_t room;
};

/* ---- Texts ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Comments become blanks, so that nothing in them is found; lines stay. */
static void blank_comments(char *text)
{
    for (char *at = text; *at != '\0';) {
        const char *end = at;
        if (at[0] == '/' && at[1] == '/')
            end = at + strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*')
            end = (end = strstr(at + 2, "*/")) != NULL ? end + 2 : at + strlen(at);
        if (end == at)
            at++;
        for (; at < end; at++)
            *at = *at == '\n' ? '\n' : ' ';
    }
}

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

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* A whole word, or the end of one, with its bracket. */
static bool begins_call(const char *text, const char *at, const struct fetch *fetch)
{
    const size_t length = strlen(fetch->word);
    size_t letters = 0;
    if (at > text && is_letter(at[-1]))
        return false;
    while (is_letter(at[letters]))
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

/* ---- Walks ---- */

static enum qp_status walk(const struct victim *victim, struct qp_result *out)
{
    const int iterations = victim->desc->iterations;
    const struct qp_walk_desc desc = {.iterations = iterations > 0 ? iterations : 1};
    return qp_walk(victim->context, &victim->variant, victim->problem, &desc, out);
}

static void tell(const struct victim *victim, const struct qp_spoiled *mutant)
{
    struct qp_spoil_result *out = victim->out;
    out->made++;
    out->noticed += mutant->noticed;
    if (!mutant->noticed && out->survivor[0] == '\0')
        snprintf(out->survivor, sizeof out->survivor,
                 "%.128s:%d: nothing notices '%.160s' in place of '%.160s'", mutant->shader,
                 mutant->line, mutant->is, mutant->was);
    if (victim->desc->on_mutant != NULL)
        victim->desc->on_mutant(victim->desc->user, mutant);
}

/* Writes the call as it is spoiled in this way. */
static void write_spoiled(const struct fetch *fetch, const char *call, int length, int way,
                          char *to, size_t room)
{
    static const char *const by[WAYS][2] = {
        {"0", "0"}, {"-", "0"}, {"", "0"}, {"0", "-"}, {"0", ""}};
    char x[8], y[8];
    if (way == 0) {
        snprintf(to, room, "(%.*s - %.*s)", length, call, length, call);
        return;
    }
    snprintf(x, sizeof x, "%s%s", by[way][0], by[way][0][0] == '0' ? "" : fetch->one);
    snprintf(y, sizeof y, "%s%s", by[way][1], by[way][1][0] == '0' ? "" : fetch->one);
    const int open = (int)strcspn(call, "(") + 1, comma = last_argument(call, length) - 1,
              last = comma + 1 + (int)strspn(call + comma + 1, " \t\n"), left = length - 1 - last;
    if (fetch->vector != NULL)
        snprintf(to, room, "%.*s(%.*s) + %s(%s, %s))", last, call, left, call + last, fetch->vector,
                 x, y);
    else if (comma >= open)
        snprintf(to, room, "%.*s(%.*s) + %s, (%.*s) + %s)", open, call, comma - open, call + open,
                 x, left, call + last, y);
    else /* of a function that takes one number */
        snprintf(to, room, "%.*s", length, call);
}

/* Of what is no fetch, such as the definition of a function or a macro. */
static bool is_refused(const struct qp_result *result)
{
    return result->cause != QP_OK && strncmp(result->reason, "room 4", 6) == 0;
}

static enum qp_status spoil_call(struct victim *victim, const struct fetch *fetch, const char *at,
                                 const char *end, int way)
{
    struct qp_draw *draw = &victim->recipe.draw[victim->draw];
    char *is = victim->other + victim->room, *was = is + victim->room;
    struct qp_result result;
    snprintf(was, victim->room, "%.*s", (int)(end - at), at);
    write_spoiled(fetch, at, (int)(end - at), way, is, victim->room);
    if (strcmp(was, is) == 0)
        return QP_OK;
    snprintf(victim->other, victim->room, "%.*s%s%s", (int)(at - victim->text), victim->text, is,
             end);
    draw->fragment_text = victim->other;
    const enum qp_status status = walk(victim, &result);
    draw->fragment_text = victim->text;
    if (status != QP_OK || is_refused(&result))
        return status;
    tell(victim, &(struct qp_spoiled){.shader = draw->fragment,
                                      .line = line_of(victim->text, at),
                                      .was = was,
                                      .is = is,
                                      .noticed = result.verdict == QP_FAIL,
                                      .reason = result.reason});
    return QP_OK;
}

static enum qp_status spoil_text(struct victim *victim)
{
    const bool is_body = victim->recipe.draw[victim->draw].fragment_head != NULL;
    enum qp_status status = QP_OK;
    for (const char *at = victim->text; *at != '\0' && status == QP_OK; at++) {
        for (int k = 0; k < FETCHES && status == QP_OK; k++) {
            const bool found =
                fetches[k].of_bodies == is_body && begins_call(victim->text, at, &fetches[k]);
            const char *end = found ? end_of_call(at) : NULL;
            for (int way = 0; way < WAYS && end != NULL && status == QP_OK; way++)
                status = spoil_call(victim, &fetches[k], at, end, way);
        }
    }
    return status;
}

/* ---- Rows ---- */

static enum qp_status read_text(const struct qp_draw *draw, char **text)
{
    if (draw->fragment_text == NULL)
        return qp_shader_read(draw->fragment, text);
    const size_t size = strlen(draw->fragment_text) + 1;
    if ((*text = qp_alloc(size, 1, "a shader's text")) == NULL)
        return QP_NO_MEMORY;
    memcpy(*text, draw->fragment_text, size);
    return QP_OK;
}

static enum qp_status spoil_draw(struct victim *victim, int index)
{
    struct qp_draw *draw = &victim->recipe.draw[index];
    const char *before = draw->fragment_text;
    enum qp_status status = read_text(draw, &victim->text);
    if (status == QP_OK) {
        blank_comments(victim->text);
        victim->draw = index;
        victim->room = 2 * strlen(victim->text) + 64; /* a call may come twice */
        victim->other = qp_alloc(victim->room, 3, "a spoiled shader");
        status = victim->other != NULL ? spoil_text(victim) : QP_NO_MEMORY;
    }
    draw->fragment_text = before;
    free(victim->text);
    free(victim->other);
    victim->text = victim->other = NULL;
    return status;
}

static enum qp_status check_whole(const struct victim *victim)
{
    struct qp_result result;
    const enum qp_status status = walk(victim, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        return qp_fail(QP_BAD_USE, "%s must pass before it is spoiled: %s", victim->variant.name,
                       result.reason);
    return status;
}

enum qp_status qp_spoil(struct qp_context *context, const struct qp_variant *variant,
                        struct qp_problem *problem, const struct qp_spoil_desc *desc,
                        struct qp_spoil_result *out)
{
    static const struct qp_spoil_desc usual;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_spoil_result){0};
    if (QP_NEED(context) || QP_NEED(variant) || QP_NEED(problem))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &usual;
    enum qp_status status =
        qp_check_walk(variant, problem, &(struct qp_walk_desc){.iterations = desc->iterations});
    if (status != QP_OK)
        return status;
    if (variant->recipe->engine != NULL || variant->recipe->draw[0].fragment == NULL)
        return qp_fail(QP_BAD_USE, "%s draws by no fragment shader of its own", variant->name);
    struct victim victim = {.context = context,
                            .problem = problem,
                            .desc = desc,
                            .out = out,
                            .recipe = *variant->recipe,
                            .variant = *variant};
    victim.variant.recipe = &victim.recipe;
    status = check_whole(&victim);
    for (int i = 0; i < qp_recipe_draws(variant->recipe) && status == QP_OK; i++)
        status = spoil_draw(&victim, i);
    return status;
}
