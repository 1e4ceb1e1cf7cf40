/* SPDX-License-Identifier: MIT */
/* Disguises of shaders. */
#include <stdio.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/glsl/facts.h"
#include "toolkit/kernel/kernel.h"

/* The 1 of disguises: a uniform of OpenGL's own, whose value no compiler knows. Passes never set
 * another depth range. */
#define ONE "gl_DepthRange.far"

/* ---- Places ---- */

/* The function in whose braces token i is; NULL: in none. */
static const struct qp_glsl_function *find_body(const struct qp_changes *d, int i)
{
    const struct qp_glsl_function *f = qp_glsl_around(d->tokens, i);
    return f != NULL && f->begin >= 0 && i > f->begin ? f : NULL;
}

/* ---- Conditions and loops ---- */

/* Puts the body of the function that is called at token i between this and a brace, and after it
 * what the function returns there. */
static bool wrap(struct qp_changes *d, int i, const char *opens)
{
    const struct qp_token *of = d->tokens->of;
    const struct qp_glsl_function *function = qp_glsl_around(d->tokens, i);
    if (function == NULL || function->name != i || function->begin < 0)
        return false;
    const struct qp_token *type = &of[function->type];
    const bool returns = qp_glsl_is_type(type);
    if (!returns && !qp_token_is(type, "void"))
        return false;
    qp_changes_copy(d, qp_token_end(&of[function->begin]));
    qp_changes_add(d, "%s", opens);
    qp_changes_copy(d, of[function->end].at);
    qp_changes_add(d, "} ");
    if (returns)
        qp_changes_add(d, "return %.*s(" ONE "); ", type->length, type->at);
    return true;
}

static bool put_condition(struct qp_changes *d, int i)
{
    return wrap(d, i, " if (" ONE " > 0.5) {");
}

static bool put_loop(struct qp_changes *d, int i)
{
    return wrap(d, i,
                " for (int disguise_round = 0; disguise_round < int(" ONE " + 0.5);"
                " disguise_round++) {");
}

/* ---- Products ---- */

/* True if the = at token i sets a float or several: a variable where it is declared, or an
 * output. */
static bool sets_float(const struct qp_changes *d, int i)
{
    static const char *const outputs[] = {"out0", "out1", "out2", "out3", NULL};
    const struct qp_token *of = d->tokens->of, *name = &of[i - 1];
    if (qp_token_is(name, "]") && name->match > 0)
        return qp_token_is(&of[name->match - 1], "gl_FragData");
    if (i < 2 || name->kind != QP_TOKEN_WORD)
        return false;
    if (qp_token_is_one_of(&of[i - 2], qp_glsl_floats))
        return i < 4 || (!qp_token_is(&of[i - 3], "const") && !qp_token_is(&of[i - 4], "const"));
    return qp_token_is(name, "gl_FragColor") ||
           (d->desc != NULL && !qp_array_is_whole(d->desc->output_type) &&
            qp_token_is_one_of(name, outputs));
}

static bool put_product(struct qp_changes *d, int i)
{
    const struct qp_token *of = d->tokens->of;
    const struct qp_glsl_function *function = find_body(d, i);
    const bool returns = qp_token_is(&of[i], "return");
    if ((!returns && !qp_token_is(&of[i], "=")) || function == NULL ||
        !(returns ? qp_token_is_one_of(&of[function->type], qp_glsl_floats) : sets_float(d, i)))
        return false;
    const int end = qp_tokens_until(d->tokens, i + 1, returns ? ";" : ",", ";");
    if (end == i + 1 || end == d->tokens->count)
        return false;
    qp_changes_copy(d, qp_token_end(&of[i]));
    qp_changes_add(d, " " ONE " * (");
    qp_changes_copy(d, qp_token_end(&of[end - 1]));
    qp_changes_add(d, ")");
    return true;
}

/* ---- Functions ---- */

/* A fetch, as a function that makes it again: what it returns, its parameters and its arguments. */
struct fetch {
    const char *type, *parameters, *arguments;
    int skip; /* the token after those that the call keeps out */
};

