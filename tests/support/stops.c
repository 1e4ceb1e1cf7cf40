/* SPDX-License-Identifier: MIT */
#include "support/stops.h"

int stops_looks;
volatile sig_atomic_t stop;
static int stops_at;

void stops_start(int number)
{
    stops_looks = 0;
    stop = 0;
    stops_at = number;
}

void stops_look(void *user, const struct qp_progress *progress)
{
    (void)user;
    (void)progress;
    if (++stops_looks == stops_at)
        stop = 1;
}
