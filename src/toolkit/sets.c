/* SPDX-License-Identifier: MIT */
/* Variables that a text sets: by = and its like, by ++ and --, or as an argument that a function
 * hands out. Drivers let a text set other things, too, and drop what it set. */
#include "toolkit/facts.h"

#include "base/status.h"

static const char *const setting[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", NULL};
static const char *const *const counting = setting + 11;

static bool is_sign(const struct qp_tokens *tokens, int i, const char *sign)
{
    return i >= 0 && qp_token_is(&tokens->of[i], sign);
}

/* True for a word that a value may come after: none that is declared does. */
static bool is_before(const struct qp_token *token)
{
    static const char *const words[] = {"return", "else", "do", "case", NULL};
    return qp_token_is_one_of(token, words);
}

/* True for the bracket of a call, a constructor or a question such as if, and not of a value. */
static bool is_called(const struct qp_tokens *tokens, int open)
{
    return open > 0 && tokens->of[open - 1].kind == QP_TOKEN_WORD &&
           !is_before(&tokens->of[open - 1]);
}

/* ---- Arguments ---- */

static bool has_out(const struct qp_tokens *tokens, int open, int number)
{
    int begin = open + 1;
    for (int k = 0; k < number; k++)
        begin = qp_tokens_until(tokens, begin, ",", ",") + 1;
    return qp_tokens_until(tokens, begin, "out", "inout") <
           qp_tokens_until(tokens, begin, ",", ",");
}

bool qp_glsl_hands_out(const struct qp_tokens *tokens, int open, int number)
{
    static const char *const second[] = {"modf", "frexp", NULL}, *const third[] = {
                                                                     "uaddCarry", "usubBorrow",
                                                                     "umulExtended", "imulExtended",
                                                                     NULL};
    const struct qp_token *name = &tokens->of[open - 1];
    struct qp_glsl_function function;
    int last;
    bool found = (number >= 1 && qp_token_is_one_of(name, second)) ||
                 (number >= 2 && qp_token_is_one_of(name, third));
    for (int i = 0; !found && qp_tokens_function(tokens, i, &function); i = function.open)
        found =
            qp_token_same(&tokens->of[function.name], name) &&
            qp_glsl_commas(tokens, function.open, &last) == qp_glsl_commas(tokens, open, &last) &&
            has_out(tokens, function.open, number);
    return found;
}

/* The bracket of the call that hands out the argument from token `first` to `last`; -1: none. */
static int handed_out_by(const struct qp_tokens *tokens, int first, int last)
{
    const struct qp_token *of = tokens->of;
    int number = 0, open = first - 1;
    if (first < 2 || !(qp_token_is(&of[last + 1], ",") || qp_token_is(&of[last + 1], ")")) ||
        !(qp_token_is(&of[open], ",") || qp_token_is(&of[open], "(")))
        return -1;
    for (; open > 0 && (of[open].match < open || !qp_token_is(&of[open], "(")); open--) {
        number += qp_token_is(&of[open], ",");
        if (of[open].match >= 0 && of[open].match < open)
            open = of[open].match;
    }
    return is_called(tokens, open) && qp_glsl_hands_out(tokens, open, number) ? open : -1;
}

/* The sign that sets the value from token `first` to `last`, or the bracket of the call that hands
 * it out; members, elements and brackets around it are its own. -1: it is not set. */
static int setter_of(const struct qp_tokens *tokens, int first, int last)
{
    const struct qp_token *of = tokens->of;
    for (bool more = true; more;) {
        const bool member = qp_token_is(&of[last + 1], "."),
                   element = qp_token_is(&of[last + 1], "[") && of[last + 1].match > last;
        more = member || element ||
               (is_sign(tokens, first - 1, "(") && of[first - 1].match == last + 1 &&
                !is_called(tokens, first - 1));
        first -= more && !member && !element;
        last = element ? of[last + 1].match : last + more + member;
    }
    return qp_token_is_one_of(&of[last + 1], setting) ? last + 1
           : first > 0 && qp_token_is_one_of(&of[first - 1], counting)
               ? first - 1
               : handed_out_by(tokens, first, last);
}

int qp_glsl_setter(const struct qp_tokens *tokens, int i)
{
    while (i > 1 && is_sign(tokens, i - 1, ".")) /* the name of a member's */
        i = tokens->of[i - 2].match >= 0 ? tokens->of[i - 2].match : i - 2;
    return setter_of(tokens, i, tokens->of[i].match > i ? tokens->of[i].match : i);
}

/* ---- Expressions that are no variable ---- */

/* True for the name of a macro; *reads: an array is read by it. */
static bool is_macro(const struct qp_tokens *tokens, const struct qp_token *token, bool *reads)
{
    char name[QP_GLSL_LETTERS];
    bool found = false;
    for (int i = tokens->count + 1; i < tokens->all && !found; i++) {
        found = qp_token_is(&tokens->of[i], "define") && qp_token_same(&tokens->of[i + 1], token);
        int end = i, next = i;
        while (found && tokens->of[end].kind != QP_TOKEN_END)
            end++;
        *reads = found && qp_glsl_next_gather(tokens, &next, name) && next <= end;
    }
    return found;
}

/* True if token i begins or calls a value that is no variable, from *first to *last: a call, more
 * than a name in brackets, or a macro that reads an array. */
static bool is_value(const struct qp_tokens *tokens, int i, int *first, int *last, bool *reads)
{
    static const char *const asking[] = {"if", "while", "for", "switch", NULL}, *const part[] = {
                                                                                    "(", ")", ".",
                                                                                    NULL};
    const struct qp_token *of = tokens->of;
    const bool called = is_called(tokens, i);
    bool more = called;
    *first = i - called;
    *last = of[i].match;
    if (of[i].kind == QP_TOKEN_WORD && !qp_token_is(&of[i + 1], "(")) {
        *last = i;
        return is_macro(tokens, &of[i], reads) && *reads;
    }
    if (!qp_token_is(&of[i], "(") || *last < i || qp_token_is_one_of(&of[*first], asking))
        return false;
    for (int k = i + 1; k < *last && !more;
         k = of[k].match > k && *of[k].at == '[' ? of[k].match : k + 1)
        more = (of[k].kind != QP_TOKEN_WORD && *of[k].at != '[' && *of[k].at != ']' &&
                !qp_token_is_one_of(&of[k], part)) ||
               (qp_token_is(&of[k], "(") && is_called(tokens, k));
    return more && !(called && is_macro(tokens, &of[*first], reads) && !*reads);
}

/* True for %= and /= whose left side, which is written twice, sets something itself. */
static bool is_set_twice(const struct qp_tokens *tokens, int i)
{
    static const char *const twice[] = {"%=", "/=", NULL};
    const struct qp_token *of = tokens->of;
    bool found = false;
    if (i < 1 || !qp_token_is_one_of(&of[i], twice) ||
        (*of[i].at == '/' && of[i + 1].kind == QP_TOKEN_NUMBER))
        return false;
    for (int k = i - 1; k > 0 && !found && *of[k].at != ';' && *of[k].at != '}'; k--) {
        const int open = of[k].match >= 0 && of[k].match < k ? of[k].match : k;
        if (open < k && of[k + 1].kind == QP_TOKEN_WORD) /* of an if, and no part of it */
            return false;
        for (int n = open + 1; n < k && !found; n++) {
            const int setter = of[n].kind == QP_TOKEN_WORD ? qp_glsl_setter(tokens, n) : -1;
            found = setter > open && setter < k;
        }
        k = open;
    }
    return found;
}

enum qp_status qp_glsl_check_sets(const struct qp_tokens *tokens, const char *name)
{
    const struct qp_token *of = tokens->of;
    for (int i = 0; i < tokens->all; i++) {
        char gathered[QP_GLSL_LETTERS];
        bool reads = false;
        int first, last;
        if (is_set_twice(tokens, i))
            return qp_fail(QP_BAD_INPUT,
                           "%s:%d: the left side of '%.*s' sets a variable itself; "
                           "set that by a statement of its own",
                           name, of[i].line, of[i].length, of[i].at);
        if (!is_value(tokens, i, &first, &last, &reads) || setter_of(tokens, first, last) < 0)
            continue;
        int next = first;
        reads = reads || (qp_glsl_next_gather(tokens, &next, gathered) && next - 1 <= last);
        while (of[last].line > of[first].line)
            last--;
        return qp_fail(QP_BAD_INPUT, "%s:%d: '%.*s' %s", name, of[first].line,
                       (int)(qp_token_end(&of[last]) - of[first].at), of[first].at,
                       reads ? "is set, but a kernel writes its own cell alone: return the value, "
                               "and let each cell read its neighbours"
                             : "is set, but is no variable that keeps it; set a variable");
    }
    return QP_OK;
}
