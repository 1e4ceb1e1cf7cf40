/* SPDX-License-Identifier: MIT */
/* Tables of accuracy to the letter, from runs that are made up. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include "tools/cmd/cmd.h"

static void accuracy(const char *line)
{
    fake_append(command_run, line);
}

TEST(errors_after_steps)
{
    accuracy("accuracy");
    accuracy("accuracy jacobi9/rgba --problem wraps -n 8x9 --pingpong copy --target 2d");
    accuracy("accuracy --variant jacobi9/openmp --iterations 30");
    accuracy("accuracy jacobi9/rgba reduce/tree");
    accuracy("accuracy jacobi9/rgba nothing");
    fake_compare_all("accuracy");
}

TEST(rows_that_fail)
{
    fake.failing = "jacobi9/rgba";
    fake.absent = "openmp";
    accuracy("accuracy jacobi9/rgba jacobi9/openmp luminance_notex -n 8 --iterations 2 --problem "
             "random");
    fake.failing = "jacobi9/rgba";
    accuracy("accuracy jacobi9/rgba -n 1x7 --iterations 1 --problem random");
    fake.refused = "jacobi9";
    accuracy("accuracy jacobi9/rgba -n 8");
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    accuracy("accuracy jacobi9/rgba -n 8");
    fake_compare_all("accuracy_failed");
}

TEST(interrupts)
{
    fake.interrupted = 6;
    accuracy("accuracy jacobi9/rgba jacobi9/openmp -n 8");
    fake.interrupted = 1;
    accuracy("accuracy jacobi9/rgba -n 8 --problem random --csv -");
    fake.interrupted = 2;
    accuracy("accuracy jacobi9/rgba -n 8 --iterations 4 --csv -");
    fake_compare_all("accuracy_interrupted");
}

static void all_commands(void)
{
    fake_command(command_run, "accuracy jacobi9/rgba jacobi9/openmp -n 8 --csv -");
    fake.refused = "jacobi9";
    fake_command(command_run, "accuracy jacobi9/rgba -n 8");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
