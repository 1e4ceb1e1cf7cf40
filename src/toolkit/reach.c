/* SPDX-License-Identifier: MIT */
/* How far the gathers of a body look, read off its text by interval arithmetic: offsets are sums and products of numbers,
 * constants and counters of loops. A name has one range in all of the body, whatever the scope, and what cannot be followed,
 * such as a macro or a second declaration, leaves it unknown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "toolkit/kernel.h"

enum { MOST_LOOKS = 10000, MOST_DEPTH = 64, LETTERS = 80, MOST_EXACT = 1 << 24 };

#define BLANKS " \t\r\n"

struct range {
    double low, high;
};

struct reading {
    const struct qp_kernel *kernel;
    const char *text;
    bool opaque; /* a counter may change, or a name mean something else, unseen */
    int depth, looks;
};

static bool read_sum(struct reading *r, const char **at, bool product, struct range *out);

/* *at is never a blank. */
static bool take(const char **at, const char *token)
{
    const size_t length = strlen(token);
    if (strncmp(*at, token, length) != 0 || (qp_is_letter(token[0]) && qp_is_letter((*at)[length])))
        return false;
    *at += length;
    *at += strspn(*at, BLANKS);
    return true;
}

/* ---- Names ---- */

/* The rest of `for (int i = FROM; i <= TO; i++)` after FROM, which *out holds. The condition holds in the loop. */
static bool read_loop(struct reading *r, const char **at, const char *name, bool whole,
                      struct range *out)
{
    struct range to, by;
    const bool up = take(at, ";") && take(at, name) && take(at, "<");
    if (!up && !take(at, ">"))
        return false;
    const double apart = !take(at, "=") && whole ? 1.0 : 0.0;
    const char *one = up ? "++" : "--", *more = up ? "+=" : "-=";
    if (!read_sum(r, at, false, &to) || !take(at, ";"))
        return false;
    const bool first = take(at, one);
    if (!take(at, name) || (!first && !take(at, one) &&
                            (!take(at, more) || !read_sum(r, at, false, &by) || by.low < 0.0)))
        return false;
    *out = up ? (struct range){out->low, fmax(out->low, ceil(to.high) - apart)}
              : (struct range){fmin(out->high, floor(to.low) + apart), out->high};
    return take(at, ")");
}

/* How often operators set a name, and how often it is declared: after a word. */
static void count_uses(const char *text, const char *name, int *sets, int *declared)
{
    for (const char *at = text; (at = qp_find_word(text, at, name)) != NULL; at += strlen(name)) {
        const char *end = at, *after = at + strlen(name);
        after += strspn(after, BLANKS);
        while (end > text && strchr(BLANKS, end[-1]) != NULL)
            end--;
        const size_t signs = strspn(after, "+-*/%&|^<>");
        const bool compares = signs == 1 && strchr("<>", after[0]) != NULL;
        *sets += (after[signs] == '=' && after[signs + 1] != '=' && !compares) ||
                 strncmp(after, "++", 2) == 0 || strncmp(after, "--", 2) == 0 ||
                 (end - text >= 2 && strchr("+-", end[-1]) != NULL && end[-2] == end[-1]);
        *declared += end > text && qp_is_letter(end[-1]);
    }
}

/* The range that all declarations of a name give it, if these are constants and loops, and nothing else sets it. */
static bool find_range(struct reading *r, const char *name, struct range *out)
{
    static const char *const words[] = {"const", "for"};
    const struct qp_kernel *kernel = r->kernel;
    bool known = !r->opaque && qp_kernel_is_name(name) && ++r->looks < MOST_LOOKS;
    int sets = 0, declared = 0;
    *out = (struct range){INFINITY, -INFINITY};
    for (int i = 0; i < kernel->numbers; i++)
        known = known && strcmp(kernel->desc.number[i].name, name) != 0;
    if (known)
        count_uses(r->text, name, &sets, &declared);
    for (int k = 0; k < 2; k++) {
        for (const char *at = r->text; known && (at = qp_find_word(r->text, at, words[k]));) {
            struct range one;
            if (!take(&at, words[k]) || (k == 1 && !take(&at, "(")))
                continue;
            const bool whole = take(&at, "int");
            if ((!whole && !take(&at, "float")) || !take(&at, name))
                continue;
            known = take(&at, "=") && read_sum(r, &at, false, &one) &&
                    (k == 0 ? *at == ';' : read_loop(r, &at, name, whole, &one));
            if (known)
                *out = (struct range){fmin(out->low, one.low), fmax(out->high, one.high)};
            sets -= 1 + k;
            declared--;
        }
    }
    return known && out->low <= out->high && sets == 0 && declared == 0;
}

/* ---- Expressions ---- */

