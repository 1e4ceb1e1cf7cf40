/* SPDX-License-Identifier: MIT */
/* Asynchronous programs that are tuned by the time to equal accuracy: their space, the winner as
 * lines of a head, wrong ones, and kernels for which there is no such time. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TUNE "quadpass tune near.frag --size 33x21 "

/* A kernel with these lines in its head, and this weight of each cell beside a cell, which has a
 * tenth. */
static void write_kernel(const char *lines, const char *weight)
{
    char text[512];
    snprintf(text, sizeof text,
             "%s//@ input f=random\nfloat kernel(vec2 here)\n{\n    return %s * (x_at(-1.0, 0.0) + "
             "x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0)) + 0.1 * x_at(0.0, 0.0) + 0.05 * "
             "f_at(0.0, 0.0);\n}\n",
             lines, weight);
    write_file("near.frag", text);
}

static int enter_folder(void **state)
{
    if (enter_folder_with_cache(state) != 0)
        return -1;
    setenv("CFLAGS", "-O0", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    write_kernel("//@ sync async3 alpha=5\n//@ steps 40\n", "0.2");
    return 0;
}

static void spaces_are_listed(void **state)
{
    (void)state;
    expect(TUNE "--list", 0,
           "tune sync = async3 jacobi async0 async1 async2 red_black\n"
           "tune alpha = 5 1 2 3 4 6 8 12 16 24 32\ntune block = 8 4 16 32\n");
    assert_int_equal(count("\n178 configurations, and "), 1); /* 4 kinds, 11 alphas, 4 blocks */
    write_file("box.frag",
               "//@ sync async0\n//@ steps 9\nfloat kernel(vec2 here)\n{\n    return 0.3 * "
               "x_at(1.0, 1.0) + 0.6 * x_at(0.0, 1.0);\n}\n");
    expect("quadpass tune box.frag --size 33x21 --list", 0, "\nfact diagonal = 1\n");
    assert_int_equal(count("\n161 configurations, and "), 1); /* none is red_black */
}

/* Winners with one alpha and block: all kinds are right, the plain program among them; the lines
 * are those of a head, and no other command takes them by itself. */
static void winners_are_lines(void **state)
{
    (void)state;
    expect("mkdir -p few/async && sed 's/alpha = .*/alpha = 5 6 *\\//; s/block = .*/block = 8 "
           "*\\//' " QP_SOURCE_DIR "/templates/async/async.h >few/async/async.h && "
           "QUADPASS_TEMPLATE_DIR=few " TUNE "-o near.json",
           0, "best of 10 configurations, 0 wrong: sync=");
    assert_int_equal(count("//@ sync "), 1);
    assert_int_equal(count(" of the limit, as 40 plain steps come to in "), 1);
    assert_int_equal(shell("ls cache/quadpass/*.tuned"), 2);
    expect("quadpass tune --simulate near.json", 0, "10 configurations, 0 wrong");
    expect("grep -c 'jacobi\\|red_black' near.json", 0, "");
    expect("(quadpass tune near.frag --size 33x21 --runs 1 | grep '^//@'; sed 1d near.frag) "
           ">won.frag; head -n2 won.frag; quadpass generate won.frag --target c -o won && "
           "grep -h 'define SYNC\\|define BLOCK' won/c/*.h",
           0, "//@ sync async3 alpha=5\n//@ tuned c block=8\n");
    assert_int_equal(count("#define SYNC ASYNC3\n"), 1);
    assert_int_equal(count("#define BLOCK 8 /* tuned */\n"), 1);
}

static void wrong_programs_are_found(void **state)
{
    (void)state;
    expect("mkdir -p t/async && sed 's/^    return cell.out.0.;/    return cell.out[0] + "
           "0.01f;/' " QP_SOURCE_DIR
           "/templates/async/steps.c >t/async/steps.c && ! cmp -s t/async/steps.c " QP_SOURCE_DIR
           "/templates/async/steps.c && QUADPASS_TEMPLATE_DIR=t " TUNE "--runs 1 -o wrong.json",
           1, "best of 1 configurations, 1 wrong: none\n");
    expect("cat wrong.json", 0, " from its limit at x = ");
}

static void devices_are_searched(void **state)
{
    (void)state;
    if (!support_takes_long() || shell("nvidia-smi -L") != 0) {
        print_message(
            "SKIP: asynchronous programs of CUDA are tuned with LONG=1, where a device is\n");
        skip();
    }
    expect("quadpass tune near.frag --size 300x201 --target cuda --strategy random --runs 20", 0,
           "best of 20 configurations, 0 wrong: sync=");
}

static void others_are_refused(void **state)
{
    (void)state;
    expect(TUNE "--target gl", 2,
           "--target is c, compute, cuda or gl, with sync c or cuda, not 'gl'\n");
    write_kernel("//@ sync async2\n//@ steps 5000\n", "0.2");
    expect(TUNE, 2, "near.frag: 5000 plain steps come as near to a limit as rounding lets them; ");
    write_kernel("//@ sync async2\n//@ steps 40\n", "0.26");
    expect(TUNE, 2, "near.frag: 1024 times its steps come near to no limit; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_are_listed),        cmocka_unit_test(winners_are_lines),
        cmocka_unit_test(wrong_programs_are_found), cmocka_unit_test(devices_are_searched),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
