/* SPDX-License-Identifier: MIT */
/* Expressions of x and y. Each is in a table twice, as text and as C that the compiler computes in
 * double. */
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/expression.h"

/* ---- Values ---- */

/* clang-format off */
#define ROWS(row) \
    row(number, 0.25) row(point, .5e1) row(end, 2.) row(power, 1e-3) row(pi, M_PI) row(one, x) row(other, (y)) \
    row(minus, -x) row(plus, +y) row(twice, - -x) row(less_minus, 3. - -y) row(left, x - y - 2.) \
    row(left_again, x / y / 3.) row(right, x - (y - 2.)) row(products, x + y * 3. - x / 2.) \
    row(brackets, (x + y) * (3. - x) / (2. * y)) row(signs, -x * -y) row(sign_first, -x + y) \
    row(less, x < y) row(no_more, x <= y) row(more, x > y) row(no_less, x >= y) row(same, x == y) row(unlike, x != y) \
    row(of_truths, (x < y) + 2. * (y <= x)) row(truths_alone, (x < 3.) - (y < 2.) * (x == y)) \
    row(equal_of_less, (x < 2.) == (y < 2.)) row(both, x < 3. && y < 3.) row(either, x < 3. || (y < 2. && x > 5.)) \
    row(either_first, x && y - 1. || x < 2.) row(less_of_sums, x + 1. < y * 2.) row(equal_after_less, x < 2. == y < 2.) \
    row(chosen, x < y ? x : y) row(chosen_twice, x < 2. ? 1. : y < 3. ? x * 2. : y - 7.) \
    row(chosen_inside, (x > 1. ? x > 2. ? 5. : 6. : 7.) * y) row(chosen_last, x > 1. || y > 1. ? x + y : x - y) \
    row(calls, sin(x) + cos(y) * tan(0.1 * x)) row(arcs, asin(x / 10.) - acos(y / 10.)) \
    row(arc, atan(x) + atan2(y, x)) row(hyperbolic, sinh(x / 9.) + cosh(y / 9.) - tanh(x)) \
    row(exponents, exp(-x) * exp2(y)) row(logarithms, log(x) + log2(y) - log10(x + y)) \
    row(powers, pow(x, 0.5 * y) + sqrt(x) - cbrt(y)) row(distance, hypot(x, y)) row(magnitude, fabs(x - y)) \
    row(steps, floor(x / 3.) - ceil(y / 3.)) row(ends, fmin(x, y) * fmax(x, 2.)) row(rest, fmod(x, 3.)) \
    row(deep, sin(cos(sin(cos(x * (y + (x - (y * (x + 1.))))))))) \
    row(thesis, 0.01 * 0.01 * (2. * M_PI * M_PI * sin(M_PI * (0.01 * x)) * sin(M_PI * (0.01 * y))))
#define FUNCTION(name, expression) static double name(double x, double y) { (void)x, (void)y; return expression; }
#define TEXT(name, expression) {#expression, name},
/* clang-format on */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
ROWS(FUNCTION)
#pragma GCC diagnostic pop

static const struct {
    const char *text;
    double (*value)(double, double);
} rows[] = {ROWS(TEXT)};

static const double cells[][2] = {{1.0, 1.0}, {2.0, 1.0}, {1.0, 3.0}, {4.0, 2.0}, {9.0, 5.0}};

TEST(values_are_the_compilers)
{
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_expression expression;
        assert_ok(qp_expression_read(rows[k].text, &expression));
        for (int i = 0; i < COUNT(cells); i++) {
            const double x = cells[i][0], y = cells[i][1], wanted = rows[k].value(x, y),
                         got = qp_expression_value(&expression, x, y);
            if (memcmp(&wanted, &got, sizeof got) != 0)
                fail_msg("%s at %g, %g is %.17g, not %.17g", rows[k].text, x, y, wanted, got);
        }
    }
}

