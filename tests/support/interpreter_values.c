/* SPDX-License-Identifier: MIT */
#include "support/interpreter_values.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct value none = {.n = 0};

struct value value_of(enum base base, double v)
{
    return (struct value){.base = base, .n = 1, .v = {v}};
}

/* ---- Rounding ---- */

/* Denormal numbers are zero. */
static double to_float(double v)
{
    const float f = (float)v;
    return fabsf(f) < FLT_MIN ? copysign(0.0, v) : (double)f;
}

static double to_double(double v)
{
    return fabs(v) < DBL_MIN ? copysign(0.0, v) : v;
}

double value_wrapped(enum base base, int64_t v)
{
    const uint32_t bits = (uint32_t)(uint64_t)v;
    return base == IS_UINT ? (double)bits : (double)(int32_t)bits;
}

double value_rounded(enum base base, double v)
{
    return base == IS_FLOAT ? to_float(v) : base == IS_DOUBLE ? to_double(v) : v;
}

double value_unit(enum base base, double v)
{
    return base == IS_FLOAT ? fabs(v) * 0x1p-23 + 0x1p-126 : fabs(v) * 0x1p-52 + 0x1p-1000;
}

static bool is_held(enum base base, double v)
{
    return base == IS_UINT ? v > -1.0 && v < 0x1p32 : v > -0x1p31 - 1.0 && v < 0x1p31;
}

struct value value_as(enum base base, const struct value *a)
{
    struct value out = *a;
    out.base = base;
    for (int i = 0; i < a->n && base != a->base; i++) {
        const double v = a->v[i], e = a->e[i];
        if (base == IS_BOOL) {
            out.v[i] = v != 0.0;
            out.e[i] = !(e == 0.0) && !(fabs(v) > e) ? INFINITY : 0.0;
        } else if (value_is_whole(base) && a->base <= IS_UINT) {
            out.v[i] = value_wrapped(base, (int64_t)v);
        } else if (value_is_whole(base)) {
            out.v[i] = is_held(base, v) ? trunc(v) : 0.0;
            out.e[i] =
                (!(e == 0.0) && trunc(v - e) != trunc(v + e)) || !is_held(base, v) ? INFINITY : 0.0;
        } else {
            out.v[i] = value_rounded(base, v);
            out.e[i] = !(e == 0.0) ? e + value_unit(base, v) : 0.0;
        }
    }
    return out;
}

/* ---- Operators ---- */

struct value value_unary(int sign, const struct value *a)
{
    struct value out = *a;
    for (int i = 0; i < a->n; i++) {
        if (sign == '-' && a->base != IS_BOOL)
            out.v[i] =
                value_is_whole(a->base) ? value_wrapped(a->base, -(int64_t)a->v[i]) : -a->v[i];
        else if (sign == '!' && a->base == IS_BOOL)
            out.v[i] = a->v[i] == 0.0;
        else if (sign == '~' && value_is_whole(a->base))
            out.v[i] = value_wrapped(a->base, ~(int64_t)a->v[i]);
        else if (sign != '+' || a->base == IS_BOOL)
            return none;
    }
    return out;
}

static bool compute_whole(int sign, enum base base, double a, double b, double *out)
{
    const int64_t x = (int64_t)a, y = (int64_t)b;
    int64_t v;
    switch (sign) {
    case '+':
        v = x + y;
        break;
    case '-':
        v = x - y;
        break;
    case '*':
        v = (int64_t)((uint64_t)x * (uint64_t)y);
        break;
    case '/':
        v = y != 0 ? x / y : 0;
        break;
    case '%':
        v = y != 0 ? x % y : x;
        break;
    case '&':
        v = x & y;
        break;
    case '|':
        v = x | y;
        break;
    case '^':
        v = x ^ y;
        break;
    case SIGN('<', '<'):
        v = (int64_t)((uint64_t)x << (y & 31));
        break;
    case SIGN('>', '>'):
        v = x >> (y & 31);
        break;
    default:
        return false;
    }
    *out = value_wrapped(base, v);
    return true;
}

