/* SPDX-License-Identifier: MIT */
/* Engines of the variants on the CPU that are more than a sweep; they build on qp_engine_cpu. */
#ifndef QP_OPS_POISSON5_ENGINES_H
#define QP_OPS_POISSON5_ENGINES_H

#include "lab/engines/engines.h"
#include "lab/ops/poisson5/cpu/relax.h"
#include "lab/plan/plan.h"

/* POSIX threads, a block of the grid each (threads_engine.c, numa_engine.c). */
extern const struct qp_engine qp_engine_poisson5_threads;
extern const struct qp_engine qp_engine_poisson5_threads_numa;

/* A thread's part of a launch of an asynchronous variant (async_threads.c), from step->x to
 * step->out: components from *next on, which all threads count up, until none is left; each from
 * its start to its end, as figures 17 to 20 have it. */
void qp_poisson5_take_components(const struct qp_plan *plan, const struct qp_relax_step *step,
                                 int *next);

/* Several steps in one sweep over the grid (blocked_engine.c). */
extern const struct qp_engine qp_engine_poisson5_blocked;

/* Threads of all variants that have several: as many as OpenMP has. */
int qp_poisson5_thread_count(void);

/* The plan's next step, from its source to its target; it does not count as taken. */
struct qp_relax_step qp_poisson5_next_step(const struct qp_plan *plan);

/* Steps that one call of `passes` may take: those of `updates` updates, since an interrupt is
 * looked at between calls, and a multiple of `unit`, up to QP_POISSON5_MOST_STEPS times that. */
enum { QP_POISSON5_MOST_STEPS = 64 };
int qp_poisson5_most_steps(const struct qp_plan *plan, double updates, int unit);

#endif
