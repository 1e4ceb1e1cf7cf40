/* SPDX-License-Identifier: MIT */
/* The interpreter while it goes over a text: where it is, and its variables. */
#ifndef QP_TESTS_INTERPRETER_RUN_H
#define QP_TESTS_INTERPRETER_RUN_H

#include "support/interpreter.h"
#include "support/interpreter_text.h"

enum { MOST_VARIABLES = 256, MOST_VALUES = 1024, MOST_ROUNDS = 1 << 18, MOST_CALLS = 64 };

struct variable {
    int name, elements; /* 0: it is no array */
    struct value *at;
};

/* A variable, an element or some components, which can be assigned. */
struct place {
    struct value *of;
    int n, part[4], end; /* the word after it */
};

enum flow { GOES_ON, BREAKS, CONTINUES, RETURNS };

struct run {
    struct text *text;
    const struct interpreter_grid *grid;
    int at, x, y;
    struct variable variable[MOST_VARIABLES];
    struct value value[MOST_VALUES];
    int variables, values, globals, first; /* `first` is the function's own first variable */
    int array[MOST_NAMES];                 /* array of a name NAME_at, or -1 */
    const struct built_in *built_in[MOST_NAMES];
    struct place place;
    struct value returned;
    bool doubt; /* a condition of this cell may be otherwise */
    int calls;
};

/* The type of an array's cells. */
enum base interpreter_base(enum qp_array_type type);

/* Ends everything with a sentence about the word that it is at. */
_Noreturn void interpreter_stop(struct run *r, const char *why);

/* ---- Words ---- */

static inline const struct word *word(const struct run *r)
{
    return &r->text->word[r->at];
}

static inline bool is_sign(const struct run *r, int sign)
{
    return word(r)->kind == WORD_SIGN && word(r)->id == sign;
}

static inline bool is_name(const struct run *r, int name)
{
    return word(r)->kind == WORD_NAME && word(r)->id == name;
}

static inline bool take(struct run *r, int sign)
{
    const bool found = is_sign(r, sign);
    r->at += found;
    return found;
}

static inline void need(struct run *r, int sign)
{
    if (!take(r, sign))
        interpreter_stop(r, "a sign is missing, or the interpreter does not know this");
}

/* ---- Variables, and reads of them (interpreter_calls.c) ---- */

/* A new variable, without a value. */
struct variable *interpreter_declare(struct run *r, int name, int elements);

void interpreter_store(struct run *r, const struct place *place, const struct value *value);
struct value interpreter_load(const struct place *place);

/* All components of a value. */
struct place interpreter_place(struct value *of);

/* .xy and the like, of a place. */
void interpreter_members(struct run *r, struct place *place);

/* A variable with its index and its members, and the call of a function, a constructor or an
 * array. */
struct value interpreter_variable(struct run *r);
struct value interpreter_call(struct run *r);

/* ---- Expressions and statements ---- */

struct value interpreter_expression(struct run *r);

/* Truth of a condition, whose doubt is the cell's. */
bool interpreter_truth(struct run *r, const struct value *value);

/* Goes on to the first of these signs, or of these twice, such as &&, outside of brackets; a
 * bracket that closes ends it too. */
void interpreter_skip(struct run *r, const char *ends, const char *twos);

enum flow interpreter_statement(struct run *r);

#endif
