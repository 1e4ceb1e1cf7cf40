/* SPDX-License-Identifier: MIT */
#include "stencil/stencil.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "toolkit/kernel.h"

/* ---- Words ---- */

/* Functions that programs have, and constructors of scalars. */
static const char *const known[] = {
    "abs",         "sign", "floor",  "ceil",  "fract", "mod",  "mix",    "min", "max",
    "clamp",       "step", "sqrt",   "sin",   "cos",   "exp",  "log",    "pow", "smoothstep",
    "inversesqrt", "dot",  "length", "float", "int",   "bool", "double", NULL};

/* Words that no program has, with the reason. */
static const struct {
    const char *word, *why;
} foreign[] = {
    {"discard", "a cell that is discarded keeps what it was before the last step"},
    {"out", "a parameter that is handed out needs C++"},
    {"inout", "a parameter that is handed out needs C++"},
    {"uint", "programs have float, double and int"},
    {"size", "a program's cells do not know the grid's size"},
    {"origin", "an array has no place in another one"},
    {"goto", "C has this word"},
    {"auto", "C has this word"},
    {"register", "C has this word"},
    {"char", "C has this word"},
    {"signed", "C has this word"},
    {"at", "programs call the cell so"},
    {"cell", "programs call the cell so"},
    {"rows", "programs call the rows of arrays so"},
    {"set", "programs call all numbers so"},
};

/* Beginnings of such words. */
static const struct {
    const char *begin, *why;
} kinds[] = {
    {"gl_", "a program has no fragments"},
    {"texture", "arrays are read by NAME_at"},
    {"texel", "arrays are read by NAME_at"},
    {"sampler", "arrays are read by NAME_at"},
    {"image", "arrays are read by NAME_at"},
    {"mat2", "programs have no matrices"},
    {"mat3", "programs have no matrices"},
    {"mat4", "programs have no matrices"},
    {"ivec", "vectors are read by member alone, such as here.x"},
    {"dvec", "vectors are read by member alone, such as here.x"},
    {"uvec", "vectors are read by member alone, such as here.x"},
    {"bvec", "vectors are read by member alone, such as here.x"},
    {"dFd", "a program has no fragments"},
    {"fwidth", "a program has no fragments"},
};

static enum qp_status refuse(const struct qp_stencil *s, const struct qp_token *token,
                             const char *why)
{
    return qp_fail(QP_BAD_INPUT, "%s:%d: no program is generated with '%.*s': %s", s->file->path,
                   token->line, token->length, token->at, why);
}

static bool ends_with(const struct qp_token *token, const char *end)
{
    const int length = (int)strlen(end);
    return token->length > length && memcmp(qp_token_end(token) - length, end, (size_t)length) == 0;
}

static bool is_vector(const struct qp_token *token)
{
    static const char *const vectors[] = {"vec2", "vec3", "vec4", NULL};
    return qp_token_is_one_of(token, vectors);
}

static bool is_array(const struct qp_stencil *s, const struct qp_token *token)
{
    bool found = false;
    for (int k = 0; k < s->file->inputs && ends_with(token, "_at"); k++) {
        const char *name = s->file->array[k].name;
        found = found || (strlen(name) + 3 == (size_t)token->length &&
                          memcmp(name, token->at, strlen(name)) == 0);
    }
    return found;
}

/* A word that is called, declared or read by member. */
static enum qp_status check_use(const struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    const bool called = qp_token_is(token + 1, "("), member = i > 0 && qp_token_is(token - 1, ".");
    struct qp_glsl_function function;
    char name[QP_GLSL_LETTERS];
    snprintf(name, sizeof name, "%.*s", token->length, token->at);
    if (member)
        return token->length == 1
                   ? QP_OK
                   : refuse(s, token, "vectors are read by member alone, such as here.x");
    if (is_vector(token) && (called || qp_token_is(token + 2, "=") || qp_token_is(token + 2, ";")))
        return refuse(s, token, "vectors are read by member alone, such as here.x");
    if (!called || qp_token_is_one_of(token, known) || is_array(s, token) ||
        qp_glsl_find(s->tokens, name, &function) || qp_token_is(token, "if") ||
        qp_token_is(token, "for") || qp_token_is(token, "while") || qp_token_is(token, "switch") ||
        qp_token_is(token, "return"))
        return QP_OK;
    return refuse(s, token, "programs do not have this function");
}

static enum qp_status check_word(const struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i];
    const bool member = i > 0 && qp_token_is(token - 1, ".");
    for (size_t k = 0; k < sizeof foreign / sizeof foreign[0] && !member; k++) {
        if (qp_token_is(token, foreign[k].word))
            return refuse(s, token, foreign[k].why);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strncmp(token->at, kinds[k].begin, strlen(kinds[k].begin)) == 0)
            return refuse(s, token, kinds[k].why);
    }
    if (ends_with(token, "_cell") || ends_with(token, "_size"))
        return refuse(s, token, "reads are by NAME_at, so many cells away");
    return check_use(s, i);
}

