/* SPDX-License-Identifier: MIT */
/* What a kernel file's text says without a head: its form, its outputs, and the names that it reads. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "toolkit/array.h"
#include "toolkit/kernel.h"
#include "toolkit/kernel_file.h"

/* ---- Form and outputs ---- */

/* The type and channels of values of this GLSL type; false for one that no array has. */
static bool find_values(const struct qp_token *type, struct qp_kernel_desc *desc)
{
    static const enum qp_array_type types[] = {QP_ARRAY_FLOAT, QP_ARRAY_INT, QP_ARRAY_UINT,
                                               QP_ARRAY_DOUBLE};
    for (int k = 0; k < 4; k++) {
        for (int channels = 1; channels <= 4; channels *= 2) {
            if (qp_array_format(types[k], channels) == QP_FORMATS ||
                !qp_token_is(type, qp_kernel_type(types[k], channels)))
                continue;
            desc->output_type = types[k];
            desc->output_channels = channels;
            return true;
        }
    }
    return false;
}

/* Outputs from out0 on that are named, and their type: of the first constructor that one is assigned. */
static void find_outputs(const struct qp_tokens *tokens, struct qp_kernel_desc *desc)
{
    bool typed = false;
    desc->output_channels = 1;
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *of = &tokens->of[i];
        if (of->kind != QP_TOKEN_WORD || of->length != 4 || memcmp(of->at, "out", 3) != 0 ||
            of->at[3] < '0' || of->at[3] >= '0' + QP_KERNEL_OUTPUTS)
            continue;
        if (of->at[3] - '0' >= desc->outputs)
            desc->outputs = of->at[3] - '0' + 1;
        typed = typed || (i + 3 < tokens->count && qp_token_is(of + 1, "=") &&
                          qp_token_is(of + 3, "(") && find_values(of + 2, desc));
    }
}

enum qp_status qp_kernel_file_find_form(struct qp_kernel_file_owner *all)
{
    struct qp_kernel_file *file = &all->file;
    struct qp_glsl_function function;
    const struct qp_token *returns = NULL;
    file->desc.outputs = file->desc.output_channels = 1;
    for (int i = 0; qp_tokens_function(&all->tokens, i, &function); i = function.open) {
        const struct qp_token *of = all->tokens.of;
        if (qp_token_is(&of[function.name], "main"))
            return QP_OK;
        if (returns == NULL && qp_token_is(&of[function.name], "kernel"))
            returns = &of[function.type];
    }
    if (returns == NULL)
        return qp_fail(
            QP_BAD_INPUT,
            "%s is neither a fragment shader with a main() nor the short form, a function "
            "'float kernel(vec2 here)'",
            file->path);
    file->is_short = true;
    if (find_values(returns, &file->desc))
        return QP_OK;
    if (qp_token_is(returns, "void"))
        find_outputs(&all->tokens, &file->desc);
    if (qp_token_is(returns, "void") && file->desc.outputs > 1)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s:%d: the kernel must be a function 'float kernel(vec2 here)', or of another "
                   "type that arrays have, such as vec2, vec4, int, uint or double; void writes "
                   "several outputs, out0, out1 and so on; and it returns %.*s",
                   file->path, returns->line, returns->length, returns->at);
}

/* ---- Names ---- */

/* Bytes of NAME in NAME_at or NAME_cell, or in NAME_size too; 0 for another word. */
static int gathered(const struct qp_token *token, bool sizes)
{
    static const char *const ends[] = {"_at", "_cell", "_size"};
    for (int i = 0; i < (sizes ? 3 : 2) && token->kind == QP_TOKEN_WORD; i++) {
        const int end = (int)strlen(ends[i]), own = token->length - end;
        if (own > 0 && own < QP_KERNEL_LETTERS &&
            memcmp(token->at + own, ends[i], (size_t)end) == 0)
            return own;
    }
    return 0;
}

bool qp_kernel_file_reads(const struct qp_kernel_file_owner *all, const char *name, bool gathers)
{
    const size_t length = strlen(name);
    bool found = qp_tokens_find(&all->tokens, 0, name) < all->tokens.count;
    for (int i = 0; i < all->tokens.count && gathers && all->file.is_short && !found; i++)
        found = gathered(&all->tokens.of[i], true) == (int)length &&
                memcmp(all->tokens.of[i].at, name, length) == 0;
    return found;
}

