/* SPDX-License-Identifier: MIT */
/* Kernels in compute shaders: buffers are their arrays, uniforms their numbers; and their text as a
 * device gets it. */
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/kernel_file/kernel_file.h"

/* ---- Buffers ---- */

/* The block of a buffer, by its tokens. */
struct block {
    int begin, open; /* first token of its declaration, and its brace */
    int type, name;  /* type and name of its array */
    int binding;
};

/* Finds the next block from token *i on, where it ends; its array and binding are not yet read. */
static bool find_block(const struct qp_tokens *tokens, int *i, struct block *out)
{
    static const char *const ends[] = {";", "{", "}", NULL};
    const struct qp_token *of = tokens->of;
    for (; *i < tokens->count; ++*i) {
        int open = *i + 1;
        if (!qp_token_is(&of[*i], "buffer"))
            continue;
        while (of[open].kind == QP_TOKEN_WORD)
            open++;
        if (!qp_token_is(&of[open], "{") || of[open].match < open)
            continue; /* layout(std430) buffer; */
        *out = (struct block){.begin = qp_tokens_since(tokens, *i, ends), .open = open};
        *i = of[open].match;
        return true;
    }
    return false;
}

/* The number that comes after WORD = from token `begin` up to `end`; -1: no number does. */
static int number_of(const struct qp_tokens *tokens, int begin, int end, const char *word)
{
    const int at = qp_tokens_find(tokens, begin, word);
    char *rest;
    if (at + 2 >= end || !qp_token_is(&tokens->of[at + 1], "=") ||
        tokens->of[at + 2].kind != QP_TOKEN_NUMBER)
        return -1;
    const long number = strtol(tokens->of[at + 2].at, &rest, 0);
    return rest == qp_token_end(&tokens->of[at + 2]) && number < 1024 ? (int)number : -1;
}

/* True if arrays of a block have no gaps: its own layout or that of all blocks says so. */
static bool is_dense(const struct qp_tokens *tokens, const struct block *block)
{
    static const char *const ends[] = {";", "{", "}", NULL};
    if (qp_tokens_find(tokens, block->begin, "std430") < block->open)
        return true;
    for (int i = 0; i < block->begin; i++) {
        if (qp_token_is(&tokens->of[i], "buffer") && qp_token_is(&tokens->of[i + 1], ";") &&
            qp_tokens_find(tokens, qp_tokens_since(tokens, i, ends), "std430") < i)
            return true;
    }
    return false;
}

/* Finds the array, `float x[];` or `float[] x;`; false where the block has anything else. */
static bool find_array(const struct qp_tokens *tokens, struct block *block)
{
    const struct qp_token *of = tokens->of;
    int at = block->open + 1;
    while (of[at].kind == QP_TOKEN_WORD)
        at++;
    if (!qp_token_is(&of[at], "["))
        return false;
    const int after = of[at].match + 1;
    const bool before = of[after].kind == QP_TOKEN_WORD;
    block->type = at - (before ? 1 : 2);
    block->name = before ? after : at - 1;
    return block->type > block->open && qp_token_is(&of[after + before], ";") &&
           after + before + 1 == of[block->open].match;
}

/* Reads a number's or an array's type; false for one that neither has. */
static bool find_type(const struct qp_token *token, enum qp_array_type *type)
{
    static const char *const words[] = {[QP_ARRAY_FLOAT] = "float",
                                        [QP_ARRAY_HALF] = "",
                                        [QP_ARRAY_INT] = "int",
                                        [QP_ARRAY_UINT] = "uint",
                                        [QP_ARRAY_DOUBLE] = "double"};
    for (int k = 0; k < (int)(sizeof words / sizeof words[0]); k++) {
        if (!qp_token_is(token, words[k]))
            continue;
        *type = (enum qp_array_type)k;
        return true;
    }
    return false;
}

static enum qp_status add(struct qp_kernel_file_owner *owner, const struct qp_token *name,
                          enum qp_kernel_use use, enum qp_array_type type, int number)
{
    struct qp_kernel_function *function = &owner->function;
    if (function->parameters == QP_KERNEL_PARAMETERS || name->length >= QP_KERNEL_LETTERS)
        return qp_fail(QP_BAD_INPUT, "%s:%d: the shader has too many buffers and uniforms",
                       owner->path, name->line);
    struct qp_kernel_parameter *one = &function->parameter[function->parameters++];
    char file[QP_PLACE_LETTERS];
    *one = (struct qp_kernel_parameter){
        .use = use,
        .type = type,
        .number = number,
        .line = qp_tokens_line(owner->tokens, owner->path, name->line, file)};
    snprintf(one->name, sizeof one->name, "%.*s", name->length, name->at);
    return QP_OK;
}

