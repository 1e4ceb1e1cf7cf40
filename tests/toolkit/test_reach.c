/* SPDX-License-Identifier: MIT */
/* How far gathers look: what is read off a body's text, and what is left unknown. */
#include "support/reach.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/kernel/kernel.h"

TEST(numbers)
{
    static const struct row rows[] = {
        {"return 1.0;", 0},
        {"x_at(0, 0)", 0},
        {"x_at(-2, 1.0) + x_at(0, 1)", 2},
        {"x_at ( 1 ,\n-3.5 )", 4},
        {"x_at(+1, - 3)", 3},
        {"x_at(- -2, .5)", 2},
        {"x_at(1e1, 0)", 10},
        {"x_at(-20, 1e30)", 1 << 24},
        {"x_at(2 * 3, 0)", 6},
        {"x_at(1 + 2 * 3, 0)", 7},
        {"x_at((1 + 2) * 3, 0)", 9},
        {"x_at(1 - 2 - 3, 0)", 4},
        {"x_at(1 - (2 - 5), 0)", 4},
        {"x_at(-(2 + 3), 0)", 5},
        {"x_at(-2 * -3, 0)", 6},
        {"x_at(float(4), 0)", 4},
        {"xx_at(3, 0) + x_cell(here) + x_attic(9, 9)", 0},
        {"// x_at(9, 9)\n/* x_at(9, 9) */ x_at(/* 8 */ 1, 0)", 1},
        {"// #define x_at(9, 9)\nfor (int i = 0; i < 3; i++) x_at(i, 0)", 2},
        /* These texts are no decimal numbers. */
        {"x_at(010, 0)", UNKNOWN},
        {"x_at(0x10, 0)", UNKNOWN},
        {"x_at(2u, 0)", UNKNOWN},
        {"x_at(inf, 0)", UNKNOWN},
        {"x_at(1 / 2, 0)", UNKNOWN},
        {"x_at(7 % 2, 0)", UNKNOWN},
        {"x_at(1)", UNKNOWN},
        {"x_at(1, 0, 0)", UNKNOWN},
        {"x_at()", UNKNOWN},
        {"x_at(", UNKNOWN},
        {"x_at(1, (2)", UNKNOWN},
        {"x_at(1, here.x)", UNKNOWN},
        {"x_at(abs(1), 0)", UNKNOWN},
        {"x_at(int(1.5), 0)", UNKNOWN},
        {"x_at(given, 0)", UNKNOWN},
        {"x_at(16777216 + 1, 0)", UNKNOWN}, /* floats do not count so far */
        {"x_at(16777216 * 2, 0)", UNKNOWN},
    };
    EXPECT(rows);
}

