/* SPDX-License-Identifier: MIT */
/* Variants of poisson5 in parts on devices of CUDA that are fakes (cuda_fake.h): kernels in C, on
 * streams that do their work late. */
#ifndef QP_TESTS_DEVICES_H
#define QP_TESTS_DEVICES_H

#include "lab/ops/poisson5/poisson5.h"
#include "support/cuda_fake.h"
#include "support/parts.h"

/* A copy of a variant whose parts on CUDA run kernels in C; `engine` is theirs, and `rows` that
 * engine's, to be changed before a walk. Do not move it. */
struct devices_variant {
    struct qp_engine engine;
    struct qp_engine_rows rows;
    struct qp_recipe inner, outer;
    struct qp_poisson5_variant own;
    struct qp_variant variant;
};

/* With several steps in a launch if `fused`. */
void devices_variant_make(const char *name, bool fused, struct devices_variant *out);

/* The streams of single steps that are done, in order. */
enum { DEVICES_DONE = 256 };
extern struct devices_done {
    int count;
    const void *stream[DEVICES_DONE];
} devices_done;

/* Before a test and after it: turns the fake on, with two devices, and off again; -1 if something
 * is left. */
int devices_begin(void **state);
int devices_end(void **state);

#define DEVICES_TEST(test) TEST(test, .setup_func = devices_begin, .teardown_func = devices_end)

/* Blocks, streams, events and pages that are left, and work that a stream was asked for by a thread
 * of another device. */
int devices_left(void);

/* How late streams do their work: at once, when they are waited for, or in ways that are drawn. */
enum { DEVICES_PACES = 8 };
void devices_pace(int pace);

/* A walk without a context that keeps its answer. */
struct qp_result devices_walk(const struct qp_variant *variant, struct qp_problem *problem,
                              struct qp_walk_desc desc);

#endif
