/* SPDX-License-Identifier: MIT */
/* Link between the processes of one run, each of which computes a part of a grid. The library knows
 * none; src/lab/baseline lends it MPI. All processes make the same calls in the same order, from
 * one thread. */
#ifndef QP_ENGINES_LINK_H
#define QP_ENGINES_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/status.h"

/* A message under way. */
struct qp_message {
    /* The process it goes to or comes from, not the caller; below 0: none, and no message. */
    int other;
    int tag; /* both sides name the same */
    bool comes;
    void *data; /* untouched until it is through */
    size_t bytes;
};

/* A group of processes, numbered from 0. What fails between them ends them all, with a sentence on
 * standard error and exit code 3, since the others would wait for ever: so these functions report
 * no such errors. */
struct qp_link {
    const char *library; /* as in "built without MPI" */
    /* Once, before all else: joins the group. Errors: QP_UNSUPPORTED. Later calls do nothing. */
    enum qp_status (*open)(void);
    int (*rank)(void);      /* 0 before `open` */
    int (*ranks)(void);     /* 1 before `open` */
    int (*node_rank)(void); /* among those on the same machine */
    /* Starts all messages, which travel while the caller computes; and waits for all of them. */
    void (*start)(const struct qp_message *messages, int count);
    void (*wait)(void);
    /* Copies process `from`'s bytes to all. */
    void (*spread)(int from, void *data, size_t bytes);
    /* Puts the processes' shares together in all of them: process k's begins at byte first[k] of
     * `data` and has bytes[k]; each has filled its own. */
    void (*join)(void *data, const size_t *first, const size_t *bytes);
    /* The worst status of all, QP_OK if none failed. A process that failed stores the reason;
     * others get a sentence that names it. */
    enum qp_status (*agree)(enum qp_status status);
    /* Tells that the caller lives, where it may make no other call for long: the others wait on. */
    void (*progress)(void);
    /* True: the caller begins what it does without the others, who wait for it without limit;
     * false: it is back. Twice the same does nothing. */
    void (*alone)(bool begins);
};

/* Every function NULL in builds and programs without it. */
extern struct qp_link qp_link_mpi;

#endif