/* A body's fetch: NAME_at or NAME_cell at token i. */
static bool find_gather(const struct qp_changes *d, int i, struct fetch *out)
{
    int last;
    const int commas = qp_glsl_commas(d->tokens, i + 1, &last);
    for (int k = 0; k < QP_KERNEL_INPUTS && d->desc->input[k].name != NULL; k++) {
        const struct qp_kernel_input *input = &d->desc->input[k];
        const bool by_cell = qp_glsl_is_named(&d->tokens->of[i], input->name, "_cell");
        if ((!by_cell && !qp_glsl_is_named(&d->tokens->of[i], input->name, "_at")) ||
            commas != !by_cell)
            continue;
        *out =
            (struct fetch){qp_kernel_type(input->type, input->channels > 0 ? input->channels : 1),
                           by_cell ? "vec2 disguise_x" : "float disguise_x, float disguise_y",
                           by_cell ? "disguise_x" : "disguise_x, disguise_y", i + 2};
        return true;
    }
    return false;
}

/* A whole shader's fetch: texture2DRect and its like at token i, of a sampler that a uniform is. */
static bool find_fetch(const struct qp_changes *d, int i, struct fetch *out)
{
    static const char *const samplers[] = {"sampler2DRect", "isampler2DRect", "usampler2DRect"},
                             *const types[] = {"vec4", "ivec4", "uvec4"};
    const struct qp_token *of = d->tokens->of, *sampler = &of[i + 2];
    char name[QP_GLSL_LETTERS];
    int declared = 0, last = 0, k = 0;
    if (!qp_token_is_one_of(&of[i], qp_glsl_fetches) ||
        qp_glsl_commas(d->tokens, i + 1, &last) != 1 || last != i + 4)
        return false;
    snprintf(name, sizeof name, "%.*s", sampler->length, sampler->at);
    const struct qp_glsl_uniform uniform = qp_glsl_uniform(d->tokens, name);
    for (int at = 0; (at = qp_tokens_find(d->tokens, at, name)) < d->tokens->count; at++)
        declared += at > 0 && (of[at - 1].kind == QP_TOKEN_WORD || qp_token_is(&of[at + 1], "["));
    while (k < 3 && uniform.type != NULL && !qp_token_is(uniform.type, samplers[k]))
        k++;
    if (uniform.type == NULL || k == 3 || declared > 1)
        return false;
    *out = (struct fetch){
        types[k], qp_token_is(&of[i], qp_glsl_fetches[0]) ? "ivec2 disguise_x" : "vec2 disguise_x",
        ", disguise_x", last};
    return true;
}

static bool move_fetch(struct qp_changes *d, int i)
{
    const struct qp_token *of = d->tokens->of;
    const struct qp_glsl_function *function = find_body(d, i);
    struct fetch fetch;
    if (of[i].kind != QP_TOKEN_WORD || !qp_token_is(&of[i + 1], "(") || of[i + 1].match < 0 ||
        !(d->desc != NULL ? find_gather(d, i, &fetch) : find_fetch(d, i, &fetch)) ||
        function == NULL)
        return false;
    int start = function->type;
    while (start > 0 && of[start - 1].kind != QP_TOKEN_LINE && !qp_token_is(&of[start - 1], ";") &&
           !qp_token_is(&of[start - 1], "}"))
        start--;
    qp_changes_copy(d, of[start].at);
    const int kept = fetch.skip > i + 2 ? of[i + 2].length : 0; /* the sampler */
    qp_changes_add(d, "%s disguise_fetch(%s) { return %.*s(%.*s%s); } ", fetch.type,
                   fetch.parameters, of[i].length, of[i].at, kept, of[i + 2].at, fetch.arguments);
    qp_changes_copy(d, of[i].at);
    qp_changes_add(d, "disguise_fetch(");
    d->from = qp_token_end(&of[fetch.skip - 1]);
    return true;
}

/* ---- Sums ---- */

/* True if tokens have no effect but their value. Functions of the text's own may have one. */
static bool is_pure(const struct qp_tokens *tokens, int begin, int end)
{
    static const char *const setting[] = {"++", "--", "=", NULL};
    bool pure = true;
    for (int i = begin; i <= end && pure; i++) {
        const struct qp_token *token = &tokens->of[i];
        pure = !qp_token_is_one_of(token, setting) && strncmp(token->at, "imageAtomic", 11) != 0 &&
               strncmp(token->at, "atomic", 6) != 0 && token->length < QP_GLSL_LETTERS &&
               !(qp_token_is(token + 1, "(") && qp_glsl_defines(tokens, token));
    }
    return pure;
}

/* True if the + at token i, in a function, has operands that can change places, those from *begin
 * on and up to *end: each is a single value without effects, and no sign beside them binds as
 * strongly. */
