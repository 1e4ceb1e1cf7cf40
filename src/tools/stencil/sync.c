/* SPDX-License-Identifier: MIT */
/* Kernels of which asynchronous variants are generated (thesis, chapter VII): weighted sums of one
 * state's cells. A name is linear if it is ever given what holds a linear name; all else is
 * constant, however it is computed. */
#include <stdio.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "toolkit/kernel/kernel.h"
#include "tools/stencil/stencil.h"

enum { MOST_NAMES = 64 };

struct reading {
    const struct qp_tokens *tokens;
    struct qp_token linear[MOST_NAMES]; /* the state's NAME_at, variables and functions */
    int count;
    int at;                      /* the next token */
    const struct qp_token *bent; /* the first that makes the kernel no weighted sum */
};

static void need(struct reading *r, int i, bool good)
{
    r->bent = good || r->bent != NULL ? r->bent : &r->tokens->of[i];
}

/* True if these tokens have a linear name. */
static bool holds(const struct reading *r, int from, int to)
{
    bool found = false;
    for (int i = from; i < to; i++) {
        const bool member = i > 0 && qp_token_is(&r->tokens->of[i - 1], ".");
        for (int k = 0; k < r->count && !member; k++)
            found = found || qp_token_same(&r->linear[k], &r->tokens->of[i]);
    }
    return found;
}

/* ---- Expressions: true for linear ones ---- */

static bool read_sum(struct reading *r);

/* A number, a name with members, or a call with constant arguments; or brackets. */
static bool read_factor(struct reading *r)
{
    const struct qp_token *of = r->tokens->of;
    const int first = r->at;
    const bool sum = qp_token_is(&of[first], "("), linear = holds(r, first, first + 1);
    if (sum && holds(r, first, of[first].match)) {
        r->at++;
        read_sum(r);
        need(r, r->at, r->at == of[first].match);
        r->at = of[first].match + 1;
        return true;
    }
    need(r, first, sum || of[first].kind == QP_TOKEN_NUMBER || of[first].kind == QP_TOKEN_WORD);
    r->at += !sum && of[first].kind != QP_TOKEN_END;
    while (of[r->at].match > r->at || qp_token_is(&of[r->at], ".")) {
        const int end = of[r->at].match > r->at ? of[r->at].match : r->at + 1;
        need(r, r->at, !holds(r, r->at, end));
        r->at = end + 1;
    }
    return linear;
}

static bool read_sum(struct reading *r)
{
    const struct qp_token *of = r->tokens->of;
    bool linear = false;
    do {
        while (qp_token_is(&of[r->at], "+") || qp_token_is(&of[r->at], "-"))
            r->at++;
        bool product = read_factor(r);
        while (qp_token_is(&of[r->at], "*") || qp_token_is(&of[r->at], "/")) {
            const int sign = r->at++;
            const bool other = read_factor(r);
            need(r, sign, !other || (!product && qp_token_is(&of[sign], "*")));
            product = product || other;
        }
        linear = linear || product;
    } while (qp_token_is(&of[r->at], "+") || qp_token_is(&of[r->at], "-"));
    return linear;
}

/* ---- Statements ---- */

/* Token i gives a variable, or with `return` its function, what comes after it. */
static void take_value(struct reading *r, int i)
{
    static const char *const sums[] = {"=", "+=", "-=", "return", NULL};
    const struct qp_token *of = r->tokens->of;
    const bool returns = qp_token_is(&of[i], "return");
    const int end = qp_tokens_until(r->tokens, i + 1, ";", returns ? ";" : ",");
    if (!holds(r, i + 1, end))
        return;
    r->at = i + 1;
    read_sum(r);
    need(r, r->at, r->at == end);
    const struct qp_glsl_function *around = returns ? qp_glsl_around(r->tokens, i) : NULL;
    const int name = around != NULL ? around->name : i - 1;
    need(r, i,
         qp_token_is_one_of(&of[i], sums) && of[name].kind == QP_TOKEN_WORD &&
             !qp_token_is(&of[name - 1], ".") && r->count < MOST_NAMES);
    if (r->bent == NULL && !holds(r, name, name + 1))
        r->linear[r->count++] = of[name];
}

static const struct qp_token *find_bent(const struct qp_stencil *s)
{
    char name[QP_KERNEL_LETTERS + 4];
    snprintf(name, sizeof name, "%s_at", s->file->array[0].name);
    struct reading r = {.tokens = s->tokens, .count = 1};
    r.linear[0] = (struct qp_token){.at = name, .length = (int)strlen(name)};
    for (int before = 0; r.count > before && r.bent == NULL;) {
        before = r.count;
        for (int i = 0; i < s->tokens->count; i++) {
            const struct qp_token *token = &s->tokens->of[i];
            if (qp_token_is_one_of(token, qp_glsl_assigns) || qp_token_is(token, "return"))
                take_value(&r, i);
            else if (qp_token_is_one_of(token, qp_glsl_asks))
                need(&r, i, !holds(&r, i + 2, token[1].match));
            need(&r, i, !qp_token_is(token, "out") && !qp_token_is(token, "inout"));
        }
    }
    return r.bent;
}

/* The property that this kernel lacks, in words; NULL: it lacks none. */
static const char *find_refusal(const struct qp_stencil *s, enum qp_sync sync)
{
    const struct qp_kernel_file *file = s->file;
    const enum qp_outside outside = file->array[0].outside;
    for (int k = 0; k < file->head.numbers; k++) {
        if (qp_word_number("alpha block", file->desc.number[k].name,
                           (int)strlen(file->desc.number[k].name)) > 0)
            return "without a number of the name alpha or block";
    }
    if (file->states > 1)
        return "of one state";
    if (file->desc.output_type == QP_ARRAY_INT)
        return "of float or double";
    if (s->reach > 1)
        return "that look one cell away";
    if (outside == QP_OUTSIDE_CLAMP || outside == QP_OUTSIDE_WRAP)
        return "whose state is zero or a number outside";
    if (sync == QP_SYNC_RED_BLACK && (s->across[0] & ~(1u << QP_STENCIL_REACH)) != 0)
        return "that read no diagonal neighbour";
    return NULL;
}

enum qp_status qp_stencil_check_sync(const struct qp_stencil *s)
{
    const struct qp_kernel_sync *sync = qp_kernel_file_sync(s->file);
    if (sync->number == QP_SYNC_JACOBI)
        return QP_OK;
    const char *takes = find_refusal(s, sync->number);
    if (takes != NULL)
        return qp_fail(QP_BAD_INPUT, "%s:%d: sync takes kernels %s", s->file->path, sync->line,
                       takes);
    const struct qp_token *bent = find_bent(s);
    return bent == NULL
               ? QP_OK
               : qp_fail(QP_BAD_INPUT,
                         "%s: sync takes kernels that are weighted sums of the state's "
                         "cells, and '%.*s' is in none",
                         QP_PLACE(s->tokens, s->file->path, bent->line), bent->length, bent->at);
}
