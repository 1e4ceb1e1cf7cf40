/* SPDX-License-Identifier: MIT */
/* The group of processes under the link (mpi.c), in builds with MPI: who is in it, how it waits,
 * how it ends. Nothing blocks inside MPI, which would wait for ever for a process that was stopped:
 * all waiting is a loop that tests, gives way to others, and counts its patience. */
#ifndef QP_BASELINE_GROUP_H
#define QP_BASELINE_GROUP_H

#include <stdbool.h>

#include "base/status.h"

/* Functions of struct qp_link, with the same meaning. */
enum qp_status group_open(void);
int group_rank(void);
int group_ranks(void);
int group_node_rank(void);
void group_progress(void);
void group_alone(bool begins);

/* A place for one more request under way, an MPI_Request; it is valid until the next call. */
void *group_request(void);

/* Number of requests under way. */
int group_requests(void);

/* Waits until all requests are through from number `first` on, and forgets those. */
void group_wait(int first);

/* Sets the status of the last step that all processes know (qp_link.agree). */
void group_agreed(enum qp_status status);

/* Ends all processes, with a sentence and exit code 3. */
__attribute__((format(printf, 1, 2))) _Noreturn void group_die(const char *format, ...);

/* The same, with MPI's words, unless a call of MPI answered that all is well. */
void group_need(int answer, const char *call);

#endif
