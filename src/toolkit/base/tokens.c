/* SPDX-License-Identifier: MIT */
#include "toolkit/base/tokens.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/base/text.h"

/* A reader's place. */
struct place {
    const char *at;
    int line;
    bool begins;            /* nothing but blanks and comments before it in its line */
    struct qp_tokens *list; /* list of comments; NULL: they are there already */
};

static void step(struct place *place)
{
    if (*place->at == '\n')
        place->line++;
    place->begins = *place->at == '\n' || (place->begins && isspace((unsigned char)*place->at));
    place->at++;
}

/* Goes over a comment; false if none begins here. */
static bool skip_comment(struct place *place)
{
    const char *at = place->at;
    const bool block = at[0] == '/' && at[1] == '*';
    if (!block && !(at[0] == '/' && at[1] == '/'))
        return false;
    struct qp_token comment = {QP_TOKEN_COMMENT, at, 0, place->line, place->begins ? 0 : -1};
    place->at += 2;
    while (*place->at != '\0' && (block ? strncmp(place->at, "*/", 2) != 0 : *place->at != '\n'))
        step(place);
    const bool open = block && *place->at == '\0';
    if (block && !open)
        place->at += 2;
    place->begins = comment.match == 0;
    comment.length = (int)(place->at - at);
    if (place->list != NULL) {
        place->list->comment[place->list->comments++] = comment;
        place->list->open = open ? comment.line : 0;
    }
    return true;
}

static void skip_blanks(struct place *place)
{
    while (*place->at != '\0' && (skip_comment(place) || isspace((unsigned char)*place->at))) {
        if (isspace((unsigned char)*place->at))
            step(place);
    }
}

/* Characters of a number: 1.5e-3f, 0x1F, 12u. */
static int number_length(const char *at)
{
    int length = 0;
    const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    while (qp_is_letter(at[length]) || at[length] == '.' ||
           (!hex && length > 0 && strchr("+-", at[length]) != NULL && at[length] != '\0' &&
            strchr("eE", at[length - 1]) != NULL))
        length++;
    return length;
}

static int sign_length(const char *at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "^^",
        "+=",  "-=",  "*=", "/=", "%=", "<<", ">>", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(at, signs[i], strlen(signs[i])) == 0)
            return (int)strlen(signs[i]);
    }
    return 1;
}

/* Goes to the end of a preprocessor's line, and of those after it that a backslash joins. */
static void skip_line(struct place *place)
{
    while (*place->at != '\0' && *place->at != '\n') {
        const char *end = place->at + (place->at[1] == '\r' ? 2 : 1);
        if (*place->at == '\\' && *end == '\n')
            place->at = end;
        place->begins = false;
        if (!skip_comment(place))
            step(place);
    }
}

static bool read_token(struct place *place, struct qp_token *out)
{
    skip_blanks(place);
    const char *at = place->at;
    *out = (struct qp_token){.kind = QP_TOKEN_SIGN, .at = at, .line = place->line, .match = -1};
    if (*at == '\0')
        return false;
    if (*at == '#' && place->begins) {
        out->kind = QP_TOKEN_LINE;
        skip_line(place);
    } else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        out->kind = QP_TOKEN_NUMBER;
        place->at += number_length(at);
    } else if (qp_is_letter(*at)) {
        out->kind = QP_TOKEN_WORD;
        while (qp_is_letter(*place->at))
            place->at++;
    } else {
        place->at += sign_length(at);
    }
    place->begins = false;
    out->length = (int)(place->at - at);
    return true;
}

/* Open brackets wait for theirs in a list through `match`, the last one first. */
static void match_brackets(struct qp_tokens *tokens, int begin, int end)
{
    static const char brackets[] = "([{)]}";
    int open = -1;
    for (int i = begin; i < end; i++) {
        struct qp_token *token = &tokens->of[i];
        const char *found = token->kind == QP_TOKEN_SIGN ? strchr(brackets, *token->at) : NULL;
        if (found == NULL)
            continue;
        if (found < brackets + 3) {
            token->match = open;
            open = i;
        } else if (open >= 0 && *tokens->of[open].at == found[-3]) {
            const int next = tokens->of[open].match;
            token->match = open;
            tokens->of[open].match = i;
            open = next;
        }
    }
    for (int next; open >= 0; open = next) {
        next = tokens->of[open].match;
        tokens->of[open].match = -1;
    }
}

