/* SPDX-License-Identifier: MIT */
#include "toolkit/facts.h"

#include <stdio.h>

#include "base/nearest.h"

const char *const qp_glsl_floats[] = {"float",  "vec2",   "vec3",   "vec4",   "mat2",   "mat3",
                                      "mat4",   "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3",
                                      "mat3x4", "mat4x2", "mat4x3", "mat4x4", "double", "dvec2",
                                      "dvec3",  "dvec4",  NULL};

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

bool qp_glsl_find(const struct qp_tokens *tokens, const char *name, struct qp_glsl_function *out)
{
    for (int i = 0; qp_tokens_function(tokens, i, out); i = out->name) {
        if (qp_token_is(&tokens->of[out->name], name))
            return true;
    }
    return false;
}

bool qp_glsl_places(const struct qp_tokens *tokens)
{
    struct qp_glsl_function function;
    return qp_glsl_find(tokens, "place", &function) && !qp_glsl_find(tokens, "kernel", &function);
}

bool qp_glsl_around(const struct qp_tokens *tokens, int i, struct qp_glsl_function *out)
{
    for (int k = 0; qp_tokens_function(tokens, k, out) && out->type <= i; k = out->end + 1) {
        if (out->end < 0)
            out->end = tokens->of[out->open].match;
        if (i <= out->end)
            return true;
    }
    return false;
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

/* ---- Arrays of the short form ---- */

/* Letters of NAME in NAME_at or NAME_cell, and with `sizes` in NAME_size; 0 for other tokens. */
static int gathered(const struct qp_token *token, bool sizes)
{
    static const char *const ends[] = {"_at", "_cell", "_size"};
    for (int i = 0; i < 2 + sizes && token->kind == QP_TOKEN_WORD; i++) {
        const int own = token->length - (int)strlen(ends[i]);
        if (own > 0 && own < QP_GLSL_LETTERS &&
            memcmp(token->at + own, ends[i], strlen(ends[i])) == 0)
            return own;
    }
    return 0;
}

bool qp_glsl_reads(const struct qp_tokens *tokens, const char *name)
{
    const int length = (int)strlen(name);
    bool found = false;
    for (int i = 0; i < tokens->all && !found; i++)
        found = gathered(&tokens->of[i], true) == length &&
                memcmp(tokens->of[i].at, name, (size_t)length) == 0;
    return found;
}

/* True if the text defines this token's name, as a function or a macro. */
static bool defines(const struct qp_tokens *tokens, const struct qp_token *token)
{
    char word[QP_GLSL_LETTERS + 8];
    struct qp_glsl_function function;
    snprintf(word, sizeof word, "%.*s", token->length, token->at);
    bool found = qp_glsl_find(tokens, word, &function);
    for (int i = tokens->count; i < tokens->all && !found; i++)
        found = qp_token_is(&tokens->of[i], "define") && qp_token_is(&tokens->of[i + 1], word);
    return found;
}

bool qp_glsl_next_gather(const struct qp_tokens *tokens, int *i, char name[QP_GLSL_LETTERS])
{
    int own = 0;
    for (; *i < tokens->all && own == 0; ++*i) {
        const struct qp_token *token = &tokens->of[*i];
        own = gathered(token, false);
        if (own > 0 && (!qp_token_is(token + 1, "(") || defines(tokens, token)))
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
        const int own = gathered(token, false);
        char word[QP_GLSL_LETTERS];
        snprintf(word, sizeof word, "%.*s", own > 0 ? own : token->length, token->at);
        const char *const two[] = {near[0] != '\0' ? near : NULL, word};
        if (token->kind == QP_TOKEN_WORD && qp_nearest(name, two, 2) == word)
            memcpy(near, word, sizeof word);
    }
}

/* ---- Uniforms ---- */

/* One declaration, from its "uniform" to its semicolon: `float a[2], b` or `float[2] a, b`. */
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
