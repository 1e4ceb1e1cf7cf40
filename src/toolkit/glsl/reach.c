/* SPDX-License-Identifier: MIT */
/* Reach of the gathers of a body, read off its text by interval arithmetic: offsets are sums and
 * products of numbers, variables that are set once, counters of loops, and parameters of functions,
 * which have what all calls hand over. A name has one range in all of the body, whatever the scope,
 * and what cannot be followed, such as a macro or a second declaration, leaves it unknown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/text.h"
#include "toolkit/kernel/kernel.h"

enum { MOST_LOOKS = 10000, MOST_DEPTH = 64, LETTERS = 80, MOST_EXACT = 1 << 24 };

struct range {
    double low, high;
};

struct reading {
    const struct qp_kernel *kernel;
    bool opaque; /* a counter may change, or a name mean something else, unseen */
    int depth, looks;
    bool parts; /* a number that was read is not whole */
};

static bool read_sum(struct reading *r, const struct qp_token **at, bool product,
                     struct range *out);

/* ---- Names ---- */

/* The rest of `for (int i = FROM; i <= TO; i++)` after FROM, which *out holds. The condition holds
 * in the loop. */
static bool read_loop(struct reading *r, const struct qp_token **at, const char *name, bool whole,
                      struct range *out)
{
    struct range to, by;
    if (!qp_token_take(at, ";") || !qp_token_take(at, name))
        return false;
    const bool up = qp_token_is(*at, "<") || qp_token_is(*at, "<=");
    const double apart = (*at)->length == 1 && whole ? 1.0 : 0.0;
    if (!up && !qp_token_is(*at, ">") && !qp_token_is(*at, ">="))
        return false;
    const char *one = up ? "++" : "--", *more = up ? "+=" : "-=";
    ++*at;
    if (!read_sum(r, at, false, &to) || !qp_token_take(at, ";"))
        return false;
    const bool first = qp_token_take(at, one);
    if (!qp_token_take(at, name) ||
        (!first && !qp_token_take(at, one) &&
         (!qp_token_take(at, more) || !read_sum(r, at, false, &by) || by.low < 0.0)))
        return false;
    *out = up ? (struct range){out->low, fmax(out->low, ceil(to.high) - apart)}
              : (struct range){fmin(out->high, floor(to.low) + apart), out->high};
    return qp_token_take(at, ")");
}

/* Counts how often operators or functions set a name, and how often it is declared: after a
 * word. */
static void count_uses(const struct qp_tokens *tokens, const char *name, int *sets, int *declared)
{
    for (int i = 0; (i = qp_tokens_find(tokens, i, name)) < tokens->count; i++) {
        *sets += qp_glsl_setter(tokens, i) >= 0;
        *declared += qp_glsl_follows_word(tokens, i);
    }
}

static void widen(struct range *range, const struct range *by)
{
    *range = (struct range){fmin(range->low, by->low), fmax(range->high, by->high)};
}

/* Adds what all calls of a function hand over as argument `number`. Another function of its name
 * leaves that unknown. */
static bool read_arguments(struct reading *r, const struct qp_glsl_function *function, int number,
                           struct range *out)
{
    const struct qp_tokens *tokens = r->kernel->tokens;
    bool known = true;
    int bodies = 0;
    for (int i = 0; known && i < tokens->count; i++) {
        const struct qp_token *token = &tokens->of[i];
        if (!qp_token_same(token, &tokens->of[function->name]))
            continue;
        if (qp_glsl_follows_word(tokens, i)) {
            bodies += token[1].match > 0 && qp_token_is(&tokens->of[token[1].match + 1], "{");
            continue;
        }
        const int argument = qp_glsl_argument(tokens, i + 1, number);
        const struct qp_token *at = &tokens->of[argument];
        struct range one;
        known = qp_token_is(token + 1, "(") && argument < token[1].match &&
                read_sum(r, &at, false, &one) && (qp_token_is(at, ",") || qp_token_is(at, ")"));
        if (known)
            widen(out, &one);
    }
    return known && bodies <= 1;
}

/* Adds what the parameters of this name have, which are floats or integers that no function
 * changes. */
static bool read_parameters(struct reading *r, const char *name, struct range *out, int *declared)
{
    static const char *const words[] = {"const", "in", "highp", "mediump", "lowp", NULL};
    const struct qp_tokens *tokens = r->kernel->tokens;
    bool known = true;
    for (const struct qp_glsl_function *f = tokens->function; known && f->name > 0; f++) {
        int number = 0;
        for (int k = f->open + 1; known && k < f->close; number++) {
            const struct qp_token *type = &tokens->of[k];
            while (qp_token_is_one_of(type, words))
                type++;
            k = qp_tokens_until(tokens, k, ",", ",") + 1;
            if (!qp_token_is(type + 1, name))
                continue;
            known = (qp_token_is(type, "float") || qp_token_is(type, "int")) &&
                    type + 2 == &tokens->of[k - 1] && read_arguments(r, f, number, out);
            --*declared;
        }
    }
    return known;
}

