/* SPDX-License-Identifier: MIT */
/* Proofs of a context, computations whose answers are known, and the errors of its functions: all
 * by the toolkit's arrays, kernels and passes, each a row of data. */
#include <quadpass/prove.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/reduce.h>

#include "toolkit/arrays/objects.h"
#include "toolkit/base/caller.h"
#include "toolkit/kernel/kernel.h"

/* Cells each way of a proof's arrays, floats from row to row where there are gaps, and what cells
 * hold that nothing has written; cells each way for a function. */
enum { SIDE = 61, ROW = SIDE + 3, STEPS = 64, UNWRITTEN = -77, FINE = 1024 };

/* ---- Computing ---- */

/* Work on arrays of side x side cells that wrap. */
struct work {
    const char *shader, *lines; /* NULL: nothing is drawn; lines in front of it, or NULL */
    int side;                   /* 0: SIDE */
    bool reads;                 /* the kernel reads x; else x is filled with `number` */
    double number;              /* the kernel's; 0: it has none */
    int steps; /* draws, each from the last one's output, or blended with it; 0: 1 */
    enum qp_pass_blend blend;
    struct qp_rect region;
    enum qp_status (*read)(const struct qp_array *array, float *values); /* NULL: as a whole */
};

static enum qp_status read_sum(const struct qp_array *array, float *values)
{
    struct qp_reduced sum;
    const enum qp_status status = qp_array_reduce(array, QP_REDUCE_SUM, &sum);
    values[0] = (float)sum.value;
    return status;
}

/* Lower and upper part by two ways; the gaps between rows must stay. */
static enum qp_status read_in_parts(const struct qp_array *array, float *values)
{
    const struct qp_rect lower = {0, 0, SIDE, 20}, upper = {0, 20, SIDE, SIDE - 20};
    const size_t bytes = ROW * sizeof *values;
    struct qp_download *download = NULL;
    for (int i = 0; i < ROW * SIDE; i++)
        values[i] = UNWRITTEN;
    enum qp_status status = qp_array_ask(array, &upper, &download);
    if (status == QP_OK)
        status = qp_array_read(array, &lower, values, bytes);
    if (status == QP_OK)
        status = qp_download_take(&download, values + ROW * upper.y, bytes);
    qp_download_cancel(&download);
    return status;
}

/* Computes the answer from the values of x, in their place. */
static enum qp_status compute(struct qp_context *context, const struct work *work, float *values)
{
    const int side = work->side > 0 ? work->side : SIDE;
    const struct qp_array_desc desc = {side, side, .outside = QP_OUTSIDE_WRAP};
    const char *const input = work->reads ? "x" : NULL;
    const char *const number = work->reads && work->number != 0.0 ? "factor" : NULL;
    const struct qp_kernel_desc of = {.input = {{.name = input}}, .number = {{.name = number}}};
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *kernel = NULL;
    enum qp_status status = qp_array_create(context, &desc, work->reads ? values : NULL, &x);
    if (status == QP_OK && !work->reads)
        status = qp_array_fill(x, NULL, work->number);
    if (status == QP_OK)
        status = qp_array_create(context, &desc, NULL, &y);
    if (status == QP_OK)
        status = qp_array_fill(y, NULL, UNWRITTEN);
    if (status == QP_OK && work->shader != NULL)
        status = qp_kernel_built_in(context, work->shader, NULL,
                                    work->lines != NULL ? work->lines : "", &of, &kernel);
    for (int i = 0; kernel != NULL && (i == 0 || i < work->steps) && status == QP_OK; i++) {
        const struct qp_pass pass = {.kernel = kernel,
                                     .input = {{input, x}},
                                     .number = {{number, .value = {work->number}}},
                                     .output = {y},
                                     .region = work->region,
                                     .blend = work->blend};
        status = qp_pass_run(&pass);
        if (work->blend == QP_BLEND_REPLACE) /* the last output is x now */
            qp_array_swap(&x, &y);
    }
    const struct qp_array *const last = work->blend == QP_BLEND_REPLACE ? x : y;
    if (status == QP_OK)
        status =
            work->read != NULL ? work->read(last, values) : qp_array_read(last, NULL, values, 0);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    return status;
}

