/* SPDX-License-Identifier: MIT */
#include "toolkit/glsl/facts.h"

#include <stdio.h>

#include "toolkit/base/nearest.h"
#include "toolkit/base/text.h"

const char *const qp_glsl_floats[] = {"float",  "vec2",   "vec3",   "vec4",   "mat2",   "mat3",
                                      "mat4",   "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3",
                                      "mat3x4", "mat4x2", "mat4x3", "mat4x4", "double", "dvec2",
                                      "dvec3",  "dvec4",  NULL};

const char *const qp_glsl_fetches[] = {"texelFetch", "texture2DRect", "texture", NULL};
const char *const qp_glsl_asks[] = {"if", "while", "for", "switch", NULL};
const char *const qp_glsl_counts[] = {"++", "--", NULL};
const char *const qp_glsl_assigns[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};

const char *const qp_glsl_wholes[] = {"int",   "uint",  "bool",  "ivec2", "ivec3", "ivec4", "uvec2",
                                      "uvec3", "uvec4", "bvec2", "bvec3", "bvec4", NULL};

bool qp_glsl_is_type(const struct qp_token *token)
{
    return qp_token_is_one_of(token, qp_glsl_floats) || qp_token_is_one_of(token, qp_glsl_wholes);
}

bool qp_glsl_has(const struct qp_tokens *tokens, const char *word)
{
    bool found = false;
    for (int i = 0; i < tokens->all && !found; i++)
        found = tokens->of[i].kind == QP_TOKEN_WORD && qp_token_is(&tokens->of[i], word);
    return found;
}

bool qp_glsl_loops(const struct qp_tokens *tokens)
{
    return qp_glsl_has(tokens, "for") || qp_glsl_has(tokens, "while") || qp_glsl_has(tokens, "do");
}

const struct qp_glsl_function *qp_glsl_find(const struct qp_tokens *tokens, const char *name)
{
    const struct qp_glsl_function *f = tokens->function;
    while (f->name > 0 && !qp_token_is(&tokens->of[f->name], name))
        f++;
    return f->name > 0 ? f : NULL;
}

bool qp_glsl_defines(const struct qp_tokens *tokens, const struct qp_token *word)
{
    const struct qp_glsl_function *f = tokens->function;
    while (f->name > 0 && !qp_token_same(&tokens->of[f->name], word))
        f++;
    return f->name > 0;
}

int qp_glsl_macro(const struct qp_tokens *tokens, const struct qp_token *word)
{
    int i = tokens->count + 1;
    while (i < tokens->all &&
           !(qp_token_is(&tokens->of[i], "define") && qp_token_same(&tokens->of[i + 1], word)))
        i++;
    return i < tokens->all ? i + 1 : -1;
}

bool qp_glsl_places(const struct qp_tokens *tokens)
{
    return qp_glsl_find(tokens, "place") != NULL && qp_glsl_find(tokens, "kernel") == NULL;
}

const struct qp_glsl_function *qp_glsl_around(const struct qp_tokens *tokens, int i)
{
    const struct qp_glsl_function *f = tokens->function;
    while (f->name > 0 && i > (f->begin >= 0 ? f->end : f->close))
        f++;
    return f->name > 0 && f->type <= i ? f : NULL;
}

unsigned qp_glsl_built_in(const struct qp_tokens *tokens, const char **word)
{
    unsigned bits = 0;
    *word = qp_glsl_has(tokens, "gl_FragColor") ? "gl_FragColor" : "gl_FragData";
    for (int i = 0; i < tokens->all; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (!qp_token_is(token, *word))
            continue;
        const bool known = qp_token_is(token + 1, "[") && token[1].match == i + 3 &&
                           token[2].kind == QP_TOKEN_NUMBER && token[2].length == 1;
        bits |= known ? 1u << (*token[2].at - '0') : ~0u;
    }
    return bits;
}

int qp_glsl_commas(const struct qp_tokens *tokens, int open, int *last)
{
    int commas = 0;
    for (int i = open + 1; (i = qp_tokens_until(tokens, i, ",", ",")) < tokens->of[open].match;
         i++) {
        commas++;
        *last = i + 1;
    }
    return commas;
}

int qp_glsl_argument(const struct qp_tokens *tokens, int open, int number)
{
    int i = open + 1;
    for (; number > 0; number--)
        i = qp_tokens_until(tokens, i, ",", ",") + 1;
    return i;
}

bool qp_glsl_calls(const struct qp_tokens *tokens, int open,
                   const struct qp_glsl_function *function)
{
    int last;
    return qp_token_same(&tokens->of[function->name], &tokens->of[open - 1]) &&
           qp_glsl_commas(tokens, function->open, &last) == qp_glsl_commas(tokens, open, &last);
}

bool qp_glsl_follows_word(const struct qp_tokens *tokens, int i)
{
    static const char *const others[] = {"return", "else", "do", "case", NULL};
    return i > 0 && tokens->of[i - 1].kind == QP_TOKEN_WORD &&
           !qp_token_is_one_of(&tokens->of[i - 1], others);
}

