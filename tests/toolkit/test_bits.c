/* SPDX-License-Identifier: MIT */
/* Short kernels and C's float, cell by cell: on llvmpipe precise ones have its bits, with denormal
 * numbers flushed. */
#include "toolkit/kernel/kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/prove.h>

#include "support/files.h"
#include "support/toolkit.h"
#include "toolkit/base/random.h"

enum { SIDE = 1024, CELLS = SIDE * SIDE, OUTPUTS = QP_KERNEL_OUTPUTS };

/* Denormal numbers count as zero, of either sign. */
static float f(float value)
{
    return fabsf(value) < FLT_MIN ? copysignf(0.0f, value) : value;
}

/* ---- Expressions of a, b and c ---- */

typedef float in_c(float a, float b, float c);

static float times(float a, float b)
{
    const double exact = (double)a * (double)b;
    return fabsf((float)(exact * 0x1p64)) < FLT_MIN * 0x1p64f
               ? copysignf(0.0f, (float)(exact * 0x1p64))
               : (float)exact;
}
static float plus(float a, float b)
{
    return f(a + b);
}
static float less(float a, float b)
{
    return f(a - b);
}
static float over(float a, float b)
{
    return f(a / b);
}

static float twofold(float a)
{
    return plus(a, a);
}

/* A function of this name in C. */
#define IN_C(name, value)                        \
    static float name(float a, float b, float c) \
    {                                            \
        (void)a, (void)b, (void)c;               \
        return value;                            \
    }

IN_C(add, plus(a, b))
IN_C(subtract, less(a, b))
IN_C(multiply, times(a, b))
IN_C(divide, over(a, b))
IN_C(root, sqrtf(a))
IN_C(modulo, less(a, times(b, floorf(over(a, b)))))
IN_C(fraction, less(a, floorf(a)))
IN_C(down, floorf(a))
IN_C(up, ceilf(a))
IN_C(mixed, plus(times(a, less(1.0f, c)), times(b, c)))
IN_C(least, b < a ? b : a)
IN_C(most, a < b ? b : a)
IN_C(magnitude, fabsf(a))
IN_C(signed_one, (float)((a > 0.0f) - (a < 0.0f)))
IN_C(stepped, b < a ? 0.0f : 1.0f)
static float clamped(float a, float b, float c)
{
    (void)c;
    const float high = fabsf(b) + 1.0f, above = a < -1.0f ? -1.0f : a;
    return high < above ? high : above;
}
IN_C(product, plus(times(a, b), times(b, c)))
IN_C(size, sqrtf(plus(times(a, a), times(b, b))))
IN_C(three, plus(plus(times(c, c), times(b, b)), times(a, a)))
IN_C(parts, plus(times(a, 0.3f), times(a, 0.7f)))
IN_C(handed, times(a, twofold(less(times(plus(plus(plus(0.3f, a), b), c), 0.25f), b))))
IN_C(nested, twofold(times(times(twofold(plus(times(a, 0.3f), times(a, 0.7f))), 0.1f), 0.3f)))
IN_C(picked, twofold(less(plus(a, b), a) == b ? plus(times(a, 0.3f), times(a, 0.7f)) : c))
IN_C(handed_two, less(times(times(a, 0.1f), 0.3f), times(times(b, 0.1f), 0.3f)))
IN_C(twice, times(times(a, 0.1f), 0.3f))
IN_C(back, less(plus(a, b), a))
IN_C(branch, less(plus(a, b), a) == b ? a : c)

static float ladder(float a, float b, float c)
{
    float n = 0.0f;
    if (plus(times(a, 0.3f), times(a, 0.7f)) < a)
        n = plus(n, 1.0f);
    else if (times(times(b, 0.1f), 0.3f) > times(b, 0.03f))
        n = plus(n, 2.0f);
    for (float q = 0.0f; less(plus(c, q), c) == q && q < 9.0f; q = plus(q, 1.0f))
        n = plus(n, 4.0f);
    return n;
}

