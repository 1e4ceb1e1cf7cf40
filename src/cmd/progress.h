/* SPDX-License-Identifier: MIT */
/* A progress bar on standard error, if that is a terminal; silent elsewhere. */
#ifndef QP_CMD_PROGRESS_H
#define QP_CMD_PROGRESS_H

#include <quadpass/solve.h>

struct progress {
    int shown;       /* characters on the line now */
    double drawn_at; /* when, in seconds of the solve */
};

/* For qp_solve_desc.on_progress, with user a zeroed struct progress: a bar by orders of magnitude
 * gained, residual, rate in steps a second, time left; 79 columns, at most ten times a second. */
void progress_draw(void *user, const struct qp_progress *now);

/* Wipes the line; the bar may be drawn again. */
void progress_end(struct progress *bar);

#endif
