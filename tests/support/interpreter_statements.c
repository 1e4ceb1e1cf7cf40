/* SPDX-License-Identifier: MIT */
/* The interpreter's statements. */
#include "support/interpreter_run.h"

static void skip_statement(struct run *r)
{
    if (is_sign(r, '{')) {
        r->at = word(r)->match + 1;
    } else if (is_name(r, THE_DO)) {
        r->at++;
        skip_statement(r);
        interpreter_skip(r, ";", "");
        r->at++;
    } else if (is_name(r, THE_IF) || is_name(r, THE_FOR) || is_name(r, THE_WHILE)) {
        const bool branch = is_name(r, THE_IF);
        r->at = r->text->word[r->at + 1].match + 1;
        skip_statement(r);
        if (branch && is_name(r, THE_ELSE)) {
            r->at++;
            skip_statement(r);
        }
    } else {
        interpreter_skip(r, ";", "");
        r->at++;
    }
}

/* float a = 1.0, b[2]; */
static bool declaration(struct run *r)
{
    enum base base;
    int n;
    const int from = r->at;
    while (text_is_quality(r->text, r->at))
        r->at++;
    if (!text_type(r->text, r->at, &base, &n) || r->text->word[r->at + 1].kind != WORD_NAME) {
        r->at = from;
        return false;
    }
    do {
        const int name = r->text->word[++r->at].id;
        int elements = 0;
        r->at++;
        if (take(r, '[')) {
            elements = (int)interpreter_expression(r).v[0];
            need(r, ']');
        }
        struct value value = {.base = base, .n = n};
        if (take(r, '=')) {
            const struct value given = interpreter_expression(r);
            const struct place place = interpreter_place(&value);
            interpreter_store(r, &place, &given);
        }
        const struct variable *variable = interpreter_declare(r, name, elements);
        for (int i = 0; i < (elements > 0 ? elements : 1); i++)
            variable->at[i] = value;
    } while (is_sign(r, ','));
    need(r, ';');
    return true;
}

static enum flow block(struct run *r)
{
    const int variables = r->variables, values = r->values, end = word(r)->match;
    enum flow flow = GOES_ON;
    r->at++;
    while (r->at < end && flow == GOES_ON)
        flow = interpreter_statement(r);
    r->at = end + 1;
    r->variables = variables;
    r->values = values;
    return flow;
}

static enum flow branch(struct run *r)
{
    enum flow flow = GOES_ON;
    r->at++;
    need(r, '(');
    const struct value condition = interpreter_expression(r);
    const bool is = interpreter_truth(r, &condition);
    need(r, ')');
    if (is)
        flow = interpreter_statement(r);
    else
        skip_statement(r);
    if (flow == GOES_ON && is_name(r, THE_ELSE)) {
        r->at++;
        if (is)
            skip_statement(r);
        else
            flow = interpreter_statement(r);
    }
    return flow;
}

/* The rounds of a loop: a condition, what is done, and what goes before the next round, each by its
 * first word; -1: none. */
static enum flow rounds(struct run *r, int condition, int body, int next, bool tests_first)
{
    enum flow flow = GOES_ON;
    for (int i = 0; flow == GOES_ON || flow == CONTINUES; i++) {
        if (i == MOST_ROUNDS)
            interpreter_stop(r, "a loop that does not end");
        if (condition >= 0 && (i > 0 || tests_first)) {
            r->at = condition;
            const struct value value = interpreter_expression(r);
            if (!interpreter_truth(r, &value))
                return GOES_ON;
        }
        r->at = body;
        flow = interpreter_statement(r);
        if (next >= 0 && (flow == GOES_ON || flow == CONTINUES)) {
            r->at = next;
            do
                interpreter_expression(r);
            while (take(r, ','));
        }
    }
    return flow == BREAKS ? GOES_ON : flow;
}

static enum flow loop(struct run *r)
{
    const int variables = r->variables, values = r->values;
    int condition, body, next = -1, end;
    const bool is_for = is_name(r, THE_FOR), is_do = is_name(r, THE_DO);
    r->at++;
    if (is_do) {
        body = r->at;
        skip_statement(r);
        condition = r->at + 2;
        interpreter_skip(r, ";", "");
        end = r->at + 1;
    } else {
        const int after = word(r)->match + 1;
        need(r, '(');
        if (is_for && !take(r, ';') && !declaration(r)) {
            interpreter_expression(r);
            need(r, ';');
        }
        condition = is_sign(r, ';') ? -1 : r->at;
        if (is_for) {
            interpreter_skip(r, ";", "");
            next =
                r->text->word[r->at + 1].kind == WORD_SIGN && r->at + 2 == after ? -1 : r->at + 1;
        }
        body = r->at = after;
        skip_statement(r);
        end = r->at;
    }
    const enum flow flow = rounds(r, condition, body, next, !is_do);
    r->at = end;
    r->variables = variables;
    r->values = values;
    return flow;
}

static enum flow leave(struct run *r)
{
    static const enum flow flows[] = {BREAKS, CONTINUES, RETURNS};
    const enum flow flow = flows[word(r)->id - THE_BREAK];
    r->at++;
    if (flow == RETURNS && !is_sign(r, ';'))
        r->returned = interpreter_expression(r);
    need(r, ';');
    return flow;
}

enum flow interpreter_statement(struct run *r)
{
    if (is_sign(r, '{'))
        return block(r);
    if (is_name(r, THE_IF))
        return branch(r);
    if (is_name(r, THE_FOR) || is_name(r, THE_WHILE) || is_name(r, THE_DO))
        return loop(r);
    if (is_name(r, THE_BREAK) || is_name(r, THE_CONTINUE) || is_name(r, THE_RETURN))
        return leave(r);
    if (take(r, ';') || declaration(r))
        return GOES_ON;
    do
        interpreter_expression(r);
    while (take(r, ','));
    need(r, ';');
    return GOES_ON;
}
