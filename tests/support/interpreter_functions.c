/* SPDX-License-Identifier: MIT */
/* The built-in functions of GLSL, for the interpreter. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/interpreter_values.h"

static const struct value none = {.n = 0};

/* Rounds each step of a function. */
typedef double rounder(double v);

static double to_float(double v)
{
    return value_rounded(IS_FLOAT, v);
}

static double to_double(double v)
{
    return value_rounded(IS_DOUBLE, v);
}

#define FUNCTION(name, value)                       \
    static double name(const double *a, rounder *r) \
    {                                               \
        const double x = a[0], y = a[1], z = a[2];  \
        (void)x, (void)y, (void)z, (void)r;         \
        return value;                               \
    }

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double smooth(double low, double high, double x, rounder *r)
{
    const double t = lesser(greater(r(r(x - low) / r(high - low)), 0.0), 1.0);
    return r(r(t * t) * r(3.0 - r(2.0 * t)));
}

FUNCTION(of_abs, fabs(x))
FUNCTION(of_sign, (x > 0.0) - (x < 0.0))
FUNCTION(of_floor, floor(x))
FUNCTION(of_ceil, ceil(x))
FUNCTION(of_trunc, trunc(x))
FUNCTION(of_fract, r(x - floor(x)))
FUNCTION(of_mod, r(x - r(y * floor(r(x / y)))))
FUNCTION(of_mix, r(r(x *r(1.0 - z)) + r(y * z)))
FUNCTION(of_min, lesser(x, y))
FUNCTION(of_max, greater(x, y))
FUNCTION(of_clamp, lesser(greater(x, y), z))
FUNCTION(of_step, y < x ? 0.0 : 1.0)
FUNCTION(of_smoothstep, smooth(x, y, z, r))
FUNCTION(of_sqrt, r(sqrt(x)))
FUNCTION(of_inversesqrt, r(1.0 / sqrt(x)))
FUNCTION(of_sin, r(sin(x)))
FUNCTION(of_cos, r(cos(x)))
FUNCTION(of_tan, r(tan(x)))
FUNCTION(of_asin, r(asin(x)))
FUNCTION(of_acos, r(acos(x)))
FUNCTION(of_atan, r(atan(x)))
FUNCTION(of_atan2, r(atan2(x, y)))
FUNCTION(of_exp, r(exp(x)))
FUNCTION(of_exp2, r(exp2(x)))
FUNCTION(of_log, r(log(x)))
FUNCTION(of_log2, r(log2(x)))
FUNCTION(of_pow, r(pow(x, y)))
FUNCTION(of_radians, r(x * 0.017453292519943295))
FUNCTION(of_degrees, r(x * 57.29577951308232))

enum form { EACH, EACH_WHOLE, COMPARED, DOT, LENGTH, DISTANCE, NORMALIZE, CROSS, ANY, ALL, NOT };

/* Bounds of the functions that have other bits elsewhere: units in the last place (docs/bits.md,
 * with room for both sides), and of any value. Those of the inverse trigonometric ones are GLSL's
 * own. */
