/* SPDX-License-Identifier: MIT */
/* Tables of bench to the letter, from runs that are made up: heads, names, styles, rates, sizes,
 * kinds, parameters, counts. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <stdio.h>
#include <string.h>

#include "tools/cmd/cmd.h"

static void bench(const char *line)
{
    fake_append(command_run, line);
}

TEST(styles)
{
    bench("bench jacobi9/rgba jacobi9/openmp vertex_systems --pingpong all --target all -n 64x32 "
          "--repeats 2 "
          "--iterations 5");
    bench("bench jacobi9/compute luminance_notex --group all -n 32");
    bench("bench jacobi9/compute --group 64x2 -n 32");
    bench("bench jacobi9/rgba --pingpong copy --target 2d -n 32");
    bench("bench gauss_jordan/blocks blocks_noop_notex gauss_jordan/loop --block all -n 200x100 "
          "--iterations 1");
    bench("bench gauss_jordan/blocks gauss_jordan/loop --block 16 -n 64");
    fake.occupancy = 0.756;
    bench("bench poisson5/cuda_tuned_sync --block all -n 64 --iterations 2");
    bench("bench transfer/small --block all -n 8 --target all");
    bench("bench --pingpong all --target all --group all");
    fake_compare_all("bench_styles");
}

/* Without a size each operation has its own; blocks are then as large as the largest. */
TEST(sizes)
{
    bench("bench jacobi9/openmp");
    bench("bench jacobi9/openmp -n 1x3");
    bench("bench gauss_jordan/blocks --block all");
    bench("bench gauss_jordan_batch/openmp gauss_jordan_batch/loop reduce/tree --repeats 1");
    bench("bench gauss_jordan_batch/openmp -n 4x9");
    bench("bench gauss_jordan/systems gauss_jordan/loop jacobi9/vertex_systems -n 48x32");
    fake_compare_all("bench_sizes");
}

TEST(kinds_and_parameters)
{
    bench("bench transpose/loop transpose/cuda_copy --problem all -n 16");
    bench("bench access/loop --problem banks --parameter 1,2 -n 16");
    bench("bench access/loop access/cuda_rolled -n 8");
    bench("bench access/loop --problem banks --parameter 7 -n 8");
    bench("bench transpose/loop transpose/cuda_copy reduce/loop -n 8");
    bench("bench reduce/loop --problem dot -n 8");
    fake_compare_all("bench_kinds");
}

/* The text from these words on. */
static const char *from(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (at == NULL)
        fail_msg("nowhere '%s' in:\n%s", words, text);
    return at;
}

/* Each of them has a table, whose GB/s are ten times the GLUP/s, and a tenth more for each. */
TEST(all_parameters)
{
    const double rate = 1.008 / fake_factor("access/loop", &(struct qp_style){0});
    const char *text =
        fake_command(command_run, "bench access/loop --problem stride --parameter all -n 8x4");
    char words[64];
    for (int k = 1; k <= 32; k++) {
        snprintf(words, sizeof words, "\n8 x 4 cells, stride, parameter %d (", k);
        text = from(text, words);
        snprintf(words, sizeof words, "%8.4f%8.2f%8.2f\n", rate, 10.0 * rate + 0.1 * k,
                 20.0 * rate);
        text = from(text, words);
    }
    assert_null(strstr(text, " cells, "));
    from(text, "\n1 passed, 0 failed, 0 skipped\n= 0\n");
}

/* The problem that bench takes where none is asked for, from the pages of docs. */
TEST(usual_problems)
{
    static const char *const usual[][2] = {{"jacobi9/openmp", "bidomain"},
                                           {"gauss_jordan/loop", "exact"},
                                           {"gauss_jordan_batch/loop", "kinetics"},
                                           {"poisson5/openmp", "spike"},
                                           {"poisson5_batch/openmp", "field"}};
    for (int i = 0; i < COUNT(usual); i++) {
        char line[64], words[64];
        snprintf(line, sizeof line, "bench %s", usual[i][0]);
        snprintf(words, sizeof words, ", %s, parameter ", usual[i][1]);
        from(fake_command(command_run, line), words);
    }
}