/* Reads a block, whose array becomes a parameter with its binding. */
static enum qp_status take_block(struct qp_kernel_file_owner *owner, struct block *block)
{
    const struct qp_tokens *tokens = owner->tokens;
    const struct qp_token *called = &tokens->of[block->open - 1];
    const char *place = QP_PLACE(tokens, owner->path, called->line);
    enum qp_array_type type = QP_ARRAY_FLOAT;
    const int binding = number_of(tokens, block->begin, block->open, "binding");
    if (binding < 0)
        return qp_fail(QP_BAD_INPUT,
                       "%s: buffer '%.*s' has no number as its binding; write layout(std430, "
                       "binding = 0), and so on: states, other inputs, outputs",
                       place, called->length, called->at);
    if (!find_array(tokens, block) || !find_type(&tokens->of[block->type], &type))
        return qp_fail(QP_BAD_INPUT,
                       "%s: buffer '%.*s' must hold one array of float, double, int or uint, such "
                       "as 'float x[];', and nothing else",
                       place, called->length, called->at);
    if (!is_dense(tokens, block))
        return qp_fail(QP_BAD_INPUT,
                       "%s: buffer '%.*s' may have gaps between its values; write layout(std430, "
                       "binding = %d)",
                       place, called->length, called->at, binding);
    for (int k = 0; k < owner->function.parameters; k++) {
        if (owner->function.parameter[k].number == binding)
            return qp_fail(QP_BAD_INPUT, "%s: two buffers have the binding %d", place, binding);
    }
    return add(owner, &tokens->of[block->name], QP_USE_READ, type, binding);
}

/* Puts the arrays in the order of their bindings, of which the last are outputs. */
static enum qp_status order_blocks(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_function *function = &owner->function;
    const int said = owner->file.head.states, outputs = said > 0 ? said : 1,
              all = function->parameters;
    struct qp_kernel_parameter ordered[QP_KERNEL_PARAMETERS];
    for (int k = 0; k < all; k++) {
        const int binding = function->parameter[k].number;
        if (binding >= all)
            return qp_fail(
                QP_BAD_INPUT,
                "%s:%d: a buffer has the binding %d, and the shader has %d; bindings are 0 "
                "to %d: states, other inputs, outputs",
                owner->path, function->parameter[k].line, binding, all, all - 1);
        ordered[binding] = function->parameter[k];
        if (binding >= all - outputs)
            ordered[binding].use = QP_USE_WRITTEN;
    }
    if (all < 2 * outputs)
        return qp_fail(QP_BAD_INPUT,
                       "%s has %d buffer%s; %d state%s take%s %d at least, first what a step "
                       "reads and last what it writes",
                       owner->path, all, all == 1 ? "" : "s", outputs, outputs == 1 ? "" : "s",
                       outputs == 1 ? "s" : "", 2 * outputs);
    memcpy(function->parameter, ordered, (size_t)all * sizeof *ordered);
    return QP_OK;
}

/* ---- Uniforms ---- */

/* Takes the names of a declaration, from its type on; width and height are no parameters. */
static enum qp_status take_uniforms(struct qp_kernel_file_owner *owner, int at)
{
    const struct qp_token *of = owner->tokens->of, *type_word = &of[at];
    enum qp_array_type type = QP_ARRAY_FLOAT;
    enum qp_status status = QP_OK;
    const bool known = find_type(type_word, &type);
    while (status == QP_OK && !qp_token_is(&of[at], ";") && of[at].kind != QP_TOKEN_END) {
        const struct qp_token *name = &of[++at];
        const bool sizes = qp_token_is(name, "width") || qp_token_is(name, "height");
        at = qp_tokens_until(owner->tokens, at, ",", ";");
        if (!known || name->kind != QP_TOKEN_WORD || qp_token_is(name + 1, "[") ||
            (sizes && type == QP_ARRAY_DOUBLE))
            return qp_fail(QP_BAD_INPUT,
                           "%s: the uniform '%.*s' is neither width, height, nor a number: one "
                           "float, double, int or uint",
                           QP_PLACE(owner->tokens, owner->path, name->line), name->length,
                           name->at);
        if (!sizes)
            status = add(owner, name, QP_USE_NUMBER, type, -1);
    }
    return status;
}

static enum qp_status find_uniforms(struct qp_kernel_file_owner *owner)
{
    static const char *const qualities[] = {"lowp", "mediump", "highp", NULL};
    enum qp_status status = QP_OK;
    for (int i = 0; i < owner->tokens->count && status == QP_OK; i++) {
        if (!qp_token_is(&owner->tokens->of[i], "uniform"))
            continue;
        i += 1 + qp_token_is_one_of(&owner->tokens->of[i + 1], qualities);
        status = take_uniforms(owner, i);
    }
    return status;
}

