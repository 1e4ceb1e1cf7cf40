/* SPDX-License-Identifier: MIT */
/* The interpreter that generated programs are compared with, itself: against numbers that were
 * worked out by hand, and against the device where it is no matter of taste (test_random.c). */
#include "support/interpreter.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 4, HEIGHT = 3, CELLS = WIDTH * HEIGHT };

/* Cell (x, y) of x holds x + 10 y; outside are zeros. The number of `set`, n, is 0.25; v is (1, 2,
 * 3); w has five elements. */
static struct interpreter_grid grid_of(enum qp_array_type type, double *cells, double *error)
{
    static const double n[] = {0.25}, v[] = {1.0, 2.0, 3.0}, w[] = {10.0, 11.0, 12.0, 13.0, 14.0};
    for (int i = 0; i < CELLS; i++)
        cells[i] = i % WIDTH + 10.0 * (i / WIDTH);
    return (struct interpreter_grid){.type = type,
                                     .width = WIDTH,
                                     .height = HEIGHT,
                                     .states = 1,
                                     .arrays = 1,
                                     .numbers = 3,
                                     .array = {{.name = "x", .cells = cells, .error = error}},
                                     .number = {{"n", 1, n}, {"v", 3, v}, {"w", 5, w}}};
}

/* The value of cell (1, 1) after a step. */
static double cell_of(enum qp_array_type type, const char *text, double *off)
{
    double cells[CELLS], error[CELLS];
    struct interpreter_grid grid = grid_of(type, cells, error);
    const char *why = interpreter_run(text, &grid, 1);
    if (why != NULL)
        fail_msg("%s: %s", text, why);
    *off = error[WIDTH + 1];
    return cells[WIDTH + 1];
}

/* Text before `return`, the expression after it, and its value. Floats are rounded: 0.1 + 0.2 is
 * that of C's float. */
