/* SPDX-License-Identifier: MIT */
/* Requests of check and the line of each variant, to the letter, from tallies that are made up. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/cmd.h"

static void check(const char *line)
{
    fake_append(command_run, line);
}

static struct qp_tally tally(enum qp_verdict verdict, int passed, int failed, int skipped)
{
    struct qp_tally made = {.worst = {.width = 7,
                                      .height = 31,
                                      .iterations = 2,
                                      .error = 3e-7,
                                      .tolerance = 2e-6,
                                      .verdict = verdict},
                            .passed = passed,
                            .failed = failed,
                            .skipped = skipped};
    return made;
}

/* Problems of all kinds or of one, with several parameters or one, at sizes of their own or one. */
TEST(problems_that_are_made)
{
    struct qp_tally good = tally(QP_PASS, 9, 0, 0);
    static const char *const lines[] = {
        "check jacobi9/openmp -n 7x31 --iterations 2 --pingpong copy --target 2d",
        "check jacobi9/openmp -n 9 --problem wraps",
        "check access/loop -n 9",
        "check access/loop -n 9 --problem stride",
        "check access/loop -n 9 --problem stride --parameter 3",
        "check access/loop -n 9 --problem offset --parameter 0",
        "check reduce/loop transpose/loop transfer/memcpy -n 9",
        "check gauss_jordan/loop gauss_jordan_batch/loop -n 9",
        "check gauss_jordan_batch/loop --problem kinetics",
        "check gauss_jordan_batch/loop --problem kinetics -n 9",
        "check gauss_jordan_batch/loop --problem dominant"};
    for (int i = 0; i < COUNT(lines); i++) {
        fake.tally = &good;
        check(lines[i]);
    }
    fake_compare_all("check_problems");
}

TEST(lines_of_rows)
{
    struct qp_tally one_step = tally(QP_PASS, 9, 0, 2), all_skipped = tally(QP_SKIP, 0, 0, 3),
                    failed = tally(QP_FAIL, 8, 1, 0), infinite = tally(QP_FAIL, 3, 2, 0),
                    early = tally(QP_FAIL, 0, 1, 0), bound = tally(QP_BOUND, 6, 0, 1);
    one_step.worst.iterations = 1;
    infinite.worst.error = INFINITY;
    early.worst.error = NAN;
    all_skipped.worst.error = NAN;
    strcpy(all_skipped.worst.reason, "needs more");
    strcpy(early.worst.reason, "?");
    struct qp_tally *const tallies[] = {&one_step, &all_skipped, &failed,
                                        &infinite, &early,       &bound};
    for (int i = 0; i < COUNT(tallies); i++) {
        fake.tally = tallies[i];
        check("check jacobi9/openmp -n 1x9 --problem random");
    }
    fake.tally = &all_skipped;
    check("check jacobi9/rgba -n 9 --problem random --require gl");
    infinite.worst.iterations = 1;
    fake.tally = &infinite;
    check("check blend_elimination_pivoted gauss_jordan/loop -n 9 --problem exact");
    fake.tally = &failed;
    fake.ends = QP_BAD_USE;
    fake.sentence = "no such size";
    check("check jacobi9/openmp -n 9 --problem random");
    fake.tally = &failed;
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    check("check jacobi9/openmp jacobi9/amorim_cpu -n 9 --problem random");
    fake_compare_all("check_lines");
}

/* Whole solves are those of variants that pass at usual sizes and steps. */
TEST(solves_behind_them)
{
    struct qp_tally good = tally(QP_PASS, 9, 0, 0), bad = tally(QP_FAIL, 8, 1, 0);
    struct solved solved = {.cases = 1, .error = 2e-11, .tolerance = 4e-10}, wrong = solved,
                  none = {.cases = 0};
    wrong.failed = true;
    strcpy(wrong.reason, "solving random: it is wrong");
    fake.tally = &good, fake.solved = &solved;
    check("check jacobi9/openmp --problem random");
    fake.tally = &good, fake.solved = &wrong;
    check("check jacobi9/openmp --problem random");
    fake.tally = &good, fake.solved = &none;
    check("check jacobi9/openmp --problem random");
    fake.tally = &bad, fake.solved = &solved;
    check("check jacobi9/openmp --problem random");
    fake.tally = &good, fake.solved = &solved;
    check("check jacobi9/openmp --problem random --iterations 2");
    fake.tally = &good;
    check("check jacobi9/openmp jacobi9/amorim_cpu --problem random");
    fake_compare_all("check_solves");
}