/* ---- Values ---- */

int qp_glsl_value_begin(const struct qp_tokens *tokens, int i)
{
    static const char *const keywords[] = {"return", "if", "while", "for", "switch", "else", NULL};
    const struct qp_token *of = tokens->of;
    while (i > 0) {
        if (of[i].kind == QP_TOKEN_WORD && qp_token_is(&of[i - 1], "."))
            i -= 2;
        else if (of[i].kind == QP_TOKEN_WORD || of[i].kind == QP_TOKEN_NUMBER)
            return qp_token_is_one_of(&of[i], keywords) ? -1 : i;
        else if (of[i].match < 1 || of[i].match > i || qp_token_is(&of[i], "}"))
            return -1;
        else if (qp_token_is(&of[i], ")") && (of[of[i].match - 1].kind != QP_TOKEN_WORD ||
                                              qp_token_is_one_of(&of[of[i].match - 1], keywords)))
            return of[i].match;
        else
            i = of[i].match - 1;
    }
    return -1;
}

int qp_glsl_value_end(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *of = tokens->of;
    if (of[i].kind == QP_TOKEN_NUMBER)
        return i;
    if (of[i].kind != QP_TOKEN_WORD && !qp_token_is(&of[i], "("))
        return -1;
    i = of[i].kind == QP_TOKEN_WORD ? i : of[i].match;
    while (i >= 0 && of[i].kind != QP_TOKEN_END &&
           (qp_token_is(&of[i + 1], ".") || qp_token_is(&of[i + 1], "(") ||
            qp_token_is(&of[i + 1], "[")))
        i = qp_token_is(&of[i + 1], ".") ? i + 2 : of[i + 1].match;
    return i;
}

bool qp_glsl_is_used(const struct qp_tokens *tokens, int number, uint64_t *seen)
{
    static const char *const roots[] = {"kernel", "place", "main", NULL};
    const struct qp_glsl_function *all = tokens->function;
    bool rooted = false, used = false;
    for (int k = 0; all[k].name > 0 && !rooted; k++)
        rooted = qp_token_is_one_of(&tokens->of[all[k].name], roots);
    if (!rooted || number >= 64 || qp_token_is_one_of(&tokens->of[all[number].name], roots))
        return true;
    *seen |= (uint64_t)1 << number;
    for (int i = 0; i < tokens->all && !used; i++) {
        if (!qp_token_same(&tokens->of[i], &tokens->of[all[number].name]))
            continue;
        const struct qp_glsl_function *caller = qp_glsl_around(tokens, i);
        const int k = caller != NULL ? (int)(caller - all) : -1;
        used = k < 0 || (i != caller->name && (k >= 64 || (*seen >> k & 1) == 0) &&
                         qp_glsl_is_used(tokens, k, seen));
    }
    return used;
}

/* ---- Types ---- */

int qp_parameter_type(const struct qp_tokens *tokens, int call, int number)
{
    int type = -1;
    for (const struct qp_glsl_function *f = tokens->function; f->name > 0; f++) {
        if (f->begin < 0 || !qp_glsl_calls(tokens, call + 1, f))
            continue;
        const int begin = qp_glsl_argument(tokens, f->open, number),
                  own = qp_tokens_until(tokens, begin, ",", ",") - 2; /* before its name */
        if (!qp_glsl_is_type(&tokens->of[own]) ||
            qp_tokens_until(tokens, begin, "out", "inout") < own ||
            (type >= 0 && !qp_token_same(&tokens->of[own], &tokens->of[type])))
            return -1;
        type = own;
    }
    return type;
}

int qp_glsl_declared_by(const struct qp_tokens *tokens, int i)
{
    static const char *const begins[] = {";", "{", "}", "(", NULL}, *const before[] = {
                                                                        "const", "precise", NULL};
    const struct qp_token *of = tokens->of;
    int k = i - 1;
    if (k < 0 || qp_glsl_is_type(&of[k]))
        return k;
    if (qp_token_is(&of[k], "]") && of[k].match > 0 && qp_glsl_is_type(&of[of[k].match - 1]))
        return of[k].match - 1;
    k = qp_tokens_since(tokens, i, begins);
    const bool lists = qp_token_is(&of[i - 1], ",") && (k == 0 || !qp_token_is(&of[k - 1], "("));
    while (qp_token_is_one_of(&of[k], before))
        k++;
    return lists && qp_glsl_is_type(&of[k]) ? k : -1;
}

/* True if a declaration makes this word an integer, and none makes it anything else. */
static bool is_declared_whole(const struct qp_tokens *tokens, const struct qp_token *word)
{
    bool whole = false;
    for (int i = 0; i < tokens->count; i++) {
        if (!qp_token_same(&tokens->of[i], word))
            continue;
        const struct qp_token *before = &tokens->of[i > 0 ? i - 1 : i];
        const int type = qp_token_is(before, ",") ? qp_glsl_declared_by(tokens, i) : i - 1;
        if (type < 0 || tokens->of[type].kind != QP_TOKEN_WORD || qp_token_is(before, "return"))
            continue;
        if (!qp_token_is_one_of(&tokens->of[type], qp_glsl_wholes))
            return false;
        whole = true;
    }
    return whole;
}

