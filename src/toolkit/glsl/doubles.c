/* SPDX-License-Identifier: MIT */
/* Bodies of kernels of doubles: a literal without a suffix is a double, as in C, and so is a number
 * of the kernel, but where GLSL takes floats alone. */
#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/kernel/kernel.h"

static const char *const doubles[] = {"double", "dvec2", "dvec3", "dvec4", NULL};

/* ---- Places ---- */

/* True if the sign at token i sets an output, or a variable whose latest declaration is of doubles.
 */
static bool sets_double(const struct qp_tokens *tokens, int i)
{
    static const char *const outputs[] = {"out0", "out1", "out2", "out3", "value", NULL};
    const struct qp_token *of = tokens->of;
    int name = i - 1;
    while (name > 1 && (of[name].match >= 0 || qp_token_is(&of[name - 1], ".")))
        name = of[name].match >= 0 ? of[name].match - 1 : name - 2;
    for (int k = name; k >= 0; k--) {
        const int type = qp_token_same(&of[k], &of[name]) ? qp_glsl_declared_by(tokens, k) : -1;
        if (type >= 0)
            return qp_token_is_one_of(&of[type], doubles);
    }
    return qp_token_is_one_of(&of[name], outputs);
}

/* Bracket at token `open`: its argument of this number is 1, a double; 0, a float;
 * -1, what is around it, as in a division that divide.c made a call. */
static int takes(const struct qp_tokens *tokens, int open, int number)
{
    static const char *const asks[] = {"if", "while", NULL},
                             *const wide[] = {"abs",         "ceil", "clamp",      "floor", "fract",
                                              "inversesqrt", "max",  "min",        "mix",   "mod",
                                              "return",      "sign", "smoothstep", "sqrt",  "step",
                                              "qp_quotient", NULL};
    const struct qp_token *of = tokens->of;
    int name = open - 1;
    if (name > 0 && qp_token_is(&of[name], "]") && of[name].match > 0)
        name = of[name].match - 1;
    if (name < 0 || of[name].kind != QP_TOKEN_WORD)
        return -1;
    const int type = qp_parameter_type(tokens, name, number);
    if (type >= 0 || qp_token_is_one_of(&of[name], asks))
        return type < 0 || qp_token_is_one_of(&of[type], doubles);
    return qp_token_is_one_of(&of[name], wide) ? -1 : qp_token_is_one_of(&of[name], doubles);
}

bool qp_glsl_in_double(const struct qp_tokens *tokens, int i)
{
    static const char *const sets[] = {"=", "+=", "-=", "*=", "/=", NULL}, *const ends[] = {
                                                                               ";", "{", "}", NULL};
    const struct qp_token *of = tokens->of;
    const struct qp_glsl_function *around = qp_glsl_around(tokens, i);
    for (int k = i - 1, number = 0, taken; k >= 0 && !qp_token_is_one_of(&of[k], ends); k--) {
        if (qp_token_is_one_of(&of[k], sets))
            return sets_double(tokens, k);
        if (qp_token_is(&of[k], "return"))
            return around != NULL && qp_token_is_one_of(&of[around->type], doubles);
        number += qp_token_is(&of[k], ",");
        if (of[k].match >= 0 && of[k].match < k) {
            k = of[k].match;
        } else if (of[k].match > k) {
            taken = qp_token_is(&of[k], "(") ? takes(tokens, k, number) : 0;
            if (taken >= 0)
                return taken > 0;
            number = 0;
        }
    }
    return false; /* a loop's condition, whose counter is a float, or no value */
}

/* ---- Texts ---- */

bool qp_glsl_is_real(const struct qp_token *token)
{
    return qp_token_is_real(token) && strchr("fF", token->at[token->length - 1]) == NULL;
}