/* ---- Groups ---- */

/* True if the text has its own local size, of which numbers are stored: 0 for what is no number. */
static bool find_group(const struct qp_tokens *tokens, int group[3])
{
    static const char *const words[] = {"local_size_x", "local_size_y", "local_size_z"};
    bool found = false;
    for (int k = 0; k < 3; k++) {
        const int at = qp_tokens_find(tokens, 0, words[k]);
        group[k] = at < tokens->count ? number_of(tokens, at, tokens->count, words[k]) : 1;
        found = found || at < tokens->count;
    }
    return found;
}

static enum qp_status check_group(const struct qp_kernel_file_owner *owner)
{
    const struct qp_kernel_function *function = &owner->function;
    int own[3];
    const bool has = find_group(owner->tokens, own);
    if (!has && function->group_line == 0)
        return qp_fail(QP_BAD_INPUT,
                       "%s says nothing of its groups; write 'layout(local_size_x = 16, "
                       "local_size_y = 16) in;', or a line '//@ group 16x16' in its head",
                       owner->path);
    if (!has || function->group_line == 0 ||
        (own[0] == function->group[0] && own[1] == function->group[1] && own[2] == 1))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s:%d: group %dx%d: the shader has a local size of its own, which is another; "
                   "leave the line out",
                   owner->path, function->group_line, function->group[0], function->group[1]);
}

enum qp_status qp_kernel_file_find_shader(struct qp_kernel_file_owner *owner)
{
    const struct qp_tokens *tokens = owner->tokens;
    struct block block;
    enum qp_status status = QP_OK;
    strcpy(owner->function.name, "main");
    if (tokens->of[0].kind != QP_TOKEN_LINE ||
        !qp_token_is(&tokens->of[tokens->count + 1], "version"))
        return qp_fail(QP_BAD_INPUT, "%s: a compute shader begins with a line '#version 430'",
                       owner->path);
    if (qp_glsl_find(tokens, "main") == NULL)
        return qp_fail(QP_BAD_INPUT, "%s has no function 'void main()'", owner->path);
    for (int i = 0; status == QP_OK && find_block(tokens, &i, &block);)
        status = take_block(owner, &block);
    if (status == QP_OK)
        status = order_blocks(owner);
    if (status == QP_OK)
        status = find_uniforms(owner);
    return status == QP_OK ? check_group(owner) : status;
}

/* ---- The text ---- */

/* The first word that is in no line of the preprocessor and certainly read: what is not depends on
 * no condition. NULL: there is none. */
static const struct qp_token *find_code(const struct qp_tokens *tokens)
{
    const struct qp_token *at = tokens->of, *word = at + tokens->count + 1;
    for (; at->kind == QP_TOKEN_LINE; at++, word++) {
        if (word->kind == QP_TOKEN_WORD && strncmp(word->at, "if", 2) == 0)
            return NULL;
        while (word->kind != QP_TOKEN_END)
            word++;
    }
    return at;
}

/* Writes the text up to a place, and the head's size of groups there. */
static const char *put_group(const struct qp_kernel_file_owner *owner, const char *from,
                             const char *to, FILE *out)
{
    fprintf(out, "%.*slayout(local_size_x = %d, local_size_y = %d) in; ", (int)(to - from), from,
            owner->function.group[0], owner->function.group[1]);
    return to;
}

enum qp_status qp_kernel_file_shader_text(const struct qp_kernel_file *file, int front, char **out)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    const struct qp_tokens *tokens = owner->tokens;
    const struct qp_token *code = find_code(tokens);
    const char *from = tokens->text;
    struct block block;
    size_t size = 0;
    int own[3], count = 0;
    *out = NULL;
    FILE *text = open_memstream(out, &size);
    if (text == NULL)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for its text", file->path);
    const bool needs = !find_group(tokens, own);
    if (needs && code != NULL)
        from = put_group(owner, from, code->at, text);
    for (int i = 0; front > 0 && find_block(tokens, &i, &block);) {
        const struct qp_token *open = &tokens->of[block.open];
        find_array(tokens, &block);
        const struct qp_token *type = &tokens->of[block.type];
        fprintf(text, "%.*s %.*s qp_guard_%d[%d];", (int)(qp_token_end(open) - from), from,
                type->length, type->at, count++,
                front / (int)(qp_token_is(type, "double") ? sizeof(double) : sizeof(float)));
        from = qp_token_end(open);
    }
    if (needs && code == NULL)
        from = put_group(owner, from, from + strlen(from), text);
    fputs(from, text);
    if (fclose(text) == 0)
        return QP_OK;
    free(*out);
    *out = NULL;
    return qp_fail(QP_NO_MEMORY, "%s: no memory for its text", file->path);
}
