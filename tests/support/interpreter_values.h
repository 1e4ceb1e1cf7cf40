/* SPDX-License-Identifier: MIT */
/* Values of the interpreter, and what operators and built-in functions make of them. */
#ifndef QP_TESTS_INTERPRETER_VALUES_H
#define QP_TESTS_INTERPRETER_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* In the order in which one becomes another by itself. */
enum base { IS_BOOL, IS_INT, IS_UINT, IS_FLOAT, IS_DOUBLE };

/* A value of n components, 0: no value; and how far each may be off. */
struct value {
    enum base base;
    int n;
    double v[4], e[4];
};

/* Two characters of a sign as one number. */
#define SIGN(a, b) ((a) | (b) << 8)

struct value value_of(enum base base, double v);

static inline bool value_is_whole(enum base base)
{
    return base == IS_INT || base == IS_UINT;
}

/* Rounded to the type, denormal numbers to zero; how far two roundings of one number are apart at
 * most; and an integer that wraps at 32 bits. */
double value_rounded(enum base base, double v);
double value_unit(enum base base, double v);
double value_wrapped(enum base base, int64_t v);

/* The value as another type; a number that may be off, or that no integer of the type is, becomes
 * an integer in doubt. */
struct value value_as(enum base base, const struct value *a);

/* n = 0: there is no such operation. In doubt is what is no number, and an integer divided by
 * zero. */
struct value value_unary(int sign, const struct value *a);
struct value value_binary(int sign, const struct value *a, const struct value *b);

/* A value of one component, as n of them. */
struct value value_widened(const struct value *a, enum base base, int n);

/* Which components compare so, or, with `all`, whether all do (for !=, one of them). In doubt where
 * two components are as near as they may be off. */
struct value value_compare(int sign, const struct value *a, const struct value *b, bool all);

struct built_in;

/* The built-in function of a name; NULL: there is none. */
const struct built_in *built_in_find(const char *name);

/* n = 0: it does not take these. */
struct value built_in_call(const struct built_in *of, const struct value *arguments, int count);

#endif
