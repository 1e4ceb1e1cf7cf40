/* SPDX-License-Identifier: MIT */
/* Variants of poisson5 that compute the grid in parts, beside the variants they run. */
#ifndef QP_TESTS_PARTS_H
#define QP_TESTS_PARTS_H

#include "lab/engines/parts/parts.h"
#include "support/support.h"

/* How this variant cuts, and the variant of the table that its parts run: of hybrid ones that of
 * the upper part. */
const struct qp_parts_variant *parts_variant(const struct qp_variant *variant);
const struct qp_variant *parts_whole(const struct qp_variant *variant);

/* The k-th variant of poisson5 at this place, of those that `context` can run; NULL after the
 * last. */
const struct qp_variant *parts_variant_at(struct qp_context *context, enum qp_parts_place place,
                                          int k);

/* A problem of poisson5 of this kind; a weight of 0 is 1. */
struct qp_problem parts_problem(const char *kind, int width, int height, double weight);

/* Bits of x are the same in both. */
bool parts_same_bits(const struct qp_result *a, const struct qp_result *b);

/* A copy of a variant of threads, of which another engine runs all parts: `engine` is that of
 * parts_whole, to be changed before a walk, and `rows` are its own. Do not move it. */
struct parts_copy {
    struct qp_engine engine;
    struct qp_engine_rows rows;
    struct qp_recipe inner, outer;
    void *own; /* the outer recipe's */
    struct qp_variant variant;
};
void parts_copy_make(const struct qp_variant *variant, struct parts_copy *out);
void parts_copy_free(struct parts_copy *copy);

#endif
