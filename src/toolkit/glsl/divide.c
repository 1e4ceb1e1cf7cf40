/* SPDX-License-Identifier: MIT */
/* Division of integers as C has it. GLSL leaves a % b of a negative integer open, and a program in
 * C ends where b is 0: both are calls of functions, whose arguments are found here. */
#include <stdlib.h>

#include "toolkit/glsl/changes.h"
#include "toolkit/kernel/kernel.h"

/* Compilers of drivers end the process where they divide the least integer by -1: it is multiplied
 * by -1, and divided by 1. By 0, which drivers leave open, 0 times the number is divided by 1. */
static const char functions[] =
    "#define Q(T, A, B) T qp_quotient(A a, B b)"
    " { return a * (B(1) - qp_less(b)) / (b + qp_less(b)); }"
    " T qp_rest(A a, B b) { return a - b * qp_quotient(a, b); }\n"
    "#define VECTORS(V, T, L) V qp_less(V b) { return L V(equal(b, V(0))); }"
    " Q(V, V, V) Q(V, V, T) Q(V, T, V)\n"
    "#define SIGNED(V) VECTORS(V, int, 2 * V(equal(b, V(-1))) +)\n"
    "int qp_less(int b) { return b == -1 ? 2 : int(b == 0); }\n"
    "Q(int, int, int) SIGNED(ivec2) SIGNED(ivec3) SIGNED(ivec4)\n"
    "#if __VERSION__ > 120\n"
    "uint qp_less(uint b) { return uint(b == 0u); }\n"
    "Q(uint, uint, uint) VECTORS(uvec2, uint, ) VECTORS(uvec3, uint, ) VECTORS(uvec4, uint, )\n"
    "#endif\n#undef Q\n#undef VECTORS\n#undef SIGNED\n";

const char *qp_division_functions(const char *text)
{
    const bool whole = strstr(text, "int") != NULL || strstr(text, "ivec") != NULL;
    return strchr(text, '%') != NULL || (whole && strchr(text, '/') != NULL) ? functions : "";
}

static const char *const numbered[] = {"+", "-", "!", "~", "++", "--", NULL};

/* The last token of the operand that begins at token i, with its signs. */
static int operand_end(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *of = tokens->of;
    while (qp_token_is_one_of(&of[i], numbered))
        i++;
    i = of[i].match > i ? of[i].match : i;
    for (int from = -1; from != i && of[i].kind != QP_TOKEN_END;) {
        from = i;
        if (qp_token_is(&of[i + 1], ".") || qp_token_is_one_of(&of[i + 1], numbered + 4))
            i += 1 + qp_token_is(&of[i + 1], ".");
        else if ((*of[i + 1].at == '(' || *of[i + 1].at == '[') && of[i + 1].match > i)
            i = of[i + 1].match;
    }
    return i;
}

/* True for the last token of a value: a name, a number or a bracket. */
static bool ends_value(const struct qp_token *token)
{
    static const char *const others[] = {"return", "case", "else", "do", NULL};
    return token->kind == QP_TOKEN_NUMBER || *token->at == ')' || *token->at == ']' ||
           qp_token_is_one_of(token, numbered + 4) ||
           (token->kind == QP_TOKEN_WORD && !qp_token_is_one_of(token, others));
}

/* The first token of the product that ends at token i. */
static int product_begin(const struct qp_tokens *tokens, int i)
{
    static const char *const products[] = {"*", "/", "%", NULL};
    const struct qp_token *of = tokens->of;
    for (bool more = true; more; i -= more ? 2 : 0) {
        while (qp_token_is_one_of(&of[i], numbered + 4))
            i--;
        for (int from = -1; from != i && i > 0;) {
            from = i;
            if (of[i].match >= 0 && of[i].match < i)
                i = of[i].match - (of[i].match > 0 && ends_value(&of[of[i].match - 1]));
            else if (qp_token_is(&of[i - 1], "."))
                i -= 2;
        }
        while (i > 1 && qp_token_is_one_of(&of[i - 1], numbered) && !ends_value(&of[i - 2]))
            i--;
        more = i > 1 && qp_token_is_one_of(&of[i - 1], products);
    }
    return i;
}