/* The type of the literal at token i; *value is its value, and *most what that type holds. */
static const char *literal_type(const struct qp_tokens *tokens, int i, bool is_double,
                                double *value, double *most)
{
    const struct qp_token *token = &tokens->of[i];
    const char *text = token->at, *last = text + token->length - 1;
    if (!qp_token_is_real(token)) {
        const bool bits = *text == '0' || strchr("uU", *last) != NULL;
        *value = (double)strtoull(text, NULL, 0);
        *most = bits                                            ? UINT32_MAX
                : i > 0 && qp_token_is(&tokens->of[i - 1], "-") ? -(double)INT32_MIN
                                                                : INT32_MAX;
        return bits ? "32 bits" : "int";
    }
    const bool wide =
        (strchr("fF", *last) != NULL && strchr("lL", last[-1]) != NULL) ||
        (is_double && i < tokens->count && qp_glsl_is_real(token) && qp_glsl_in_double(tokens, i));
    *value = wide ? strtod(text, NULL) : (double)(float)strtod(text, NULL);
    *most = wide ? DBL_MAX : (double)FLT_MAX;
    return wide ? "double" : "float";
}

enum qp_status qp_glsl_check_literals(const struct qp_tokens *tokens, bool is_double,
                                      const char *name)
{
    for (int i = 0; i < tokens->all; i++) {
        const struct qp_token *token = &tokens->of[i];
        double value = 0.0, most = 0.0;
        const char *type = token->kind == QP_TOKEN_NUMBER
                               ? literal_type(tokens, i, is_double, &value, &most)
                               : NULL;
        if (value > most)
            return qp_fail(
                QP_BAD_INPUT, "%s: %.*s is beyond %s, whose largest is %.10g%s",
                QP_PLACE(tokens, name, token->line), token->length, token->at, type, most,
                strcmp(type, "int") == 0 ? "; a uint, such as 4294967295u, ends in u" : "");
    }
    return QP_OK;
}

/* The type of floats that stands for a number of doubles which token i names, such as vec2 for a
 * dvec2; NULL: it names none. */
static const char *narrow_type(const struct qp_kernel_desc *desc, const struct qp_token *of, int i)
{
    const struct qp_kernel_number *number = desc->number;
    const bool member = i > 0 && qp_token_is(&of[i - 1], ".");
    while (number->name != NULL &&
           (member || number->type < QP_NUMBER_DOUBLE || !qp_token_is(&of[i], number->name)))
        number++;
    return number->name == NULL               ? NULL
           : number->type == QP_NUMBER_DOUBLE ? "float"
                                              : qp_kernel_number_types[number->type].name + 1;
}

enum qp_status qp_drawn_text(const struct qp_kernel_desc *desc, bool precise, char **out)
{
    const bool is_double = desc->output_type == QP_ARRAY_DOUBLE;
    struct qp_changes c;
    *out = NULL;
    if (qp_changes_open(desc->body, NULL, NULL, &c) != QP_OK)
        return QP_NO_MEMORY;
    for (int i = 0; i < c.tokens->count && is_double; i++) {
        const struct qp_token *of = c.tokens->of;
        const char *type = narrow_type(desc, of, i);
        const bool real = qp_glsl_is_real(&of[i]),
                   wide = (real || type != NULL) && qp_glsl_in_double(c.tokens, i),
                   indexed =
                       type != NULL && qp_token_is(&of[i + 1], "[") && strcmp(type, "float") == 0;
        const int end = indexed && of[i + 1].match > i ? of[i + 1].match : i;
        qp_changes_copy(&c, of[i].at);
        if (type != NULL && !wide) {
            qp_changes_add(&c, "%s(%.*s)", type, (int)(qp_token_end(&of[end]) - of[i].at),
                           of[i].at);
            c.from = qp_token_end(&of[end]);
            i = end;
        } else if (real && wide) {
            qp_changes_copy(&c, qp_token_end(&of[i]));
            qp_changes_add(&c, "lf");
        }
    }
    char *wide = qp_changes_take(&c);
    const struct qp_tokens *divided = qp_divide(wide, false);
    free(wide);
    if (divided != NULL && precise)
        qp_precise_text(divided->text, false, out);
    else if (divided != NULL)
        *out = qp_copy_text(divided->text, "a kernel's text");
    qp_tokens_release(&divided);
    return *out != NULL ? QP_OK : QP_NO_MEMORY;
}