/* Adds the tokens from a place to the end, and QP_TOKEN_END. */
static void add_tokens(struct qp_tokens *tokens, struct place place, const char *end)
{
    const int begin = tokens->all;
    struct qp_token *token = &tokens->of[begin];
    while (read_token(&place, token) && token->at < end)
        token = &tokens->of[++tokens->all];
    *token = (struct qp_token){.kind = QP_TOKEN_END, .at = end, .line = token->line, .match = -1};
    match_brackets(tokens, begin, tokens->all++);
}

/* ---- Functions ---- */

/* Lists functions, which begin outside of braces; a last one without a name ends the list. */
static void find_functions(struct qp_tokens *tokens)
{
    const struct qp_token *of = tokens->of;
    struct qp_glsl_function *next = tokens->function;
    for (int i = 0; i + 2 < tokens->count; i++) {
        if (*of[i].at == '{' && of[i].kind == QP_TOKEN_SIGN && of[i].match > i) {
            i = of[i].match;
            continue;
        }
        if (of[i].kind != QP_TOKEN_WORD || of[i + 1].kind != QP_TOKEN_WORD ||
            !qp_token_is(&of[i + 2], "(") || of[i + 2].match < 0)
            continue;
        const int close = of[i + 2].match;
        const bool has_body = qp_token_is(&of[close + 1], "{") && of[close + 1].match > 0;
        *next++ = (struct qp_glsl_function){
            i, i + 1, i + 2, close, has_body ? close + 1 : -1, has_body ? of[close + 1].match : -1};
    }
    next->name = 0;
}

/* ---- Texts ---- */

