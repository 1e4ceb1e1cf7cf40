/* SPDX-License-Identifier: MIT */
/* Bodies drawn `precise` (GL_ARB_gpu_shader5): every variable is declared so, and every value that a function returns or a
 * condition compares gets a name that is. A compiler then computes what is written, in that order: it reassociates nothing,
 * and fuses no product with a sum. What computes in integers alone is left as it is, and so are constants and macros. No line moves. */
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/kernel.h"
#include "toolkit/tokens.h"

/* Changes at a token. */
struct change {
    int opens, closes; /* conditions that begin before it, and end after it */
    bool declares;
    int returns; /* of `return` with a value the token of the type; 0: none */
    bool ends_return;
};

struct rewriting {
    struct qp_tokens tokens;
    struct change *at; /* each token's */
};

/* ---- Declarations ---- */

static const char *const comparing[] = {"bvec2", "bvec3", "bvec4", NULL};

/* A basic type, or a structure of the text. */
static bool is_type(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *token = &tokens->of[i];
    if (qp_token_is_one_of(token, qp_glsl_floats) || qp_token_is_one_of(token, qp_glsl_wholes) ||
        qp_token_is_one_of(token, comparing))
        return true;
    char name[64];
    snprintf(name, sizeof name, "%.*s", token->length, token->at);
    for (int k = 0; token->kind == QP_TOKEN_WORD &&
                    (k = qp_tokens_find(tokens, k, "struct") + 1) < tokens->count;) {
        if (qp_token_is(&tokens->of[k], name))
            return k < i;
    }
    return false;
}

/* The next ; at the depth of token i, no later than `end`. */
static int statement_end(const struct qp_tokens *tokens, int i, int end)
{
    for (; i < end && !qp_token_is(&tokens->of[i], ";"); i++) {
        if (tokens->of[i].match > i)
            i = tokens->of[i].match;
    }
    return i;
}

/* True if a declaration makes this word an integer, and none makes it anything else. */
static bool is_declared_whole(const struct qp_tokens *tokens, const struct qp_token *word)
{
    char name[64];
    bool whole = false;
    snprintf(name, sizeof name, "%.*s", word->length, word->at);
    for (int i = 0; (i = qp_tokens_find(tokens, i, name)) < tokens->count; i++) {
        const struct qp_token *before = &tokens->of[i > 0 ? i - 1 : i];
        if (before->kind != QP_TOKEN_WORD || qp_token_is(before, "return"))
            continue;
        if (!qp_token_is_one_of(before, qp_glsl_wholes))
            return false;
        whole = true;
    }
    return whole;
}

/* True if the tokens from `begin` up to `end` compute in integers alone. */
static bool is_whole(const struct qp_tokens *tokens, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (token->kind == QP_TOKEN_NUMBER && strcspn(token->at, ".eEfF") < (size_t)token->length)
            return false;
        if (token->kind == QP_TOKEN_WORD && (i == 0 || !qp_token_is(&tokens->of[i - 1], ".")) &&
            !is_declared_whole(tokens, token))
            return false;
    }
    return true;
}

/* The token of the name that is declared after the type at i; -1 for a function, a constructor or a member. */
static int declared_name(const struct qp_tokens *tokens, int i)
{
    int name = i + 1;
    if (qp_token_is(&tokens->of[name], "[") && tokens->of[name].match > 0)
        name = tokens->of[name].match + 1;
    return tokens->of[name].kind == QP_TOKEN_WORD && !qp_token_is(&tokens->of[name + 1], "(") ? name
                                                                                              : -1;
}

/* Marks the declaration by the type at i before its qualifiers. A constant is exact by itself, and so is an integer that
 * begins with one. */
static void mark_declaration(struct rewriting *r, int i)
{
    static const char *const qualifiers[] = {"in",      "out",   "inout", "lowp",
                                             "mediump", "highp", NULL};
    static const char *const others[] = {"const",     "uniform", "varying", "attribute",
                                         "invariant", "precise", NULL};
    const struct qp_token *of = r->tokens.of;
    int first = i;
    while (first > 0 && qp_token_is_one_of(&of[first - 1], qualifiers))
        first--;
    const int name = declared_name(&r->tokens, i);
    if (name < 0 || (first > 0 && qp_token_is_one_of(&of[first - 1], others)))
        return;
    const bool counts =
        qp_token_is_one_of(&of[i], qp_glsl_wholes) && qp_token_is(&of[name + 1], "=") &&
        is_whole(&r->tokens, name + 2, statement_end(&r->tokens, name, r->tokens.count));
    r->at[first].declares = !counts;
}

