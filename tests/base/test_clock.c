/* SPDX-License-Identifier: MIT */
/* The clock of all times, against a sleep. */
#include "support/support.h"

#include <math.h>
#include <sys/time.h>
#include <time.h>

#include "toolkit/base/clock.h"

/* A second is a second of the wall clock's. */
TEST(a_second_is_a_second)
{
    struct timeval before, after;
    for (int k = 0; k < 3; k++) {
        gettimeofday(&before, NULL);
        const double begin = qp_clock();
        nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
        const double measured = qp_clock() - begin;
        gettimeofday(&after, NULL);
        const double wall = (double)(after.tv_sec - before.tv_sec) +
                            1e-6 * (double)(after.tv_usec - before.tv_usec);
        assert_true(measured >= 0.15);
        if (fabs(measured - wall) < 0.1 * wall)
            return; /* else something came between the two clocks, or this one was set */
    }
    fail_msg("qp_clock and the wall clock differ by more than a tenth, three times");
}