static const struct built_in {
    const char *name;
    enum form form;
    int arguments, sign;
    double (*of)(const double *a, rounder *r);
    double ulps, apart;
} table[] = {
    {"abs", EACH_WHOLE, 1, 0, of_abs, 0, 0},
    {"sign", EACH_WHOLE, 1, 0, of_sign, 0, 0},
    {"floor", EACH, 1, 0, of_floor, 0, 0},
    {"ceil", EACH, 1, 0, of_ceil, 0, 0},
    {"trunc", EACH, 1, 0, of_trunc, 0, 0},
    {"fract", EACH, 1, 0, of_fract, 0, 0},
    {"mod", EACH, 2, 0, of_mod, 0, 0},
    {"mix", EACH, 3, 0, of_mix, 0, 0},
    {"min", EACH_WHOLE, 2, 0, of_min, 0, 0},
    {"max", EACH_WHOLE, 2, 0, of_max, 0, 0},
    {"clamp", EACH_WHOLE, 3, 0, of_clamp, 0, 0},
    {"step", EACH, 2, 0, of_step, 0, 0},
    {"smoothstep", EACH, 3, 0, of_smoothstep, 4, 0},
    {"sqrt", EACH, 1, 0, of_sqrt, 0, 0},
    {"inversesqrt", EACH, 1, 0, of_inversesqrt, 4, 0},
    {"sin", EACH, 1, 0, of_sin, 4, 0x1p-22},
    {"cos", EACH, 1, 0, of_cos, 4, 0x1p-22},
    {"tan", EACH, 1, 0, of_tan, 16, 0x1p-20},
    {"asin", EACH, 1, 0, of_asin, 4, 0x1p-10},
    {"acos", EACH, 1, 0, of_acos, 4, 0x1p-10},
    {"atan", EACH, 1, 0, of_atan, 4, 0x1p-10},
    {"atan", EACH, 2, 0, of_atan2, 4, 0x1p-10},
    {"exp", EACH, 1, 0, of_exp, 12, 0},
    {"exp2", EACH, 1, 0, of_exp2, 12, 0},
    {"log", EACH, 1, 0, of_log, 5, 0x1p-22},
    {"log2", EACH, 1, 0, of_log2, 5, 0x1p-22},
    {"pow", EACH, 2, 0, of_pow, 34, 0},
    {"radians", EACH, 1, 0, of_radians, 2, 0},
    {"degrees", EACH, 1, 0, of_degrees, 2, 0},
    {"lessThan", COMPARED, 2, '<', NULL, 0, 0},
    {"greaterThan", COMPARED, 2, '>', NULL, 0, 0},
    {"lessThanEqual", COMPARED, 2, SIGN('<', '='), NULL, 0, 0},
    {"greaterThanEqual", COMPARED, 2, SIGN('>', '='), NULL, 0, 0},
    {"equal", COMPARED, 2, SIGN('=', '='), NULL, 0, 0},
    {"notEqual", COMPARED, 2, SIGN('!', '='), NULL, 0, 0},
    {"dot", DOT, 2, 0, NULL, 0, 0},
    {"length", LENGTH, 1, 0, NULL, 0, 0},
    {"distance", DISTANCE, 2, 0, NULL, 0, 0},
    {"normalize", NORMALIZE, 1, 0, NULL, 4, 0},
    {"cross", CROSS, 2, 0, NULL, 0, 0},
    {"any", ANY, 1, 0, NULL, 0, 0},
    {"all", ALL, 1, 0, NULL, 0, 0},
    {"not", NOT, 1, 0, NULL, 0, 0},
};
enum { FUNCTIONS = sizeof table / sizeof table[0] };

const struct built_in *built_in_find(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}

/* True if fract(a) or mod(a, b) may be on either side of a jump: then it may be anything from 0 to
 * b. */
static bool may_jump(const struct built_in *f, const double *a, const double *e)
{
    const double b = f->of == of_mod ? a[1] : 1.0, off = f->of == of_mod ? e[1] : 0.0;
    const double whole = floor((a[0] - e[0]) / (b - off));
    return (f->of == of_fract || f->of == of_mod) &&
           (floor((a[0] - e[0]) / (b + off)) != whole ||
            floor((a[0] + e[0]) / (b - off)) != whole || floor((a[0] + e[0]) / (b + off)) != whole);
}

/* How far f is off where its arguments are: at either end of each. */
static double spread_of(const struct built_in *f, const double *a, const double *e, double at)
{
    double all = may_jump(f, a, e) ? (f->of == of_mod ? fabs(a[1]) + e[1] : 1.0) : 0.0;
    for (int i = 0; i < f->arguments; i++) {
        double moved[3] = {a[0], a[1], a[2]};
        if (!(e[i] < (double)INFINITY))
            return (double)INFINITY;
        moved[i] = a[i] + e[i];
        const double above = fabs(f->of(moved, to_double) - at);
        moved[i] = a[i] - e[i];
        const double below = fabs(f->of(moved, to_double) - at);
        all += above > below ? above : below;
        if (isnan(above) || isnan(below))
            return (double)INFINITY;
    }
    return all;
}

