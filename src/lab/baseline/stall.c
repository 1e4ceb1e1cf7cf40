/* SPDX-License-Identifier: MIT */
#include "lab/baseline/stall.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "lab/baseline/ranks.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

static double limit = 30.0;
static const double least_at_start = 30.0; /* a loaded machine takes long to start MPI */
static atomic_ulong done;                  /* counts signs of progress */
static atomic_bool paused, started;
static int own_rank;

/* Longest time that counts between two looks: more means that the process was stopped. */
static const double most_counted = 0.1;

void baseline_set_stall(double seconds)
{
    limit = seconds;
}

double stall_seconds(void)
{
    return limit;
}

void stall_progress(void)
{
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
}

void stall_pause(bool begins)
{
    atomic_store(&paused, begins);
    stall_progress();
}

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* Seconds since *last, as far as they count; *last is now. */
static double count_since(double *last)
{
    const double now = qp_clock(), passed = now - *last;
    *last = now;
    return passed < most_counted ? passed : most_counted;
}

static void *watch(void *user)
{
    unsigned long seen = atomic_load(&done);
    double last = qp_clock(), idle = 0.0;
    (void)user;
    while (idle < limit || (idle < least_at_start && !atomic_load(&started))) {
        sleep_for(0.05);
        const unsigned long now = atomic_load(&done);
        idle += count_since(&last);
        if (now != seen || atomic_load(&paused) || qp_watch_library != NULL)
            idle = 0.0;
        seen = now;
    }
    dprintf(STDERR_FILENO, "quadpass: rank %d has made no progress for %g s (--stall)\n", own_rank,
            limit);
    _exit(3);
}

void stall_watch(int rank)
{
    pthread_t thread;
    own_rank = rank;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
}

void stall_started(void)
{
    stall_progress();
    atomic_store(&started, true);
}

bool stall_goes_on(struct stall_wait *wait)
{
    static const double soon = 50e-6, later = 1e-3, longest_sleep = 1e-3, margin = 1.0;
    if (wait->last == 0.0)
        wait->last = qp_clock();
    const double passed = count_since(&wait->last);
    wait->waited += passed;
    wait->paused += passed;
    if (wait->paused > later)
        sleep_for(fmin(wait->paused / 16.0, longest_sleep));
    else if (wait->paused > soon)
        sched_yield();
    return wait->waited < limit + margin;
}

void stall_hope(struct stall_wait *wait)
{
    wait->waited = 0.0;
}
