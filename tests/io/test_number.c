/* SPDX-License-Identifier: MIT */
/* Decimal numbers: to the last bit what strtod makes of them, at random and where it is hard.
 * LONG=1 takes a hundred million at random. No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"
#include "toolkit/io/number.h"

/* The text, and what may follow it, is read as strtod reads it. */
static void check(const char *text)
{
    char line[1200];
    double got = 7.0;
    snprintf(line, sizeof line, "%s\n", text);
    const double wanted = strtod(line, NULL);
    const char *end = qp_number_read(line, &got);
    if (end != line + strlen(text) || memcmp(&got, &wanted, sizeof got) != 0)
        fail_msg("%s is read as %a where strtod has %a", text, got, wanted);
}

TEST(forms)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "+1",
                                       ".5",
                                       "5.",
                                       "-.5e1",
                                       "1e0",
                                       "1E+5",
                                       "1e-5",
                                       "00012.500",
                                       "0e999999999999",
                                       "1e309",
                                       "-1e400",
                                       "1e99999999999999999999",
                                       "1e-99999999999999999999",
                                       "4.9e-324",
                                       "2.4703282292062327e-324",
                                       "2.4703282292062328e-324",
                                       "2.2250738585072011e-308",
                                       "2.2250738585072014e-308",
                                       "1.7976931348623157e308",
                                       "1.7976931348623158e308",
                                       "1.7976931348623159e308",
                                       "9007199254740993",
                                       "9007199254740992.9999999999999999",
                                       "9007199254740993.0000000000000000000000001",
                                       "9007199254740995",
                                       "1152921504606847104",
                                       "1152921504606847103.9999999",
                                       "9999999999999999999",
                                       "99999999999999999999",
                                       "18446744073709551616",
                                       "0.000000000000000000000000000000000000000000000000001",
                                       "8.98846567431158e307",
                                       "1e22",
                                       "1e23",
                                       "1e-22",
                                       "5e-324",
                                       "6.9294956446009195e15",
                                       "1448997445238699",
                                       "1.00000000000000011102230246251565404236316680908203125",
                                       "1.00000000000000011102230246251565404236316680908203124",
                                       "1.00000000000000033306690738754696212708950042724609375",
                                       "100000000000000016777215",
                                       "100000000000000016777216",
                                       "123456789012345678901234567890e-20"};
    static const char *const bad[] = {"",    "+",   "-",    ".",   "e5",  "1e", "1e+", "-.e1",
                                      "+-1", "nan", "-inf", "inf", "..5", "a",  "--1", " 1"};
    for (int i = 0; i < COUNT(good); i++)
        check(good[i]);
    for (int i = 0; i < COUNT(bad); i++) {
        double got = 7.0;
        assert_null(qp_number_read(bad[i], &got));
        assert_true(got == 7.0);
    }
    /* it ends where the number does, and who reads the line finds the rest */
    double got;
    assert_string_equal(qp_number_read("0x1p3", &got), "x1p3");
    assert_string_equal(qp_number_read("1,5", &got), ",5");
    assert_string_equal(qp_number_read("1d5", &got), "d5");
    assert_string_equal(qp_number_read("1.5.2", &got), ".2");
}

/* Halfway between two doubles, exactly, and by one digit in 800 above or below that. */
TEST(halfway_between_doubles)
{
    uint64_t seed = 3;
    for (int k = 0; k < 3000; k++) {
        char text[1100];
        const double low = ldexp(1.0 + floor(qp_random(&seed, 0.0, 0x1p52)) * 0x1p-52,
                                 (int)qp_random(&seed, -1000.0, 1000.0));
        /* 53 bits and one more: long double holds them */
        const long double middle =
            ((long double)low + (long double)nextafter(low, INFINITY)) / 2.0L;
        const int length = snprintf(text, sizeof text, "%.*Le", 800, middle);
        check(text);
        char *last = strchr(text, 'e') - 1;
        assert_true(length > 800 && *last == '0');
        *last = '1';
        check(text);
        snprintf(text, sizeof text, "%.*Le", 18 + k % 20, middle);
        check(text);
    }
}

/* Any bits, at any number of digits, and any digits with any exponent. */
TEST(numbers_at_random)
{
    const long count = support_takes_long() ? 100000000 : 100000;
    uint64_t bits = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    for (long k = 0; k < count; k++) {
        char text[64];
        double value;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (k % 4 < 2 && isfinite(value))
            snprintf(text, sizeof text, "%.*e", k % 4 == 0 ? 16 : (int)(bits % 21), value);
        else if (k % 4 == 2)
            snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> bits % 64),
                     (unsigned long long)(bits * 31 >> bits % 61), (int)(bits % 701) - 350);
        else
            snprintf(text, sizeof text, "%.17g", (double)(int64_t)bits * 0x1p-63);
        check(text);
    }
}
