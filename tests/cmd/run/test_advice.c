/* SPDX-License-Identifier: MIT */
/* The line on --backend cpu: on a terminal, once a user, and of kernels alone that are expected to
 * be much quicker so. The clock runs ten times as fast. */
#include "support/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE  "'--backend cpu' computes this kernel by a program in C"
#define LARGE " --size 768 --steps 60 -o x.npy"

static int enter_folder(void **state)
{
    char path[256];
    if (make_folder_in_haste(state) != 0 || chdir(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%.200s/cache", folder);
    write_file("heat.frag", "//@ input x=impulse\n//@ outside clamp\nfloat kernel(vec2 here)\n{\n"
                            "    return 0.5 * x_at(0.0, 0.0) + 0.125 * (x_at(-1.0, 0.0) + "
                            "x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0));\n}\n");
    write_file("loop.frag",
               "//@ input x=impulse\nfloat kernel(vec2 here)\n{\n    float sum = 0.0;\n"
               "    for (int i = 0; i < 9; i++)\n        sum += x_at(1.0, 0.0);\n"
               "    return 0.1 * sum;\n}\n");
    write_file("sine.frag", "//@ input x=impulse\nfloat kernel(vec2 here)\n{\n"
                            "    return 0.5 + 0.5 * sin(x_at(1.0, 0.0));\n}\n");
    write_file("vec.frag", "//@ input x=impulse\nvec4 kernel(vec2 here)\n{\n"
                           "    return 0.5 * x_at(1.0, 0.0);\n}\n");
    return setenv("XDG_CACHE_HOME", path, 1);
}

/* How often a run on a terminal says the line; it begins without the mark of an earlier one. */
static int said(const char *environment, const char *arguments)
{
    remove("cache/quadpass/told-of-backend-cpu");
    if (environment[0] != '\0')
        setenv("CC", environment, 1);
    const struct watched end = watch(arguments, NULL, 0);
    unsetenv("CC");
    if (end.code != 0)
        fail_msg("%s", output);
    return count(LINE);
}

static void need_llvmpipe(void)
{
    if (!on_llvmpipe())
        skip();
}

TEST(once)
{
    need_llvmpipe();
    assert_int_equal(said("", "run heat.frag" LARGE), 1);
    assert_int_equal(watch("run heat.frag" LARGE, NULL, 0).code, 0);
    assert_int_equal(count(LINE), 0);
}

/* A pipe gets nothing, and leaves the line to the next terminal. */
TEST(in_a_pipe)
{
    need_llvmpipe();
    remove("cache/quadpass/told-of-backend-cpu");
    expect("quadpass run heat.frag" LARGE, 0, "60 steps");
    assert_int_equal(count(LINE), 0);
    assert_false(exists("cache/quadpass/told-of-backend-cpu"));
}

TEST(where_it_would_be_wrong)
{
    static const char *const rows[][2] = {{"", "run loop.frag" LARGE},
                                          {"", "run sine.frag" LARGE},
                                          {"", "run vec.frag" LARGE},
                                          {"", "run heat.frag heat.frag" LARGE},
                                          {"", "run heat.frag --fast" LARGE},
                                          {"", "run heat.frag --backend gl" LARGE},
                                          {"", "run heat.frag --backend cpu" LARGE},
                                          {"", "run heat.frag --size 16 -o x.npy"},
                                          {"no-compiler", "run heat.frag" LARGE}};
    need_llvmpipe();
    for (int k = 0; k < COUNT(rows); k++) {
        if (said(rows[k][0], rows[k][1]) != 0)
            fail_msg("%s: %s", rows[k][1], output);
        assert_false(exists("cache/quadpass/told-of-backend-cpu"));
    }
}

/* Nothing is said where no mark can be left, for it would be again each time. */
TEST(without_a_cache)
{
    need_llvmpipe();
    expect("rm -rf cache; : >cache", 0, "");
    assert_int_equal(said("", "run heat.frag" LARGE), 0);
    expect("rm cache", 0, "");
}

GROUP(enter_folder, remove_folder)
