/* SPDX-License-Identifier: MIT */
#include "toolkit/base/expression.h"

#include <math.h>
#include <stdlib.h>

#include "toolkit/base/text.h"
#include "toolkit/base/tokens.h"

/* ---- Operations ---- */

/* Precedence of signs, the weakest first. */
enum level { CHOICE, OR, AND, EQUAL, LESS, SUM, PRODUCT, MINUS, CALL };

struct qp_operation {
    const char *name, *in_c; /* in C $0 is the first operand */
    int level;
    double (*one)(double);
    double (*two)(double, double); /* both NULL: the choice */
};

/* clang-format off */
#define TRUTHS(OF) OF(either, ||, OR) OF(both, &&, AND) OF(equal, ==, EQUAL) OF(unequal, !=, EQUAL) \
    OF(less, <, LESS) OF(greater, >, LESS) OF(at_most, <=, LESS) OF(at_least, >=, LESS)
#define SIGNS(OF) OF(add, +, SUM) OF(subtract, -, SUM) OF(multiply, *, PRODUCT) OF(divide, /, PRODUCT)

#define COMPUTE(name, sign, level) static double name(double a, double b) { return a sign b; }
#define TRUTH(name, sign, level) {#sign, "($0 " #sign " $1 ? 1.0 : 0.0)", level, NULL, name},
#define SIGN(name, sign, level) {#sign, "$0 " #sign " $1", level, NULL, name},
#define ONE(name) {#name, #name "($0)", CALL, name, NULL},
#define TWO(name) {#name, #name "($0, $1)", CALL, NULL, name},

TRUTHS(COMPUTE)
SIGNS(COMPUTE)

static double negate(double a)
{
    return -a;
}

static const struct qp_operation signs[] = {
    TRUTHS(TRUTH) SIGNS(SIGN)
    {"%", "fmod($0, $1)", PRODUCT, NULL, fmod},
    {"?", "$0 ? $1 : $2", CHOICE, NULL, NULL},
    {.name = NULL}
}, functions[] = {
    ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(exp) ONE(exp2)
    ONE(log) ONE(log2) ONE(log10) ONE(sqrt) ONE(cbrt) ONE(fabs) ONE(floor) ONE(ceil)
    TWO(fmin) TWO(fmax) TWO(fmod) TWO(atan2) TWO(hypot) TWO(pow)
    {"-", "(-$0)", MINUS, negate, NULL},
    {.name = NULL}
};
/* clang-format on */

/* The operation of a list that a token names; NULL: none. */
static const struct qp_operation *find(const struct qp_operation *list,
                                       const struct qp_token *token)
{
    while (list->name != NULL && !qp_token_is(token, list->name))
        list++;
    return list->name != NULL ? list : NULL;
}

static double compute(const struct qp_operation *by, double a, double b, double c)
{
    return by->one != NULL ? by->one(a) : by->two != NULL ? by->two(a, b) : a != 0.0 ? b : c;
}

double qp_expression_value(const struct qp_expression *expression, double x, double y)
{
    double value[QP_EXPRESSION_NODES];
    value[0] = x;
    value[1] = y;
    for (int i = 2; i < expression->count; i++) {
        const struct qp_expression_node *n = &expression->node[i];
        value[i] = n->constant ? n->value
                               : compute(n->by, value[n->of[0]], value[n->of[1]], value[n->of[2]]);
    }
    return value[expression->whole];
}

/* ---- Reading: each function returns a node, or -1 with a sentence ---- */

struct reader {
    const struct qp_token *at;
    struct qp_expression *out;
    int depth;
};

static int expect(const struct reader *r, const char *what)
{
    const bool ends = r->at->kind == QP_TOKEN_END;
    qp_fail(QP_BAD_INPUT, ends ? "%s is expected at the end" : "%s is expected before '%.*s'", what,
            r->at->length, r->at->at);
    return -1;
}

static int add_node(struct reader *r, struct qp_expression_node node)
{
    if (r->out->count == QP_EXPRESSION_NODES)
        return expect(r, "the end, after this many numbers and signs,");
    r->out->node[r->out->count] = node;
    return r->out->count++;
}

static int add_operation(struct reader *r, const struct qp_operation *by, int a, int b, int c)
{
    if (a < 0 || b < 0 || c < 0)
        return -1;
    const struct qp_expression_node *of[] = {&r->out->node[a], &r->out->node[b], &r->out->node[c]};
    if ((by->two == divide || by->two == fmod) && of[1]->constant && of[1]->value == 0.0) {
        qp_fail(QP_BAD_INPUT, "a division by zero");
        return -1;
    }
    return add_node(r, (struct qp_expression_node){
                           .by = by,
                           .of = {a, b, c},
                           .constant = of[0]->constant && of[1]->constant && of[2]->constant,
                           .value = compute(by, of[0]->value, of[1]->value, of[2]->value)});
}

