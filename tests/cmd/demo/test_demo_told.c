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

/* Records of parts that are whole are written, whichever one is interrupted, but no pictures. */
static void interrupts_leave_records(void **state)
{
    (void)state;
    for (int at = 1; at <= 6; at++) {
        fake.interrupted = at;
        fake.unfinished = at == 1;
        const char *text = fake_command(cmd_demo, "demo -n 16 --csv -");
        const bool jacobi = strstr(text, "\njacobi9/openmp,cpu,") != NULL;
        const bool gauss = strstr(text, "\ngauss_jordan/loop,cpu,") != NULL;
        assert_true(jacobi == (at > 1) && gauss == (at > 1));
        assert_null(strstr(text, "\npoisson5/"));
        assert_null(strstr(text, ".png: "));
        assert_non_null(strstr(text, "\n= 1\n"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it), cmocka_unit_test(on_the_processor),
        cmocka_unit_test(rows_that_fail), cmocka_unit_test(interrupts),
        cmocka_unit_test(interrupts_leave_records)};
    return cmocka_run_group_tests(tests, go_to_the_build, NULL);
}
