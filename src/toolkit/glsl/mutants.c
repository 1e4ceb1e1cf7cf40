/* SPDX-License-Identifier: MIT */
/* Mutants: texts with one read, one word or one operand that is wrong. */
#include <stdio.h>

#include <quadpass/spoil.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/glsl/facts.h"

/* ---- Reads ---- */

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

static bool spoil_read(struct qp_changes *c, int i)
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
    c->end = open->match;
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

/* ---- Values ---- */

/* Signs that bind as strongly as a product's, and those that bind more strongly than another
 * sign. */
static const char *const no_signs[] = {NULL}, *const products[] = {"*", "/", "%", NULL},
                         *const sums[] = {"*", "/", "%", "+", "-", NULL},
                         *const truths[] = {"*",  "/",  "%", "+",  "-",  "<",
                                            "<=", ">=", ">", "==", "!=", NULL},
                         *const choices[] = {
                             "*", "/", "%", "+", "-", "<", "<=", ">=", ">", "==", "!=", "&&", NULL};

/* True if a value ends before the sign at token i. */
static bool is_binary(const struct qp_token *of, int i)
{
    static const char *const others[] = {"return", "case", "else", "do", NULL};
    const struct qp_token *before = &of[i > 0 ? i - 1 : 0];
    return i > 0 && (before->kind == QP_TOKEN_NUMBER ||
                     (before->kind == QP_TOKEN_WORD && !qp_token_is_one_of(before, others)) ||
                     qp_token_is(before, ")") || qp_token_is(before, "]"));
}

/* The first token of an operand that ends with token i, and the last of one that begins there, with
 * all that these signs bind; -1: there is none. */
static int operand_begin(const struct qp_tokens *tokens, int i, const char *const signs[])
{
    const struct qp_token *of = tokens->of;
    int begin = qp_glsl_value_begin(tokens, i);
    while (begin > 1 && qp_token_is_one_of(&of[begin - 1], signs) && is_binary(of, begin - 1) &&
           qp_glsl_value_begin(tokens, begin - 2) > 0)
        begin = qp_glsl_value_begin(tokens, begin - 2);
    return begin;
}

static int operand_end(const struct qp_tokens *tokens, int i, const char *const signs[])
{
    static const char *const unary[] = {"+", "-", "!", "~", NULL};
    const struct qp_token *of = tokens->of;
    int end = i - 2;
    do {
        for (i = end + 2; qp_token_is_one_of(&of[i], unary);)
            i++;
        end = qp_glsl_value_end(tokens, i);
    } while (end >= 0 && qp_token_is_one_of(&of[end + 1], signs));
    return end;
}

/* A sentence quotes both operands of the sign at token i. */
static void quote_operands(struct qp_changes *c, int i, const char *const signs[])
{
    const int begin = is_binary(c->tokens->of, i) ? operand_begin(c->tokens, i - 1, signs) : i,
              end = operand_end(c->tokens, i + 1, signs);
    c->begin = begin > 0 ? begin : i;
    c->end = end > i ? end : i;
}

static bool replace(struct qp_changes *c, int i, const char *by)
{
    qp_changes_copy(c, c->tokens->of[i].at);
    qp_changes_add(c, "%s", by);
    c->from = qp_token_end(&c->tokens->of[i]);
    return true;
}

/* True for a number that is 0. */
static bool is_zero(const struct qp_token *token)
{
    return token->kind == QP_TOKEN_NUMBER &&
           strcspn(token->at, "123456789eE") >= (size_t)token->length;
}

/* ---- Places ---- */

/* Parts of a loop. */
enum loop { NO_LOOP, LOOP_START, LOOP_CONDITION, LOOP_OWN };

