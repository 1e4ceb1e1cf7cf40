/* SPDX-License-Identifier: MIT */
/* A kernel's text in C: token by token, so that it stays what its author wrote. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/kernel/kernel.h"
#include "tools/stencil/stencil.h"

const char *qp_stencil_own(const char *name)
{
    return *name >= 'A' && *name <= 'Z' ? "own_" : "";
}

struct body {
    const struct qp_stencil *stencil;
    enum qp_body_form form;
    FILE *out;
};

/* True for a token of a kernel of doubles that may be one. */
static bool is_wide(const struct body *b, const struct qp_token *token)
{
    const struct qp_tokens *tokens = b->stencil->tokens;
    return b->stencil->file->desc.output_type == QP_ARRAY_DOUBLE &&
           qp_glsl_in_double(tokens, (int)(token - tokens->of));
}

/* A number with a point or an exponent is a float; in doubles (lf) the letters go. */
static void put_number(const struct body *b, const struct qp_token *token)
{
    int length = token->length;
    const bool real = qp_token_is_real(token);
    const bool suffix = real && length > 2 && strchr("fF", token->at[length - 1]) != NULL &&
                        strchr("lL", token->at[length - 2]) != NULL,
               is_double = suffix || (qp_glsl_is_real(token) && is_wide(b, token));
    while (real && strchr("fFlL", token->at[length - 1]) != NULL)
        length--;
    fprintf(b->out, "%.*s%s", length, token->at,
            real && !is_double && b->form != QP_BODY_REFERENCE ? "f" : "");
}

/* ---- Members ---- */

/* A member is called x, y, z or w. Several of them are a function in C++. */
static void put_member(const struct body *b, int i)
{
    const struct qp_token *token = &b->stencil->tokens->of[i];
    static const char names[] = "xyzwrgbastpq";
    const bool several = token->length > 1;
    if (several && b->form == QP_BODY_CUDA && qp_token_is(token - 2, ")"))
        fputs("template ", b->out); /* before a member of a template's result */
    if (several)
        fputs(qp_glsl_setter(b->stencil->tokens, i) >= 0 ? "set<" : "get<", b->out);
    for (int k = 0; k < token->length; k++)
        fprintf(b->out, several ? "%s'%c'" : "%s%c", k > 0 ? ", " : "",
                names[(strchr(names, token->at[k]) - names) % 4]);
    fputs(several ? ">()" : "", b->out);
}

/* A number of --set, which the cell has. In C++ all of its values are a vector. */
static void put_setting(const struct body *b, const struct qp_token *token,
                        const struct qp_kernel_number *number)
{
    const int values = qp_kernel_number_types[number->type].values;
    const bool whole = values > 1 && !(qp_token_is(token + 1, ".") && token[2].length == 1);
    const bool narrow = number->type >= QP_NUMBER_DOUBLE && !is_wide(b, token);
    if (!whole)
        fprintf(b->out, "%sat->set->%s%s", narrow ? "(float)" : "", qp_stencil_own(number->name),
                number->name);
    for (int k = 0; k < values && whole; k++)
        fprintf(b->out, "%s%s%sat->set->%s%s.%c%s",
                k > 0 ? ", " : qp_kernel_number_types[number->type].name + narrow, k > 0 ? "" : "(",
                narrow ? "(float)" : "", qp_stencil_own(number->name), number->name, "xyzw"[k],
                k == values - 1 ? ")" : "");
}

/* True if what is divided may be an integer. */
static bool has_integers(const struct qp_stencil *s)
{
    bool found = s->file->desc.output_type == QP_ARRAY_INT;
    for (int i = 0; i < s->tokens->count && !found; i++)
        found = qp_token_is_one_of(&s->tokens->of[i], qp_glsl_wholes);
    return found;
}

/* ---- Functions ---- */

/* Storage class that C++ wants before the token, which begins a function or a constant. */
static const char *storage_of(const struct body *b, int i)
{
    const bool device = b->form == QP_BODY_CUDA;
    const struct qp_glsl_function *function = qp_glsl_around(b->stencil->tokens, i);
    if (function != NULL)
        return function->type != i ? ""
               : device            ? "template <class CELL> static __device__ __forceinline__ "
                                   : "static inline ";
    return !qp_token_is(&b->stencil->tokens->of[i], "const") ? ""
           : device                                          ? "static __device__ "
                                                             : "static ";
}

/* True for the word of a list of no parameters, (void). */
static bool is_nothing(const struct qp_token *token)
{
    return qp_token_is(token, "void") && qp_token_is(token + 1, ")");
}