TEST(floats)
{
    static const struct {
        const char *first, *value;
        double is;
    } rows[] = {
        {"", "x_at(0.0, 0.0)", 11.0},
        {"", "x_at(1.0, 1.0) - x_at(-1.0, -1.0) * 2.0", 22.0},
        {"", "x_at(-2.0, 0.0) + x_at(3.0, 0.0) + x_at(0.0, 2.0)", 0.0},
        {"", "here.x + 10.0 * here.y", 11.0},
        {"", "1.0 - 2.0 - 3.0", -4.0},
        {"", "8.0 / 2.0 / 2.0 + 2.0 * 3.0", 8.0},
        {"", "-(1.0 + 2.0) * - 2.0", 6.0},
        {"", "0.1 + 0.2", (double)(0.1f + 0.2f)},
        {"", "1e-30 * 1e-10", 0.0},
        {"", "n * 4.0 + v.z + v.yx.x + w[3]", 19.0},
        {"float a = 1.0, b = a + 1.0; a += b; b *= a; a -= 0.5; b /= 3.0;", "a * 10.0 + b", 27.0},
        {"vec2 a = vec2(1.0, 2.0); a.yx = a; a.x += 1.0;", "a.x * 10.0 + a.y", 31.0},
        {"vec4 a = vec4(v.xy, vec2(3.0)); vec3 b = a.wzy + 1.0;", "b.x + 10.0 * b.z", 34.0},
        {"vec3 a = vec3(2.0); a[1] = 5.0; a.zx = vec2(7.0, 8.0);", "a.x + 10.0 * a.y + 100.0 * a.z",
         758.0},
        {"int i = 7; i++; --i; i += 3; i = i / 4;", "float(i)", 2.0},
        {"int i = 3; int k = i++ * 10; k += ++i;", "float(k)", 35.0},
        {"float a = 1.0; (a) = 3.0; ((a)) += 2.0; (a)++; --(a);", "a", 5.0},
        {"vec2 a = vec2(1.0, 2.0); (a).x = 5.0; (a.y) *= 2.0; (a).yx = a;", "a.x * 10.0 + a.y",
         45.0},
        {"int i = 2; int k = i++ * 10 + i++;", "float(k * 10 + i)", 234.0},
        {"float a = 3.0, b = (a = 4.0) + a; swap((a), b);", "a * 10.0 + b", 84.0},
        {"float s = 0.0; for (int i = -2; i <= 2; i++) s += float(i * i);", "s", 10.0},
        {"float s = 0.0; for (int i = 0; i < 9; i++) { if (i == 2) continue; if (i > 4) break; s "
         "+= float(i); }",
         "s", 8.0},
        {"float s = 0.0; for (int i = 0; i < 3; i++) for (int j = i; j < 3; j++) s += 1.0;", "s",
         6.0},
        {"float s = 1.0; while (s < 100.0) s *= 3.0;", "s", 243.0},
        {"float s = 1.0; do { s *= 3.0; } while (s < 2.0);", "s", 3.0},
        {"float s = 0.0; if (s > 1.0) s = 5.0; else if (s < 1.0) s = 7.0; else s = 9.0;", "s", 7.0},
        {"float s = 0.0; if (s < 1.0) { s = 5.0; } else if (s < 1.0) s = 7.0; else s = 9.0;", "s",
         5.0},
        {"float s = 1.0; { float s = 2.0; s += 1.0; } s += 0.5;", "s", 1.5},
        {"int i = 0; bool b = i > 0 && 1 / i > 0; bool c = i == 0 || 1 / i > 0;",
         "b || !c ? 1.0 : 2.0", 2.0},
        {"bool b = true; bool c = false;", "(b ^^ c) && !(b ^^ b) ? 1.0 : 2.0", 1.0},
        {"", "n > 1.0 ? 1.0 : n > 0.1 ? 2.0 : 3.0", 2.0},
        {"", "n < 1.0 ? n > 0.5 ? 1.0 : 4.0 : 3.0", 4.0},
        {"if (n > 0.0) return 3.0;", "4.0", 3.0},
        {"", "twice(3.0) + twice(vec2(1.0, 2.0)).y + float(twice(4))", 18.0},
        {"float a = 1.0, b = 2.0; swap(a, b);", "a * 10.0 + b", 21.0},
        {"float a; vec2 b = vec2(0.0); given(4.0, a); given(5.0, b.y);", "a * 10.0 + b.y", 45.0},
        {"", "away(1.0) - away(0.0)", 1.0},
        {"", "LIMIT", 2.5},
        {"", "floor(-1.5) + 10.0 * ceil(1.2) + 100.0 * fract(-0.25) + 1000.0 * mod(-1.0, 3.0)",
         2093.0},
        {"",
         "abs(-2.0) + 10.0 * sign(-3.0) + 100.0 * step(2.0, 2.0) + 1000.0 * clamp(7.0, 1.0, 2.0)",
         2092.0},
        {"", "min(1.0, 2.0) + 10.0 * max(1.0, 2.0) + 100.0 * mix(1.0, 3.0, 0.25)", 171.0},
        {"",
         "dot(v, vec3(1.0, 2.0, 3.0)) + length(vec2(3.0, 4.0)) + distance(vec2(1.0), vec2(4.0, "
         "5.0))",
         24.0},
        {"",
         "cross(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)).z + min(v, 2.0).z + max(v, vec3(9.0)).x",
         12.0},
        {"", "all(lessThan(v, vec3(4.0))) && any(greaterThan(v, vec3(2.0))) ? 1.0 : 0.0", 1.0},
        {"", "v == vec3(1.0, 2.0, 3.0) && v.xy != vec2(1.0, 3.0) ? 1.0 : 0.0", 1.0},
        {"", "float(int(-1.7)) + float(7 / 2) + float(1) * 0.5", 2.5},
        {"float a[3]; a[0] = 1.0; a[2] = 4.0; a[1] = a[0] + a[2];", "a[1]", 5.0},
        {"", "sqrt(2.0)", (double)1.41421356f},
    };
    static const char form[] =
        "const float LIMIT = 2.0 + 0.5; // a constant\n"
        "float twice(float a) { return 2.0 * a; }\nvec2 twice(vec2 a) { return 2.0 * a; }\n"
        "int twice(int a) { return 2 * a; }\nfloat away(float d);\n"
        "void swap(inout float a, inout float b) { float c = a; a = b; b = c; return; }\n"
        "void given(const in float a, out float b) { b = a; }\n"
        "float kernel(vec2 here) { %s return %s; }\n"
        "float away(float d) { /* so many cells */ return x_at(d, 0.0); }\n";
    for (int i = 0; i < COUNT(rows); i++) {
        char text[2048];
        double off;
        snprintf(text, sizeof text, form, rows[i].first, rows[i].value);
        const double got = cell_of(QP_ARRAY_FLOAT, text, &off);
        if (got != rows[i].is || off != 0.0)
            fail_msg("%s %s: %.9g and not %.9g, off %g", rows[i].first, rows[i].value, got,
                     rows[i].is, off);
    }
}

