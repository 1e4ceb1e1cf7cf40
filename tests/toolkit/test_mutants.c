/* SPDX-License-Identifier: MIT */
/* Mutants of texts: which changes are made, and which are not. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include <quadpass/spoil.h>

#include "toolkit/glsl/changes.h"

/* All changes of these kinds as `was > is; `, in their order. */
static const char *list(const char *text, bool body, unsigned kinds)
{
    static const struct qp_kernel_desc desc = {.input = {{.name = "x"}}};
    static char said[4096];
    struct qp_changes c;
    const char *was, *is;
    said[0] = '\0';
    assert_ok(qp_changes_open(text, body ? &desc : NULL, &qp_mutants, &c));
    c.kinds = kinds;
    while (qp_changes_next(&c)) {
        const size_t used = strlen(said), begin = (size_t)(c.tokens->of[c.begin].at - c.text);
        assert_int_equal(memcmp(c.other, text, begin), 0);
        qp_changes_cut(&c, &was, &is);
        assert_ptr_equal(strstr(text + begin, was), text + begin);
        assert_true(strcmp(was, is) != 0);
        snprintf(said + used, sizeof said - used, "%s > %s; ", was, is);
    }
    qp_changes_close(&c);
    return said;
}

#define BIT(kind) (1u << QP_MUTANT_##kind)

/* A text, and the changes of these kinds that are made of it. */
struct row {
    unsigned kinds;
    const char *text, *changes;
};

static void expect_rows(const struct row *rows, int count, bool body)
{
    for (int k = 0; k < count; k++)
        assert_string_equal(list(rows[k].text, body, rows[k].kinds), rows[k].changes);
}

TEST(words_of_bodies)
{
    static const struct row rows[] = {
        {BIT(SIGN), "float kernel(vec2 here) { return -a + b * -2.0 - 0.0; }",
         "-a > +a; a + b * -2.0 > a - b * -2.0; -2.0 > +2.0; "},
        {BIT(SIGN), "float kernel(vec2 here) { s += a[1] - f(x) ; s -= 1; s++; }",
         "s += a[1] > s -= a[1]; a[1] - f(x) > a[1] + f(x); s -= 1 > s += 1; "},
        {BIT(OPERAND), "float kernel(vec2 here) { return a + b.x * c - -d; }",
         "a + b.x * c > a; a + b.x * c > b.x * c; b.x * c > b.x; b.x * c > c; "
         "b.x * c - -d > b.x * c; "},
        {BIT(OPERAND), "float kernel(vec2 here) { return a / b - (c - d); }",
         "a / b > a; a / b - (c - d) > a / b; a / b - (c - d) > - (c - d); c - d > c; "
         "c - d > - d; "},
        {BIT(OPERAND), "float kernel(vec2 here) { return a < b && c || d ? 1.0 : 2.0; }",
         "a < b && c > a < b; a < b && c > c; a < b && c || d > a < b && c; "
         "a < b && c || d > d; "},
        {BIT(COMPARISON), "float kernel(vec2 here) { return a + 1 < b == c >= d; }",
         "a + 1 < b > a + 1 <= b; a + 1 < b > a + 1 > b; b == c > b != c; c >= d > c > d; "
         "c >= d > c <= d; "},
        {BIT(CONSTANT), "float kernel(vec2 here) { return 0.5 * 2 + 0.0 + 1e-3 + x_at(1.5, 0.0); }",
         "0.5 > (0.5 * 1.01); 1e-3 > (1e-3 * 1.01); "},
        {BIT(INDEX), "float kernel(vec2 here) { float w[3]; return w[2] + 7.0 + x_at(2.0, k); }",
         "2 > (2 + 1); 2 > (2 - 1); 2.0 > (2.0 + 1.0); 2.0 > (2.0 - 1.0); "},
        /* with reads these are the cell beside */
        {BIT(INDEX) | BIT(READ), "float kernel(vec2 here) { return x_at(-2.0, 1.0 + here.x); }",
         "x_at(-2.0, 1.0 + here.x) > (x_at(-2.0, 1.0 + here.x) - x_at(-2.0, 1.0 + here.x)); "
         "x_at(-2.0, 1.0 + here.x) > x_at((-2.0) + -1.0, (1.0 + here.x) + 0); "
         "x_at(-2.0, 1.0 + here.x) > x_at((-2.0) + 1.0, (1.0 + here.x) + 0); "
         "x_at(-2.0, 1.0 + here.x) > x_at((-2.0) + 0, (1.0 + here.x) + -1.0); "
         "x_at(-2.0, 1.0 + here.x) > x_at((-2.0) + 0, (1.0 + here.x) + 1.0); "
         "1.0 > (1.0 + 1.0); 1.0 > (1.0 - 1.0); "},
        /* through a function or a macro that reads */
        {BIT(INDEX) | BIT(CONSTANT),
         "#define C(i) x_cell(vec2(i, 3.0))\n"
         "float far(float d) { return x_at(d, 0); }\nfloat other(float d) { return d; }\n"
         "float kernel(vec2 here) { return far(5.0) + C(4.0) + other(6.0); }",
         "0 > (0 + 1); 0 > (0 - 1); 5.0 > (5.0 + 1.0); 5.0 > (5.0 - 1.0); 4.0 > (4.0 + 1.0); "
         "4.0 > (4.0 - 1.0); 6.0 > (6.0 * 1.01); 3.0 > (3.0 + 1.0); 3.0 > (3.0 - 1.0); "}};
    expect_rows(rows, COUNT(rows), true);
}

