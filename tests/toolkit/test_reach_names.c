/* SPDX-License-Identifier: MIT */
/* How far gathers look whose offsets are parameters and variables. */
#include "support/reach.h"

/* Parameters have what all calls hand over. */
TEST(parameters)
{
    static const struct row rows[] = {
        {"float f(float a, float b) { return a + x_at(a, b); }\n"
         "float kernel(vec2 here) { return f(-1.0, 0.0) + f(0.0, 2.0) + f(1.0, -3.0); }",
         3},
        {"float f(int a); float f(const in highp int a) { return x_at(a, 0); }\n"
         "float kernel(vec2 here) { for (int i = 0; i < 5; i++) s += f(i); return s; }",
         4},
        {"float f(float a) { return x_at(a, 0); } float g(float b) { return f(2.0 * b); }\n"
         "float kernel(vec2 here) { return g(3.0) + g(-4.0); }",
         8},
        {"float f(float a, float b) { return x_at(b, 0); }\n"
         "float kernel(vec2 here) { return f(max(9.0, here.x), (1.0)); }",
         1},
        {"float f(float a) { if (a > 0.0) return a + x_at(a, 0.0); else return a; }\n"
         "float kernel(vec2 here) { return f(-4.0) + f(1.0); }",
         4},
        {"float f(float a) { return x_at(a, 0); }\n" /* nobody calls it */
         "float kernel(vec2 here) { return 1.0; }",
         QP_REACH_UNKNOWN},
        {"float f(float a) { return x_at(a, 0); }\n"
         "float kernel(vec2 here) { return f(1.0) + f(here.x); }",
         QP_REACH_UNKNOWN},
        {"float f(float a) { a += 1.0; return x_at(a, 0); }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         QP_REACH_UNKNOWN},
        {"float f(float a) { (a) += 1.0; return x_at(a, 0); }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         QP_REACH_UNKNOWN},
        {"float f(float a) { { float a = 9.0; return x_at(a, 0); } }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         9},
        {"float f(float a) { return x_at(a, 0); } float f(int a) { return 0.0; }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         QP_REACH_UNKNOWN},
        {"float f(float a, float b) { return x_at(b, 0); }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         QP_REACH_UNKNOWN},
        {"float f(float a) { return x_at(a, 0) + f(a + 1.0); }\n"
         "float kernel(vec2 here) { return f(1.0); }",
         QP_REACH_UNKNOWN},
    };
    EXPECT(rows);
}

/* Names that are set once, in whatever way; those that functions hand out are not. */
TEST(variables)
{
    static const struct row rows[] = {
        {"float d = -3.0; x_at(d, 0)", 3},
        {"for (int i = 0; i < 3; i++) { float d = 2.0 * float(i) + 1.0; s += x_at(d, 0); }", 5},
        {"float d = 1.0; { float d = 4.0; x_at(d, 0); }", 4},
        {"float d = here.x; x_at(d, 0)", UNKNOWN},
        {"float d = 1.0; d = 2.0; x_at(d, 0)", UNKNOWN},
        {"float d = 1.0; (d) = 7.0; x_at(d, 0)", UNKNOWN},
        {"float d = 1.0; ((d)) += 2.0; x_at(d, 0)", UNKNOWN},
        {"float d = 1.0; (d)++; x_at(d, 0)", UNKNOWN},
        {"float d = 1.0; ++(d); x_at(d, 0)", UNKNOWN},
        {"for (int i = 0; i < 3; i++) { (i) += 1; x_at(i, 0); }", UNKNOWN},
        {"for (int i = 0; i < 3; (i)++) x_at(i, 0);", UNKNOWN},
        {"float d = 1.0; float e = (d) + (d); x_at(e, 0)", 2},
        {"float d = 1.0, e = 2.0; x_at(e, 0)", UNKNOWN},
        {"float d; x_at(d, 0)", UNKNOWN},
        {"const vec2 d = vec2(1.0, -4.0); x_at(d.x, 0)", UNKNOWN},
        {"void f(out int k) { k = 9; } for (int i = 0; i < 2; i++) { f(s); x_at(i, 0); }", 1},
        {"void f(inout float s, float d) { s += x_at(d, 0); }\n"
         "float kernel(vec2 here) { for (int i = -2; i < 2; i++) f(s, float(i)); return s; }",
         2},
        {"void f(float a, out int k); int i = 1; f(1.0, i); x_at(i, 0);", UNKNOWN},
        {"void f(float a, inout int k); int i = 1; f(g(1, 2), (i)); x_at(i, 0);", UNKNOWN},
        {"void f(float a, out int k); void f(float a); int i = 1; f(i); x_at(i, 0);", 1},
        {"void f(float a, out int k); int i = 1; g(i); h(2, i); x_at(i, 0); x_at(0, i)", 1},
        {"float f(float a, float b); int i = 1; f(2.0, (i)); x_at(i, 0)", 1},
    };
    EXPECT(rows);
}

/* True for a term that is 0, whatever the cell. */
TEST(zeros)
{
    static const struct {
        const char *body;
        bool is_zero;
    } rows[] = {{"0", true},
                {"0.0", true},
                {"(1.0 - 1.0)", true},
                {"-0.0", true},
                {"n; const int n = 0;", true},
                {"n; const int n = 1;", false},
                {"i; for (int i = 0; i < 2; i++)", false},
                {"1.0", false},
                {"here.x", false},
                {"given", false}};
    for (int i = 0; i < COUNT(rows); i++) {
        struct qp_kernel kernel = {.desc = {.name = "k", .number = {{"given"}}}, .numbers = 1};
        assert_non_null(kernel.tokens = qp_tokens_read(rows[i].body));
        if (qp_reach_is_zero(&kernel, kernel.tokens->of) != rows[i].is_zero)
            fail_msg("'%s'", rows[i].body);
        qp_tokens_release(&kernel.tokens);
    }
}
