/* SPDX-License-Identifier: MIT */
/* A line of progress on standard error, if that is a terminal; elsewhere a new line every ten
 * seconds. Code that prints wipes it first. No thread draws it: long work reports its progress
 * (toolkit/base/watch.h). */
#ifndef QP_CMD_OUTPUT_PROGRESS_H
#define QP_CMD_OUTPUT_PROGRESS_H

#include <quadpass/solve.h>

/* Sets the name of the present work: "check of reduce/tree, variant 3 of 12". Shown once it has
 * taken two seconds, with the part that is done and the time left, as far as the work reports them.
 * "" for no work. */
__attribute__((format(printf, 1, 2))) void progress_say(const char *format, ...);

/* Sets this thread's watch: its work reports progress, and ends when `interrupt` is set. */
void progress_watch(const volatile sig_atomic_t *interrupt);

/* Function for qp_solve_desc.on_progress: draws a bar by orders of magnitude gained, residual, rate
 * in steps a second, time left; 79 columns, at most ten times a second; without the bar where there
 * is no terminal. */
void progress_draw(void *user, const struct qp_progress *now);

/* Wipes the line; it may be drawn again. */
void progress_end(void);

#endif
