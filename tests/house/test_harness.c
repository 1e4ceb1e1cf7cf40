/* SPDX-License-Identifier: MIT */
/* The harness of all tests (tests/support/main.c), by this file in a spoiled form: a test that ends
 * its process is named, the tests after it run, and one that is asked for runs alone. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static bool is_spoiled(void)
{
    return getenv("SPOILED") != NULL;
}

TEST(first_passes)
{
    assert_true(true);
}

TEST(second_is_killed)
{
    if (is_spoiled())
        abort();
}

TEST(third_leaves)
{
    if (is_spoiled())
        exit(0);
}

TEST(fourth_fails)
{
    assert_false(is_spoiled());
}

TEST(fifth_passes)
{
    assert_true(true);
}

/* Runs this file in its spoiled form with these words, and wants a line for each sentence. */
static void expect_spoiled(const char *words, int code, const char *const *sentences)
{
    char command[512], *output;
    snprintf(command, sizeof command, "SPOILED=1 '%s/tests/house/test_harness' %s 2>&1",
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
    if (is_spoiled())
        return;
    expect_spoiled("", 1, all);
    expect_spoiled("fifth_passes", 0, one);
    expect_spoiled("test_harness/fi[f]*", 0, one);
    expect_spoiled("sixth", 1, none);
}
