/* SPDX-License-Identifier: MIT */
/* Processes that make no progress. One that waits for others looks at its patience between looks at
 * its messages; a thread watches it between such waits, where it may hang by itself. */
#ifndef QP_BASELINE_STALL_H
#define QP_BASELINE_STALL_H

#include <stdbool.h>

/* Seconds of patience, as baseline_set_stall set them. */
double stall_seconds(void);

/* Notes progress of this process: the thread begins to count anew. For the thread that makes all
 * calls. */
void stall_progress(void);

/* Stops the count, and lets it go on. */
void stall_pause(bool paused);

/* Starts the thread, which ends the process with exit code 3 and a sentence once nothing was done
 * for that long. Time in which the whole process was stopped does not count, nor a call of another
 * library (qp_watch_library). */
void stall_watch(int rank);

/* All have started: before that patience is 30 s at least. */
void stall_started(void);

/* A wait under way, from zeros on. */
struct stall_wait {
    double last;   /* by the clock */
    double paused; /* seconds that decide how long it pauses */
    /* Seconds without a word of others; of a stop of this process, a tenth of a second at most. */
    double waited;
};

/* Pauses between two looks: not at all for some microseconds, then giving way, then asleep. False
 * once patience has ended, a second after the thread's: one that hangs shall say so itself. */
bool stall_goes_on(struct stall_wait *wait);

/* Patience begins anew. */
void stall_hope(struct stall_wait *wait);

#endif