/* The range that all declarations of a word give it, if these are variables with a value, loops and
 * parameters, and nothing else sets it. */
static bool find_range(struct reading *r, const struct qp_token *word, struct range *out)
{
    const struct qp_kernel *kernel = r->kernel;
    char name[LETTERS];
    snprintf(name, sizeof name, "%.*s", word->length, word->at);
    bool known = !r->opaque && qp_kernel_is_name(name) && ++r->looks < MOST_LOOKS;
    int sets = 0, declared = 0;
    *out = (struct range){INFINITY, -INFINITY};
    for (int i = 0; i < kernel->numbers; i++)
        known = known && strcmp(kernel->desc.number[i].name, name) != 0;
    if (known)
        count_uses(kernel->tokens, name, &sets, &declared);
    for (int i = 0; i < kernel->tokens->count && known; i++) {
        const struct qp_token *at = &kernel->tokens->of[i];
        struct range one;
        const bool loop = i > 1 && qp_token_is(at - 1, "(") && qp_token_is(at - 2, "for"),
                   whole = qp_token_take(&at, "int");
        if ((!whole && !qp_token_take(&at, "float")) || !qp_token_take(&at, name) ||
            !qp_token_take(&at, "="))
            continue;
        known = read_sum(r, &at, false, &one) &&
                (loop ? read_loop(r, &at, name, whole, &one) : qp_token_is(at, ";"));
        if (known)
            widen(out, &one);
        sets -= 1 + loop;
        declared--;
    }
    known = known && sets == 0 && (declared == 0 || read_parameters(r, name, out, &declared));
    return known && declared == 0 && out->low <= out->high;
}

/* ---- Expressions ---- */

/* Numbers are decimal. */
static bool read_term(struct reading *r, const struct qp_token **at, struct range *out)
{
    static const char *const after[] = {"(", "[", ".", NULL};
    bool negative = false, known;
    for (; qp_token_is(*at, "-") || qp_token_is(*at, "+"); ++*at)
        negative ^= *(*at)->at == '-';
    const struct qp_token *token = *at;
    if (token->kind == QP_TOKEN_NUMBER) {
        char *end;
        const double value = strtod(token->at, &end);
        known = end == token->at + token->length &&
                (token->at[0] != '0' || !qp_is_letter(token->at[1]));
        *out = (struct range){value, value};
        r->parts = r->parts || value != rint(value);
        ++*at;
    } else if (qp_token_take(at, "float") || qp_token_is(token, "(")) {
        known = qp_token_take(at, "(") && read_sum(r, at, false, out) && qp_token_take(at, ")") &&
                (token->kind == QP_TOKEN_SIGN || !r->opaque);
    } else {
        known = token->kind == QP_TOKEN_WORD && !qp_token_is_one_of(++*at, after) &&
                find_range(r, token, out);
    }
    if (known && negative)
        *out = (struct range){-out->high, -out->low};
    return known;
}

/* A sum of products, or a product of terms. Integers wrap and floats round where numbers are
 * large. */