/* A head `for (...; condition; count)` that goes on by a fixed step to one bound. */
static enum loop place_in_head(const struct qp_tokens *tokens, int open, int i)
{
    static const char *const counts[] = {"++", "--", "+=", "-=", NULL},
                             *const hard[] = {"||", "!=", "*=", "/=", "<<=", ">>=", NULL};
    const struct qp_token *of = tokens->of;
    int part = 0;
    bool counted = false;
    for (int k = open + 1; k < of[open].match; k++) {
        counted |= qp_token_is_one_of(&of[k], counts);
        part += k < i && qp_token_is(&of[k], ";");
        if (qp_token_is_one_of(&of[k], hard))
            return LOOP_OWN;
    }
    return !counted || part > 1 ? LOOP_OWN : part == 1 ? LOOP_CONDITION : LOOP_START;
}

/* True if a loop's head leaves its end to the body, or this statement of the body to count. */
static bool ends_in_body(const struct qp_tokens *tokens, int open, int statement)
{
    const struct qp_token *of = tokens->of;
    bool counts = false;
    int part = 0, length[3] = {0};
    for (int k = open + 1; k < of[open].match; k++) {
        if (qp_token_is(&of[k], ";") && part < 2)
            part++;
        else
            length[part]++;
        counts |= part == 2 && qp_token_same(&of[k], &of[statement]);
    }
    return counts || length[1] == 0 || length[2] == 0;
}

/* LOOP_OWN for all in a loop that has no bound of its own. */
static enum loop find_loop(const struct qp_tokens *tokens, int i)
{
    static const char *const begins[] = {";", "{", "}", NULL}, *const loops[] = {"while", "do",
                                                                                 NULL};
    const struct qp_token *of = tokens->of;
    const int statement = qp_tokens_since(tokens, i, begins);
    int commas, end; /* the head's, before a body without braces */
    if (qp_token_is_one_of(&of[statement], loops))
        return LOOP_OWN;
    end = qp_token_is(&of[statement], "for") ? of[statement + 1].match : -1;
    if (end >= 0 && end < i && ends_in_body(tokens, statement + 1, end + 1))
        return LOOP_OWN;
    for (int open = i; (open = qp_tokens_around(tokens, open, &commas)) > 0;) {
        const int head = qp_token_is(&of[open - 1], ")") ? of[open - 1].match : open;
        const struct qp_token *word = &of[head > 0 ? head - 1 : 0];
        if (qp_token_is_one_of(word, loops) || qp_token_is(&of[open - 1], "do"))
            return LOOP_OWN;
        if (qp_token_is(word, "for") && head == open)
            return place_in_head(tokens, open, i);
        if (qp_token_is(word, "for") && ends_in_body(tokens, head, statement))
            return LOOP_OWN;
    }
    return NO_LOOP;
}

/* True for a token that is no mutant's: a line of the preprocessor that is no macro, a function
 * that nothing calls. */
static bool is_idle(const struct qp_changes *c, int i)
{
    const struct qp_tokens *tokens = c->tokens;
    uint64_t seen = 0;
    if (i >= tokens->count) {
        int first = i;
        while (tokens->of[first - 1].kind != QP_TOKEN_END)
            first--;
        return !qp_token_is(&tokens->of[first], "define");
    }
    const struct qp_glsl_function *function = qp_glsl_around(tokens, i);
    return function != NULL && !qp_glsl_is_used(tokens, (int)(function - tokens->function), &seen);
}

/* True for the name of a function or a macro of the text that reads. */
static bool is_reader(const struct qp_changes *c, const struct qp_token *word)
{
    const struct qp_token *of = c->tokens->of;
    const int macro = qp_glsl_macro(c->tokens, word);
    bool reads = false;
    for (int k = macro; k >= 0 && of[k].kind != QP_TOKEN_END && !reads; k++)
        reads = find_vector(c, &of[k]) != NULL;
    for (const struct qp_glsl_function *f = c->tokens->function; f->name > 0 && !reads; f++) {
        for (int k = f->begin; qp_token_same(&of[f->name], word) && k < f->end && !reads; k++)
            reads = k >= 0 && find_vector(c, &of[k]) != NULL;
    }
    return reads;
}

/* True for a number that counts cells or elements: in the brackets of an element, in a call that
 * reads, or where a loop begins and ends. */
