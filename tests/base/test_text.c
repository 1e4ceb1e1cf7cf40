/* SPDX-License-Identifier: MIT */
/* Text that others typed: characters, comments, words and lines. */
#include "support/support.h"

#include <string.h>

#include "base/text.h"

static void characters(void **state)
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
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        if (qp_text_character((const unsigned char *)cases[i].text) != cases[i].bytes)
            fail_msg("case %d is not of %d bytes", i, cases[i].bytes);
    }
}

static void comments(void **state)
{
    static const struct {
        const char *text, *blanked;
        int open; /* place of a comment that never ends; -1: none */
    } cases[] = {
        {"a // b\nc", "a     \nc", -1},
        {"a /* b\n // */ c", "a     \n       c", -1},
        {"a / b * c", "a / b * c", -1},
        {"/**/x/*/*/y", "    x     y", -1},
        {"// /* a\nb", "       \nb", -1},
        {"// a", "    ", -1},
        {"a/* b", "a    ", 1},
        {"a /* b */ /* c *", "a               ", 10},
        {"a*/b", "a*/b", -1},
        {"/", "/", -1},
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        char text[32];
        strcpy(text, cases[i].text);
        const char *const open = qp_blank_comments(text);
        assert_string_equal(text, cases[i].blanked);
        assert_ptr_equal(open, cases[i].open < 0 ? NULL : text + cases[i].open);
    }
}

static void words_and_lines(void **state)
{
    static const char text[] = "xx x_ x1 _x x\n x\n";
    (void)state;
    assert_ptr_equal(qp_find_word(text, text, "x"), text + 12);
    assert_ptr_equal(qp_find_word(text, text + 12, "x"), text + 12);
    assert_ptr_equal(qp_find_word(text, text + 13, "x"), text + 15);
    assert_null(qp_find_word(text, text + 16, "x"));
    assert_null(qp_find_word(text, text + 1, "y"));
    assert_null(qp_find_word(text, text + 1, "xx"));
    assert_ptr_equal(qp_find_word(text, text, "xx"), text);
    assert_null(qp_find_word(text, text + 4, "_"));
    assert_int_equal(qp_line_of(text, text), 1);
    assert_int_equal(qp_line_of(text, text + 13), 1);
    assert_int_equal(qp_line_of(text, text + 14), 2);
    assert_int_equal(qp_line_of(text, text + 17), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(characters), cmocka_unit_test(comments),
                                       cmocka_unit_test(words_and_lines)};
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
