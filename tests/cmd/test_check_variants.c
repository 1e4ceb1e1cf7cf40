/* SPDX-License-Identifier: MIT */
/* Variants of a check in several processes: each is taken once, those of a process that dies are
 * free again, variants of MPI stay with the first one, and the report is that of one process. */
#include "support/files.h"
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/check_variants.h"

enum { ROWS = 24, JOBS = 4 };

/* The first three variants are for several processes of MPI; the others loop. */
static const struct qp_variant *variants[ROWS];

static void find_rows(void)
{
    for (int i = 0; i < ROWS; i++)
        variants[i] = qp_variant_find(i < 3 ? "poisson5/mpi_sequential" : "transpose/loop");
}

/* A process that helps: the result of a variant says who did it. One of them may die with a
 * variant. */
static void help(struct check_variants *shared, int fatal)
{
    for (int k = ROWS - 1; (k = check_variants_take(shared, k)) >= 0;) {
        if (k == fatal)
            raise(SIGKILL);
        shared->outcome[k].tally.passed = (int)getpid();
        shared->outcome[k].tally.failed++;
        atomic_store(&shared->outcome[k].done, true);
        usleep(200);
    }
    _exit(0);
}

/* All variants by several processes, one of which may die; returns how many the first one did. */
static int share_rows(int jobs, int fatal)
{
    struct check_variants shared;
    int own = 0;
    find_rows();
    assert_ok(check_variants_begin(variants, ROWS, jobs, &shared));
    if (shared.is_helper)
        help(&shared, fatal);
    assert_int_equal(shared.helpers, jobs - 1);
    if (jobs > 1)
        usleep(30000);
    for (int i = 0; i < ROWS; i++) {
        while (!atomic_load(&shared.outcome[i].done)) {
            const int k = check_variants_take(&shared, i);
            if (k < 0) {
                check_variants_wait(&shared);
                continue;
            }
            own++;
            shared.outcome[k].tally.passed = (int)getpid();
            shared.outcome[k].tally.failed++;
            atomic_store(&shared.outcome[k].done, true);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(shared.outcome[i].tally.failed, 1);
        if (i < 3)
            assert_int_equal(shared.outcome[i].tally.passed, getpid());
    }
    assert_int_equal(check_variants_take(&shared, 0), -1);
    check_variants_stop(&shared, false);
    check_variants_destroy(&shared);
    assert_null(shared.outcome);
    return own;
}

TEST(each_row_is_taken_once)
{
    assert_int_equal(share_rows(1, -1), ROWS);
    assert_true(share_rows(JOBS, -1) < ROWS);
}

TEST(rows_of_a_dead_process_are_free_again)
{
    share_rows(2, ROWS - 1);
    share_rows(JOBS, 10);
}

/* Helpers that wait for ever end with the first process's work. */
TEST(helpers_end)
{
    struct check_variants shared;
    find_rows();
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        assert_ok(check_variants_begin(variants, ROWS, 3, &shared));
        while (shared.is_helper)
            pause();
        check_variants_stop(&shared, interrupted == 1);
        assert_true(shared.helper[0] == 0 && shared.helper[1] == 0);
        check_variants_destroy(&shared);
    }
}

TEST(jobs_fit_the_work)
{
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int usual = processors / 4 < 4 ? processors / 4 : 4;
    struct options options = {.jobs = 0};
    assert_int_equal(check_jobs(&options, 300), usual);
    assert_true(check_jobs(&options, 7) <= 1);
    options.jobs = 3;
    assert_int_equal(check_jobs(&options, 300), 3);
    assert_int_equal(check_jobs(&options, 2), 2);
    options.width = 8; /* whether no variant takes a size one process alone can tell */
    assert_int_equal(check_jobs(&options, 300), 1);
}

/* The command prints the same lines, whoever checks the variants. */
TEST(reports_are_the_same)
{
    static const char *const jobs[] = {"1", "3"};
    char line[512], *text[2];
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line,
                 "%s/quadpass check transpose/reference transpose/loop transpose/openmp "
                 "jacobi9/openmp jacobi9/blas poisson5/openmp poisson5/red_black --jobs %s 2>&1",
                 QP_BUILD_DIR, jobs[i]);
        assert_int_equal(run_for(line, &text[i]), 0);
    }
    assert_non_null(strstr(text[0], "poisson5/openmp"));
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}
