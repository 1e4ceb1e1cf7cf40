/* SPDX-License-Identifier: MIT */
/* CUDA kernels sabotaged one place at a time: their source is changed, compiled again, and launched
 * in place of the variant's own kernel. */
#ifndef QP_TESTS_KERNEL_MUTANTS_H
#define QP_TESTS_KERNEL_MUTANTS_H

#include "lab/plan/op.h"

struct kernel_mutant {
    const char *row;   /* the one that is walked with it */
    const char *file;  /* below src */
    const char *entry; /* the qp_kernel_... that the variant launches */
    const char *after; /* the place is the first after these words, which are there once */
    const char *old, *instead;
};

/* Mutants, and the problems that they are walked on: of all these sizes and kinds. */
struct kernel_hunt {
    const struct kernel_mutant *mutants;
    int count;
    int steps;
    const struct qp_size *sizes; /* up to one of 0 */
    const char *const *kinds;    /* up to NULL; NULL: all that the operation has */
    struct qp_problem_desc desc; /* the rest */
};

/* Fails the test if a place is not there, or more than once. */
void kernel_hunt_check(const struct kernel_hunt *hunt);

/* Variants must pass unchanged, and each mutant fail on one of the problems. Skips the test where
 * there is no device, or nothing to compile with. */
void kernel_hunt_run(void **state, const struct kernel_hunt *hunt);

/* Both these tests of a hunt. */
#define KERNEL_HUNT(hunt)                \
    CLEAN_TEST(all_places_are_there)     \
    {                                    \
        kernel_hunt_check(&(hunt));      \
    }                                    \
    CLEAN_TEST(no_mutant_survives)       \
    {                                    \
        kernel_hunt_run(state, &(hunt)); \
    }

#endif