/* A division by 0, or by a number that ends like one. */
static enum qp_status check_sign(const struct qp_stencil *s, int i)
{
    const struct qp_token *token = &s->tokens->of[i], *by = token + 1;
    const bool divides =
        qp_token_is(token, "/") || qp_token_is(token, "/=") || qp_token_is(token, "%");
    if (divides && by->kind == QP_TOKEN_NUMBER && strspn(by->at, "0.fFlLeE") >= (size_t)by->length)
        return qp_fail(QP_BAD_INPUT, "%s:%d: a division by zero", s->file->path, token->line);
    return QP_OK;
}

/* ---- Functions and variables ---- */

/* Each name once, and outside of them only constants that are numbers. */
static enum qp_status check_functions(const struct qp_stencil *s)
{
    const struct qp_tokens *tokens = s->tokens;
    struct qp_glsl_function function, first;
    char name[QP_GLSL_LETTERS];
    int from = 0;
    enum qp_status status = QP_OK;
    for (int i = 0; qp_tokens_function(tokens, i, &function) && status == QP_OK;) {
        const struct qp_token *word = &tokens->of[function.name];
        snprintf(name, sizeof name, "%.*s", word->length, word->at);
        if (function.begin >= 0 && qp_glsl_find(tokens, name, &first) && first.begin >= 0 &&
            first.name != function.name)
            status = refuse(s, word, "two functions have this name, which needs C++");
        for (int k = from; k < function.type && status == QP_OK; k++) {
            const struct qp_token *token = &tokens->of[k];
            if (token->kind == QP_TOKEN_WORD && k > from && qp_token_is(token + 1, "=") &&
                !(qp_token_is(&tokens->of[k - 2], "const") && token[2].kind == QP_TOKEN_NUMBER &&
                  qp_token_is(token + 3, ";")))
                status =
                    refuse(s, token, "outside of functions it takes constants that are numbers");
        }
        i = function.begin >= 0 ? function.end + 1 : function.open + 1;
        from = i;
    }
    return status;
}

/* ---- Reads ---- */

static enum qp_status find_reach(struct qp_stencil *s)
{
    struct qp_kernel kernel = {.desc = s->file->desc,
                               .tokens = *s->tokens,
                               .inputs = s->file->inputs,
                               .numbers = s->file->head.numbers};
    enum qp_status status = qp_reach_find(&kernel);
    for (int k = 0; k < kernel.inputs && status == QP_OK; k++) {
        const int cells = kernel.reach[k].cells;
        status = qp_reach_check(&kernel, k, "programs are generated with offsets that are numbers");
        if (status == QP_OK && cells > QP_STENCIL_REACH)
            status =
                qp_fail(QP_BAD_INPUT, "%s: %s is read %d cells away, and programs read %d at most",
                        s->file->path, s->file->array[k].name, cells, QP_STENCIL_REACH);
        s->reach = cells > s->reach ? cells : s->reach;
    }
    return status == QP_UNSUPPORTED ? qp_fail(QP_BAD_INPUT, "%s", qp_error()) : status;
}

enum qp_status qp_stencil_read(const struct qp_kernel_file *file, struct qp_stencil *out)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    const enum qp_array_type type = file->desc.output_type;
    const char *why =
        !file->is_short ? "a whole shader; write the short form, 'float kernel(vec2 here)'"
        : file->desc.output_channels > 1
            ? "a kernel of several values a cell; make each a state, by '//@ state u v'"
        : type == QP_ARRAY_UINT
            ? "a kernel of unsigned integers; programs have float, double and int"
            : NULL;
    *out = (struct qp_stencil){.file = file, .tokens = &owner->tokens};
    if (why != NULL)
        return qp_fail(QP_BAD_INPUT, "%s: no program is generated of %s", file->path, why);
    enum qp_status status = QP_OK;
    for (int i = 0; i < out->tokens->count && status == QP_OK; i++) {
        const struct qp_token *token = &out->tokens->of[i];
        if (token->kind == QP_TOKEN_LINE)
            status = refuse(out, token, "lines of the preprocessor are not followed");
        else if (token->kind == QP_TOKEN_WORD)
            status = check_word(out, i);
        else if (token->kind == QP_TOKEN_SIGN)
            status = check_sign(out, i);
    }
    if (status == QP_OK)
        status = check_functions(out);
    return status == QP_OK ? find_reach(out) : status;
}
