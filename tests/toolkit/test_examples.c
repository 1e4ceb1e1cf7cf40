/* SPDX-License-Identifier: MIT */
/* The programs of docs/toolkit.md run as a reader runs them, and each agrees with its own plain C. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* Runs a program of demos/, which must end well and print this line. */
static void expect_line(void **state, const char *command, const char *line)
{
    char *output;
    support_need_context(state);
    const int code = run_for(command, &output);
    if (code != 0)
        print_error("%s", output);
    assert_int_equal(code, 0);
    assert_string_equal(output, line);
    free(output);
}

static void conway(void **state)
{
    expect_line(state, QP_BUILD_DIR "/demos/conway",
                "3145 cells live after 100 generations; 0 of 30000 differ from plain C\n");
}

static void blur(void **state)
{
    expect_line(state, QP_BUILD_DIR "/demos/blur",
                "160 x 100 cells of 320 x 200; off by 0 at most\n");
}

static void mean(void **state)
{
    expect_line(state, QP_BUILD_DIR "/demos/mean",
                "mean of 10257 of 25641 values: 0.999966, in plain C 0.999966\n");
}

/* Without a device they say so, and end with 1. */
static void no_device(void **state)
{
    static const char *const commands[] = {
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/conway 2>&1",
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/blur 2>&1",
        "QUADPASS_DEVICE=none " QP_BUILD_DIR "/demos/mean 2>&1",
    };
    (void)state;
    for (int i = 0; i < COUNT(commands); i++) {
        char *output;
        assert_int_equal(run_for(commands[i], &output), 1);
        assert_non_null(strstr(output, "'none'"));
        free(output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conway), cmocka_unit_test(blur),
                                       cmocka_unit_test(mean), cmocka_unit_test(no_device)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
