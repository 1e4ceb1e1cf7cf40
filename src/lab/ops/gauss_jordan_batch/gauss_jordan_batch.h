/* SPDX-License-Identifier: MIT */
/* Many small systems at once: the fields, the kinds of problem, and what the variants share. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_GAUSS_JORDAN_BATCH_H
#define QP_OPS_GAUSS_JORDAN_BATCH_GAUSS_JORDAN_BATCH_H

#include "lab/plan/op.h"

/* [A | b] of n rows and n + 1 columns, one system below the other; and the answer, a row
 * for each system: its n unknowns, then 0, or where column k, counted from 1, has no
 * pivot, zeros and then k. */
enum qp_batch_field { QP_BATCH_AUGMENTED, QP_BATCH_UNKNOWNS, QP_BATCH_STORED };

enum qp_batch_kind {
    QP_BATCH_DOMINANT, /* random, every row strictly diagonally dominant */
    QP_BATCH_GENERAL,  /* random; without exchanges of rows some pivots are small */
    QP_BATCH_KINETICS, /* Newton matrices of burning gas (kinetics.h) */
    QP_BATCH_KINDS
};

/* Kinds that need pivoting, as recipe.not_kinds of variants without it. One of 10,000 matrices of
 * the kinetics loses more digits without pivoting than the tolerance allows. */
enum { QP_BATCH_NEEDS_PIVOTING = 1 << QP_BATCH_GENERAL | 1 << QP_BATCH_KINETICS };

enum { QP_BATCH_MOST_UNKNOWNS = 64 };

/* Number n of unknowns of a system, and number of systems. */
int qp_batch_unknowns(const struct qp_problem *problem);
int qp_batch_count(const struct qp_problem *problem);

/* Facts about a variant of this operation; NULL: none. */
struct qp_batch_variant {
    int most_unknowns; /* largest system whose elimination is unrolled */
};

struct qp_plan;

/* Stage 2 of the engine below: layouts of the systems and of their answer, in tiles no larger than
 * the device's limit. Errors: QP_UNSUPPORTED, naming the limit. */
enum qp_status qp_batch_arrange(struct qp_plan *plan, const struct qp_walk_desc *desc);

/* The kernel of CUDA for n unknowns, compiled by NVRTC for devices of this compute capability.
 * Errors: those of qp_nvrtc_compile. Owner of *cubin: the caller, by free. */
enum qp_status qp_batch_compile(int n, int major, int minor, void **cubin, size_t *size);

/* Threads that have a system of n unknowns there. */
int qp_batch_team(int n);

/* Launches it, or nvcc's kernels where it cannot be compiled. */
extern const struct qp_cuda_kernel qp_batch_exact;

extern const struct qp_engine qp_engine_batch;
extern const struct qp_op qp_op_gauss_jordan_batch;
extern struct qp_lent qp_lent_gauss_jordan_batch_sgesv;
extern struct qp_lent qp_lent_gauss_jordan_batch_cublas;
extern struct qp_lent qp_lent_gauss_jordan_batch_cusolver;

#endif