/* Integers are doubles, unlike C's. */
TEST(integers_are_doubles)
{
    static const struct {
        const char *text;
        double value;
    } all[] = {{"1 / 2", 0.5},
               {"1/x/2", 0.25},
               {"7 % 3", 1.0},
               {"-7 % 3", -1.0},
               {"x * 7.5 % 4", 3.0},
               {"2 + 7 % 4 * 2", 8.0},
               {"(x < y) / (y < x)", INFINITY},
               {"3000000000 * 4", 1.2e10}};
    for (int k = 0; k < COUNT(all); k++) {
        struct qp_expression expression;
        assert_ok(qp_expression_read(all[k].text, &expression));
        const double got = qp_expression_value(&expression, 2.0, 3.0);
        if (got != all[k].value)
            fail_msg("%s is %g, not %g", all[k].text, all[k].value, got);
    }
}

/* ---- Written as C ---- */

TEST(written)
{
    static const char *const all[][2] = {
        {"sin(M_PI*x)*sin(M_PI * y)", "sin(M_PI * (0.5 * x)) * sin(M_PI * (0.5 * y))"},
        {"1/2 + .1 - 1e30", "1.0 / 2.0 + 0.1 - 1e+30"},
        {"-x % 3 * (y)", "fmod((-(0.5 * x)), 3.0) * (0.5 * y)"},
        {"x<y&&1 ? x:y",
         "(((0.5 * x) < (0.5 * y) ? 1.0 : 0.0) && 1.0 ? 1.0 : 0.0) ? (0.5 * x) : (0.5 * y)"},
        {"0.1234567890123456789", "0.12345678901234568"}};
    for (int k = 0; k < COUNT(all); k++) {
        char got[256] = "";
        struct qp_expression expression;
        FILE *out = fmemopen(got, sizeof got, "w");
        assert_ok(qp_expression_read(all[k][0], &expression));
        qp_expression_put(&expression, expression.whole, "(0.5 * x)", "(0.5 * y)", out);
        fclose(out);
        assert_string_equal(got, all[k][1]);
    }
}

/* A program of all rows, and of what C has otherwise, which the compiler has no word about. */
TEST(compiled)
{
    static const char *const others[] = {"1 / 2",       "-7 % 3", "(x < y) / (y < x)", "x < y < 3",
                                         "x || y && x", "- - -x", "x - -(-1)",         "-(x<y)"};
    enum { ALL = COUNT(rows) + COUNT(others) };
    double wanted[ALL * COUNT(cells)];
    int count = 0;
    FILE *out = fopen("c.c", "w");
    assert_non_null(out);
    fputs("#include <math.h>\n#include <stdio.h>\nint main(void)\n{\nvolatile double x, y;\n", out);
    for (int i = 0; i < COUNT(cells); i++) {
        fprintf(out, "x = %g;\ny = %g;\n", cells[i][0], cells[i][1]);
        for (int k = 0; k < ALL; k++) {
            struct qp_expression expression;
            assert_ok(qp_expression_read(k < COUNT(rows) ? rows[k].text : others[k - COUNT(rows)],
                                         &expression));
            fputs("printf(\"%a\\n\", ", out);
            qp_expression_put(&expression, expression.whole, "x", "y", out);
            fputs(");\n", out);
            wanted[count++] = qp_expression_value(&expression, cells[i][0], cells[i][1]);
        }
    }
    fputs("return 0;\n}\n", out);
    fclose(out);
    expect("cc -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Wpedantic -Werror c.c -o c -lm && ./c", 0,
           "");
    const char *at = output;
    for (int k = 0; k < count; k++) {
        char *end;
        const double got = strtod(at, &end);
        if (end == at || (got != wanted[k] && !(isnan(got) && isnan(wanted[k]))) ||
            signbit(got) != signbit(wanted[k]))
            fail_msg("row %d: %.40s, not %a", k % ALL, at, wanted[k]);
        at = end;
    }
}

/* ---- Texts that are no expression ---- */

