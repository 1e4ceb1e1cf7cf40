/* SPDX-License-Identifier: MIT */
/* The harness of all tests (tests/support/main.c), by this file in a spoiled form: a test that ends
 * its process is named, the tests after it run, and one that is asked for runs alone. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* SPOILED has the first words of the tests that are to go wrong. */
static bool is_spoiled(const char *test)
{
    const char *spoiled = getenv("SPOILED");
    return spoiled != NULL && strstr(spoiled, test) != NULL;
}

TEST(first_passes)
{
    assert_true(true);
}

TEST(second_is_killed)
{
    if (is_spoiled("second"))
        abort();
}

TEST(third_leaves)
{
    if (is_spoiled("third"))
        exit(0);
}

TEST(fourth_fails)
{
    assert_false(is_spoiled("fourth"));
}

TEST(fifth_passes)
{
    assert_true(true);
}

/* Runs this file with spoiled tests and these words, and wants each sentence. */
static void expect_spoiled(const char *spoiled, const char *words, int code,
                           const char *const *sentences)
{
    char command[512], *output;
    snprintf(command, sizeof command, "SPOILED='%s' '%s/tests/house/test_harness' %s 2>&1", spoiled,
             QP_BUILD_DIR, words);
    const int status = run_for(command, &output);
    for (; *sentences != NULL; sentences++)
        if (strstr(output, *sentences) == NULL)
            fail_msg("'%s' does not say '%s':\n%s", words, *sentences, output);
    free(output);
    assert_int_equal(status, code);
}

TEST(others_run_after_one_that_ends_its_process)
{
    static const char *const all[] = {"OK ] first_passes",
                                      "[  FAILED  ] second_is_killed: ended by signal 6 (Aborted)",
                                      "[  FAILED  ] third_leaves: ended its process with code 0",
                                      "[  FAILED  ] fourth_fails",
                                      "OK ] fifth_passes",
                                      NULL},
                             *const one[] = {"Running 1 test(s)", "OK ] fifth_passes", NULL},
                             *const none[] = {"test_harness: no test has such a name", NULL};
    if (getenv("SPOILED") != NULL)
        return;
    expect_spoiled("second third fourth", "", 1, all);
    for (int k = 0; k < 3; k++) /* each alone fails the program */
        expect_spoiled((const char *[]){"second", "third", "fourth"}[k], "", 1, all + 4);
    expect_spoiled("none", "", 0, all + 4);
    expect_spoiled("second", "fifth_passes", 0, one);
    expect_spoiled("second", "test_harness/fi[f]*", 0, one);
    expect_spoiled("none", "sixth", 1, none);
}