TEST(integers_and_doubles)
{
    static const struct {
        const char *value;
        double is;
    } wholes[] = {{"2147483647 + 1", -2147483648.0},
                  {"65536 * 65536 + 65537 * 65535", -1.0},
                  {"x_at(0.0, 0.0) % 4 * 10 + -7 / 2", 27.0},
                  {"(6 & 3) + (6 | 1) * 10 + (6 ^ 2) * 100 + (1 << 4) * 1000 + (-16 >> 2)",
                   16468.0},
                  {"max(3, 5) * 10 + abs(-4) + min(1, 2) + clamp(9, 0, 3) + sign(-8)", 57.0},
                  {"int(2.9) + int(true) + 0x10 + 010", 27.0},
                  {"x_at(-9.0, 0.0)", 0.0}},
      doubles[] = {{"0.1lf + 0.2lf", 0.1 + 0.2},
                   {"1.0 / 3.0", (double)(1.0f / 3.0f)},
                   {"double(1) / 3.0lf", 1.0 / 3.0},
                   {"n * 2", 0.5},
                   {"sqrt(x_at(0.0, 0.0))", 3.3166247903554}};
    for (int i = 0; i < COUNT(wholes) + COUNT(doubles); i++) {
        const bool whole = i < COUNT(wholes);
        const int k = whole ? i : i - COUNT(wholes);
        const char *value = whole ? wholes[k].value : doubles[k].value;
        const double is = whole ? wholes[k].is : doubles[k].is;
        char text[256];
        double off;
        snprintf(text, sizeof text, "%s kernel(vec2 here) { return %s; }", whole ? "int" : "double",
                 value);
        const double got = cell_of(whole ? QP_ARRAY_INT : QP_ARRAY_DOUBLE, text, &off);
        if (fabs(got - is) > (k == 4 && !whole ? 1e-12 : 0.0) || off != 0.0)
            fail_msg("%s: %.17g and not %.17g", value, got, is);
    }
}

/* Unsigned integers wrap, and are never below zero. */
TEST(unsigned_integers)
{
    static const struct {
        const char *value;
        double is;
    } rows[] = {{"4294967295u + 2u", 1.0},     {"0u - 1u", 4294967295.0},
                {"65537u * 65537u", 131073.0}, {"4294967295u / 2u", 2147483647.0},
                {"4294967290u % 7u", 5.0},     {"4294967295u >> 4", 268435455.0},
                {"uint(-1) & 255u", 255.0},    {"uint(int(4294967295u) + 3)", 2.0},
                {"max(4000000000u, 3u)", 4e9}, {"4000000000u > 3u ? 1u : 2u", 1.0},
                {"~0u ^ 15u", 4294967280.0},   {"x_at(1.0, 0.0) * 4u", 48.0}};
    for (int i = 0; i < COUNT(rows); i++) {
        char text[256];
        double off;
        snprintf(text, sizeof text, "uint kernel(vec2 here) { return %s; }", rows[i].value);
        const double got = cell_of(QP_ARRAY_UINT, text, &off);
        if (got != rows[i].is || off != 0.0)
            fail_msg("%s: %.17g and not %.17g", rows[i].value, got, rows[i].is);
    }
}

