/* SPDX-License-Identifier: MIT */
/* Tables of accuracy to the letter, from runs that are made up. */
#include "support/fake_runs.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

static char all[1 << 16];

static void accuracy(const char *line)
{
    const char *text = fake_command(cmd_accuracy, line);
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "$ %s\n%s\n", line, text);
}

static void errors_after_steps(void **state)
{
    (void)state;
    all[0] = '\0';
    accuracy("accuracy");
    accuracy("accuracy jacobi9/rgba --problem wraps -n 8x9 --pingpong copy --target 2d");
    accuracy("accuracy --variant jacobi9/openmp --iterations 30");
    accuracy("accuracy jacobi9/rgba reduce/tree");
    accuracy("accuracy jacobi9/rgba nothing");
    fake_compare("accuracy", all);
}

static void rows_that_fail(void **state)
{
    (void)state;
    all[0] = '\0';
    fake.failing = "jacobi9/rgba";
    fake.absent = "openmp";
    accuracy("accuracy jacobi9/rgba jacobi9/openmp luminance_notex -n 8 --iterations 2 --problem "
             "random");
    fake.refused = "jacobi9";
    accuracy("accuracy jacobi9/rgba -n 8");
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    accuracy("accuracy jacobi9/rgba -n 8");
    fake_compare("accuracy_failed", all);
}

static void interrupts(void **state)
{
    (void)state;
    all[0] = '\0';
    fake.interrupted = 6;
    accuracy("accuracy jacobi9/rgba jacobi9/openmp -n 8");
    fake.interrupted = 1;
    accuracy("accuracy jacobi9/rgba -n 8 --problem random");
    fake.interrupted = 2;
    accuracy("accuracy jacobi9/rgba -n 8 --iterations 4");
    fake_compare("accuracy_interrupted", all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_after_steps),
                                       cmocka_unit_test(rows_that_fail),
                                       cmocka_unit_test(interrupts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
