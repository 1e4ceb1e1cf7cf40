/* SPDX-License-Identifier: MIT */
/* Tests that all eliminations by blocks share: they hold for any of their variants, whatever it
 * draws or dispatches. */
#ifndef QP_TESTS_BLOCKED_VARIANTS_H
#define QP_TESTS_BLOCKED_VARIANTS_H

#include "support/support.h"

#include "lab/ops/gauss_jordan/blocked.h"

/* The variant that is tested; where `changed` one with other blocks, which goes the way of GPUs
 * whatever the device. */
struct blocked_variant {
    const char *name;
    bool changed;
    const void *own; /* the changed recipe's */
};

struct qp_problem blocked_problem(const char *kind, int width, int height);

/* A walk that keeps its solution. Skips the test where this device lacks what the variant needs. */
struct qp_result blocked_walk(void **state, const struct blocked_variant *variant,
                              struct qp_problem *problem, struct qp_walk_desc desc);

/* Sizes of `count` numbers of unknowns, with any number of right-hand sides, all pass, and no row
 * is a pivot twice. */
void blocked_sizes_pass(void **state, const struct blocked_variant *variant, const int sizes[],
                        int count);

/* Choices of style change no bit, and neither does another pass of the same plan. */
void blocked_is_the_same_again(void **state, const struct blocked_variant *variant, int unknowns);

/* The identity is left of x. */
void blocked_leaves_the_identity(void **state, const struct blocked_variant *variant, int unknowns);

/* A column without a pivot is named, be it one of zeros or made so by elimination alone: rows that
 * are pivots already are none. */
void blocked_names_columns(void **state, const struct blocked_variant *variant, int unknowns,
                           const int columns[], int count);

/* Draws or dispatches of an elimination, which are as many each time. */
size_t blocked_passes(void **state, const struct blocked_variant *variant, int unknowns);

#endif