static struct value each(const struct built_in *f, const struct value *arguments)
{
    enum base base = f->form == EACH_WHOLE ? IS_INT : IS_FLOAT;
    int n = 1;
    for (int k = 0; k < f->arguments; k++) {
        base = arguments[k].base > base ? arguments[k].base : base;
        n = arguments[k].n > n ? arguments[k].n : n;
    }
    struct value x[3], out = {.base = base, .n = n};
    for (int k = 0; k < f->arguments; k++) {
        if (arguments[k].base == IS_BOOL || (arguments[k].n != n && arguments[k].n != 1))
            return none;
        x[k] = value_widened(&arguments[k], base, n);
    }
    for (int i = 0; i < n; i++) {
        double a[3] = {0.0}, e[3] = {0.0}, off = 0.0;
        for (int k = 0; k < f->arguments; k++) {
            a[k] = x[k].v[i];
            e[k] = x[k].e[i];
            off += e[k];
        }
        out.v[i] = f->of(a, base == IS_FLOAT ? to_float : to_double);
        if (value_is_whole(base))
            out.v[i] = value_wrapped(base, (int64_t)out.v[i]);
        out.e[i] = f->ulps * value_unit(base, out.v[i]) + f->apart;
        if (isnan(out.v[i]))
            out.e[i] = (double)INFINITY;
        if (!(off == 0.0))
            out.e[i] += value_is_whole(base)
                            ? (double)INFINITY
                            : spread_of(f, a, e, out.v[i]) + 4.0 * value_unit(base, out.v[i]);
    }
    return out;
}

static struct value component(const struct value *a, int i)
{
    return (struct value){.base = a->base, .n = 1, .v = {a->v[i]}, .e = {a->e[i]}};
}

/* Sums from the last product on, as llvmpipe does. */
static struct value dot(const struct value *a, const struct value *b)
{
    const struct value products = value_binary('*', a, b);
    struct value sum = component(&products, products.n > 0 ? products.n - 1 : 0);
    for (int i = products.n - 2; i >= 0; i--) {
        const struct value one = component(&products, i);
        sum = value_binary('+', &sum, &one);
    }
    return products.n > 0 ? sum : none;
}

static struct value cross(const struct value *a, const struct value *b)
{
    struct value out = {.base = a->base, .n = 3};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const struct value aj = component(a, j), ak = component(a, k), bj = component(b, j),
                           bk = component(b, k), one = value_binary('*', &aj, &bk),
                           other = value_binary('*', &bj, &ak),
                           left = value_binary('-', &one, &other);
        out.v[i] = left.v[0];
        out.e[i] = left.e[0];
    }
    return out;
}

/* True of any component, or of all. */
static struct value joined(const struct value *a, bool any)
{
    struct value out = value_of(IS_BOOL, !any);
    for (int i = 0; i < a->n; i++) {
        out.v[0] = any ? fmax(out.v[0], a->v[i]) : fmin(out.v[0], a->v[i]);
        out.e[0] += a->e[i];
    }
    return out;
}

struct value built_in_call(const struct built_in *of, const struct value *arguments, int count)
{
    const struct value *a = arguments, *b = arguments + (count > 1);
    while (of < table + FUNCTIONS - 1 && of->arguments != count &&
           strcmp(of[1].name, of->name) == 0)
        of++;
    if (of->arguments != count)
        return none;
    if (of->form == EACH || of->form == EACH_WHOLE)
        return each(of, arguments);
    if (a->n != b->n && of->form != ANY && of->form != ALL)
        return none;
    struct value square, root;
    switch (of->form) {
    case COMPARED:
        return value_compare(of->sign, a, b, false);
    case DOT:
        return dot(a, b);
    case CROSS:
        return a->n == 3 ? cross(a, b) : none;
    case ANY:
    case ALL:
        return joined(a, of->form == ANY);
    case NOT:
        return value_unary('!', a);
    case DISTANCE:
        square = value_binary('-', a, b);
        return built_in_call(built_in_find("length"), &square, 1);
    default:
        break;
    }
    square = dot(a, a);
    root = each(built_in_find(of->form == LENGTH ? "sqrt" : "inversesqrt"), &square);
    return of->form == LENGTH ? root : value_binary('*', a, &root);
}