/* Texts that somebody holds, and how many were cut. */
static struct {
    pthread_mutex_t lock;
    struct qp_tokens *first;
    _Atomic int cuts;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void destroy(struct qp_tokens *tokens)
{
    free(tokens->of);
    free(tokens->function);
    free(tokens->text);
    free(tokens);
}

static bool cut(const char *text, struct qp_tokens *out)
{
    const size_t length = strlen(text);
    /* a line may end twice, and a comment has two letters */
    out->of = qp_alloc(length + 3 + length / 2, sizeof *out->of, "a shader's tokens");
    out->text = out->of != NULL ? qp_copy_text(text, "a shader's text") : NULL;
    if (out->text == NULL)
        return false;
    out->comment = out->of + length + 3;
    add_tokens(out, (struct place){out->text, 1, true, out}, out->text + length);
    out->count = out->all - 1;
    for (int i = 0; i < out->count; i++) {
        const struct qp_token *line = &out->of[i];
        if (line->kind == QP_TOKEN_LINE)
            add_tokens(out, (struct place){line->at + 1, line->line, false, NULL},
                       line->at + line->length);
    }
    /* two words and two brackets */
    out->function =
        qp_alloc((size_t)out->count / 4 + 1, sizeof *out->function, "a shader's functions");
    if (out->function != NULL)
        find_functions(out);
    return out->function != NULL;
}

/* The tokens of an equal text that somebody holds, or new ones. */
static struct qp_tokens *find(const char *text)
{
    struct qp_tokens *tokens = held.first;
    while (tokens != NULL && strcmp(tokens->text, text) != 0)
        tokens = tokens->next;
    if (tokens != NULL || (tokens = qp_alloc_zero(1, sizeof *tokens, "a shader's tokens")) == NULL)
        return tokens;
    if (!cut(text, tokens)) {
        destroy(tokens);
        return NULL;
    }
    held.cuts++;
    tokens->next = held.first;
    return held.first = tokens;
}

const struct qp_tokens *qp_tokens_read(const char *text)
{
    pthread_mutex_lock(&held.lock);
    struct qp_tokens *tokens = find(text);
    if (tokens != NULL)
        tokens->holders++;
    pthread_mutex_unlock(&held.lock);
    return tokens;
}

void qp_tokens_release(const struct qp_tokens **tokens)
{
    struct qp_tokens **at = &held.first;
    pthread_mutex_lock(&held.lock);
    while (*tokens != NULL && *at != *tokens)
        at = &(*at)->next;
    if (*tokens != NULL && --(*at)->holders == 0) {
        struct qp_tokens *last = *at;
        *at = last->next;
        destroy(last);
    }
    pthread_mutex_unlock(&held.lock);
    *tokens = NULL;
}

int qp_tokens_cuts(void)
{
    return held.cuts;
}

/* ---- Tokens ---- */

bool qp_token_is_one_of(const struct qp_token *token, const char *const texts[])
{
    while (*texts != NULL && !qp_token_is(token, *texts))
        texts++;
    return *texts != NULL;
}

bool qp_token_is_real(const struct qp_token *token)
{
    const bool hex = token->length > 1 && (token->at[1] == 'x' || token->at[1] == 'X');
    return token->kind == QP_TOKEN_NUMBER && !hex &&
           strcspn(token->at, ".eE") < (size_t)token->length;
}

int qp_tokens_find(const struct qp_tokens *tokens, int i, const char *word)
{
    while (i < tokens->count && !qp_token_is(&tokens->of[i], word))
        i++;
    return i;
}

int qp_tokens_until(const struct qp_tokens *tokens, int i, const char *sign, const char *other)
{
    const struct qp_token *of = tokens->of;
    for (; of[i].kind != QP_TOKEN_END && !qp_token_is(&of[i], sign) && !qp_token_is(&of[i], other);
         i++) {
        if (of[i].match > i)
            i = of[i].match;
        else if (of[i].match >= 0)
            break;
    }
    return i;
}

int qp_tokens_since(const struct qp_tokens *tokens, int i, const char *const signs[])
{
    const struct qp_token *of = tokens->of;
    for (; i > 0 && !qp_token_is_one_of(&of[i - 1], signs); i--)
        i = of[i - 1].match >= 0 && of[i - 1].match < i ? of[i - 1].match + 1 : i;
    return i;
}

int qp_tokens_around(const struct qp_tokens *tokens, int i, int *commas)
{
    const struct qp_token *of = tokens->of;
    *commas = 0;
    for (i--; i >= 0 && of[i].match <= i; i--) {
        *commas += qp_token_is(&of[i], ",");
        i = of[i].match >= 0 ? of[i].match : i;
    }
    return i;
}

/* ---- Places ---- */

/* The colon of a mark, before its number; NULL: the comment is none. */
static const char *find_colon(const struct qp_token *comment)
{
    const char *end = qp_token_end(comment), *at = end;
    while (at > comment->at && isdigit((unsigned char)at[-1]))
        at--;
    const bool is_mark = comment->match == 0 && strncmp(comment->at, "//# ", 4) == 0;
    return is_mark && at < end && at[-1] == ':' ? at - 1 : NULL;
}

int qp_tokens_line(const struct qp_tokens *tokens, const char *name, int line,
                   char file[QP_PLACE_LETTERS])
{
    const char *colon = NULL, *slash = strrchr(name, '/');
    int own = line;
    snprintf(file, QP_PLACE_LETTERS, "%s", name);
    for (int i = 0; i < tokens->comments && tokens->comment[i].line < line; i++) {
        const struct qp_token *mark = &tokens->comment[i];
        if ((colon = find_colon(mark)) == NULL)
            continue;
        const char *from = mark->at + 4;
        const int folder = slash != NULL && *from != '/' ? (int)(slash - name) + 1 : 0;
        own = atoi(colon + 1) + line - mark->line - 1;
        if (colon > from)
            snprintf(file, QP_PLACE_LETTERS, "%.*s%.*s", folder, name, (int)(colon - from), from);
        else
            snprintf(file, QP_PLACE_LETTERS, "%s", name);
    }
    return own;
}

const char *qp_tokens_place(const struct qp_tokens *tokens, const char *name, int line,
                            char place[QP_PLACE_LETTERS])
{
    const int own = qp_tokens_line(tokens, name, line, place);
    const size_t used = strlen(place);
    snprintf(place + used, QP_PLACE_LETTERS - used, ":%d", own);
    return place;
}