static int read_signs(struct reader *r, int level);

/* An expression and the sign after it, such as "')'", which is passed. */
static int read_up_to(struct reader *r, const char *quoted)
{
    const int node = read_signs(r, CHOICE);
    if (node < 0 || *r->at->at != quoted[1])
        return node < 0 ? -1 : expect(r, quoted);
    r->at++;
    return node;
}

static int read_number(struct reader *r)
{
    char *end;
    const char *at = r->at->at;
    const double value = strtod(at, &end);
    const bool octal = at[0] == '0' && r->at->length > 1 && strchr(".eE", at[1]) == NULL;
    if (end != qp_token_end(r->at) || octal || !isfinite(value))
        return expect(r, "a decimal number that a double holds");
    r->at++;
    return add_node(r, (struct qp_expression_node){.constant = true, .value = value});
}

/* The operands of a function, in its brackets, or of a minus. */
static int read_call(struct reader *r, const struct qp_operation *by)
{
    if (by->level == CALL && !qp_token_is(r->at, "("))
        return expect(r, "'('");
    r->at += by->level == CALL;
    const int a = by->two != NULL ? read_up_to(r, "','") : 0, b = a < 0 ? -1
                                                                  : by->level == MINUS
                                                                      ? read_signs(r, MINUS)
                                                                      : read_up_to(r, "')'");
    return add_operation(r, by, by->two != NULL ? a : b, b, b);
}

static int read_operand(struct reader *r)
{
    static const char *const others[] = {"x", "y", "M_PI", "(", "+", NULL};
    const struct qp_token *token = r->at;
    const struct qp_operation *by = find(functions, token);
    if (token->kind == QP_TOKEN_NUMBER)
        return read_number(r);
    if (by == NULL && !qp_token_is_one_of(token, others))
        return expect(r, "a number, x, y, M_PI, '(' or a function of math.h");
    r->at++;
    if (by != NULL)
        return read_call(r, by);
    if (*token->at == 'M')
        return add_node(r, (struct qp_expression_node){.constant = true, .value = M_PI});
    const int node = *token->at == '+'   ? read_signs(r, MINUS)
                     : *token->at == '(' ? read_up_to(r, "')'")
                                         : *token->at - 'x';
    if (node > 1 && *token->at == '(')
        r->out->node[node].in_brackets = true;
    return node;
}

/* An operand, and after it all signs that bind so tightly at least. */
static int read_signs(struct reader *r, int level)
{
    const struct qp_operation *by;
    if (++r->depth > 64)
        return expect(r, "no deeper bracket");
    int node = read_operand(r);
    while (node >= 0 && (by = find(signs, r->at)) != NULL && by->level >= level) {
        r->at++;
        const bool choice = by->level == CHOICE;
        const int yes = choice ? read_up_to(r, "':'") : node,
                  last = yes < 0 ? -1 : read_signs(r, choice ? CHOICE : by->level + 1);
        node =
            choice ? add_operation(r, by, node, yes, last) : add_operation(r, by, node, last, node);
    }
    r->depth--;
    return node;
}

enum qp_status qp_expression_read(const char *text, struct qp_expression *out)
{
    const struct qp_tokens *tokens = qp_tokens_read(text);
    if (tokens == NULL)
        return QP_NO_MEMORY;
    struct reader r = {tokens->of, out, 0};
    *out = (struct qp_expression){.count = 2};
    out->whole = read_signs(&r, CHOICE);
    if (out->whole >= 0 && r.at->kind != QP_TOKEN_END)
        out->whole = expect(&r, "a sign");
    qp_tokens_release(&tokens);
    return out->whole >= 0 ? QP_OK : QP_BAD_INPUT;
}

void qp_expression_put(const struct qp_expression *expression, int part, const char *x,
                       const char *y, FILE *out)
{
    const struct qp_expression_node *node = &expression->node[part];
    char number[32];
    fputs(node->in_brackets ? "(" : "", out);
    if (node->by == NULL)
        fputs(part == 0             ? x
              : part == 1           ? y
              : node->value == M_PI ? "M_PI"
                                    : qp_number_text(node->value, number),
              out);
    for (const char *at = node->by != NULL ? node->by->in_c : ""; *at != '\0'; at++) {
        if (*at == '$')
            qp_expression_put(expression, node->of[*++at - '0'], x, y, out);
        else
            fputc(*at, out);
    }
    fputs(node->in_brackets ? ")" : "", out);
}
