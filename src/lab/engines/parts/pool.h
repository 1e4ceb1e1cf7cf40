/* SPDX-License-Identifier: MIT */
/* POSIX threads that wait for work and do it together. */
#ifndef QP_ENGINES_POOL_H
#define QP_ENGINES_POOL_H

#include <stdbool.h>

#include "toolkit/base/status.h"

struct qp_pool;
struct qp_context;

/* Starts threads. Bound ones stay on one core each, of those that the caller may run on, in the
 * order of the nodes they belong to; with more threads than cores some share one. The caller's own
 * affinity is left alone. All signals stay with the caller's threads. Errors: QP_NO_MEMORY, also
 * where the system starts no more threads. Owner: the caller, by qp_pool_stop. */
enum qp_status qp_pool_start(int threads, bool bound, struct qp_pool **out);

/* All threads do work(user, id), id from 0 on; returns when all have. One caller at a time. */
void qp_pool_run(struct qp_pool *pool, void (*work)(void *user, int id), void *user);

/* In work: the barrier. Returns when all threads are here; each sees what others wrote before. */
void qp_pool_wait(struct qp_pool *pool);

/* The OpenGL context that is thread id's own, NULL until work opens one there: it stays current in
 * its thread, which destroys it at the pool's end. */
struct qp_context **qp_pool_context(struct qp_pool *pool, int id);

int qp_pool_threads(const struct qp_pool *pool);

/* Nodes of memory that bound threads run on, if equally many run on each: the first of them on the
 * first node, and so on. Else 1. */
int qp_pool_nodes(const struct qp_pool *pool);

/* Ends all threads and waits for them; NULL is accepted, and left. */
void qp_pool_stop(struct qp_pool **pool);

#endif