/* Loops end still, functions that nothing calls are left alone, and so are lines of the
 * preprocessor that are no macros. */
TEST(places_that_are_left_alone)
{
    static const unsigned all = QP_MUTANTS_ALL & ~BIT(READ);
    static const struct row rows[] = {
        {all, "float kernel(vec2 here) { for (int i = 1; i < n - 2; i += 3) { } }",
         "1 > (1 + 1); 1 > (1 - 1); i < n - 2 > i <= n - 2; i < n - 2 > i > n - 2; "
         "2 > (2 + 1); 2 > (2 - 1); "},
        {all, "float kernel(vec2 here) { for (int i = 8; i > 0; i--) { } }",
         "8 > (8 + 1); 8 > (8 - 1); i > 0 > i < 0; 0 > (0 + 1); 0 > (0 - 1); "},
        {all, "float kernel(vec2 here) { for (int i = 8; i > 1; i /= 2) { } }", ""},
        {all, "float kernel(vec2 here) { for (int i = 1; i != n + 1; i++) { } }", ""},
        {all, "float kernel(vec2 here) { for (;;) { if (a < 2.0) break; } }", ""},
        {all, "float kernel(vec2 here) { for (int i = 0; i < 9;) { i += 2; } }", ""},
        {all, "float kernel(vec2 here) { for (;; i++) { if (a < 2.0) break; } }", ""},
        {all & ~BIT(INDEX), "float kernel(vec2 here) { for (int i = 0; i < 9; i++) i = i + k; }",
         "i < 9 > i <= 9; i < 9 > i > 9; "},
        {all & ~BIT(INDEX), "float kernel(vec2 here) { for (int i = 0; i < 9; i++) a = i + k; }",
         "i < 9 > i <= 9; i < 9 > i > 9; i + k > i - k; i + k > i; i + k > k; "},
        {all & ~BIT(INDEX),
         "float kernel(vec2 here) { for (int i = 0; i < 9; i++) { i = i + k; } }",
         "i < 9 > i <= 9; i < 9 > i > 9; "},
        {all, "float kernel(vec2 here) { while (a < 2.0) { a = a + 0.5; } }", ""},
        {all, "float kernel(vec2 here) { do { a = a + 0.5; } while (a < 2.0); }", ""},
        {all, "float kernel(vec2 here) { while (a < 2.0) a += 0.5; }", ""},
        {all,
         "float idle(float a) { return a + 1.0; }\nfloat more(float a) { return idle(-a); }\n"
         "float kernel(vec2 here) { return 0.0; }",
         ""},
        {all,
         "#version 120\n#if A > 1.0\n#define B (3.0)\n#endif\n"
         "float kernel(vec2 here) { return B; }",
         "3.0 > (3.0 * 1.01); "},
        {all, "// 1.0 + 2.0\nfloat kernel(vec2 here) { return /* 3.0 */ here.x; }", ""}};
    expect_rows(rows, COUNT(rows), true);
}

/* Texts in C and CUDA have no reads, and all other kinds. */
TEST(words_of_c)
{
    static const struct row rows[] = {
        {QP_MUTANTS_ALL, "void f(const float *x, float *out) { out[i] = x[i - 1] + p->a; }",
         "i - 1 > i + 1; i - 1 > i; i - 1 > - 1; 1 > (1 + 1); 1 > (1 - 1); "
         "x[i - 1] + p > x[i - 1] - p; x[i - 1] + p > x[i - 1]; x[i - 1] + p > p; "},
        {QP_MUTANTS_ALL, "#include <math.h>\n__global__ void g(int n) { if (i < n) a = 0.5f; }",
         "i < n > i <= n; i < n > i > n; 0.5f > (0.5f * 1.01); "}};
    expect_rows(rows, COUNT(rows), false);
}

/* No text makes a change that leaves its room, or reads beyond its end. */
TEST(odd_texts)
{
    static const char *const texts[] = {"",  "+",     "a + ", "1.0 * 2.0 +", "(", "a.",  "#define",
                                        "<", "x_at(", "- )",  "for (;",      "[", "}+{", "\"+1.0"};
    for (int k = 0; k < COUNT(texts); k++) {
        list(texts[k], true, 0);
        list(texts[k], false, 0);
    }
}

GROUP(NULL, NULL)