TEST(loops)
{
    static const struct row rows[] = {
        {"for (int i = -1; i <= 2; i++) s += x_at(i, 0);", 2},
        {"for (int i = -3; i <= 2; i++) s += x_at(i, 0);", 3},
        {"for (int i = -1; i < 3; i++) s += x_at(i, 0);", 2},
        {"for (int i = -1; i < 2.5; i++) s += x_at(i, 0);", 2},
        {"for (int i = 0; i <= 2; ++i) s += x_at(0, i);", 2},
        {"for (int i = 0; i <= 6; i += 3) s += x_at(i, 0);", 6},
        {"for (int i = 0; i <= 6; i += 1 + 1) s += x_at(i, 0);", 6},
        {"for (int i = 1; i <= 2; i += 0) s += x_at(i, 0);", 2},
        {"for (int i = 2; i >= -4; i--) s += x_at(i, 0);", 4},
        {"for (int i = 2; i > -4; --i) s += x_at(i, 0);", 3},
        {"for (int i = 2; i >= -4; i -= 2) s += x_at(i, 0);", 4},
        {"for ( int i = 5 ; i < 5 ; i ++ ) s += x_at(i, 0);", 5},
        {"for (float d = -1.0; d <= 1.0; d += 1.0) s += x_at(d, 0);", 1},
        {"for (float d = 0.0; d < 2.0; d += 0.5) s += x_at(d, 0);", 2},
        {"for (float d = 0.0; d > -2.0; d -= 0.5) s += x_at(d, 0);", 2},
        {"for (int j = -1; j <= 1; j++) for (int i = -2; i <= 2; i++) s += x_at(i, j);", 2},
        {"for (int j = -1; j <= 1; j++) for (int i = -2; i <= 2; i++) s += x_at(i + j, j);", 3},
        {"for (int j = -1; j <= 1; j++) for (int i = 0; i <= 2; i++) s += x_at(i - 4 * j, 0);", 6},
        {"for (int i = 1; i <= 2; i++) s += x_at(-i, i - 1);", 2},
        {"for (int i = 1; i <= 2; i++) s += x_at(2 * i, 0) + x_at(float(i), 0);", 4},
        {"for (int i = -3; i <= 2; i++) s += x_at(i * -2, 0);", 6},
        {"for (int i = -3; i <= 2; i++) s += x_at(i * i, 0);", 9},
        {"for (int i = -3; i <= 2; i++) s += x_at(0.5 * i, 0);", 2},
        {"for (int j = -4; j <= 2; j++) for (int i = -3; i <= 1; i++) s += x_at(i * j, 0);", 12},
        {"for (int j = -1; j <= 4; j++) for (int i = -3; i <= 1; i++) s += x_at(i * j, 0);", 12},
        {"for (int j = -4; j <= 1; j++) for (int i = -1; i <= 3; i++) s += x_at(i * j, 0);", 12},
        {"for (int j = -1; j <= 4; j++) for (int i = -1; i <= 3; i++) s += x_at(i * j, 0);", 12},
        {"for (int j = 0; j < 3; j++) for (int i = j; i <= j + 1; i++) s += x_at(i, 0);", 3},
        {"for (int i = 0; i < 3; i++) s += x_at(i, 0); for (int i2 = 0; i2 < 9; i2++) s++;", 2},
        /* A name has the ranges of all its loops. */
        {"for (int i = 0; i < 2; i++) s += x_at(i, 0); for (int i = -5; i < 0; i++) t += i;", 5},
        {"const int n = 3; for (int i = -n; i <= n; i++) s += x_at(i, 0);", 3},
        {"const float far = 2.0 * 2.0; x_at(far, -far)", 4},
        {"const int a = 2; const int b = a + 1; x_at(b, 0)", 3},
        {"for (int i = 0; i < 3; i++) if (i == 1 || i >= 2 || i <= 0 || i != 3) s += x_at(i, 0);",
         2},
        {"for (int i = 0; i < 3; i++) s = i < -1 && i > 1 ? s - i : s + i * i + x_at(i, 0);", 2},
    };
    EXPECT(rows);
}

static bool has_long_loops(const char *body)
{
    struct qp_kernel kernel = {.desc = {.name = "k", .number = {{"given"}}}, .numbers = 1};
    char reason[128] = "fails";
    assert_non_null(kernel.tokens = qp_tokens_read(body));
    kernel.may_be_ended = qp_reach_has_long_loops(&kernel);
    qp_kernel_note_loops(&kernel, reason, sizeof reason);
    qp_tokens_release(&kernel.tokens);
    return strstr(reason, "fails; this device ends all loops of a cell after 65535") == reason;
}

/* Loops that the device may end. */
TEST(long_loops)
{
    static const char *const long_ones[] = {
        "while (i < 3) i++;",
        "do i++; while (i < 3);",
        "for (;;) break;",
        "for (int i = 0; i < given; i++) x;",
        "for (int i = 0; ; i++) x;",
        "for (int i = 0; i < 3; i++) i -= 2;",
        "#define F for (;;)\nF x;",
        "for (int i = 0; i < 4097; i++) x;",
        "for (int i = -32; i <= 32; i++) for (float k = 0.0; k < 64.0; ++k) x;",
    };
    static const char *const short_ones[] = {
        "x;",
        "for (int i = -2; i <= 2; i++) for (float k = 0.0; k < 8.0; ++k) x;",
        "const int n = 9; for (int i = 0; i < n; i++) x;",
        "for (int i = 0; i < 4096; i++) x;",
    };
    for (int i = 0; i < COUNT(long_ones); i++)
        assert_true(has_long_loops(long_ones[i]));
    for (int i = 0; i < COUNT(short_ones); i++)
        assert_false(has_long_loops(short_ones[i]));
}