TEST(sentences)
{
    static const char *const all[][2] = {
        {"", "a number, x, y, M_PI, '(' or a function of math.h is expected at the end"},
        {"x +", "a number, x, y, M_PI, '(' or a function of math.h is expected at the end"},
        {"x + * y", "a number, x, y, M_PI, '(' or a function of math.h is expected before '*'"},
        {"z", "a number, x, y, M_PI, '(' or a function of math.h is expected before 'z'"},
        {"(sni(x))", "a function of math.h is expected before 'sni'"},
        {"xy", "before 'xy'"},
        {"--x", "before '--'"},
        {"!x", "before '!'"},
        {"#x", "before '#x'"},
        {"x y", "a sign is expected before 'y'"},
        {"x = y", "a sign is expected before '='"},
        {"x & y", "a sign is expected before '&'"},
        {"x(1)", "a sign is expected before '('"},
        {"(x", "')' is expected at the end"},
        {"(x]", "')' is expected before ']'"},
        {"x)", "a sign is expected before ')'"},
        {"sin", "'(' is expected at the end"},
        {"sin x", "'(' is expected before 'x'"},
        {"sin()", "a function of math.h is expected before ')'"},
        {"sin(x, y)", "')' is expected before ','"},
        {"pow(x)", "',' is expected before ')'"},
        {"pow(x, y, 1)", "')' is expected before ','"},
        {"x ? y", "':' is expected at the end"},
        {"x ? y, 1", "':' is expected before ','"},
        {"1.0f", "a decimal number that a double holds is expected before '1.0f'"},
        {"0x10", "a decimal number that a double holds is expected before '0x10'"},
        {"010", "a decimal number that a double holds is expected before '010'"},
        {"1e999", "a decimal number that a double holds is expected before '1e999'"},
        {"1e", "before '1e'"},
        {"1.2.3", "before '1.2.3'"},
        {"x / 0", "a division by zero"},
        {"x / (3 - 1 - 2)", "a division by zero"},
        {"x % 0.0", "a division by zero"},
        {"fmod(x, sin(0))", "a division by zero"},
        {"x ? 1 / 0 : 2", "a division by zero"}};
    for (int k = 0; k < COUNT(all); k++) {
        struct qp_expression expression;
        const enum qp_status status = qp_expression_read(all[k][0], &expression);
        if (status != QP_BAD_INPUT || strstr(qp_error(), all[k][1]) == NULL)
            fail_msg("'%s' gave '%s'", all[k][0], status == QP_OK ? "a value" : qp_error());
    }
}

/* The largest number of nodes, and one more; brackets as deep as is read, and deeper. */
TEST(limits)
{
    char text[4096] = "";
    struct qp_expression expression;
    for (int k = 0; k < QP_EXPRESSION_NODES - 2; k += 2)
        strcat(text, "x+1+");
    strcpy(strrchr(text, '1'), "y");
    assert_int_equal(qp_expression_read(text, &expression), QP_BAD_INPUT);
    text[strlen(text) / 2 + 1] = '\0';
    for (int deep = 60; deep <= 2000; deep += 1940) {
        memset(text, '(', (size_t)deep);
        text[deep] = 'x';
        memset(text + deep + 1, ')', (size_t)deep);
        text[2 * deep + 1] = '\0';
        assert_int_equal(qp_expression_read(text, &expression), deep == 60 ? QP_OK : QP_BAD_INPUT);
    }
    assert_string_equal(qp_error(), "no deeper bracket is expected before '('");
    memset(text, '-', 4000);
    for (int k = 1; k < 4000; k += 2)
        text[k] = ' ';
    assert_int_equal(qp_expression_read(text, &expression), QP_BAD_INPUT);
    text[0] = '\0';
    for (int k = 0; k < 500; k++)
        strcat(text, "x?x:");
    strcat(text, "x");
    assert_int_equal(qp_expression_read(text, &expression), QP_BAD_INPUT);
}

static int enter_folder(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

GROUP(enter_folder, remove_folder)
