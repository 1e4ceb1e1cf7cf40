/* SPDX-License-Identifier: MIT */
/* Cancellation and progress of this thread's long work: a flag that ends it and functions that are
 * called with how far it is. Long loops look here, so that nothing between them and the caller has
 * to carry both. Threads of a parallel region have no watch: there one round must be short, or look
 * at the flag itself. */
#ifndef QP_BASE_WATCH_H
#define QP_BASE_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/status.h"

/* True once a signal handler, or another owner of the flag, wants long work to end. NULL never
 * does. */
static inline bool qp_is_interrupted(const volatile sig_atomic_t *interrupt)
{
    return interrupt != NULL && *interrupt != 0;
}

struct qp_watch {
    const volatile sig_atomic_t *interrupt;   /* non-zero: work is to end; NULL: it never is */
    void (*on_part)(void *user, double part); /* 0 to 1, of the loop under way; NULL: nobody asks */
    void (*on_wait)(void *user, double seconds); /* the device has been busy with one task */
    void *user;
};

/* Takes effect for this thread; returns the one before, to be set again. */
struct qp_watch qp_watch_set(struct qp_watch watch);

/* qp_watch_set with this flag alone, if it is not NULL. */
struct qp_watch qp_watch_interrupt(const volatile sig_atomic_t *interrupt);

bool qp_watch_wants_end(void);

/* Reports how far a loop is. True: the loop must end at once, which counts as work left
 * unfinished. */
bool qp_watch_leaves(double part);

/* True if work was left unfinished since the last call. */
bool qp_watch_left(void);

/* Reports that the device has been busy for this long. */
void qp_watch_wait(double seconds);

/* Stores "interrupted" as this thread's sentence, which reports the work left unfinished:
 * QP_UNSUPPORTED, so a walk that was left is a skip. */
enum qp_status qp_watch_fail(void);

/* True for such a sentence, whatever precedes it. */
bool qp_watch_is_sentence(const char *text);

/* Name of the library that is being called and cannot be interrupted, else NULL. One for the
 * process, for a signal handler to print. */
extern const char *volatile qp_watch_library;

#endif
