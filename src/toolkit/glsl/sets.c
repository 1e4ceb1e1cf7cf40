/* SPDX-License-Identifier: MIT */
/* Variables that a text sets: by = and its like, by ++ and --, or as an argument that a function
 * hands out. Drivers let a text set other things, too, and drop what it set. */
#include "toolkit/glsl/facts.h"

#include "toolkit/base/status.h"

static bool is_sign(const struct qp_tokens *tokens, int i, const char *sign)
{
    return i >= 0 && qp_token_is(&tokens->of[i], sign);
}

/* ---- Arguments ---- */

/* True if a call, whose bracket is at `open`, hands out an argument, 0 the first. */
static bool hands_out(const struct qp_tokens *tokens, int open, int number)
{
    static const char *const second[] = {"modf", "frexp", NULL}, *const third[] = {
                                                                     "uaddCarry", "usubBorrow",
                                                                     "umulExtended", "imulExtended",
                                                                     NULL};
    const struct qp_token *name = &tokens->of[open - 1];
    bool found = (number >= 1 && qp_token_is_one_of(name, second)) ||
                 (number >= 2 && qp_token_is_one_of(name, third));
    for (const struct qp_glsl_function *f = tokens->function; !found && f->name > 0; f++) {
        const int begin =
            qp_glsl_calls(tokens, open, f) ? qp_glsl_argument(tokens, f->open, number) : 0;
        found = begin > 0 && qp_tokens_until(tokens, begin, "out", "inout") <
                                 qp_tokens_until(tokens, begin, ",", ",");
    }
    return found;
}

/* The bracket of the call that hands out the argument from token `first` to `last`; -1: none. */
static int handed_out_by(const struct qp_tokens *tokens, int first, int last)
{
    const struct qp_token *of = tokens->of;
    int number;
    if (first < 2 || !(qp_token_is(&of[last + 1], ",") || qp_token_is(&of[last + 1], ")")) ||
        !(qp_token_is(&of[first - 1], ",") || qp_token_is(&of[first - 1], "(")))
        return -1;
    const int open = qp_tokens_around(tokens, first, &number);
    return is_sign(tokens, open, "(") && qp_glsl_follows_word(tokens, open) &&
                   hands_out(tokens, open, number)
               ? open
               : -1;
}

/* The sign that sets the value from token `first` to `last`, or the bracket of the call that hands
 * it out; members, elements and brackets around it are its own. -1: it is not set. */
static int setter_of(const struct qp_tokens *tokens, int first, int last)
{
    const struct qp_token *of = tokens->of;
    for (bool more = true; more;) {
        const bool member = qp_token_is(&of[last + 1], ".") && of[last + 2].kind == QP_TOKEN_WORD,
                   element = qp_token_is(&of[last + 1], "[") && of[last + 1].match > last;
        more = member || element ||
               (is_sign(tokens, first - 1, "(") && of[first - 1].match == last + 1 &&
                !qp_glsl_follows_word(tokens, first - 1));
        first -= more && !member && !element;
        last = element ? of[last + 1].match : last + more + member;
    }
    return qp_token_is_one_of(&of[last + 1], qp_glsl_assigns) ||
                   qp_token_is_one_of(&of[last + 1], qp_glsl_counts)
               ? last + 1
           : first > 0 && qp_token_is_one_of(&of[first - 1], qp_glsl_counts)
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
    const int macro = qp_glsl_macro(tokens, token);
    char name[QP_GLSL_LETTERS];
    int next = macro, end = macro;
    while (macro >= 0 && tokens->of[end].kind != QP_TOKEN_END)
        end++;
    *reads = macro >= 0 && qp_glsl_next_gather(tokens, &next, name) && next <= end;
    return macro >= 0;
}

/* True if token i begins or calls a value that is no variable, from *first to *last: a call, more
 * than a name in brackets, or a macro that reads an array. */
static bool is_value(const struct qp_tokens *tokens, int i, int *first, int *last, bool *reads)
{
    static const char *const part[] = {"(", ")", ".", NULL};
    const struct qp_token *of = tokens->of;
    const bool called = qp_glsl_follows_word(tokens, i);
    bool more = called;
    *first = i - called;
    *last = of[i].match;
    if (of[i].kind == QP_TOKEN_WORD && !qp_token_is(&of[i + 1], "(")) {
        *last = i;
        return is_macro(tokens, &of[i], reads) && *reads;
    }
    if (!qp_token_is(&of[i], "(") || *last < i || qp_token_is_one_of(&of[*first], qp_glsl_asks))
        return false;
    for (int k = i + 1; k < *last && !more;
         k = of[k].match > k && *of[k].at == '[' ? of[k].match : k + 1)
        more = (of[k].kind != QP_TOKEN_WORD && *of[k].at != '[' && *of[k].at != ']' &&
                !qp_token_is_one_of(&of[k], part)) ||
               (qp_token_is(&of[k], "(") && qp_glsl_follows_word(tokens, k));
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
        if (open < k && of[k + 1].kind == QP_TOKEN_WORD) /* brackets of an if, and no part of it */
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
                           "%s: the left side of '%.*s' sets a variable itself; "
                           "set that by a statement of its own",
                           QP_PLACE(tokens, name, of[i].line), of[i].length, of[i].at);
        if (!is_value(tokens, i, &first, &last, &reads) || setter_of(tokens, first, last) < 0)
            continue;
        int next = first;
        reads = reads || (qp_glsl_next_gather(tokens, &next, gathered) && next - 1 <= last);
        while (of[last].line > of[first].line)
            last--;
        return qp_fail(QP_BAD_INPUT, "%s: '%.*s' %s", QP_PLACE(tokens, name, of[first].line),
                       (int)(qp_token_end(&of[last]) - of[first].at), of[first].at,
                       reads ? "is set, but a kernel writes its own cell alone: return the value, "
                               "and let each cell read its neighbours"
                             : "is set, but is no variable that keeps it; set a variable");
    }
    return QP_OK;
}
