/* SPDX-License-Identifier: MIT */
/* Sentences as a terminal may be given them: control characters in plain letters, UTF-8 as it is;
 * and hints. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/output/sentence.h"

static void expect_printed(const char *text, const char *wanted)
{
    char *got;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    sentence_print(out, "who", text);
    fclose(out);
    assert_int_equal(strncmp(got, "who: ", 5), 0);
    assert_string_equal(got + 5, wanted);
    free(got);
}

/* Lines may break, unless a word of the command holds a break: then it is one of the words'. */
TEST(control_characters)
{
    char plain[] = "a.mtx", broken[] = "a\nb", *none[] = {plain, plain}, *some[] = {broken, plain};
    sentence_expect(2, none);
    expect_printed("a\tb\nc", "a\tb\nc\n");
    expect_printed("\001\033[1m\037 \177~", "\\x01\\x1b[1m\\x1f \\x7f~\n");
    expect_printed("\302\177\302\200\302\237\302\240\303\237",
                   "\302\\x7f\\x80\\x9f\302\240\303\237\n");
    sentence_expect(2, some);
    expect_printed("a\nb\tc", "a\\nb\tc\n");
    sentence_expect(1, none);
    expect_printed("a\nb", "a\nb\n");
    sentence_expect(0, some);
    expect_printed("a\nb", "a\nb\n");
}

/* Lines of a file of the user's, with any ends of lines. */
TEST(numbered_lines)
{
    char *got;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    sentence_put_lines(out, "a\r\n\n\tb\033", 9);
    sentence_put_lines(out, "c\n", 0);
    fclose(out);
    assert_string_equal(got, "       9  a\n      10  \n      11  \tb\\x1b\n          c\n");
    free(got);
}

static void expect_valid(const char *text, const char *wanted)
{
    char *got = sentence_valid(text);
    if (strcmp(got, wanted) != 0)
        fail_msg("not valid: %s", got);
    free(got);
}

/* Ends of the ranges of RFC 3629: shortest and longest forms, surrogates, beyond U+10FFFF. */
TEST(characters_of_utf_8)
{
#define BAD "\xef\xbf\xbd"
    static const char *const good[] = {"",
                                       "a\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    for (int i = 0; i < COUNT(good); i++)
        expect_valid(good[i], good[i]);
    expect_valid("\x80z\xbf", BAD "z" BAD);
    expect_valid("\xc0\x80|\xc1\xbf", BAD BAD "|" BAD BAD);
    expect_valid("\xc2|\xdf\xc0", BAD "|" BAD BAD);
    expect_valid("\xe0\x9f\xbf", BAD BAD BAD);
    expect_valid("\xed\xa0\x80", BAD BAD BAD);
    expect_valid("\xe1\x80|", BAD BAD "|");
    expect_valid("\xf0\x8f\xbf\xbf", BAD BAD BAD BAD);
    expect_valid("\xf4\x90\x80\x80", BAD BAD BAD BAD);
    expect_valid("\xf5\x80", BAD BAD);
    expect_valid("\xf3\x80\x80", BAD BAD BAD);
#undef BAD
}

TEST(hints)
{
    static const char *const names[] = {"solve", "invert"};
    assert_string_equal(sentence_hint("slove", names, 2), " (did you mean 'solve'?)");
    assert_string_equal(sentence_hint("xylophone", names, 2), "");
    assert_string_equal(sentence_hint("invert", names, 1), "");
}
