/* SPDX-License-Identifier: MIT */
/* Asynchronous programs that are tuned by the time to equal accuracy: their space, the winner as
 * lines of a head or of a configuration, wrong ones, and kernels for which there is no such time.
 */
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

/* Templates of few configurations, whose plain programs wait, so that others win. */
static const char slow[] =
    "mkdir -p slow/async slow/c && t=" QP_SOURCE_DIR "/templates && sed 's/alpha = .*/alpha = 5 6 "
    "*\\//; s/block = .*/block = 8 *\\//' $t/async/async.h >slow/async/async.h && sed "
    "'s/^#include <omp.h>/&\\n#include <unistd.h>/; s/^    const int threads = m->threads, "
    "low/    usleep(4000);\\n&/' $t/c/steps.c >slow/c/steps.c && grep -q usleep slow/c/steps.c";

static int enter_folder(void **state)
{
    if (enter_folder_with_cache(state) != 0)
        return -1;
    setenv("CFLAGS", "-O0", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("OMP_NUM_THREADS", "1", 1); /* threads that wait for each other make times uneven */
    write_kernel("//@ sync async3 alpha=5\n//@ steps 40\n", "0.2");
    return shell(slow);
}

TEST(spaces_are_listed)
{
    expect(TUNE "--list", 0,
           "tune sync = jacobi async0 async1 async2 async3 red_black\n"
           "tune alpha = 5 1 2 3 4 6 8 12 16 24 32\ntune block = 8 4 16 32\n");
    assert_int_equal(count("\n178 configurations, and "), 1); /* 4 kinds, 11 alphas, 4 blocks */
    write_file("box.frag",
               "//@ sync async0\n//@ steps 9\nfloat kernel(vec2 here)\n{\n    return 0.3 * "
               "x_at(1.0, 1.0) + 0.6 * x_at(0.0, 1.0);\n}\n");
    expect("quadpass tune box.frag --size 33x21 --list", 0, "\nfact diagonal = 1\n");
    assert_int_equal(count("\n161 configurations, and "), 1); /* no configuration is red_black */
}

/* A machine whose times differ so much that nothing is kept says so, and no more can be seen. */
static void skip_if_busy(void)
{
    if (count("nothing is kept: samples of the default differ by a factor of ") == 0)
        return;
    assert_int_equal(count("//@ "), 0);
    print_message("SKIP: this machine is busy\n");
    skip();
}

/* All kinds are right, the plain program first among them. Where that is slow, the winner's lines
 * are those of a head, and no other command takes them by itself. */
TEST(winners_are_lines)
{
    expect("QUADPASS_TEMPLATE_DIR=slow " TUNE "-o near.json", 0,
           "best of 10 configurations, 0 wrong: sync=");
    skip_if_busy();
    assert_int_equal(count("//@ sync "), 1);
    assert_int_equal(count("//@ sync jacobi"), 0);
    assert_int_equal(count(" of the limit, as 40 plain steps come to in "), 1);
    assert_int_equal(shell("ls cache/quadpass/*.tuned"), 2);
    expect("quadpass tune --simulate near.json", 0, "10 configurations, 0 wrong");
    expect("grep -c 'jacobi\\|red_black' near.json", 0, "");
    expect("(QUADPASS_TEMPLATE_DIR=slow " TUNE "-o near.json | grep '^//@'; sed 1d near.frag) "
           ">won.frag; head -n1 won.frag; quadpass generate won.frag --target c -o won && "
           "grep -h 'define SYNC' won/c/*.h",
           0, "//@ sync ");
    assert_int_equal(count("#define SYNC "), 1);
}

/* The plain program wins where it has no rival, and no line says otherwise. */
TEST(plain_programs_win)
{
    expect(TUNE "--runs 1", 0, "best of 1 configurations, 0 wrong: sync=jacobi alpha=5 block=8, ");
    skip_if_busy();
    assert_int_equal(count("//@ "), 0);
    assert_int_equal(count("no variant is faster here than the plain program\n"), 1);
}

/* The same of a configuration of the thesis's, whose keys are written back. */
TEST(configurations_keep_sync)
{
    write_file("p.conf", "neighbour = -1 0 0.2\nneighbour = 1 0 0.2\nneighbour = 0 -1 0.2\n"
                         "neighbour = 0 1 0.2\nsync = async2\nalpha = 6\nboundary = 1\n");
    expect("QUADPASS_TEMPLATE_DIR=slow quadpass tune p.conf --size 33x21", 0,
           "best of 10 configurations, 0 wrong: sync=");
    skip_if_busy();
    assert_int_equal(count("//@ sync "), 1);
    expect("cat p.tuned.conf && quadpass generate p.tuned.conf --target c -o p", 0,
           "# tuned c: sync=");
    assert_int_equal(count("\nsync = "), 1);
    assert_int_equal(count("\nsync = jacobi"), 0);
    assert_true(count("\nalpha = ") == (strstr(output, "\nsync = red_black") == NULL));
}

TEST(wrong_programs_are_found)
{
    expect("mkdir -p t/async && sed 's/^    return cell.out.0.;/    return cell.out[0] + "
           "0.01f;/' " QP_SOURCE_DIR "/templates/async/steps.c >t/async/steps.c && "
           "! cmp -s t/async/steps.c " QP_SOURCE_DIR "/templates/async/steps.c && "
           "sed 's/tune sync = .*/tune sync = jacobi async2 red_black *\\//' slow/async/async.h "
           ">t/async/async.h && "
           "QUADPASS_TEMPLATE_DIR=t " TUNE "-o wrong.json",
           0, "best of 4 configurations, 3 wrong: sync=jacobi ");
    expect("cat wrong.json", 0, " from its limit at x = ");
}

TEST(devices_are_searched)
{
    if (!support_takes_long() || shell("nvidia-smi -L") != 0) {
        print_message(
            "SKIP: asynchronous programs of CUDA are tuned with LONG=1, where a device is\n");
        skip();
    }
    expect("quadpass tune near.frag --size 300x201 --target cuda --strategy random --runs 20", 0,
           "best of 20 configurations, 0 wrong: sync=");
}

TEST(others_are_refused)
{
    expect(TUNE "--target gl", 2,
           "--target is c, compute, cuda or gl, with sync c or cuda, not 'gl'\n");
    write_kernel("//@ sync async2\n//@ steps 5000\n", "0.2");
    expect(TUNE, 2, "near.frag: 5000 plain steps come as near to a limit as rounding lets them; ");
    write_kernel("//@ sync async2\n//@ steps 40\n", "0.26");
    expect(TUNE, 2, "near.frag: 1024 times its steps come near to no limit; ");
}

GROUP(enter_folder, remove_folder)