/* ---- Proofs ---- */

/* Proofs, in the order of their list; the values of x, and the answer that is known. */
enum what { FILL, FLOATS, NANS, LARGE, DRAW, BLEND, TURNS, SUM, WHOLE, QUOTIENT, LOOPS, READ };

static double start(enum what what, int x, int y)
{
    const double infinite = (double)INFINITY, large[] = {infinite, -1.0, -infinite, 3e38, -3e38};
    switch (what) {
    case FLOATS:
        return ldexp((x + y) % 2 == 0 ? 1.0 + 0x1p-23 : -1.5, (x * 7 + y) % 81 - 40);
    case NANS:
        return (x + y) % 2 == 0 ? (double)NAN : x - y;
    case LARGE:
        return (double)(float)large[(x + 2 * y) % 5];
    case TURNS:
        return (7 * x * x + 13 * y) % 101;
    case SUM:
        return 1 + x + SIDE * y;
    case WHOLE:
    case QUOTIENT:
        return x % 2 == 0 ? (x - 32) * (2 * y - 63) : (x - 32) * 1021 + y;
    case LOOPS:
        return y % 16 == 0 ? 3 * x + 20 : y % 8;
    default:
        return x + 100.0 * y;
    }
}

static double answer(enum what what, int x, int y)
{
    const double a = start(what, x, y);
    const int b = 2 * y - 63;
    switch (what) {
    case FILL:
        return 0.3125;
    case FLOATS:
        return -2.0 * a;
    case LARGE:
        return (double)(float)(10.0 * a);
    case DRAW:
        return x >= 5 && x < 54 && y >= 11 && y < 49 ? a : UNWRITTEN;
    case BLEND:
        return UNWRITTEN + 3 * 0.5 * a;
    case TURNS:
        return start(what, (x + SIDE - STEPS % SIDE) % SIDE, y) + STEPS;
    case SUM:
        return SIDE * SIDE * (SIDE * SIDE + 1) / 2.0;
    case WHOLE:
        return 100 * ((int)a / b) + (int)a % b;
    case QUOTIENT:
        return a / (y + 3.0);
    case LOOPS:
        return a * (a + 1.0) / 2.0;
    case READ:
        return x < SIDE ? a : UNWRITTEN;
    default:
        return a;
    }
}

#define READS(shader)  shader, .reads = true
#define SCALED(factor) READS("proof/scale.frag"), .number = (factor)

static const struct proof {
    const char *name, *computes;
    struct work work;
} proofs_of[QP_PROOFS] = {
    {"context", "a fill with 0.3125", {.number = 0.3125}},
    {"float target", "-2 times values of 24 bits, from 2^-40 to 2^40", {SCALED(-2.0)}},
    {"NaN", "1 times values of which half are NaN", {SCALED(1.0)}},
    {"infinity", "10 times values that are infinite, or become so", {SCALED(10.0)}},
    {"draw", "49 x 38 cells among 61 x 61", {"proof/place.frag", .region = {5, 11, 49, 38}}},
    {"blend", "three draws, added to what was there", {SCALED(0.5), 3, QP_BLEND_ADD}},
    {"ping-pong", "64 steps of the left cell plus 1", {READS("proof/step.frag"), .steps = STEPS}},
    {"reduction", "the sum of 1 to 3721, in passes", {.reads = true, .read = read_sum}},
    {"integer division", "quotients and remainders", {READS("proof/divide_whole.frag")}},
    {"float division", "quotients of whole numbers, to 3 ulp", {READS("proof/divide.frag")}},
    {"loops", "rounds of loops in loops, up to 20100 a cell", {READS("proof/loops.frag")}},
    {"readback", "places, read in parts with gaps", {"proof/place.frag", .read = read_in_parts}},
};

