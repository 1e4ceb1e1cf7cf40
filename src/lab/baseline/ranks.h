/* SPDX-License-Identifier: MIT */
/* The processes of one run, for the command: which of them this one is before MPI starts, and how
 * it ends them all. */
#ifndef QP_BASELINE_RANKS_H
#define QP_BASELINE_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/status.h"

/* This process's number and how many there are, as mpirun or Slurm's srun says in the environment;
 * 0 of 1 elsewhere. Known in builds without MPI too, where a run may be started so as well. */
int baseline_rank(void);
int baseline_ranks(void);

/* True if they say so at all, of one process too. */
bool baseline_is_started(void);

/* Sets the seconds without progress after which all processes are ended, 30 by default; before the
 * link is opened. */
void baseline_set_stall(double seconds);

/* Ends all processes with this exit code, after this sentence on standard error. Does nothing where
 * this process is the only one or works alone, or where all have agreed on that status
 * (qp_link.agree) and so end by themselves. */
void baseline_end_all(enum qp_status status, int code, const char *sentence);

/* Bytes of one message at most, for MPI counts in int; longer ones go in several. Tests lower
 * it. */
extern size_t baseline_mpi_piece;

#endif
