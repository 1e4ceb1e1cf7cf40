/* SPDX-License-Identifier: MIT */
/* The story of the demonstration to the letter, from runs that are made up: tables, gains over the rungs below, steps
 * of solves, the best row, zero pivots, pictures, counts. */
#include "support/fake_runs.h"

#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

static int go_to_the_build(void **state)
{
    (void)state;
    return chdir(QP_BUILD_DIR "/tests");
}

static void demo(const char *line)
{
    fake_append(cmd_demo, line);
}

static void all_of_it(void **state)
{
    (void)state;
    fake.opens = true;
    fake.slowness = 50.0;
    demo("demo --size 32");
    fake_compare_all("demo");
}

/* Without OpenGL only some rows solve; a heart as large as usual has no picture here. */
static void on_the_processor(void **state)
{
    (void)state;
    fake.absent = "cuda";
    demo("demo --iterations 7");
    fake_compare_all("demo_without");
}

static void rows_that_fail(void **state)
{
    (void)state;
    fake.opens = true;
    fake.failing = "gauss_jordan/pivoted";
    fake.absent = "gauss_jordan/s";
    demo("demo -n 16x24 --require gl");
    fake.opens = true;
    fake.failing = "gauss_jordan/branched";
    fake.absent = "jacobi9/rgba";
    demo("demo -n 300x20");
    fake.opens = true;
    fake.failing = "jacobi9/openmp";
    demo("demo -n 16");
    fake_compare_all("demo_failed");
}

static void interrupts(void **state)
{
    (void)state;
    for (int at = 1; at <= 3; at++) {
        fake.interrupted = at;
        demo("demo -n 16");
    }
    fake.refused = "jacobi9";
    demo("demo -n 16");
    fake_compare_all("demo_interrupted");
}

/* Records of parts that are whole are written, whichever run is interrupted, but no pictures. */
static void interrupts_leave_records(void **state)
{
    int at = 0, parts = 0;
    (void)state;
    for (const char *text = ""; strstr(text, "\n= 0\n") == NULL; at++) {
        fake.interrupted = at + 1;
        fake.unfinished = at == 0;
        text = fake_command(cmd_demo, "demo -n 16 --csv -");
        const bool whole = strstr(text, "\n= 0\n") != NULL;
        const int found = (strstr(text, "\njacobi9/openmp,cpu,") != NULL) +
                          (strstr(text, "\ngauss_jordan/loop,cpu,") != NULL) +
                          (strstr(text, "\npoisson5/sequential,cpu,") != NULL);
        assert_true(found >= parts && whole == (found == 3));
        assert_true(whole == (strstr(text, ".png: ") != NULL));
        parts = found;
    }
    assert_true(at > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it), cmocka_unit_test(on_the_processor),
        cmocka_unit_test(rows_that_fail), cmocka_unit_test(interrupts),
        cmocka_unit_test(interrupts_leave_records)};
    return cmocka_run_group_tests(tests, go_to_the_build, NULL);
}
