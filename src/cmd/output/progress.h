/* SPDX-License-Identifier: MIT */
/* One line of progress on standard error, if that is a terminal; silent elsewhere. Whoever prints wipes it
 * first. There is no thread behind it: work that takes long tells how far it is (base/watch.h). */
#ifndef QP_CMD_OUTPUT_PROGRESS_H
#define QP_CMD_OUTPUT_PROGRESS_H

#include <quadpass/solve.h>

/* What is under way, in a few words: "check of reduce/tree, row 3 of 12". Shown once it has taken two seconds,
 * with the part that is done and the time left, as far as the work tells them. "" for nothing. */
__attribute__((format(printf, 1, 2))) void progress_say(const char *format, ...);

/* From now on this thread's work tells how far it is, and ends where `interrupt` says so. */
void progress_watch(const volatile sig_atomic_t *interrupt);

/* For qp_solve_desc.on_progress: a bar by orders of magnitude gained, residual, rate in steps a second, time
 * left; 79 columns, at most ten times a second. */
void progress_draw(void *user, const struct qp_progress *now);

/* Wipes the line; it may be drawn again. */
void progress_end(void);

#endif