/* An array of another size is laid out in rows of its own, and ends where these end. */
TEST(sizes)
{
    static const enum qp_outside outsides[] = {QP_OUTSIDE_ZERO, QP_OUTSIDE_CLAMP, QP_OUTSIDE_WRAP,
                                               QP_OUTSIDE_VALUE};
    static const double want[COUNT(outsides)][CELLS] = {{2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0},
                                                        {2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4},
                                                        {2, 1, 2, 1, 4, 3, 4, 3, 2, 1, 2, 1},
                                                        {2, 7, 7, 7, 4, 7, 7, 7, 7, 7, 7, 7}};
    double f[] = {1, 2, 3, 4}, cells[CELLS], error[CELLS];
    for (int k = 0; k < COUNT(outsides); k++) {
        struct interpreter_grid grid = grid_of(QP_ARRAY_FLOAT, cells, error);
        grid.arrays = 2;
        grid.array[1] = (struct interpreter_array){"f", outsides[k], 7.0, f, NULL, 2, 2};
        assert_null(
            interpreter_run("float kernel(vec2 here) { return f_at(1.0, 0.0); }", &grid, 1));
        for (int i = 0; i < CELLS; i++)
            assert_true(cells[i] == want[k][i]);
    }
}

/* How far a program may be off, and where it may decide otherwise. */
TEST(errors_and_doubts)
{
    static const struct {
        const char *value;
        double is, least, most; /* value; bounds of the error */
    } rows[] = {
        {"sin(1.0)", 0.841470985, 1e-8, 1e-6},
        {"1000.0 * sin(1.0)", 841.470985, 1e-5, 1e-3},
        {"exp(1.0) / 100.0", 0.0271828183, 1e-9, 1e-7},
        {"sin(1.0) < 0.5 ? 1.0 : 2.0", 2.0, 0.0, 0.0},
        {"sin(1.0) < 0.84147099 ? 1.0 : 2.0", 1.0, INFINITY, INFINITY},
        {"floor(0.5 + sin(1.0))", 1.0, 0.0, 0.0001},
        {"floor(exp(0.0))", 1.0, 1.0, 1.1},
        {"fract(exp(0.0))", 0.0, 1.0, 2.1},
        {"mod(3.0 * exp(0.0), 3.0)", 0.0, 3.0, 6.1},
        {"x_at(float(int(exp(0.0))), 0.0)", 12.0, INFINITY, INFINITY},
        {"sqrt(sin(0.0))", 0.0, 1e-4, INFINITY},
        {"sin(1.0) > 0.0 && exp(0.0) == 1.0 ? 1.0 : 2.0", 1.0, INFINITY, INFINITY},
        {"sin(1.0) > 0.0 || exp(0.0) == 1.0 ? 1.0 : 2.0", 1.0, 0.0, 0.0},
        {"float(1 / (int(here.x) - 1))", 0.0, 0.0, 0.0},
        {"float(5 % (int(here.x) - 1))", 5.0, 0.0, 0.0},
        {"1.0 / (here.x - here.x)", INFINITY, INFINITY, INFINITY},
        {"float(int(1e10 * here.x))", 0.0, INFINITY, INFINITY},
        {"1e38 * 10.0 * here.x", INFINITY, 0.0, 0.0},
        {"1e38 * 10.0 * (here.x - 1.0)", NAN, INFINITY, INFINITY},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        char text[256];
        double off;
        snprintf(text, sizeof text, "float kernel(vec2 here) { return %s; }", rows[i].value);
        const double got = cell_of(QP_ARRAY_FLOAT, text, &off);
        if ((got != rows[i].is && fabs(got - rows[i].is) > 1e-6 * fabs(rows[i].is)) ||
            isnan(got) != isnan(rows[i].is) || off < rows[i].least || off > rows[i].most)
            fail_msg("%s: %.9g, off %g", rows[i].value, got, off);
    }
}

