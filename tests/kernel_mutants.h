/* SPDX-License-Identifier: MIT */
/* CUDA kernels sabotaged one place at a time: their source is changed, compiled again, and launched
 * in place of the row's own kernel. */
#ifndef QP_TESTS_KERNEL_MUTANTS_H
#define QP_TESTS_KERNEL_MUTANTS_H

#include "ops/op.h"

struct kernel_mutant {
    const char *row;   /* the one that is walked with it */
    const char *file;  /* below src */
    const char *entry; /* the qp_kernel_... that the row launches */
    const char *after; /* the place is the first behind these words, which stand there once */
    const char *old, *instead;
};

/* Fails the test if there is no such place, or more than one. */
void kernel_mutants_check(const struct kernel_mutant *mutant);

/* False, with a sentence in qp_error(), where nothing can be compiled: no nvcc, no sources. */
bool kernel_mutants_can(void);

/* Compiles all, several at a time. */
void kernel_mutants_compile(const struct kernel_mutant *mutants, int count);

/* Loads the k-th one's kernel, into a copy of the row and its recipe. It stays loaded. */
struct mutant_row {
    struct qp_variant variant;
    struct qp_recipe recipe;
};
void kernel_mutants_load(const struct kernel_mutant *mutant, int k, struct mutant_row *out);

/* Removes what was compiled. */
void kernel_mutants_end(void);

#endif