/* Numbers are decimal. */
static bool read_term(struct reading *r, const char **at, struct range *out)
{
    char name[LETTERS], *end = NULL;
    int length = 0;
    bool negative = false, known = true;
    for (; **at == '-' || **at == '+'; *at += 1 + strspn(*at + 1, BLANKS))
        negative ^= **at == '-';
    while (qp_is_letter((*at)[length]))
        length++;
    snprintf(name, sizeof name, "%.*s", length, *at);
    if (isdigit((unsigned char)**at) || **at == '.') {
        const double value = strtod(*at, &end);
        known = end > *at && !qp_is_letter(*end) && (**at != '0' || !qp_is_letter((*at)[1]));
        *out = (struct range){value, value};
        *at = end + strspn(end, BLANKS);
    } else {
        *at += length + (int)strspn(*at + length, BLANKS);
        if (length == 0 || strcmp(name, "float") == 0)
            known = take(at, "(") && read_sum(r, at, false, out) && take(at, ")") &&
                    (length == 0 || !r->opaque);
        else
            known = strchr("([.", **at) == NULL && find_range(r, name, out);
    }
    if (known && negative)
        *out = (struct range){-out->high, -out->low};
    return known;
}

/* A sum of products, or a product of terms. Integers wrap and floats round where numbers are large. */
static bool read_sum(struct reading *r, const char **at, bool product, struct range *out)
{
    bool known =
        ++r->depth < MOST_DEPTH && (product ? read_term(r, at, out) : read_sum(r, at, true, out));
    while (known && **at != '\0' && strchr(product ? "*" : "+-", **at) != NULL) {
        const bool less = **at == '-';
        struct range by = {0.0, 0.0};
        *at += 1 + strspn(*at + 1, BLANKS);
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

/* ---- Gathers ---- */

/* Notes the first gather that is unknown, with its offset as the text has it. */
static void note(const struct reading *r, const char *gather, const char *offset,
                 struct qp_reach *out)
{
    int open = 0, length = 0;
    for (; strchr(open > 0 ? "\n" : ",)\n", offset[length]) == NULL; length++)
        open += (offset[length] == '(') - (offset[length] == ')');
    if (out->cells < 0)
        return;
    snprintf(out->offset, sizeof out->offset, "%s%.*s", length > 0 ? " " : "", length, offset);
    out->line = qp_line_of(r->text, gather);
    out->cells = QP_REACH_UNKNOWN;
}

/* `at` is after the name. A line of the preprocessor may be put anywhere. */
static enum qp_status read_gather(struct reading *r, const struct qp_kernel_input *input,
                                  const char *gather, const char *at, struct qp_reach *out)
{
    struct range x = {0.0, 0.0}, y = {0.0, 0.0};
    const char *line = gather;
    while (line > r->text && line[-1] != '\n')
        line--;
    at += strspn(at, BLANKS);
    const bool called = take(&at, "(") && line[strspn(line, BLANKS)] != '#';
    const char *offset = at;
    bool known = called && read_sum(r, &at, false, &x) && take(&at, ",");
    if (known) {
        offset = at;
        known = read_sum(r, &at, false, &y) && *at == ')';
    }
    const double far = fmax(fmax(-x.low, x.high), fmax(-y.low, y.high));
    if (!known)
        note(r, gather, called ? offset : "", out);
    else if (x.low == x.high && y.low == y.high && input->reach > 0 && far > input->reach)
        return qp_fail(QP_BAD_USE, "%s:%d: %s_at(%g, %g) is beyond the reach %d of input '%s'",
                       r->kernel->desc.name, qp_line_of(r->text, gather), input->name, x.low, y.low,
                       input->reach, input->name);
    else if (out->cells >= 0)
        out->cells = (int)fmax(out->cells, ceil(fmin(far, MOST_EXACT)));
    return QP_OK;
}

enum qp_status qp_reach_find(struct qp_kernel *kernel)
{
    static const char *const changing[] = {"out", "inout", "modf", "frexp"};
    const char *text = kernel->stripped, *pasted = strstr(text, "##");
    struct reading r = {.kernel = kernel, .text = text, .opaque = strpbrk(text, "#\\") != NULL};
    enum qp_status status = QP_OK;
    if (pasted == NULL)
        pasted = strchr(text, '\\');
    for (int i = 0; i < 4; i++)
        r.opaque = r.opaque || qp_find_word(text, text, changing[i]) != NULL;
    for (int i = 0; i < kernel->inputs && status == QP_OK; i++) {
        const struct qp_kernel_input *input = &kernel->desc.input[i];
        struct qp_reach *reach = &kernel->reach[i];
        char call[LETTERS];
        const int length = snprintf(call, sizeof call, "%s_at", input->name);
        if (pasted != NULL) /* two words may be one that is not seen */
            note(&r, pasted, "", reach);
        for (const char *at = text; (at = qp_find_word(text, at, call)) != NULL; at += length) {
            if (status == QP_OK)
                status = read_gather(&r, input, at, at + length, reach);
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
    return reach->cells >= 0
               ? QP_OK
               : qp_fail(QP_UNSUPPORTED, "%s:%d: the offset%s of %s_at is computed; %s",
                         kernel->desc.name, reach->line, reach->offset, kernel->desc.input[i].name,
                         advice);
}