/* A variant that calls a library which --require names fails where it is skipped; no other does. */
TEST(skips_that_are_failures)
{
    static const struct {
        const char *line;
        bool fails;
    } cases[] = {{"check gauss_jordan/sgesv -n 9 --require blas", true},
                 {"check gauss_jordan/sgesv -n 9 --require gl", false},
                 {"check jacobi9/rgba -n 9 --require blas", false},
                 {"check jacobi9/openmp -n 9 --require blas,gl", false}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_tally skipped = tally(QP_SKIP, 0, 0, 3);
        strcpy(skipped.worst.reason, "needs more");
        fake.tally = &skipped;
        const char *text = fake_command(command_run, cases[i].line);
        if (strstr(text, cases[i].fails ? "0 passed, 1 failed, 0 skipped\n= 1\n"
                                        : "0 passed, 0 failed, 1 skipped\n= 0\n") == NULL)
            fail_msg("%s: %s", cases[i].line, text);
    }
}

/* llvmpipe's threads are left out where grids are small, unless the user says how many there
 * are. */
TEST(threads_are_the_users)
{
    static const struct {
        const char *set, *line, *left;
    } cases[] = {{"3", "check jacobi9/openmp -n 9 --problem random", "3"},
                 {NULL, "check jacobi9/openmp -n 9 --problem random", "0"},
                 {NULL, "check jacobi9/openmp -n 129 --problem random", NULL}};
    char *kept = getenv("LP_NUM_THREADS") != NULL ? strdup(getenv("LP_NUM_THREADS")) : NULL;
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_tally good = tally(QP_PASS, 9, 0, 0);
        fake.tally = &good;
        unsetenv("LP_NUM_THREADS");
        if (cases[i].set != NULL)
            setenv("LP_NUM_THREADS", cases[i].set, 1);
        fake_command(command_run, cases[i].line);
        const char *left = getenv("LP_NUM_THREADS");
        assert_true((left == NULL) == (cases[i].left == NULL));
        assert_true(left == NULL || strcmp(left, cases[i].left) == 0);
    }
    unsetenv("LP_NUM_THREADS");
    if (kept != NULL)
        setenv("LP_NUM_THREADS", kept, 1);
    free(kept);
}

TEST(interrupts)
{
    struct qp_tally good = tally(QP_PASS, 4, 0, 0), bad = tally(QP_FAIL, 3, 1, 0),
                    none = tally(QP_NO_VERDICT, 0, 0, 0);
    for (int at = 1; at <= 3; at++) {
        fake.tally = &good;
        fake.interrupted = at;
        check("check jacobi9/openmp jacobi9/amorim_cpu --problem random -n 9");
        fake.tally = &bad;
        fake.interrupted = at;
        check("check jacobi9/openmp jacobi9/amorim_cpu --problem random");
    }
    fake.tally = &good;
    fake.interrupted = 2; /* in the solves */
    check("check jacobi9/openmp jacobi9/amorim_cpu --problem random");
    for (int at = 1; at <= 2; at++) { /* no record is no file */
        fake.tally = at == 1 ? &none : &good;
        fake.interrupted = at;
        check("check jacobi9/openmp jacobi9/amorim_cpu --problem random -n 9 --csv -");
    }
    fake_compare_all("check_interrupted");
}

static char all_reports[1 << 15];

/* A report names the commit, which is any; the tables have '#'. */
static void report(const char *line)
{
    static const char *const before[] = {"# commit: ", "\"commit\" value=\""};
    const size_t used = strlen(all_reports);
    snprintf(all_reports + used, sizeof all_reports - used, "$ %s\n%s\n", line,
             fake_command(command_run, line));
    for (int i = 0; i < COUNT(before); i++) {
        char *at = strstr(all_reports + used, before[i]);
        if (at == NULL)
            continue;
        at += strlen(before[i]);
        const char *end = at + strcspn(at, "\"\n");
        *at = '#';
        memmove(at + 1, end, strlen(end) + 1);
    }
}

/* Reports for CI, of variants that pass, fail, are skipped, and are skipped though required; after
 * an interrupt, too. */
TEST(reports)
{
    struct qp_tally good = tally(QP_PASS, 9, 0, 0), bad = tally(QP_FAIL, 8, 1, 0),
                    skipped = tally(QP_SKIP, 0, 0, 3);
    struct qp_tally *const tallies[] = {&good, &bad, &skipped};
    strcpy(skipped.worst.reason, "needs more");
    for (int i = 0; i < COUNT(tallies); i++) {
        fake.tally = tallies[i];
        report("check jacobi9/openmp -n 9 --problem random --tap -");
        fake.tally = tallies[i];
        report("check jacobi9/openmp -n 9 --problem random --junit -");
    }
    fake.tally = &skipped;
    report("check jacobi9/rgba -n 9 --problem random --require gl --tap -");
    for (int at = 1; at <= 3; at++) {
        fake.tally = &good;
        fake.interrupted = at;
        report("check jacobi9/openmp jacobi9/amorim_cpu --problem random -n 9 --tap -");
    }
    fake_compare("check_reports", all_reports);
}

static void all_commands(void)
{
    struct qp_tally good = tally(QP_PASS, 9, 0, 0);
    fake.tally = &good;
    fake_command(command_run, "check jacobi9/openmp reduce/loop -n 9 --tap -");
    fake.tally = &good;
    fake_command(command_run, "check jacobi9/openmp access -n 9 --problem random --csv -");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
