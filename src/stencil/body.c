/* SPDX-License-Identifier: MIT */
/* A kernel's text in C: token by token, so that it stays what its author wrote. */
#include <stdio.h>
#include <string.h>

#include "stencil/stencil.h"

struct body {
    const struct qp_stencil *stencil;
    enum qp_body_form form;
    FILE *out;
};

/* A number with a point or an exponent is a float; of doubles (lf) the letters go. */
static void put_number(const struct body *b, const struct qp_token *token)
{
    int length = token->length;
    const bool hex = length > 1 && (token->at[1] == 'x' || token->at[1] == 'X');
    const bool real = !hex && strcspn(token->at, ".eE") < (size_t)length;
    const bool is_double = real && length > 2 && strchr("fF", token->at[length - 1]) != NULL &&
                           strchr("lL", token->at[length - 2]) != NULL;
    while (real && strchr("fFlL", token->at[length - 1]) != NULL)
        length--;
    fprintf(b->out, "%.*s%s", length, token->at,
            real && !is_double && b->form == QP_BODY_C ? "f" : "");
}

/* True for the name of a number, which the cell has. */
static bool is_number(const struct body *b, int i)
{
    const struct qp_kernel_file *file = b->stencil->file;
    const struct qp_token *token = &b->stencil->tokens->of[i];
    bool found = false;
    for (int k = 0; k < file->head.numbers; k++)
        found = found || qp_token_is(token, file->desc.number[k].name);
    return found && (i == 0 || !qp_token_is(token - 1, "."));
}

/* The function whose type, name or bracket this token is, among those of the text. */
static bool is_own(const struct body *b, int i, struct qp_glsl_function *function)
{
    const struct qp_token *token = &b->stencil->tokens->of[i];
    char name[QP_GLSL_LETTERS];
    snprintf(name, sizeof name, "%.*s", token->length, token->at);
    return token->kind == QP_TOKEN_WORD && qp_token_is(token + 1, "(") &&
           qp_glsl_find(b->stencil->tokens, name, function);
}

/* What comes in front of a token that begins a function or a constant. */
static void put_storage(const struct body *b, int i)
{
    const struct qp_token *of = b->stencil->tokens->of;
    struct qp_glsl_function function;
    for (int k = 0; qp_tokens_function(b->stencil->tokens, k, &function) && function.type <= i;) {
        if (function.type == i)
            fputs(b->form == QP_BODY_C ? "static inline " : "static ", b->out);
        if (i > function.begin && i < function.end)
            return;
        k = function.begin >= 0 ? function.end + 1 : function.open + 1;
    }
    if (qp_token_is(&of[i], "const") && !qp_token_is(&of[i - (i > 0)], "(") &&
        !qp_token_is(&of[i - (i > 0)], ","))
        fputs("static ", b->out);
}

static void put_token(const struct body *b, int i)
{
    const struct qp_token *token = &b->stencil->tokens->of[i];
    struct qp_glsl_function function;
    put_storage(b, i);
    if (token->kind == QP_TOKEN_NUMBER)
        put_number(b, token);
    else if (b->form == QP_BODY_REFERENCE && qp_token_is(token, "float"))
        fputs("double", b->out);
    else if (is_number(b, i))
        fprintf(b->out, "at->set->%.*s", token->length, token->at);
    else
        fprintf(b->out, "%.*s", token->length, token->at);
    if (i > 0 && qp_token_is(token, "(") && is_own(b, i - 1, &function)) {
        const bool defines = i > 1 && token[-2].kind == QP_TOKEN_WORD &&
                             !qp_token_is(token - 2, "return") && !qp_token_is(token - 2, "else");
        fprintf(b->out, "%s%s", defines ? "struct cell *at" : "at",
                token->match > i + 1 ? ", " : "");
    }
}

void qp_stencil_put_body(const struct qp_stencil *stencil, enum qp_body_form form, FILE *out)
{
    const struct body b = {stencil, form, out};
    const char *at = stencil->tokens->of[0].at;
    for (int i = 0; i < stencil->tokens->count; i++) {
        const struct qp_token *token = &stencil->tokens->of[i];
        fprintf(out, "%.*s", (int)(token->at - at), at);
        put_token(&b, i);
        at = qp_token_end(token);
    }
    fputc('\n', out);
}