/* Outside, several states, and steps after each other; a cell that reads one in doubt is in
 * doubt. */
TEST(states_and_steps)
{
    static const char text
        [] = "float same(float a) { return a; } void kernel(vec2 here) { out0 = u_at(-1.0, 0.0) + "
             "f_at(0.0, -1.0); "
             "out1 = v_at(2.0, 0.0) + same(u_at(0.0, 0.0)); }",
    doubtful[] =
        "float kernel(vec2 here) { return here.x > 2.0 && exp(0.0) > 1.0 ? 1.0 : x_at(1.0, 0.0); }";
    double u[] = {1, 2, 3}, v[] = {4, 5, 6}, f[] = {7, 8, 9}, off[2][3], cells[CELLS], error[CELLS];
    struct interpreter_grid grid = {.type = QP_ARRAY_FLOAT,
                                    .width = 3,
                                    .height = 1,
                                    .states = 2,
                                    .arrays = 3,
                                    .array = {{"u", QP_OUTSIDE_WRAP, 0, u, off[0]},
                                              {"v", QP_OUTSIDE_CLAMP, 0, v, off[1]},
                                              {"f", QP_OUTSIDE_VALUE, 0.5, f, NULL}}};
    const char *why = interpreter_run(text, &grid, 2);
    if (why != NULL)
        fail_msg("%s", why);
    /* u: 3.5 1.5 2.5, then 3 4 2; v: 7 8 9, then 9 + 3.5, 9 + 1.5, 9 + 2.5. */
    static const double us[] = {3.0, 4.0, 2.0}, vs[] = {12.5, 10.5, 11.5};
    for (int i = 0; i < 3; i++) {
        assert_true(u[i] == us[i] && v[i] == vs[i]);
        assert_true(off[0][i] == 0.0 && off[1][i] == 0.0);
    }
    grid = grid_of(QP_ARRAY_FLOAT, cells, error);
    assert_null(interpreter_run(doubtful, &grid, 2));
    for (int i = 0; i < WIDTH; i++)
        assert_true(isinf(error[i]) == (i >= WIDTH - 2));
}

/* Texts that are none end with a sentence, and not otherwise. */
TEST(mistakes)
{
    static const char *const rows[][2] = {
        {"float kernel(vec2 here) { return y; }", "line 1: a name that nothing declares"},
        {"float kernel(vec2 here)\n{ return tanned(1.0); }",
         "line 2: a function that is not known"},
        {"float kernel(vec2 here) { while (true) { } }", "a loop that does not end"},
        {"float kernel(vec2 here) { return kernel(here); }", "a function that calls itself"},
        {"float kernel(vec2 here) { return 1.0 + ; }", "does not know"},
        {"float kernel(vec2 here) { return 1.0; ", "a bracket that nothing closes"},
        {"float kernel(vec2 here) { int i = 1.0; return 1.0; }", "loses a part"},
        {"float kernel(vec2 here) { return vec2(1.0); }", "returns nothing, or another type"},
        {"float kernel(vec2 here) { return 1.0 % 2.0; }",
         "an operation that its operands do not have"},
        {"float other(vec2 here) { return 1.0; }", "no function kernel"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        double cells[CELLS], error[CELLS];
        struct interpreter_grid grid = grid_of(QP_ARRAY_FLOAT, cells, error);
        const char *why = interpreter_run(rows[i][0], &grid, 1);
        if (why == NULL || strstr(why, rows[i][1]) == NULL)
            fail_msg("%s: %s", rows[i][0], why != NULL ? why : "it ran");
    }
}
