/* SPDX-License-Identifier: MIT */
/* Text that others typed: characters, comments, words and lines. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/text.h"

TEST(characters)
{
    static const struct {
        const char *text;
        int bytes;
    } cases[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\x80", 0},
        {"\xbf", 0},
        {"\xc1\xbf", 0}, /* longer than needed */
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xdf\xc0", 0},
        {"\xdf", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xe0\xa0\x80", 3},
        {"\xe0\xa0", 0},
        {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0}, /* a surrogate */
        {"\xee\x80\x80", 3},
        {"\xef\xbf\xbf", 3},
        {"\xef\xbf\x7f", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf0\x90\x80\x80", 4},
        {"\xf0\x90\x80", 0},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        if (qp_text_character((const unsigned char *)cases[i].text) != cases[i].bytes)
            fail_msg("case %d is not of %d bytes", i, cases[i].bytes);
    }
}

TEST(numbers)
{
    static const struct {
        double value;
        const char *text;
    } all[] = {{0.0, "0.0"},
               {-0.0, "-0.0"},
               {1.0, "1.0"},
               {-12.0, "-12.0"},
               {0.1, "0.1"},
               {1.0 / 3.0, "0.3333333333333333"},
               {0.1 + 0.2, "0.30000000000000004"},
               {1e300, "1e+300"},
               {5e-324, "5e-324"},
               {123456789.0, "123456789.0"},
               {0x1p53, "9007199254740992.0"},
               {-0x1.fffffffffffffp1023, "-1.7976931348623157e+308"}};
    for (int k = 0; k < COUNT(all); k++) {
        char text[32];
        assert_string_equal(qp_number_text(all[k].value, text), all[k].text);
        assert_true(strtod(text, NULL) == all[k].value);
    }
}

TEST(words)
{
    static const struct {
        const char *words, *text;
        int number;
    } all[] = {{"one two", "one", 1},    {"one two", "two", 2},  {"one two", "on", 0},
               {"one two", "one t", 0},  {"one two", "", 0},     {"", "one", 0},
               {"a gl_* b", "gl_x", 2},  {"a gl_* b", "gl_", 2}, {"a gl_* b", "gl", 0},
               {"a gl_* b", "agl_x", 0}, {"a gl_* b", "b", 3},   {"/ /= %", "/=", 2},
               {"a *_at", "x_at", 2},    {"a *_at", "at", 0},    {"a *_at", "x_at_", 0}};
    for (int k = 0; k < COUNT(all); k++)
        assert_int_equal(qp_word_number(all[k].words, all[k].text, (int)strlen(all[k].text)),
                         all[k].number);
}

TEST(names_of_files)
{
    static const char *const good[] = {"", "a b$(c)", "w\xc3\xa4rme.frag", "/x/y.conf"},
                             *const bad[] = {"a\nb", "a\x7f", "a\xff", "a\xc2\x85"};
    for (int k = 0; k < COUNT(good); k++)
        assert_ok(qp_text_check_name("it", good[k]));
    for (int k = 0; k < COUNT(bad); k++) {
        assert_int_equal(qp_text_check_name("it", bad[k]), QP_BAD_INPUT);
        support_assert_sentence("in place 2, that is not printable");
    }
}
