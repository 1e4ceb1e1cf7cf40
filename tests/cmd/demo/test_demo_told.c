/* SPDX-License-Identifier: MIT */
/* The stories of the demonstration to the letter, and its tables, from runs that are made up: bars,
 * gains over the rungs below, steps of solves, the best variant, zero pivots, pictures, counts. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/cmd.h"

static int go_to_the_build(void **state)
{
    (void)state;
    program_invocation_name = (char *)"quadpass"; /* which it says to go on with */
    return chdir(QP_BUILD_DIR "/tests");
}

static void demo(const char *line)
{
    fake_append(command_run, line);
}

/* 60 lines of 100 columns at most, wherever it runs. */
TEST(fits_on_a_screen)
{
    for (int k = 0; k < 3; k++) {
        fake.opens = k > 0;
        fake.absent = k < 2 ? "cuda" : NULL;
        int lines = 0, rows = 0;
        const char *line = fake_command(command_run, "demo -n 32"), *end;
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            lines += line[0] != '>';
            const char *passed = strstr(line, " pass ");
            rows = line[0] != ' ' ? 0 : rows + (passed != NULL && passed < end);
            assert_true(line[0] == '>' || (end - line <= 100 && rows <= 8));
        }
        assert_in_range(lines, 30, 60);
    }
}

TEST(stories)
{
    fake.opens = true;
    demo("demo -n 32");
    fake_compare_all("demo_stories");
}

/* The whole of which the scenes below keep what differs. */
TEST(all_of_it)
{
    fake.opens = true;
    fake.slowness = 50.0;
    demo("demo --all -n 32");
    fake_compare_all("demo");
}

/* With these options, beside the whole of either. */
static void beside(const char *options, bool all)
{
    char line[64];
    snprintf(line, sizeof line, "demo %s%s", all ? "--all " : "", options);
    fake.slowness = all ? 50.0 : 0.0;
    fake_append_beside(all ? "demo" : "demo_stories", command_run, line);
}

/* Without OpenGL only some variants solve. */
TEST(on_the_processor)
{
    fake.absent = "cuda";
    beside("-n 320x200 --iterations 7", false);
    fake.absent = "cuda";
    beside("-n 32 --iterations 7", true);
    fake_compare_all("demo_without");
}

/* A heart as large as usual has no picture here. */
TEST(sizes_of_all)
{
    static const char *const words[][4] = {
        {"demo --all", " on 512 x 512 nodes, 100 steps", " of 192 unknowns", " 1920 systems "},
        {"demo --all -n 16x24", " on 16 x 24 nodes,", " of 16 unknowns", " 160 systems "},
        {"demo --all -n 300x20", " on 300 x 20 nodes,", " of 20 unknowns", " 200 systems "}};
    for (int i = 0; i < COUNT(words); i++) {
        const char *text = fake_command(command_run, words[i][0]);
        for (int k = 1; k < 4; k++)
            if (strstr(text, words[i][k]) == NULL)
                fail_msg("nowhere '%s' in:\n%s", words[i][k], text);
        assert_true((strstr(text, "bidomain.png: ") != NULL) == (i == 1));
    }
}

TEST(rows_that_fail)
{
    fake.opens = true;
    fake.failing = "poisson5/rgba";
    fake.absent = "gauss_jordan/b";
    beside("-n 32 --require gl", false);
    fake.opens = true;
    fake.failing = "gauss_jordan/pivoted";
    fake.absent = "gauss_jordan/s";
    beside("-n 32 --require gl", true);
    fake.opens = true;
    fake.failing = "gauss_jordan/branched";
    fake.absent = "jacobi9/rgba";
    beside("-n 32", true);
    fake.opens = true;
    fake.failing = "jacobi9/openmp";
    beside("-n 32", true);
    fake_compare_all("demo_failed");
    fake.failing = "jacobi9/openmp";
    fake.failing_width = 99; /* no run, but its solve alone */
    const char *text = fake_command(command_run, "demo --all -n 16");
    assert_non_null(strstr(text, "14 FAILED\n"));
    assert_non_null(strstr(text, " passed, 1 failed, "));
    fake.failing = "jacobi9/openmp";
    fake.failing_width = fake.ending =
        99; /* the same by the device, which a variant may be alone with */
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is odd";
    text = fake_command(command_run, "demo --all -n 16");
    assert_non_null(strstr(text, " passed, 1 failed, "));
    fake.failing = "jacobi9/openmp";
    fake.failing_width = fake.ending = 99;
    fake.ends = QP_NO_MEMORY;
    fake.sentence = "no memory at all";
    text = fake_command(command_run, "demo --all -n 16");
    assert_non_null(strstr(text, "quadpass: no memory at all\n= 3\n"));
}

TEST(interrupts)
{
    for (int at = 1; at <= 3; at++) {
        fake.opens = true;
        fake.interrupted = at;
        beside("-n 32", true);
        fake.opens = true;
        fake.interrupted = at;
        fake.unfinished = at > 1;
        fake.refuses = at == 3;
        beside("-n 32", false);
    }
    fake.refused = "jacobi9";
    demo("demo --all -n 32");
    fake_compare_all("demo_interrupted");
}

/* Records and pictures of parts that are whole are written, whichever run is interrupted, and of a
 * part what was timed. */
TEST(interrupts_leave_records)
{
    int parts = 0;
    for (int at = 1; at <= 4; at++) {
        fake.interrupted = at;
        fake.unfinished = at == 1;
        const char *text = fake_command(command_run, "demo -n 16 --csv -");
        const int found = (strstr(text, "\njacobi9/openmp,cpu,") != NULL) +
                          (strstr(text, "\ngauss_jordan/loop,cpu,") != NULL) +
                          (strstr(text, "\npoisson5/sequential,cpu,") != NULL);
        assert_int_equal(found, at == 1 ? 0 : at < 4 ? at : 3);
        assert_true((strstr(text, "bidomain.png: ") != NULL) == (at > 1));
        assert_true((strstr(text, "spike.png: ") != NULL) == (at == 4));
        assert_true((strstr(text, "\ninterrupted after ") != NULL) == (at < 4));
        parts += found;
    }
    assert_int_equal(parts, 8);
}

/* Whichever run fails; and a picture is no record. */
TEST(ends_of_the_demo)
{
    static const char *const cases[][2] = {
        {"demo -n 16 --csv ./bidomain.png", "--csv and a picture name one file, ./bidomain.png; "},
        {"demo -n 16 --json spike.png", "--json and a picture name one file, spike.png; "},
        {"demo -n 16 --json gr_30_30.png", "--json and a picture name one file, gr_30_30.png; "},
        {"demo nowhere", "nowhere/gr_30_30.mtx: cannot be opened: "}};
    assert_int_equal(fake_endings(command_run, "demo -n 16"), 3);
    assert_int_equal(fake_endings(command_run, "demo --all -n 16"), 12);
    for (int i = 0; i < COUNT(cases); i++) {
        const char *text = fake_command(command_run, cases[i][0]);
        assert_true(strstr(text, cases[i][1]) != NULL && strstr(text, "\n= 2\n") != NULL);
    }
}

static void all_commands(void)
{
    fake.opens = true;
    fake_command(command_run, "demo -n 16 --csv -");
    fake.opens = true;
    fake_command(command_run, "demo --all -n 16");
    fake.refused = "jacobi9";
    fake_command(command_run, "demo --all -n 16");
    fake.interrupted = 2;
    fake_command(command_run, "demo --all -n 16");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}

GROUP(go_to_the_build, NULL)