static const struct {
    const char *glsl;
    in_c *in_c;
} expressions[] = {
    {"a + b", add},
    {"a - b", subtract},
    {"a * b", multiply},
    {"a / b", divide},
    {"sqrt(a)", root},
    {"mod(a, b)", modulo},
    {"fract(a)", fraction},
    {"floor(a)", down},
    {"ceil(a)", up},
    {"mix(a, b, c)", mixed},
    {"min(a, b)", least},
    {"max(a, b)", most},
    {"abs(a)", magnitude},
    {"sign(a)", signed_one},
    {"step(a, b)", stepped},
    {"clamp(a, -1.0, abs(b) + 1.0)", clamped},
    {"dot(vec2(a, b), vec2(b, c))", product},
    {"length(vec2(a, b))", size},
    {"dot(vec3(a, b, c), vec3(a, b, c))", three},
    {"a * 0.3 + a * 0.7", parts},
    {"a * twofold((0.3 + a + b + c) * 0.25 - b)", handed},
    {"twofold(twofold(a * 0.3 + a * 0.7) * 0.1 * 0.3)", nested},
    {"twofold((a + b) - a == b ? a * 0.3 + a * 0.7 : c)", picked},
    {"difference(vec2(a, b) * 0.1 * 0.3)", handed_two},
    {"(a * 0.1) * 0.3", twice},
    {"(a + b) - a", back},
    {"(a + b) - a == b ? a : c", branch},
    {"ladder(a, b, c)", ladder},
};

static const char functions[] =
    "float ladder(float a, float b, float c)\n{\n    float n = 0.0;\n"
    "    if (a * 0.3 + a * 0.7 < a)\n        n += 1.0;\n"
    "    else if (b * 0.1 * 0.3 > b * 0.03)\n        n += 2.0;\n"
    "    for (float q = 0.0; (c + q) - c == q && q < 9.0; q += 1.0)\n        n += 4.0;\n"
    "    return n;\n}\n"
    "float twofold(float a)\n{\n    return a + a;\n}\n"
    "float difference(vec2 a)\n{\n    return a.x - a.y;\n}\n";

/* ---- Values ---- */

static const float corners[] = {
    0.0f,     -0.0f,   1.0f,     -1.0f,     0.5f,     -0.5f,         1.5f,           2.0f,
    -2.5f,    3.0f,    10.0f,    1e-3f,     1e7f,     -1e7f,         16777216.0f,    FLT_MIN,
    -FLT_MIN, FLT_MAX, -FLT_MAX, 0x1p-100f, 0x1p100f, 0x1.fffffep0f, 0x1.fffffep-1f, 1e-40f};
enum { CORNERS = sizeof corners / sizeof corners[0] };

/* Corners against each other first; then numbers of like size, and of all sizes. */
static void fill(float *values, int input, uint64_t *state)
{
    for (int i = 0; i < CELLS; i++) {
        const int place = input == 0   ? i % CORNERS
                          : input == 1 ? i / CORNERS % CORNERS
                                       : i / CORNERS / CORNERS;
        if (i < CORNERS * CORNERS * CORNERS)
            values[i] = f(corners[place]);
        else if (i % 2 == 0)
            values[i] = (float)qp_random(state, -4.0, 4.0);
        else
            values[i] =
                ldexpf((float)qp_random(state, -1.0, 1.0), (int)qp_random(state, -60.0, 60.0));
    }
}

struct values {
    struct qp_array *array[3], *output[OUTPUTS];
    float *in[3], *out;
};

static void make_values(struct values *out)
{
    const struct qp_array_desc desc = {.width = SIDE, .height = SIDE};
    uint64_t state = 12;
    out->out = malloc(sizeof(float) * CELLS);
    assert_non_null(out->out);
    for (int k = 0; k < 3; k++) {
        out->in[k] = malloc(sizeof(float) * CELLS);
        assert_non_null(out->in[k]);
        fill(out->in[k], k, &state);
        out->array[k] = make(desc, out->in[k]);
    }
    for (int k = 0; k < OUTPUTS; k++)
        out->output[k] = make(desc, NULL);
}

static void free_values(struct values *values)
{
    for (int k = 0; k < 3; k++) {
        qp_array_destroy(&values->array[k]);
        free(values->in[k]);
    }
    for (int k = 0; k < OUTPUTS; k++)
        qp_array_destroy(&values->output[k]);
    free(values->out);
}

/* ---- Runs ---- */

static int count_different(const struct values *values, in_c *expected)
{
    int different = 0;
    for (int i = 0; i < CELLS; i++) {
        const float want = expected(values->in[0][i], values->in[1][i], values->in[2][i]),
                    got = values->out[i];
        if (want != got && !(isnan(want) && isnan(got)) && different++ == 0)
            print_message("  %.9g %.9g %.9g: %.9g for %.9g\n", (double)values->in[0][i],
                          (double)values->in[1][i], (double)values->in[2][i], (double)got,
                          (double)want);
    }
    return different;
}

