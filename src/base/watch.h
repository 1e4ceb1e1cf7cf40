/* SPDX-License-Identifier: MIT */
/* Who watches this thread's long work: may want it to end, and likes to know how far it is. Loops that
 * take long look here, so that nothing between them and the caller has to carry both. Threads of a parallel
 * region are watched by nobody: there one round must be short, or look at the flag itself. */
#ifndef QP_BASE_WATCH_H
#define QP_BASE_WATCH_H

#include <signal.h>
#include <stdbool.h>

#include "base/status.h"

struct qp_watch {
    const volatile sig_atomic_t *interrupt;   /* non-zero: work is to end; NULL: it never is */
    void (*on_part)(void *user, double part); /* 0 to 1, of the loop under way; NULL: nobody asks */
    void (*on_wait)(void *user, double seconds); /* that the device has been busy with one task */
    void *user;
};

/* Takes effect for this thread; returns the one before, to be set again. */
struct qp_watch qp_watch_set(struct qp_watch watch);

/* The same with this flag alone, if it is not NULL. */
struct qp_watch qp_watch_interrupt(const volatile sig_atomic_t *interrupt);

bool qp_watch_wants_end(void);

/* Tells how far a loop is. True: whoever asks is to leave it, and has then left work unfinished. */
bool qp_watch_leaves(double part);

/* Whether work was left since this was asked last. */
bool qp_watch_left(void);

/* Tells that the device has been busy for so long. */
void qp_watch_wait(double seconds);

/* Stores "interrupted" as this thread's sentence: QP_UNSUPPORTED, so a walk that was left is a skip. */
enum qp_status qp_watch_fail(void);

/* True for such a sentence, whatever stands in front of it. */
bool qp_watch_is_sentence(const char *text);

/* Of a call into another library, which nobody can end: its name while it lasts, else NULL. One for the
 * process, for a signal handler to tell. */
extern const char *volatile qp_watch_library;

#endif