enum qp_status qp_kernel_file_reads_no(const struct qp_kernel_file_owner *all, const char *name)
{
    char best[QP_KERNEL_LETTERS] = "", word[QP_KERNEL_LETTERS];
    for (int i = 0; i < all->tokens.count; i++) {
        const struct qp_token *token = &all->tokens.of[i];
        const int own = gathered(token, false);
        if (token->kind != QP_TOKEN_WORD)
            continue;
        snprintf(word, sizeof word, "%.*s", own > 0 ? own : token->length, token->at);
        const char *const two[] = {best[0] != '\0' ? best : NULL, word};
        if (qp_nearest(name, two, 2) == word)
            memcpy(best, word, sizeof best);
    }
    return qp_fail(QP_BAD_INPUT, "the shader reads no '%s'%s%s%s", name,
                   best[0] != '\0' ? "; did you mean '" : "", best, best[0] != '\0' ? "'?" : "");
}

/* Whether a word is the name of a function of the text's own, or of a macro, which stands after `define` like one. */
static bool is_own(const struct qp_tokens *tokens, const struct qp_token *word)
{
    struct qp_glsl_function function;
    for (int i = 0; qp_tokens_function(tokens, i, &function); i = function.open) {
        const struct qp_token *name = &tokens->of[function.name];
        const bool called = function.type > 0 && qp_token_is(name - 2, "define");
        if (!called && name->length == word->length &&
            memcmp(name->at, word->at, (size_t)word->length) == 0)
            return true;
    }
    return false;
}

bool qp_kernel_file_next_gather(const struct qp_kernel_file_owner *all, int *i,
                                char name[QP_KERNEL_LETTERS])
{
    for (; *i < all->tokens.count; ++*i) {
        const struct qp_token *token = &all->tokens.of[*i];
        const int own = gathered(token, false);
        if (own == 0 || !qp_token_is(token + 1, "(") || is_own(&all->tokens, token))
            continue;
        snprintf(name, QP_KERNEL_LETTERS, "%.*s", own, token->at);
        ++*i;
        return true;
    }
    return false;
}

/* ---- Numbers ---- */

/* Whether `uniform TYPE NAME, ...;` from token i on, after its first word, declares this name; `*type` then is the type, and
 * `*list` says that it is an array: `float a[2], b` or `float[2] a, b`. */
static bool declares(const struct qp_tokens *tokens, int i, const char *name,
                     const struct qp_token **type, bool *list)
{
    static const char *const qualities[] = {"lowp", "mediump", "highp", "precise"};
    *type = NULL;
    for (; i < tokens->count && !qp_token_is(&tokens->of[i], ";"); i++) {
        const struct qp_token *token = &tokens->of[i];
        bool quality = token->kind != QP_TOKEN_WORD;
        for (int k = 0; k < 4; k++)
            quality = quality || qp_token_is(token, qualities[k]);
        const bool listed = i + 1 < tokens->count && qp_token_is(token + 1, "[");
        if (*type == NULL && !quality) {
            *type = token;
            *list = listed;
        } else if (!quality && qp_token_is(token, name)) {
            *list = *list || listed;
            return true;
        }
    }
    return false;
}

enum qp_status qp_kernel_file_type(const struct qp_kernel_file_owner *all, const char *name,
                                   int values, struct qp_kernel_number *out)
{
    static const char *const names[] = {"float", "vec2", "vec3", "vec4", "int"};
    static const enum qp_number_type types[] = {QP_NUMBER_FLOAT, QP_NUMBER_VEC2, QP_NUMBER_VEC3,
                                                QP_NUMBER_VEC4, QP_NUMBER_INT};
    const struct qp_tokens *tokens = &all->tokens;
    const struct qp_token *type = NULL;
    bool list = false, found = false;
    int known = 0;
    for (int i = 0; !found && (i = qp_tokens_find(tokens, i, "uniform")) < tokens->count; i++)
        found = declares(tokens, i + 1, name, &type, &list);
    while (found && known < 5 && !qp_token_is(type, names[known]))
        known++;
    *out = (struct qp_kernel_number){.name = name};
    if (list || values > 4)
        out->elements = values;
    else
        out->type = types[found && known == 4 ? 4 : values - 1];
    const int wanted = known < 4 ? known + 1 : 1;
    if (!found || list || known == 5 || wanted == values)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT, "the shader declares '%s' as %s, which takes %d number%s", name,
                   names[known], wanted, wanted > 1 ? "s" : "");
}