/* A body that computes OUTPUTS expressions at once from `first` on. */
static struct qp_kernel *kernel_of(int first, bool fast)
{
    char body[1024];
    snprintf(
        body, sizeof body,
        "%svoid kernel(vec2 here)\n{\n    float a = a_at(0, 0), b = b_at(0, 0), c = c_at(0, 0);\n"
        "    out0 = %s;\n    out1 = %s;\n    out2 = %s;\n    out3 = %s;\n}\n",
        functions, expressions[first].glsl, expressions[first + 1].glsl,
        expressions[first + 2].glsl, expressions[first + 3].glsl);
    return kernel((struct qp_kernel_desc){.body = body,
                                          .fast = fast,
                                          .outputs = OUTPUTS,
                                          .input = {{.name = "a"}, {.name = "b"}, {.name = "c"}}});
}

static void run(const struct values *values, struct qp_kernel *kernel)
{
    struct qp_pass pass = {
        .kernel = kernel,
        .input = {{"a", values->array[0]}, {"b", values->array[1]}, {"c", values->array[2]}}};
    memcpy(pass.output, values->output, sizeof pass.output);
    assert_ok(qp_pass_run(&pass));
}

/* OpenGL promises no bits: on other devices what differs is printed for docs/bits.md. */
static bool is_llvmpipe(void)
{
    const struct qp_device *device = qp_context_device(context);
    return strstr(device->renderer, "llvmpipe") != NULL &&
           (device->abilities & QP_CAN_PRECISE) != 0;
}

TEST(bits_are_those_of_c)
{
    struct values values;
    context = support_need_context(state);
    make_values(&values);
    _Static_assert(COUNT(expressions) % OUTPUTS == 0, "whole kernels");
    for (int i = 0; i < COUNT(expressions); i += OUTPUTS) {
        struct qp_kernel *four = kernel_of(i, false);
        run(&values, four);
        for (int k = 0; k < OUTPUTS; k++) {
            assert_ok(qp_array_read(values.output[k], NULL, values.out, 0));
            const int different = count_different(&values, expressions[i + k].in_c);
            if (different > 0 && is_llvmpipe())
                fail_msg("'%s' is not what C computes", expressions[i + k].glsl);
            if (different > 0)
                print_message("%s: %d of %d cells differ\n", expressions[i + k].glsl, different,
                              CELLS);
        }
        qp_kernel_destroy(&four);
    }
    free_values(&values);
}

/* Without it the last expressions are others in an eighth of all cells and more. */
TEST(fast_leaves_it_out)
{
    struct values values;
    context = support_need_context(state);
    if (!is_llvmpipe())
        skip();
    make_values(&values);
    struct qp_kernel *four = kernel_of(COUNT(expressions) - OUTPUTS, true);
    run(&values, four);
    for (int k = 0; k < OUTPUTS; k++) {
        assert_ok(qp_array_read(values.output[k], NULL, values.out, 0));
        assert_true(count_different(&values, expressions[COUNT(expressions) - OUTPUTS + k].in_c) >
                    CELLS / 8);
    }
    qp_kernel_destroy(&four);
    free_values(&values);
}

/* ---- Functions that C rounds otherwise ---- */

static char *table;

static void keep_table(const char *path, const char *text)
{
    const char *from = strstr(text, "| function | a from, to |");
    (void)path;
    assert_non_null(from);
    table = strndup(from, (size_t)(strstr(from, "\n\n") - from));
}

/* docs/bits.md has the library's list, function by function, and llvmpipe's errors; an eighth more
 * is another processor's. */
TEST(others_are_near)
{
    int rows = -2; /* the head's */
    context = support_need_context(state);
    each_file("docs/bits.md", 1, keep_table);
    for (const char *at = table; at != NULL; at = strchr(at + 1, '\n'))
        rows++;
    assert_int_equal(rows, QP_FUNCTIONS);
    for (int i = 0; i < QP_FUNCTIONS; i++) {
        struct qp_function_error of;
        char row[128];
        assert_ok(qp_function_error(context, i, &of));
        const int length =
            snprintf(row, sizeof row, "\n| `%s` | %g, %g | ", of.function, of.low, of.high);
        const char *const found = strstr(table, row);
        if (found == NULL)
            fail_msg("docs/bits.md has no row%s", row);
        print_message("%s, a from %g to %g: %.1f ulp\n", of.function, of.low, of.high, of.ulps);
        if (is_llvmpipe() && !(of.ulps <= 1.125 * strtod(found + length, NULL) + 0.5))
            fail_msg("%s, and not %.1f ulp", row, of.ulps);
    }
    free(table);
}

GROUP(support_open_context, support_close_context)
