/* SPDX-License-Identifier: MIT */
/* Solves that are interrupted at a look at their residual. */
#ifndef QP_TESTS_STOPS_H
#define QP_TESTS_STOPS_H

#include <signal.h>

#include "support/support.h"

extern int stops_looks;            /* so far, since the start */
extern volatile sig_atomic_t stop; /* a description's interrupt */

/* The next run is interrupted at the look with this number, from 1; 0: never. */
void stops_start(int number);

/* A description's on_progress. */
void stops_look(void *user, const struct qp_progress *progress);

#endif
