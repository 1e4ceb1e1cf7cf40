/* SPDX-License-Identifier: MIT */
/* Tests of a page in a browser: node runs a script of tests/browser, which prints a line for each
 * of its tests, `ok SUITE: NAME` or `not ok SUITE: NAME: REASON`. */
#ifndef QP_TESTS_BROWSER_H
#define QP_TESTS_BROWSER_H

#include "support/support.h"

/* Runs the script with these words in the folder of tests/support/shell.h; its lines are kept until
 * another command is run. */
void browser_run(const char *script_and_words);

/* A test of the script: it must be ok. */
#define BROWSER_TEST(suite, name)                                         \
    __attribute__((constructor)) static void count_##suite##_##name(void) \
    {                                                                     \
        browser_tests++;                                                  \
    }                                                                     \
    TEST(suite##_##name)                                                  \
    {                                                                     \
        browser_must(#suite, #name);                                      \
    }
static __attribute__((unused)) int browser_tests; /* tests of this file */

/* The test of this suite must be ok. Skips the test where there is no browser, or fails it with
 * REQUIRE=browser. */
void browser_must(const char *suite, const char *name);

/* The script must have ended as it should, after a line for each of these tests. */
void browser_must_have(int tests);

#endif