/* How far a result is off if its operands are. */
static double spread(int sign, double a, double ea, double b, double eb)
{
    if (sign == '+' || sign == '-')
        return ea + eb;
    if (sign == '*')
        return fabs(a) * eb + fabs(b) * ea + ea * eb;
    return fabs(b) > eb ? (ea + fabs(a / b) * eb) / (fabs(b) - eb) : (double)INFINITY;
}

static bool compute(int sign, enum base base, double a, double b, double *out)
{
    if (value_is_whole(base))
        return compute_whole(sign, base, a, b, out);
    switch (sign) {
    case '+':
        *out = value_rounded(base, a + b);
        return true;
    case '-':
        *out = value_rounded(base, a - b);
        return true;
    case '*':
        *out = value_rounded(base, a * b);
        return true;
    case '/':
        *out = value_rounded(base, a / b);
        return true;
    default:
        return false;
    }
}

static bool holds(int sign, double a, double b)
{
    switch (sign) {
    case '<':
        return a < b;
    case '>':
        return a > b;
    case SIGN('<', '='):
        return a <= b;
    case SIGN('>', '='):
        return a >= b;
    case SIGN('=', '='):
        return a == b;
    default:
        return a != b;
    }
}

struct value value_compare(int sign, const struct value *a, const struct value *b, bool all)
{
    struct value out = {.base = IS_BOOL, .n = a->n};
    const bool differ = sign == SIGN('!', '=');
    for (int i = 0; i < a->n; i++) {
        const double e = a->e[i] + b->e[i];
        out.v[i] = holds(sign, a->v[i], b->v[i]);
        out.e[i] = !(e == 0.0) && !(fabs(a->v[i] - b->v[i]) > e) ? INFINITY : 0.0;
    }
    for (int i = 1; i < a->n && all; i++) {
        out.v[0] = differ ? fmax(out.v[0], out.v[i]) : fmin(out.v[0], out.v[i]);
        out.e[0] += out.e[i];
    }
    out.n = all ? 1 : a->n;
    return out;
}

struct value value_widened(const struct value *a, enum base base, int n)
{
    struct value out = value_as(base, a);
    for (int i = 1; i < n && a->n == 1; i++) {
        out.v[i] = out.v[0];
        out.e[i] = out.e[0];
    }
    out.n = n;
    return out;
}

struct value value_binary(int sign, const struct value *a, const struct value *b)
{
    const enum base base = a->base > b->base ? a->base : b->base;
    const int n = a->n > b->n ? a->n : b->n;
    if (a->n == 0 || b->n == 0 || (a->n != n && a->n != 1) || (b->n != n && b->n != 1))
        return none;
    const struct value x = value_widened(a, base, n), y = value_widened(b, base, n);
    if (sign == SIGN('=', '=') || sign == SIGN('!', '='))
        return value_compare(sign, &x, &y, true);
    if (base == IS_BOOL && sign == SIGN('^', '^'))
        return value_compare(SIGN('!', '='), &x, &y, true);
    if (base == IS_BOOL || a->base == IS_BOOL || b->base == IS_BOOL)
        return none;
    if (strchr("<>", sign & 255) != NULL && (sign >> 8 == 0 || sign >> 8 == '='))
        return n == 1 ? value_compare(sign, &x, &y, true) : none;
    struct value out = {.base = base, .n = n};
    for (int i = 0; i < n; i++) {
        const double e = x.e[i] + y.e[i];
        if (!compute(sign, base, x.v[i], y.v[i], &out.v[i]))
            return none;
        /* Drivers do not keep the sign of a zero. */
        if (isnan(out.v[i]) || (sign == '/' && !value_is_whole(base) && y.v[i] == 0.0))
            out.e[i] = (double)INFINITY;
        else if (!(e == 0.0))
            out.e[i] = value_is_whole(base) ? (double)INFINITY
                                            : spread(sign, x.v[i], x.e[i], y.v[i], y.e[i]) +
                                                  value_unit(base, out.v[i]);
    }
    return out;
}
