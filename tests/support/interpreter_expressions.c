/* SPDX-License-Identifier: MIT */
/* The interpreter's expressions. */
#include <string.h>

#include "support/interpreter_run.h"

_Noreturn void interpreter_stop(struct run *r, const char *why)
{
    text_fail(r->text, r->at, why);
}

static struct value checked(struct run *r, struct value value)
{
    if (value.n == 0)
        interpreter_stop(r, "an operation that its operands do not have");
    return value;
}

bool interpreter_truth(struct run *r, const struct value *value)
{
    if (value->n != 1 || value->base != IS_BOOL)
        interpreter_stop(r, "a condition that is no bool");
    r->doubt = r->doubt || value->e[0] > 0.0;
    return value->v[0] != 0.0;
}

/* ---- Text that is not computed ---- */

void interpreter_skip(struct run *r, const char *ends, const char *twos)
{
    int choices = 0;
    for (; word(r)->kind != WORD_END; r->at++) {
        const int id = word(r)->id;
        if (word(r)->kind != WORD_SIGN)
            continue;
        if (strchr(")]}", id & 255) != NULL ||
            (id < 256 && choices == 0 && strchr(ends, id) != NULL) ||
            (id > 255 && id >> 8 == (id & 255) && strchr(twos, id & 255) != NULL))
            return;
        if (id == '(' || id == '[')
            r->at = word(r)->match;
        choices += (id == '?') - (id == ':');
    }
}

/* ---- Expressions ---- */

static struct value choice(struct run *r);

static struct value primary(struct run *r)
{
    const struct word *at = word(r);
    struct value value;
    enum base base;
    int n;
    r->place.of = NULL;
    if (at->kind == WORD_NUMBER) {
        r->at++;
        value = at->number;
    } else if (at->kind == WORD_NAME && (at->id == THE_TRUE || at->id == THE_FALSE)) {
        r->at++;
        value = value_of(IS_BOOL, at->id == THE_TRUE);
    } else if (take(r, '(')) {
        value = interpreter_expression(r);
        need(r, ')');
        if (r->place.of != NULL && r->place.end == r->at - 1) { /* a variable in brackets is one */
            interpreter_members(r, &r->place);
            r->place.end = r->at;
            return interpreter_load(&r->place);
        }
        r->place.of = NULL;
    } else if (at->kind == WORD_NAME && (text_type(r->text, r->at, &base, &n) ||
                                         (at[1].kind == WORD_SIGN && at[1].id == '('))) {
        value = interpreter_call(r);
    } else if (at->kind == WORD_NAME) {
        return interpreter_variable(r);
    } else {
        interpreter_stop(r, "an expression that the interpreter does not know");
    }
    if (is_sign(r, '.')) {
        struct place place = interpreter_place(&value);
        interpreter_members(r, &place);
        return interpreter_load(&place);
    }
    return value;
}

/* Counts one more or less, of the variable that was read last; returns what it was before. */
static struct value count_on(struct run *r, int sign)
{
    const struct place place = r->place;
    const struct value one = value_of(IS_INT, 1.0);
    if (place.of == NULL)
        interpreter_stop(r, "a count of what is no variable");
    const struct value before = interpreter_load(&place),
                       after = checked(r, value_binary(sign, &before, &one));
    interpreter_store(r, &place, &after);
    r->place.of = NULL;
    return before;
}

static struct value unary(struct run *r)
{
    const int id = word(r)->id;
    if (is_sign(r, SIGN('+', '+')) || is_sign(r, SIGN('-', '-'))) {
        r->at++;
        unary(r);
        const struct place place = r->place;
        count_on(r, id & 255);
        return interpreter_load(&place);
    }
    if (is_sign(r, '-') || is_sign(r, '+') || is_sign(r, '!') || is_sign(r, '~')) {
        r->at++;
        const struct value value = unary(r);
        r->place.of = NULL;
        return checked(r, value_unary(id, &value));
    }
    struct value value = primary(r);
    if (is_sign(r, SIGN('+', '+')) || is_sign(r, SIGN('-', '-'))) {
        r->at++;
        value = count_on(r, r->text->word[r->at - 1].id & 255);
    }
    return value;
}

/* Operators that bind at least so strongly. What decides && and || alone leaves their other side
 * out. */
static struct value binary(struct run *r, int least)
{
    struct value left = unary(r);
    for (int strong; (strong = word(r)->strength) >= least && strong > 0;) {
        const int sign = word(r)->id;
        r->at++;
        if (sign == SIGN('&', '&') || sign == SIGN('|', '|')) {
            const bool is = interpreter_truth(r, &left), either = sign == SIGN('|', '|');
            if (is == either)
                interpreter_skip(r, "?:,;", either ? "|" : "&|^");
            else
                left = binary(r, strong + 1);
            if (left.base != IS_BOOL || left.n != 1)
                interpreter_stop(r, "a condition that is no bool");
        } else {
            const struct value right = binary(r, strong + 1);
            left = checked(r, value_binary(sign, &left, &right));
        }
        r->place.of = NULL;
    }
    return left;
}

static struct value choice(struct run *r)
{
    struct value value = binary(r, 1);
    if (!take(r, '?'))
        return value;
    if (interpreter_truth(r, &value)) {
        value = interpreter_expression(r);
        need(r, ':');
        interpreter_skip(r, ",;:", "");
    } else {
        interpreter_skip(r, ":", "");
        need(r, ':');
        value = choice(r);
    }
    r->place.of = NULL;
    return value;
}

/* The operator of an assignment: '=' itself, '+' of +=, or 0. */
static int assignment(const struct run *r)
{
    const int id = word(r)->id;
    if (word(r)->kind != WORD_SIGN)
        return 0;
    return id == '=' ? '=' : id >> 8 == '=' && strchr("+-*/%&|^", id & 255) != NULL ? id & 255 : 0;
}

struct value interpreter_expression(struct run *r)
{
    struct value value = choice(r);
    const int sign = assignment(r);
    const struct place place = r->place;
    if (sign == 0)
        return value;
    if (place.of == NULL || place.end != r->at)
        interpreter_stop(r, "an assignment to what is no variable");
    r->at++;
    struct value right = interpreter_expression(r);
    if (sign != '=')
        right = checked(r, value_binary(sign, &value, &right));
    interpreter_store(r, &place, &right);
    r->place.of = NULL;
    return interpreter_load(&place);
}