static bool is_index(const struct qp_changes *c, int i)
{
    static const char *const within[] = {"vec2", "ivec2", "uvec2", "float", "int", "uint",
                                         "mod",  "min",   "max",   "clamp", "abs", NULL};
    const struct qp_tokens *tokens = c->tokens;
    const struct qp_token *of = tokens->of;
    const enum loop loop = find_loop(tokens, i);
    int commas;
    for (int open = i; (open = qp_tokens_around(tokens, open, &commas)) > 0;) {
        const struct qp_token *word = &of[open - 1];
        if (qp_token_is(&of[open], "["))
            return !qp_glsl_is_type(word) && !qp_glsl_follows_word(tokens, open - 1);
        if (!qp_token_is(&of[open], "(") || find_vector(c, word) != NULL || is_reader(c, word))
            return qp_token_is(&of[open], "(");
        if (qp_token_is(word, "for"))
            return loop == LOOP_START || loop == LOOP_CONDITION;
        if (word->kind == QP_TOKEN_WORD && !qp_token_is_one_of(word, within))
            break;
    }
    return false;
}

/* True for a number that is a whole argument of a body's read, whose neighbours are read as it
 * is. */
static bool is_read(const struct qp_changes *c, int i)
{
    const struct qp_token *of = c->tokens->of, *before = &of[i - 1], *after = &of[i + 1];
    int commas;
    const int open = qp_tokens_around(c->tokens, i, &commas);
    before -= qp_token_is(before, "-") && !is_binary(of, i - 1);
    return (c->kinds == 0 || (c->kinds >> QP_MUTANT_READ & 1) != 0) && open > 0 &&
           find_vector(c, &of[open - 1]) != NULL &&
           (qp_token_is(before, ",") || before == &of[open]) &&
           (qp_token_is(after, ",") || qp_token_is(after, ")"));
}

/* ---- Words ---- */

static const char *way(const struct qp_changes *c)
{
    return c->ways->of[c->kind].words;
}

/* An index one more or one less. */
static bool shift_index(struct qp_changes *c, int i)
{
    const struct qp_token *token = &c->tokens->of[i];
    char by[QP_GLSL_LETTERS + 16];
    if (i < 1 || token->kind != QP_TOKEN_NUMBER || token->length > QP_GLSL_LETTERS ||
        !is_index(c, i) || is_read(c, i) || is_idle(c, i) || find_loop(c->tokens, i) == LOOP_OWN)
        return false;
    snprintf(by, sizeof by, "(%.*s %s %s)", token->length, token->at, way(c),
             qp_token_is_real(token)                              ? "1.0"
             : strchr("uU", token->at[token->length - 1]) != NULL ? "1u"
                                                                  : "1");
    return replace(c, i, by);
}

/* True for the sign of a member of what a pointer is to, `->`. */
static bool is_arrow(const struct qp_token *token)
{
    return (token->at[0] == '-' && token->at[1] == '>') ||
           (token->at[0] == '>' && token->at[-1] == '-');
}

static bool turn_sign(struct qp_changes *c, int i)
{
    static const char *const signs[][2] = {{"+", "-"}, {"-", "+"}, {"+=", "-="}, {"-=", "+="}};
    const struct qp_token *token = &c->tokens->of[i];
    size_t k = 0;
    while (k < 4 && !qp_token_is(token, signs[k][0]))
        k++;
    if (i < 1 || k == 4 || is_arrow(token) || is_idle(c, i))
        return false;
    const enum loop loop = find_loop(c->tokens, i);
    if (loop == LOOP_OWN || loop == LOOP_CONDITION || is_zero(token + 1))
        return false;
    quote_operands(c, i, products);
    return replace(c, i, signs[k][1]);
}

/* Signs that bind more strongly than this one, which has two operands; NULL: it has not. */
static const char *const *find_level(const struct qp_token *of, int i)
{
    const struct qp_token *sign = &of[i];
    if (!is_binary(of, i) || is_arrow(sign) || qp_glsl_is_type(sign - 1))
        return NULL;
    return qp_token_is(sign, "+") || qp_token_is(sign, "-")   ? products
           : qp_token_is(sign, "*") || qp_token_is(sign, "/") ? no_signs
           : qp_token_is(sign, "&&")                          ? truths
           : qp_token_is(sign, "||")                          ? choices
                                                              : NULL;
}