static bool is_zero(const struct qp_token *number)
{
    return *number->at == '0' &&
           (number->length == 1 || (number->length == 2 && strchr("uU", number->at[1]) != NULL));
}

/* True for % and %=, and for / and /= by what may be 0 or -1. */
static bool divides(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *token = &tokens->of[i];
    if (token->kind != QP_TOKEN_SIGN || i == 0 || (token->length == 2 && token->at[1] != '='))
        return false;
    return *token->at == '%' ||
           (*token->at == '/' && (token[1].kind != QP_TOKEN_NUMBER || is_zero(&token[1])));
}

/* The end of a constant that begins at token i, or i: it is computed when it is compiled. */
static int constant_end(const struct qp_tokens *tokens, int i)
{
    const struct qp_token *of = tokens->of;
    if (qp_token_is(&of[i], "const") || qp_token_is(&of[i], "case"))
        return qp_tokens_until(tokens, i, ";", ":");
    return i > 1 && qp_token_is(&of[i], "[") && of[i].match > i && qp_glsl_is_type(&of[i - 2])
               ? of[i].match
               : i;
}

/* Finds the operands of what divides: begin[i] is 1 and the first token of the left one. Quotients
 * are those of integers, or `quotients` says all of them. */
static void find_operands(const struct qp_tokens *tokens, bool quotients, int *begin, int *closes)
{
    for (int i = 0; i < tokens->count; i++) {
        i = constant_end(tokens, i);
        if (!divides(tokens, i))
            continue;
        const int first = product_begin(tokens, i - 1),
                  last = tokens->of[i].length == 2 ? qp_tokens_until(tokens, i, ";", ",") - 1
                                                   : operand_end(tokens, i + 1);
        if (*tokens->of[i].at == '%' || quotients ||
            qp_glsl_is_whole(tokens, first, last + 1, true)) {
            begin[i] = 1 + first;
            closes[last]++;
        }
    }
}

/* Writes f(a, b) for a / b, and a = f(a, b) for a /= b. */
static void write_calls(struct qp_changes *c, const int *begin, const int *closes)
{
    const struct qp_token *of = c->tokens->of;
    for (int i = 0; i < c->tokens->count; i++) {
        if (begin[i] > 0 && of[i].length == 1 && of[i].line == of[i - 1].line)
            c->from = of[i].at;
        qp_changes_copy(c, of[i].at);
        for (int k = c->tokens->count - 1; k >= i; k--) {
            const bool sets = begin[k] > 0 && of[k].length == 2;
            if (begin[k] > 0 && (sets ? k : begin[k] - 1) == i)
                qp_changes_add(c, "%s%s", sets ? "= " : "",
                               *of[k].at == '%' ? "qp_rest(" : "qp_quotient(");
        }
        if (begin[i] > 0) {
            const char *left = of[begin[i] - 1].at;
            if (of[i].length == 2)
                qp_changes_add(c, "%.*s", (int)(qp_token_end(&of[i - 1]) - left), left);
            qp_changes_add(c, ",");
            c->from = qp_token_end(&of[i]);
        }
        qp_changes_copy(c, qp_token_end(&of[i]));
        for (int k = 0; k < closes[i]; k++)
            qp_changes_add(c, ")");
    }
}

const struct qp_tokens *qp_divide(const char *text, bool quotients)
{
    const struct qp_tokens *divided = NULL;
    struct qp_changes changes;
    if (qp_changes_open(text, NULL, NULL, &changes) != QP_OK)
        return NULL;
    int *begin =
        qp_alloc_zero(2 * (size_t)changes.tokens->count + 2, sizeof *begin, "a kernel's text");
    if (begin != NULL) {
        find_operands(changes.tokens, quotients, begin, begin + changes.tokens->count + 1);
        write_calls(&changes, begin, begin + changes.tokens->count + 1);
        divided = qp_changes_read(&changes);
    }
    free(begin);
    qp_changes_close(&changes);
    return divided;
}