static bool read_sum(struct reading *r, const struct qp_token **at, bool product, struct range *out)
{
    static const char *const signs[] = {"+", "-", NULL, "*", NULL};
    bool known =
        ++r->depth < MOST_DEPTH && (product ? read_term(r, at, out) : read_sum(r, at, true, out));
    while (known && qp_token_is_one_of(*at, signs + 3 * product)) {
        const bool less = *(*at)->at == '-';
        struct range by = {0.0, 0.0};
        ++*at;
        known = product ? read_term(r, at, &by) : read_sum(r, at, true, &by);
        const double a = out->low * by.low, b = out->low * by.high, c = out->high * by.low,
                     d = out->high * by.high;
        if (product)
            *out = (struct range){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
        else
            *out = (struct range){out->low + (less ? -by.high : by.low),
                                  out->high + (less ? -by.low : by.high)};
        known = known && fmax(-out->low, out->high) <= MOST_EXACT;
    }
    r->depth--;
    return known;
}

static struct reading begin(const struct qp_kernel *kernel)
{
    static const char *const changing[] = {"modf", "frexp", "#", "\\", NULL};
    const struct qp_tokens *tokens = kernel->tokens;
    struct reading r = {.kernel = kernel, .opaque = tokens->all > tokens->count + 1};
    for (int i = 0; i < tokens->count; i++)
        r.opaque = r.opaque || qp_token_is_one_of(&tokens->of[i], changing);
    return r;
}

bool qp_reach_is_zero(const struct qp_kernel *kernel, const struct qp_token *at)
{
    struct reading r = begin(kernel);
    struct range range;
    return read_term(&r, &at, &range) && range.low == 0.0 && range.high == 0.0;
}

bool qp_reach_has_long_loops(const struct qp_kernel *kernel)
{
    static const double few = 4096.0; /* rounds of a text: a function may be called 16 times */
    const struct qp_tokens *tokens = kernel->tokens;
    struct reading r = begin(kernel);
    const bool unknown = qp_glsl_has(tokens, "while") || (r.opaque && qp_glsl_has(tokens, "for"));
    double rounds = unknown ? INFINITY : 1.0; /* rounds of all loops, as if they were nested */
    for (int i = 0; (i = qp_tokens_find(tokens, i, "for")) < tokens->count - 3; i++) {
        struct range range;
        rounds *=
            find_range(&r, &tokens->of[i + 3], &range) ? range.high - range.low + 1.0 : INFINITY;
    }
    return rounds > few;
}

void qp_kernel_note_loops(const struct qp_kernel *kernel, char *reason, size_t size)
{
    const size_t used = strlen(reason);
    if (!kernel->counts && kernel->may_be_ended)
        snprintf(reason + used, size - used,
                 "; this device ends all loops of a cell after 65535 rounds together");
}

/* ---- Gathers ---- */

/* Stores the first gather that is unknown, with its offset as the text has it in one line; NULL: it
 * has none. */
static void note(const struct qp_token *gather, const struct qp_token *offset, struct qp_reach *out)
{
    const struct qp_token *end = offset;
    int open = 0;
    if (out->cells < 0 && out->line <= gather->line)
        return;
    out->line = gather->line;
    out->cells = QP_REACH_UNKNOWN;
    out->offset[0] = '\0';
    for (; end != NULL && end->kind != QP_TOKEN_END && end->line == offset->line; end++) {
        open += qp_token_is(end, "(") - qp_token_is(end, ")");
        if (open < 0 || (open == 0 && qp_token_is(end, ",")))
            break;
    }
    if (end > offset)
        snprintf(out->offset, sizeof out->offset, " %.*s",
                 (int)(end[-1].at - offset->at) + end[-1].length, offset->at);
}

static enum qp_status read_gather(struct reading *r, const struct qp_kernel_input *input,
                                  const struct qp_token *gather, struct qp_reach *out)
{
    const struct qp_tokens *tokens = r->kernel->tokens;
    struct range x = {0.0, 0.0}, y = {0.0, 0.0};
    const struct qp_token *at = gather + 1, *offset = NULL;
    r->parts = false;
    bool known = qp_token_take(&at, "(") &&
                 gather < tokens->of + tokens->count; /* a macro may be anywhere */
    if (known) {
        offset = at;
        known = read_sum(r, &at, false, &x) && qp_token_take(&at, ",");
    }
    if (known) {
        offset = at;
        known = read_sum(r, &at, false, &y) && qp_token_is(at, ")");
    }
    out->parts = out->parts == 0 && r->parts ? gather->line : out->parts;
    const double far = fmax(fmax(-x.low, x.high), fmax(-y.low, y.high));
    if (!known)
        note(gather, offset, out);
    else if (x.low == x.high && y.low == y.high && input->reach > 0 && far > input->reach)
        return qp_fail(QP_BAD_USE, "%s: %s_at(%g, %g) is beyond the reach %d of input '%s'",
                       QP_PLACE(tokens, r->kernel->desc.name, gather->line), input->name, x.low,
                       y.low, input->reach, input->name);
    for (int k = -QP_REACH_ROWS; known && (x.low != 0.0 || x.high != 0.0) && k <= QP_REACH_ROWS;
         k++)
        out->across |= k >= y.low && k <= y.high ? 1u << (k + QP_REACH_ROWS) : 0u;
    if (known && out->cells >= 0)
        out->cells = (int)fmax(out->cells, ceil(fmin(far, MOST_EXACT)));
    return QP_OK;
}

static bool hides_words(const struct qp_token *token)
{
    return qp_token_is(token, "\\") || (qp_token_is(token, "#") && qp_token_is(token + 1, "#"));
}

enum qp_status qp_reach_find(struct qp_kernel *kernel)
{
    const struct qp_tokens *tokens = kernel->tokens;
    struct reading r = begin(kernel);
    enum qp_status status = QP_OK;
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++) {
        const struct qp_kernel_input *input = &kernel->desc.input[i];
        struct qp_reach *reach = &kernel->reach[i];
        for (int k = 0; k < tokens->all && status == QP_OK; k++) {
            if (hides_words(&tokens->of[k])) /* two words may be one that is not seen */
                note(&tokens->of[k], NULL, reach);
            else if (qp_glsl_is_named(&tokens->of[k], input->name, "_at"))
                status = read_gather(&r, input, &tokens->of[k], reach);
        }
        reach->held = input->reach > 0 && (reach->cells < 0 || reach->cells > input->reach);
        if (input->reach > 0)
            reach->cells = input->reach;
    }
    return status;
}

enum qp_status qp_reach_check(const struct qp_kernel *kernel, int i, const char *advice)
{
    const struct qp_reach *reach = &kernel->reach[i];
    return reach->cells >= 0 ? QP_OK
                             : qp_fail(QP_UNSUPPORTED, "%s: the offset%s of %s_at is computed; %s",
                                       QP_PLACE(kernel->tokens, kernel->desc.name, reach->line),
                                       reach->offset, kernel->desc.input[i].name, advice);
}