/* The end of sentences; and a number without the sign of a NaN, which means nothing. */
#define ADVICE    "; take another device, or another version of its driver"
#define SHOWN(of) (isnan(of) ? fabs((double)NAN) : (of))

/* Computes one, and looks for the first cell that is wrong. Errors: QP_NO_MEMORY, and any in a
 * context that is lost. */
static enum qp_status prove(struct qp_context *context, enum what what, float *values,
                            struct qp_proof *out)
{
    const struct proof *proof = &proofs_of[what];
    const int width = what == SUM ? 1 : what == READ ? ROW : SIDE, height = what == SUM ? 1 : SIDE;
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (float)start(what, i % SIDE, i / SIDE);
    const enum qp_status status = compute(context, &proof->work, values);
    if (status == QP_NO_MEMORY || (status != QP_OK && qp_context_is_lost(context)))
        return status;
    const bool has = status != QP_UNSUPPORTED;
    *out = (struct qp_proof){.name = proof->name,
                             .computes = proof->computes,
                             .status = status != QP_OK && has ? QP_DEVICE : status};
    if (status != QP_OK)
        snprintf(out->sentence, sizeof out->sentence, "%s: %s gave nothing: %s%s", proof->name,
                 proof->computes, qp_error(), has ? ADVICE : "");
    for (int i = 0; i < width * height && out->status == QP_OK; i++) {
        const int x = i % width, y = i / width;
        const double got = (double)values[i], want = answer(what, x, y);
        if (got == want || (isnan(got) && isnan(want)) ||
            (what == QUOTIENT && fabs(got - want) <= 3.0 * 0x1p-23 * fabs(want)))
            continue;
        out->status = QP_DEVICE;
        snprintf(out->sentence, sizeof out->sentence,
                 "%s: %s gave %.9g in cell (%d, %d) where %.9g is right" ADVICE, proof->name,
                 proof->computes, SHOWN(got), x, y, SHOWN(want));
    }
    return QP_OK;
}

enum qp_status qp_prove(struct qp_context *context, struct qp_proof *proofs, int count, int *wrong)
{
    struct qp_call call;
    float values[ROW * SIDE];
    if (QP_NEED_OUT(wrong, -1) || QP_NEED(proofs))
        return QP_BAD_USE;
    if (count < 1 || count > QP_PROOFS)
        return qp_fail(QP_BAD_USE, "there are %d proofs; ask for 1 to %d, and not for %d",
                       QP_PROOFS, QP_PROOFS, count);
    memset(proofs, 0, (size_t)count * sizeof *proofs);
    enum qp_status status = qp_context_begin(&call, context);
    for (int i = 0; i < count && status == QP_OK; i++)
        status = prove(context, (enum what)i, values, &proofs[i]);
    for (int i = count - 1; i >= 0 && status == QP_OK; i--)
        *wrong = proofs[i].status == QP_DEVICE ? i : *wrong;
    return qp_call_end(&call, status);
}

/* ---- Errors of functions ---- */

#define IN_C(name, value)        \
    static double name(double a) \
    {                            \
        return value;            \
    }

IN_C(over, 1.0 / a)
IN_C(inverse_root, 1.0 / sqrt(a))
IN_C(smooth, a *a *(3.0 - 2.0 * a))
IN_C(power, pow(a, 2.5))