static bool hands_out(const struct qp_token *token)
{
    return qp_token_is(token, "out") || qp_token_is(token, "inout");
}

/* True for the name of a parameter that is handed out: after its type, and perhaps a precision. */
static bool is_reference(const struct body *b, int i)
{
    const struct qp_token *token = &b->stencil->tokens->of[i];
    return (i > 1 && qp_glsl_is_type(token - 1) && hands_out(token - 2)) ||
           (i > 2 && qp_glsl_is_type(token - 1) && hands_out(token - 3));
}

/* Floats are doubles in the reference. C converts by a cast, (float)(a). */
static void put_type(const struct body *b, const struct qp_token *token)
{
    const bool wider = b->form == QP_BODY_REFERENCE && qp_token_is(token, "float"),
               cast = qp_token_is(token + 1, "(") && !b->stencil->is_cxx;
    fprintf(b->out, "%s%.*s%s", cast ? "(" : "", wider ? 6 : token->length,
            wider ? "double" : token->at, cast ? ")" : "");
}

/* True for the name of a constant outside of functions, also where it is another variable's. */
static bool is_constant(const struct qp_tokens *tokens, const struct qp_token *token)
{
    bool found = false;
    for (int i = 0; i < tokens->count && !found; i++)
        found = qp_token_same(&tokens->of[i], token) && qp_token_is(&tokens->of[i + 1], "=") &&
                qp_glsl_around(tokens, i) == NULL;
    return found;
}

/* True for a name that C's library or the program may have, too: in C a function other than
 * kernel() or a constant, which have a namespace in C++; and in capitals a macro. */
static bool is_own(const struct body *b, const struct qp_token *token)
{
    const struct qp_tokens *tokens = b->stencil->tokens;
    const bool is_cxx = b->form == QP_BODY_CUDA || b->stencil->is_cxx;
    if (token->kind != QP_TOKEN_WORD || (is_cxx && *qp_stencil_own(token->at) == '\0'))
        return false;
    if (qp_token_is(token + 1, "("))
        return !qp_token_is(token, "kernel") && qp_glsl_defines(tokens, token);
    return *qp_stencil_own(token->at) != '\0' || is_constant(tokens, token);
}

static void put_token(const struct body *b, int i)
{
    const struct qp_token *token = &b->stencil->tokens->of[i];
    const struct qp_kernel_number *setting = qp_stencil_number(b->stencil, token);
    fprintf(b->out, "%s%s", storage_of(b, i), is_reference(b, i) ? "&" : "");
    if (token->kind == QP_TOKEN_NUMBER)
        put_number(b, token);
    else if (i > 0 && qp_token_is(token - 1, "."))
        put_member(b, i);
    else if (qp_glsl_is_type(token))
        put_type(b, token);
    else if (setting != NULL)
        put_setting(b, token, setting);
    else if (!hands_out(token) && !(i > 0 && qp_token_is(token - 1, "(") && is_nothing(token)))
        fprintf(b->out, "%s%.*s", is_own(b, token) ? "own_" : "", token->length, token->at);
    if (i > 0 && qp_token_is(token, "(") && qp_glsl_defines(b->stencil->tokens, token - 1)) {
        const bool defines = qp_glsl_follows_word(b->stencil->tokens, i - 1);
        fprintf(b->out, "%s%s",
                !defines                  ? "at"
                : b->form == QP_BODY_CUDA ? "CELL *at"
                                          : "struct cell *at",
                token->match > i + 1 && !is_nothing(token + 1) ? ", " : "");
    }
}

enum qp_status qp_stencil_put_body(const struct qp_stencil *stencil, enum qp_body_form form,
                                   FILE *out)
{
    struct qp_stencil divided = *stencil;
    const struct body b = {&divided, form, out};
    const bool is_cxx = form == QP_BODY_CUDA || stencil->is_cxx;
    const struct qp_tokens *tokens = qp_divide(stencil->file->text, has_integers(stencil));
    if (tokens == NULL)
        return QP_NO_MEMORY;
    fputs(is_cxx ? "namespace glsl {\nnamespace text {\n\n" : "", out);
    const char *at = tokens->of[0].at;
    divided.tokens = tokens;
    for (int i = 0; i < tokens->count; i++) {
        if (i == 0 || !hands_out(&tokens->of[i - 1])) /* with its blanks */
            fprintf(out, "%.*s", (int)(tokens->of[i].at - at), at);
        put_token(&b, i);
        at = qp_token_end(&tokens->of[i]);
    }
    fputs(is_cxx ? "\n\n}\n}\n\nusing glsl::text::kernel;\n" : "\n", out);
    qp_tokens_release(&tokens);
    return QP_OK;
}