TEST(loops_that_are_unknown)
{
    static const struct row rows[] = {
        {"for (int i = 0; i <= given; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = int(here.x); i <= 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2; i--) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i >= -2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2; i += -1) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i >= -2; i -= -1) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2; i += given) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 1; i <= 2; i *= 2) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i != 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i == 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2 || s < 1.0; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; 2 >= i; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; s <= 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2; j++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i <= 2; i++, j++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0, j = 1; i <= 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (uint i = 0u; i <= 2u; i++) s += x_at(i, 0);", UNKNOWN},
        {"for (int i = 0; i < 2; i++) s += x_at(j, 0);", UNKNOWN},
        {"for (int i = i; i <= 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"const int a = a; x_at(a, 0)", UNKNOWN},
        {"const int a = b + b; const int b = a + a; x_at(a, 0)", UNKNOWN},
        {"++i; for (int i = 0; i < 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"int i = 0; while (i < 2) s += x_at(i++, 0);", UNKNOWN},
        {"int i; for (i = 0; i < 2; i++) s += x_at(i, 0);", UNKNOWN},
        {"const int a = 1, b = 2; x_at(a, 0)", UNKNOWN},
        {"const int a[2] = int[2](1, 2); x_at(a[1], 0)", UNKNOWN},
        {"const vec2 a = vec2(1); x_at(a.x, 0)", UNKNOWN},
    };
    static const char *const changes[] = {"i = 9",   "i += 9",  "i -= 9", "i *= 9",  "i /= 9",
                                          "i %= 9",  "i &= 9",  "i |= 9", "i ^= 9",  "i <<= 9",
                                          "i >>= 9", "i++",     "i --",   "++i",     "-- i",
                                          "int i",   "float i", "vec2 i", "a.i = 9", "i\n=\n9"};
    EXPECT(rows);
    for (int i = 0; i < COUNT(changes); i++) {
        char body[160];
        struct qp_reach found;
        snprintf(body, sizeof body, "for (int i = 0; i < 3; i++) { s += x_at(i, 0); %s; }",
                 changes[i]);
        assert_ok(read_body(body, 0, &found));
        if (found.cells != UNKNOWN)
            fail_msg("'%s': reach %d", body, found.cells);
    }
}

/* Offsets whose meaning another name or a word of the preprocessor may change. */
TEST(names_that_mean_something_else)
{
    static const struct row rows[] = {
        {"float at(float i) { return x_at(i, 0); }", UNKNOWN},
        {"float at(int i) { return x_at(i, 0); } for (int i = 0; i < 2; i++) s += at(i);", UNKNOWN},
        {"for (int given = 0; given < 2; given++) s += given; x_at(given, 0)", UNKNOWN},
        {"for (int size = 0; size < 2; size++) s += x_at(size, 0);", UNKNOWN},
        {"for (int out0 = 0; out0 < 2; out0++) s += x_at(out0, 0);", UNKNOWN},
        {"void f(out int k) { k = 9; } for (int i = 0; i < 2; i++) { f(i); x_at(i, 0); }", UNKNOWN},
        {"void f(inout int k) { } for (int i = 0; i < 2; i++) { f(i); x_at(i, 0); }", UNKNOWN},
        {"for (float i = 0; i < 2; i++) { modf(s, i); x_at(i, 0); }", UNKNOWN},
        {"for (int i = 0; i < 2; i++) { frexp(s, i); x_at(i, 0); }", UNKNOWN},
        {"#define N 3\nfor (int i = 0; i < N; i++) s += x_at(i, 0);", UNKNOWN},
        {"#define next i++\nfor (int i = 0; i < 3; i++) { s += x_at(i, 0); next; }", UNKNOWN},
        {"#define float(a) 5\nx_at(float(1), 0)", UNKNOWN},
        {"#define near 5\nx_at(1, 0)", 1},
        {"#define look x_at\nlook(5, 0)", UNKNOWN},
        {"  # define LOOK x_at(1, 0) + x_at(\nLOOK 5, 0)", UNKNOWN},
        {"#define LOOK(a) a ## _at(5, 0)\nLOOK(x) + x_at(1, 0)", UNKNOWN},
        {"x_\\\nat(5, 0) + x_at(1, 0)", UNKNOWN},
        {"float look(float x_at) { return x_at; }", UNKNOWN},
    };
    EXPECT(rows);
}

/* The first unknown gather: its line, and its offset as it was written. */
TEST(unknown_offsets_are_quoted)
{
    static const struct {
        const char *body, *offset;
        int line;
    } rows[] = {
        {"\nx_at(1, 0) +\nx_at(di, 0) + x_at(dj, 0)", " di", 3},
        {"x_at(1, dy)", " dy", 1},
        {"x_at(here.x - floor(3.0), 0)", " here.x - floor(3.0)", 1},
        {"x_at(0, max(a, b))", " max(a, b)", 1},
        {"x_at(/* one */ a, b)", " a", 1},
        {"\n#define look x_at\nx_at(a, 0)", "", 2},
        {"float f = x_at + 1;", "", 1},
        {"x_at(here.x\n, 1)", " here.x", 1},
        {"x_at("
         "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij, 1)",
         " abcdefghijabcdefghijabcdefghijabcdefgh", 1},
    };
    struct qp_kernel kernel = {.desc = {.name = "k", .input = {{"x"}}},
                               .tokens = qp_tokens_read(rows[0].body)};
    for (int i = 0; i < COUNT(rows); i++) {
        struct qp_reach found;
        assert_ok(read_body(rows[i].body, 0, &found));
        assert_string_equal(found.offset, rows[i].offset);
        assert_int_equal(found.line, rows[i].line);
    }
    assert_ok(read_body(rows[0].body, 0, &kernel.reach[0]));
    assert_int_equal(qp_reach_check(&kernel, 0, "say it"), QP_UNSUPPORTED);
    support_assert_sentence("k:3: the offset di of x_at is computed; say it");
    kernel.reach[0].cells = 0;
    assert_ok(qp_reach_check(&kernel, 0, "say it"));
    qp_tokens_release(&kernel.tokens);
}

/* A reach that the description has: numbers beyond it are refused, and what may be beyond it is
 * held. */
TEST(described_reaches)
{
    static const struct {
        const char *body;
        bool held;
    } rows[] = {{"x_at(2, -2)", false},
                {"for (int i = -2; i <= 2; i++) s += x_at(i, 0);", false},
                {"for (int i = -3; i <= 2; i++) s += x_at(i, 0);", true},
                {"x_at(given, 0)", true},
                {"x_at(1, 0) + x_at(0, given)", true}};
    static const char *const beyond[] = {"\nx_at(3, 0)", "\nx_at(0, -3.0)",
                                         "\nx_at(given, 0) + x_at(1 + 2, 0)"};
    struct qp_reach found;
    for (int i = 0; i < COUNT(rows); i++) {
        assert_ok(read_body(rows[i].body, 2, &found));
        assert_int_equal(found.cells, 2);
        assert_int_equal(found.held, rows[i].held);
    }
    for (int i = 0; i < COUNT(beyond); i++)
        assert_int_equal(read_body(beyond[i], 2, &found), QP_BAD_USE);
    support_assert_sentence("k:2: x_at(3, 0) is beyond the reach 2 of input 'x'");
    assert_int_equal(read_body("x_at(2, 0)", 1, &found), QP_BAD_USE);
    assert_ok(read_body("x_at(given, 0)", 1, &found));
    assert_true(found.held && found.cells == 1);
    assert_ok(read_body("x_at(0, 0)", 1, &found));
    assert_true(!found.held && found.cells == 1);
}

/* Brackets in thousands, and constants that name each other twice each, end soon. */
TEST(texts_that_go_deep)
{
    static char body[20000];
    struct qp_reach found;
    snprintf(body, sizeof body, "x_at(");
    memset(body + 5, '(', 9000);
    assert_ok(read_body(body, 0, &found));
    assert_int_equal(found.cells, UNKNOWN);
    size_t used = 0;
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(body + used, sizeof body - used, "const int a%d = a%d + a%d;", i,
                                 i + 1, i + 1);
    snprintf(body + used, sizeof body - used, "const int a40 = 0; x_at(a0, 0)");
    assert_ok(read_body(body, 0, &found));
    assert_int_equal(found.cells, UNKNOWN);
}

/* Gathers in comments are none, and names that end alike are others. */
TEST(only_gathers_have_a_reach)
{
    struct qp_reach found;
    assert_ok(read_body("// x_at(9, 9)\n/* x_at(9,\n9) x_at(9, 9) */\n"
                        "float ax_at(int a, int b) { return float(a + b); }\n"
                        "float kernel(vec2 here) { return x_at( -1 , +1.0 ) + ax_at(9, 9); }",
                        1, &found));
    assert_int_equal(found.cells, 1);
    assert_false(found.held);
}