/* Leaves out the operand right of a sign, or left of it if that is the first of its like; a minus
 * stays. */
static bool leave_out(struct qp_changes *c, int i)
{
    const struct qp_tokens *tokens = c->tokens;
    const struct qp_token *of = tokens->of;
    const char *const *level = of[i].kind == QP_TOKEN_SIGN ? find_level(of, i) : NULL;
    if (level == NULL || is_idle(c, i))
        return false;
    const bool right = *way(c) == 'r', divides = qp_token_is(&of[i], "/");
    const enum loop loop = find_loop(tokens, i);
    quote_operands(c, i, level);
    if (loop == LOOP_OWN || loop == LOOP_CONDITION || c->begin == i || c->end == i ||
        (!right && (divides || find_level(of, c->begin - 1) == level)))
        return false;
    qp_changes_copy(c, right ? qp_token_end(&of[i - 1]) : of[c->begin].at);
    c->from = right                      ? qp_token_end(&of[c->end])
              : qp_token_is(&of[i], "-") ? of[i].at
                                         : of[i + 1].at;
    return true;
}

/* A comparison that takes in the equal, or leaves it out, or is the other way round. */
static bool turn_comparison(struct qp_changes *c, int i)
{
    static const char *const signs[][3] = {{"<", "<=", ">"},   {">", ">=", "<"},
                                           {"<=", "<", ">="},  {">=", ">", "<="},
                                           {"==", "!=", NULL}, {"!=", "==", NULL}};
    const struct qp_token *of = c->tokens->of, *token = &of[i];
    size_t k = 0;
    while (k < 6 && !qp_token_is(token, signs[k][0]))
        k++;
    const char *by = k < 6 ? signs[k][*way(c) == 'e' ? 1 : 2] : NULL;
    if (i < 1 || by == NULL || is_arrow(token) || is_idle(c, i))
        return false;
    const enum loop loop = find_loop(c->tokens, i);
    const bool to_zero = is_zero(token + 1) || is_zero(token - 1);
    if (loop == LOOP_OWN || (loop == LOOP_CONDITION && k < 2 && *way(c) == 'e' && to_zero))
        return false;
    quote_operands(c, i, sums);
    return replace(c, i, by);
}

static bool stretch(struct qp_changes *c, int i)
{
    const struct qp_token *token = &c->tokens->of[i];
    char by[QP_GLSL_LETTERS + 16];
    if (i < 1 || !qp_token_is_real(token) || is_zero(token) || token->length > QP_GLSL_LETTERS ||
        is_index(c, i) || is_idle(c, i) || find_loop(c->tokens, i) == LOOP_OWN)
        return false;
    snprintf(by, sizeof by, "(%.*s * 1.01)", token->length, token->at);
    return replace(c, i, by);
}

const struct qp_change_ways qp_mutants = {.by_place = true,
                                          .count = QP_CHANGE_WAYS,
                                          .of = {{"", spoil_read, QP_MUTANT_READ},
                                                 {"", spoil_read, QP_MUTANT_READ},
                                                 {"", spoil_read, QP_MUTANT_READ},
                                                 {"", spoil_read, QP_MUTANT_READ},
                                                 {"", spoil_read, QP_MUTANT_READ},
                                                 {"+", shift_index, QP_MUTANT_INDEX},
                                                 {"-", shift_index, QP_MUTANT_INDEX},
                                                 {"", turn_sign, QP_MUTANT_SIGN},
                                                 {"right", leave_out, QP_MUTANT_OPERAND},
                                                 {"left", leave_out, QP_MUTANT_OPERAND},
                                                 {"equal", turn_comparison, QP_MUTANT_COMPARISON},
                                                 {"other", turn_comparison, QP_MUTANT_COMPARISON},
                                                 {"", stretch, QP_MUTANT_CONSTANT}}};