TEST(verdicts)
{
    fake.failing = "jacobi9/rgba";
    fake.absent = "compute";
    bench("bench jacobi9/rgba jacobi9/compute luminance_notex -n 16 --iterations 3");
    fake.absent = "rgba";
    bench("bench jacobi9/rgba jacobi9/openmp -n 16 --require gl");
    fake.failing = "jacobi9/rgba";
    fake.failing_width = 512;
    bench("bench jacobi9/rgba");
    fake.refused = "jacobi9";
    bench(
        "bench jacobi9/rgba jacobi9/openmp transfer/memcpy reduce/loop -n 5x4 --pingpong two_fbos");
    fake.refused = "jacobi9";
    bench("bench jacobi9/rgba jacobi9/openmp -n 5x4");
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    bench("bench jacobi9/rgba reduce/loop");
    fake_compare_all("bench_verdicts");
}

/* Variants that were finished before an interrupt are shown and counted. */
TEST(interrupts)
{
    fake.interrupted = 3;
    bench("bench jacobi9/openmp jacobi9/amorim_cpu access/loop");
    fake.interrupted = 3;
    fake.unfinished = true;
    bench("bench jacobi9/openmp jacobi9/amorim_cpu access/loop");
    fake.interrupted = 2;
    fake.unfinished = fake.refuses = true;
    bench("bench access/loop --parameter 1,2,4 -n 8");
    fake.interrupted = 1;
    bench("bench transpose/loop reduce/loop -n 8 --csv -");
    fake.interrupted = 1;
    fake.unfinished = true;
    bench("bench transpose/loop reduce/loop -n 8 --csv -");
    fake.interrupted = 1;
    fake.ends = QP_DEVICE; /* which is more than an interrupt */
    fake.sentence = "the device is gone";
    bench("bench transpose/loop reduce/loop -n 8");
    fake_compare_all("bench_interrupts");
}

/* Lines that are promised are those of all tables, of rows that take few kinds, too. */
TEST(lines_are_promised)
{
    static const char *const lines[] = {
        "bench access/fetch_offset access/fetch_stride -n 64 --problem all --parameter all",
        "bench access/loop access/fetch_stride -n 64 --problem all",
        "bench access/loop -n 64 --problem offset --parameter all",
        "bench jacobi9/rgba jacobi9/luminance -n 64 --problem all"};
    for (int i = 0; i < COUNT(lines); i++) {
        char promise[32];
        int count = 0;
        for (const char *at = fake_command(command_run, lines[i]); at != NULL;
             at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL)
            count += strncmp(at, "access/", 7) == 0 || strncmp(at, "jacobi9/", 8) == 0;
        snprintf(promise, sizeof promise, " of %d lines\n", count);
        fake.interrupted = 2;
        if (strstr(fake_command(command_run, lines[i]), promise) == NULL)
            fail_msg("%s: not%s", lines[i], promise);
    }
}

TEST(every_run_may_fail)
{
    assert_int_equal(fake_endings(command_run, "bench jacobi9/rgba reduce/loop -n 5"), 2);
    assert_int_equal(fake_endings(command_run, "bench access/loop --problem all -n 64"), 25);
    assert_int_equal(fake_endings(command_run, "bench jacobi9/rgba jacobi9/compute --group all"),
                     4);
}

static void all_commands(void)
{
    fake_command(command_run, "bench access --problem all -n 64 --parameter 1,2 --csv -");
    fake_command(command_run, "bench jacobi9/rgba transpose/loop --pingpong all -n 64 --json -");
    fake.refused = "jacobi9";
    fake_command(command_run, "bench jacobi9/rgba reduce/loop -n 5x4");
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    fake_command(command_run, "bench jacobi9/rgba reduce/loop");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