static bool find_sum(const struct qp_tokens *tokens, int i, int *begin, int *end)
{
    static const char *const weaker[] = {"(",  "[",  "{",  "}",  ";",  ",",  "=",      "+=",
                                         "-=", "*=", "/=", "?",  ":",  "<",  ">",      "<=",
                                         ">=", "==", "!=", "&&", "||", "^^", "return", NULL},
                             *const stronger[] = {"*", "/", "%", "++", "--", NULL};
    const struct qp_token *of = tokens->of;
    if (!qp_token_is(&of[i], "+"))
        return false;
    *begin = qp_glsl_value_begin(tokens, i - 1);
    *end = qp_glsl_value_end(tokens, i + 1);
    return *begin > 0 && *end > i && qp_token_is_one_of(&of[*begin - 1], weaker) &&
           !qp_token_is_one_of(&of[*end + 1], stronger) && is_pure(tokens, *begin, *end);
}

static bool swap_operands(struct qp_changes *d, int i)
{
    const struct qp_token *of = d->tokens->of;
    int begin, end;
    if (find_body(d, i) == NULL || !find_sum(d->tokens, i, &begin, &end))
        return false;
    qp_changes_copy(d, of[begin].at);
    const char *between = qp_token_end(&of[i - 1]), *other = of[i + 1].at;
    d->from = qp_token_end(&of[end]);
    qp_changes_add(d, "%.*s%.*s%.*s", (int)(d->from - other), other, (int)(other - between),
                   between, (int)(between - of[begin].at), of[begin].at);
    return true;
}

/* ---- Names ---- */

/* True if a word can be another everywhere: the name of a function, or of variables of functions
 * alone. */
static bool is_own(const struct qp_changes *d, const struct qp_token *word)
{
    static const char *const taken[] = {"main", "kernel", "size", "origin", "place", "value"};
    const struct qp_tokens *tokens = d->tokens;
    const bool calls = qp_glsl_defines(tokens, word);
    bool own = word->kind == QP_TOKEN_WORD && word->length < QP_GLSL_LETTERS && *word->at != '_',
         declared = calls;
    for (int k = 0; k < (qp_glsl_places(tokens) ? 6 : 4); k++)
        own = own && !qp_token_is(word, taken[k]);
    for (int k = 0; d->desc != NULL && k < QP_KERNEL_INPUTS && d->desc->input[k].name != NULL; k++)
        own = own && !qp_token_is(word, d->desc->input[k].name);
    for (int k = 0; d->desc != NULL && k < QP_KERNEL_NUMBERS && d->desc->number[k].name != NULL;
         k++)
        own = own && !qp_token_is(word, d->desc->number[k].name);
    for (int i = 0; i < tokens->all && own; i++) {
        const struct qp_token *token = &tokens->of[i], *before = &tokens->of[i > 0 ? i - 1 : 0];
        if (!qp_token_same(token, word) || (i > 0 && qp_token_is(before, ".")))
            continue;
        const struct qp_glsl_function *function = qp_glsl_around(tokens, i);
        own = i < tokens->count && qp_token_is(token + 1, "(") == calls && function != NULL &&
              (calls || i > function->open);
        declared = declared || qp_glsl_is_type(before);
    }
    return own && declared;
}

/* All at once. */
static bool change_names(struct qp_changes *d, int i)
{
    for (int k = 0; k < d->tokens->count && i == 0; k++) {
        if ((k > 0 && qp_token_is(&d->tokens->of[k - 1], ".")) || !is_own(d, &d->tokens->of[k]))
            continue;
        d->at = d->used == 0 ? k : d->at;
        qp_changes_copy(d, d->tokens->of[k].at);
        qp_changes_add(d, "disguised_");
    }
    return d->used > 0;
}

/* ---- Disguises ---- */

const struct qp_change_ways qp_disguises = {
    .avoids = "disguise",
    .count = QP_DISGUISES,
    .of = {[QP_DISGUISE_CONDITION] = {"under a condition that is always true", put_condition, 0},
           [QP_DISGUISE_LOOP] = {"in a loop of one round", put_loop, 0},
           [QP_DISGUISE_PRODUCT] = {"times one", put_product, 0},
           [QP_DISGUISE_FUNCTION] = {"with a fetch moved into a function", move_fetch, 0},
           [QP_DISGUISE_SWAP] = {"with the operands of + swapped", swap_operands, 0},
           [QP_DISGUISE_NAMES] = {"with names changed", change_names, 0}}};
