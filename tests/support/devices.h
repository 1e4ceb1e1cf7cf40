/* SPDX-License-Identifier: MIT */
/* Rows of poisson5 in parts on devices of CUDA that are fakes (cuda_fake.h): kernels in C, on streams that do their work
 * late. */
#ifndef QP_TESTS_DEVICES_H
#define QP_TESTS_DEVICES_H

#include "ops/poisson5/poisson5.h"
#include "support/cuda_fake.h"
#include "support/parts.h"

/* A copy of a row whose parts on CUDA run kernels in C; `engine` is theirs, to be changed before a walk. Do not move it. */
struct devices_row {
    struct qp_engine engine;
    struct qp_recipe inner, outer;
    struct qp_poisson5_row own;
    struct qp_variant row;
};

/* With several steps in a launch if `fused`. */
void devices_row_make(const char *name, bool fused, struct devices_row *out);

/* Steps of kernels so far, by the rows of each launch. */
extern atomic_int devices_launches;

/* Turns the fake on, with so many devices; and off again, -1 if something is left. */
void devices_open(int devices);
int devices_close(void);

#endif