/* ---- Conditions ---- */

/* Names the condition from token `begin` up to `end`; a single word has a name. */
static void name_condition(struct rewriting *r, int begin, int end)
{
    if (end - begin < 2 || is_type(&r->tokens, begin) || is_whole(&r->tokens, begin, end))
        return;
    r->at[begin].opens++;
    r->at[end - 1].closes++;
}

/* The first token of the condition before the ? at token i: after the sign that binds weaker. */
static int condition_begin(const struct qp_tokens *tokens, int i, int least)
{
    static const char *const weaker[] = {"=",   "+=", "-=", "*=", "/=", "%=", "<<=",
                                         ">>=", "&=", "|=", "^=", ",",  ";",  "?",
                                         ":",   "(",  "[",  "{",  "}",  NULL};
    for (; i > least; i--) {
        const struct qp_token *before = &tokens->of[i - 1];
        if (before->match >= 0 && before->match < i - 1 && !qp_token_is(before, "}")) {
            i = before->match + 1;
            continue;
        }
        if (qp_token_is(before, "return"))
            return i;
        for (int k = 0; weaker[k] != NULL; k++) {
            if (qp_token_is(before, weaker[k]))
                return i;
        }
    }
    return i;
}

/* The condition of `if (`, `while (` or `for (...;` at token i. */
static void mark_condition(struct rewriting *r, int i)
{
    const struct qp_tokens *tokens = &r->tokens;
    const int open = i + 1, end = tokens->of[open].match;
    if (!qp_token_is(&tokens->of[open], "(") || end < 0)
        return;
    const int begin =
        qp_token_is(&tokens->of[i], "for") ? statement_end(tokens, open + 1, end) + 1 : open + 1;
    if (begin < end)
        name_condition(
            r, begin, qp_token_is(&tokens->of[i], "for") ? statement_end(tokens, begin, end) : end);
}

/* ---- Functions ---- */

/* Parameters are qualified alike in a prototype and in its function, and the kernel's prototype is the head's: those that
 * are handed out alone are precise. */
static void mark_parameters(struct rewriting *r, const struct qp_glsl_function *function)
{
    static const char *const given_back[] = {"out", "inout", NULL};
    const int end = r->tokens.of[function->open].match;
    for (int i = function->open + 1; i < end; i++)
        r->at[i].declares = qp_token_is_one_of(&r->tokens.of[i], given_back);
}

static void mark_body(struct rewriting *r, const struct qp_glsl_function *function)
{
    static const char *const asking[] = {"if", "while", "for", NULL};
    const struct qp_token *of = r->tokens.of;
    for (int i = function->begin + 1; i < function->end; i++) {
        if (qp_token_is(&of[i], "const")) /* a constant expression, which sets nothing */
            i = statement_end(&r->tokens, i, function->end);
        else if (qp_token_is_one_of(&of[i], asking))
            mark_condition(r, i);
        else if (qp_token_is(&of[i], "?"))
            name_condition(r, condition_begin(&r->tokens, i, function->begin + 1), i);
        else if (qp_token_is(&of[i], "return") && !qp_token_is(&of[i + 1], ";") &&
                 !qp_token_is(&of[function->type], "void") && is_type(&r->tokens, function->type)) {
            const int end = statement_end(&r->tokens, i, function->end);
            r->at[i].returns = end < function->end ? 1 + function->type : 0;
            r->at[end].ends_return = end < function->end;
        }
    }
}