/* docs/bits.md has what was measured. */
static const struct function {
    const char *glsl;
    double (*in_c)(double);
    float low, high;
} functions[QP_FUNCTIONS] = {
    {"1.0 / a", over, 1e-3f, 1e3f},
    {"sqrt(a)", sqrt, 1e-3f, 1e3f},
    {"inversesqrt(a)", inverse_root, 1e-3f, 1e3f},
    {"smoothstep(0.0, 1.0, a)", smooth, 1e-3f, 1.0f},
    {"sin(a)", sin, -3.0f, 3.0f},
    {"cos(a)", cos, -1.5f, 1.5f},
    {"tan(a)", tan, -1.5f, 1.5f},
    {"asin(a)", asin, -1.0f, 1.0f},
    {"acos(a)", acos, -1.0f, 1.0f},
    {"atan(a)", atan, -10.0f, 10.0f},
    {"exp(a)", exp, -10.0f, 10.0f},
    {"pow(a, 2.5)", power, 1e-3f, 1e3f},
    {"log(a)", log, 2.0f, 1e3f},
    {"log(a)", log, 1.001f, 2.0f},
    {"log(a)", log, 0.999f, 1.001f},
};

static float argument(const struct function *function, int i)
{
    return function->low + (function->high - function->low) * (float)i / (float)(FINE * FINE);
}

/* The judge's measure of a step that returns this function is what a small change of its argument
 * changes in proportion, at least its largest value and at most that of value and argument. */
static void compare(const struct function *function, const float *got,
                    struct qp_function_error *out)
{
    double error = 0.0, value = 0.0, response = 0.0;
    *out = (struct qp_function_error){function->glsl, (double)function->low, (double)function->high,
                                      .tolerance = qp_array_tolerance(QP_ARRAY_FLOAT)};
    for (int i = 0; i < FINE * FINE; i++) {
        const double a = (double)argument(function, i), want = function->in_c(a),
                     off = isnan(got[i]) ? (double)INFINITY : fabs((double)got[i] - want);
        int exponent;
        frexp(want, &exponent); /* the float that is nearest */
        out->ulps = fmax(out->ulps, off / ldexp(1.0, exponent < -125 ? -149 : exponent - 24));
        error = fmax(error, off);
        value = fmax(value, fabs(want));
        if (i % 64 == 0)
            response = fmax(response, 0x1p13 * fabs(function->in_c(a * (1.0 - 0x1p-13)) - want));
    }
    out->error = error / fmax(value, fmin(response, fmax(-out->low, out->high)));
    if (isinf(out->error))
        snprintf(out->sentence, sizeof out->sentence,
                 "%s, a from %g to %g, is not finite everywhere: let no kernel call it here",
                 out->function, out->low, out->high);
    else if (out->error > out->tolerance)
        snprintf(out->sentence, sizeof out->sentence,
                 "%s, a from %g to %g, is off by %.1e as a check measures it, which allows %.1e a "
                 "step: give kernels that call it a tolerance of %.0e (//@ tolerance)",
                 out->function, out->low, out->high, out->error, out->tolerance, 2.0 * out->error);
}

enum qp_status qp_function_error(struct qp_context *context, int number,
                                 struct qp_function_error *out)
{
    struct qp_call call;
    char line[64];
    const struct work work = {"proof/function.frag", line, FINE, .reads = true};
    if (QP_NEED_OUT(out, (struct qp_function_error){0}))
        return QP_BAD_USE;
    if (number < 0 || number >= QP_FUNCTIONS)
        return qp_fail(QP_BAD_USE, "functions are numbered from 0 to %d; %d is none of them",
                       QP_FUNCTIONS - 1, number);
    const struct function *function = &functions[number];
    snprintf(line, sizeof line, "#define FUNCTION %s\n", function->glsl);
    enum qp_status status = qp_context_begin(&call, context);
    float *values = qp_alloc(FINE * FINE, sizeof *values, "values of a function");
    if (status == QP_OK && values == NULL)
        status = QP_NO_MEMORY;
    for (int i = 0; i < FINE * FINE && status == QP_OK; i++)
        values[i] = argument(function, i);
    if (status == QP_OK && (status = compute(context, &work, values)) == QP_OK)
        compare(function, values, out);
    free(values);
    return qp_call_end(&call, status);
}