bool qp_glsl_is_whole(const struct qp_tokens *tokens, int begin, int end, bool converts)
{
    static const char *const calls[] = {"qp_rest", "qp_quotient", NULL};
    for (int i = begin; i < end; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (token->kind == QP_TOKEN_NUMBER && strcspn(token->at, ".eEfF") < (size_t)token->length)
            return false;
        if (converts && qp_token_is_one_of(token, qp_glsl_wholes) && token[1].match > i)
            i = token[1].match; /* whatever it is made of */
        else if (token->kind == QP_TOKEN_WORD && !(i > 0 && qp_token_is(token - 1, ".")) &&
                 !qp_token_is_one_of(token, calls) && !is_declared_whole(tokens, token))
            return false;
    }
    return true;
}

/* ---- Arrays of the short form ---- */

int qp_glsl_gathered(const struct qp_token *token)
{
    static const char *const ends[] = {"_at", "_cell"};
    for (int i = 0; i < 2 && token->kind == QP_TOKEN_WORD; i++) {
        const int own = token->length - (int)strlen(ends[i]);
        if (own > 0 && own < QP_GLSL_LETTERS &&
            memcmp(token->at + own, ends[i], strlen(ends[i])) == 0)
            return own;
    }
    return 0;
}

bool qp_glsl_is_named(const struct qp_token *token, const char *name, const char *ending)
{
    const size_t own = strlen(name), rest = strlen(ending);
    return own + rest == (size_t)token->length && memcmp(token->at, name, own) == 0 &&
           memcmp(token->at + own, ending, rest) == 0;
}

bool qp_glsl_reads(const struct qp_tokens *tokens, const char *name)
{
    bool found = false;
    for (int i = 0; i < tokens->all && !found; i++) {
        const struct qp_token *token = &tokens->of[i];
        found = qp_glsl_is_named(token, name, "_at") || qp_glsl_is_named(token, name, "_cell") ||
                qp_glsl_is_named(token, name, "_size");
    }
    return found;
}

bool qp_glsl_next_gather(const struct qp_tokens *tokens, int *i, char name[QP_GLSL_LETTERS])
{
    int own = 0;
    for (; *i < tokens->all && own == 0; ++*i) {
        const struct qp_token *token = &tokens->of[*i];
        own = qp_glsl_gathered(token);
        if (own > 0 && (!qp_token_is(token + 1, "(") || qp_glsl_defines(tokens, token) ||
                        qp_glsl_macro(tokens, token) >= 0))
            own = 0;
        snprintf(name, QP_GLSL_LETTERS, "%.*s", own, token->at);
    }
    return own > 0;
}

void qp_glsl_nearest(const struct qp_tokens *tokens, const char *name, char near[QP_GLSL_LETTERS])
{
    near[0] = '\0';
    for (int i = 0; i < tokens->all; i++) {
        const struct qp_token *token = &tokens->of[i];
        const int own = qp_glsl_gathered(token);
        char word[QP_GLSL_LETTERS];
        snprintf(word, sizeof word, "%.*s", own > 0 ? own : token->length, token->at);
        const char *const two[] = {near[0] != '\0' ? near : NULL, word};
        if (token->kind == QP_TOKEN_WORD && qp_nearest(name, two, 2) == word)
            memcpy(near, word, sizeof word);
    }
}

bool qp_kernel_is_name(const char *name)
{
    static const char taken[] = "size origin here kernel main out0 out1 out2 out3 gl_* qp_*";
    int letters = 0;
    while (qp_is_letter(name[letters]))
        letters++;
    return letters > 0 && letters < QP_GLSL_LETTERS && name[letters] == '\0' &&
           !isdigit((unsigned char)name[0]) && qp_word_number(taken, name, letters) == 0 &&
           strstr(name, "__") == NULL;
}

/* ---- Uniforms ---- */

/* A declaration, from its "uniform" to its semicolon: `float a[2], b` or `float[2] a, b`. */
struct qp_glsl_uniform qp_glsl_uniform(const struct qp_tokens *tokens, const char *name)
{
    static const char *const qualities[] = {"lowp", "mediump", "highp", "precise", NULL};
    struct qp_glsl_uniform found = {NULL, false};
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (qp_token_is(token, "uniform"))
            found.type = token;
        else if (qp_token_is(token, ";"))
            found.type = NULL;
        else if (found.type == NULL || token->kind != QP_TOKEN_WORD ||
                 qp_token_is_one_of(token, qualities))
            continue;
        else if (qp_token_is(found.type, "uniform"))
            found = (struct qp_glsl_uniform){token, qp_token_is(token + 1, "[")};
        else if (qp_token_is(token, name))
            return (struct qp_glsl_uniform){found.type, found.list || qp_token_is(token + 1, "[")};
    }
    return (struct qp_glsl_uniform){NULL, false};
}