static void mark(struct rewriting *r)
{
    struct qp_glsl_function function;
    for (int i = 0; i < r->tokens.count; i++) {
        if (qp_token_is(&r->tokens.of[i], "struct")) { /* members have no qualifiers */
            while (i < r->tokens.count && !qp_token_is(&r->tokens.of[i], "{"))
                i++;
            if (i < r->tokens.count && r->tokens.of[i].match > i)
                i = r->tokens.of[i].match;
        } else if (is_type(&r->tokens, i)) {
            mark_declaration(r, i);
        }
    }
    for (int i = 0; qp_tokens_function(&r->tokens, i, &function);) {
        mark_parameters(r, &function);
        if (function.begin >= 0)
            mark_body(r, &function);
        i = function.begin >= 0 ? function.end + 1 : function.open + 1;
    }
}

static void print(const struct rewriting *r, const char *text, FILE *to)
{
    const char *at = text;
    for (int i = 0; i < r->tokens.count; i++) {
        const struct qp_token *token = &r->tokens.of[i];
        const struct change *change = &r->at[i];
        fprintf(to, "%.*s", (int)(token->at - at), at);
        for (int k = 0; k < change->opens; k++)
            fputs("(qp_holds = (", to);
        if (change->declares)
            fputs("precise ", to);
        if (change->returns > 0) {
            const struct qp_token *type = &r->tokens.of[change->returns - 1];
            fprintf(to, "{ precise %.*s qp_value = ", type->length, type->at);
        } else {
            fprintf(to, "%.*s", token->length, token->at);
        }
        for (int k = 0; k < change->closes; k++)
            fputs("))", to);
        if (change->ends_return)
            fputs(" return qp_value; }", to);
        at = token->at + token->length;
    }
    fputs(at, to);
}

enum qp_status qp_precise_body(const char *body, char **out)
{
    enum { MOST_AT_TOKEN = 96 };
    struct rewriting r;
    *out = NULL;
    enum qp_status status = qp_tokens_read(body, &r.tokens);
    if (status != QP_OK)
        return status;
    const size_t room = strlen(body) + (size_t)r.tokens.count * MOST_AT_TOKEN + 1;
    r.at = qp_alloc_zero((size_t)r.tokens.count + 1, sizeof *r.at, "a precise body");
    char *text = r.at != NULL ? qp_alloc(room, 1, "a precise body") : NULL;
    FILE *to = text != NULL ? fmemopen(text, room, "w") : NULL;
    if (to != NULL) {
        mark(&r);
        print(&r, body, to);
    }
    if (to != NULL && fclose(to) == 0)
        *out = text;
    else
        free(text);
    free(r.at);
    qp_tokens_destroy(&r.tokens);
    return *out != NULL ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for a precise body");
}

/* ---- Whole shaders ---- */

/* The end of the lines of the preprocessor that a shader begins with, where no #if is open. */
static const char *find_top(const struct qp_tokens *tokens, const char *text)
{
    const char *top = text;
    int open = 0;
    for (int i = 0, k = tokens->count + 1; tokens->of[i].kind == QP_TOKEN_LINE; i++, k++) {
        open += strncmp(tokens->of[k].at, "if", 2) == 0;
        open -= qp_token_is(&tokens->of[k], "endif");
        while (tokens->of[k].kind != QP_TOKEN_END)
            k++;
        if (open == 0)
            top = tokens->of[i].at + tokens->of[i].length;
    }
    return top;
}

enum qp_status qp_precise_shader(const char *text, char **out)
{
    static const char form[] = "%.*s\n#extension GL_ARB_gpu_shader5 : enable\n"
                               "precise bool qp_holds; %s%s;%s";
    struct qp_tokens tokens;
    const char *word;
    *out = NULL;
    enum qp_status status = qp_tokens_read(text, &tokens);
    if (status != QP_OK)
        return status;
    const size_t room = strlen(text) + sizeof form + 64;
    const char *top = find_top(&tokens, text);
    const bool named = qp_glsl_built_in(&tokens, &word) != 0;
    char *whole = qp_alloc(room, 1, "a precise shader");
    if (whole != NULL)
        snprintf(whole, room, form, (int)(top - text), text, named ? "precise " : "",
                 named ? word : "", top);
    status = whole != NULL ? qp_precise_body(whole, out) : QP_NO_MEMORY;
    free(whole);
    qp_tokens_destroy(&tokens);
    return status;
}
