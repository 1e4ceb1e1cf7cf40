/* SPDX-License-Identifier: MIT */
/* Bands of rows: each row once, whatever the number of threads. */
#include "support/support.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/base/bands.h"
#include "toolkit/base/watch.h"

enum { ROWS = 5003, ACROSS = 1000 };

/* Work that counts its visits to each row. */
struct visits {
    unsigned char seen[ROWS];
    int threads, bands;
    size_t highest;
};

static double visit(void *user, size_t first, size_t end)
{
    struct visits *visits = user;
    for (size_t row = first; row < end; row++)
        visits->seen[row]++;
#pragma omp critical
    {
        visits->bands++;
        if (omp_get_num_threads() > visits->threads)
            visits->threads = omp_get_num_threads();
        if (end - first > visits->highest)
            visits->highest = end - first;
    }
    return first == 0 ? 7.0 : -(double)first;
}

static bool are_all_seen(const struct visits *visits)
{
    size_t row = 0;
    while (row < ROWS && visits->seen[row] == 1)
        row++;
    return row == ROWS;
}

TEST(each_row_comes_once)
{
    for (int threads = 1; threads <= 5; threads++) {
        struct visits visits = {.threads = 0};
        omp_set_num_threads(threads);
        assert_true(qp_bands(ROWS, ACROSS, visit, &visits) == 7.0);
        assert_true(are_all_seen(&visits) && visits.threads == threads);
        assert_true(visits.highest == qp_band_rows(ACROSS) && visits.bands > 100);
    }
}

TEST(few_cells_start_no_thread)
{
    struct visits visits = {.threads = 0};
    omp_set_num_threads(4);
    assert_true(qp_bands(30, ACROSS, visit, &visits) == 7.0);
    assert_true(visits.threads == 1 && visits.bands == 1);
    assert_true(qp_bands(0, ACROSS, visit, &visits) == -INFINITY && visits.bands == 1);
    assert_true(qp_band_rows(1 << 20) == 1);
}

/* An iterate that is read after an interrupt is whole. */
TEST(an_interrupt_leaves_nothing_out)
{
    static volatile sig_atomic_t stop = 1;
    struct visits visits = {.threads = 0};
    omp_set_num_threads(2);
    const struct qp_watch before = qp_watch_interrupt(&stop);
    qp_watch_left();
    qp_bands(ROWS, ACROSS, visit, &visits);
    assert_true(are_all_seen(&visits) && !qp_watch_left());
    qp_watch_set(before);
}

/* The threads of a process do not come along into one that is forked from it. */
TEST(a_forked_process_goes_alone)
{
    struct visits visits = {.threads = 0};
    int status;
    omp_set_num_threads(3);
    qp_bands(ROWS, ACROSS, visit, &visits);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        visits = (struct visits){.threads = 0};
        alarm(20);
        qp_bands(ROWS, ACROSS, visit, &visits);
        _exit(are_all_seen(&visits) && visits.threads == 1 ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
