/* SPDX-License-Identifier: MIT */
/* Fields, groups of kinds and parameters of access, shared by its files. */
#ifndef QP_OPS_ACCESS_ACCESS_H
#define QP_OPS_ACCESS_ACCESS_H

#include "lab/ops/access/pattern.h"
#include "lab/plan/op.h"

/* Fields: u and v are column and row of the cell that gather reads; u is the argument of functions,
 * and holds the successors of chase. */
enum qp_access_field { QP_ACCESS_X, QP_ACCESS_U, QP_ACCESS_V, QP_ACCESS_STORED };

/* True for kinds that copy; the next two functions for other groups of kinds. */
static inline bool qp_access_copies(int kind)
{
    return kind <= QP_ACCESS_OCCUPANCY;
}

static inline bool qp_access_sums(int kind)
{
    return kind >= QP_ACCESS_BANKS && kind <= QP_ACCESS_PAIRS;
}

static inline bool qp_access_calls(int kind)
{
    return kind >= QP_ACCESS_SIN;
}

/* Number of groups of p cells that a pointer chase goes through, and its steps; with fewer steps it
 * would leave out some. */
static inline long qp_access_groups(long cells, long p)
{
    return (cells + p - 1) / p;
}

static inline long qp_access_steps(long cells)
{
    return cells < QP_ACCESS_CHASE_STEPS ? cells : QP_ACCESS_CHASE_STEPS;
}

/* Kinds of problem (kinds.c). */
extern const struct qp_kind qp_access_kinds[];

/* The judge of the reference (witness.c). */
qp_step qp_access_witness;

/* Facts about a variant of this operation; NULL: none. */
struct qp_access_variant {
    int most_cells; /* where coordinate arithmetic in float ends; 0 for no limit */
    /* Takes only parameters that are powers of two: shifts where others divide. */
    bool powers_of_two;
};

extern const struct qp_op qp_op_access;

/* Bits of recipes' not_kinds: all kinds from `first` to `last`, and all others. */
#define QP_ACCESS_FROM(first, last) (((2u << (last)) - 1u) & ~((1u << (first)) - 1u))
#define QP_ACCESS_ALL               QP_ACCESS_FROM(0, QP_ACCESS_KINDS - 1)
#define QP_ACCESS_ONLY(first, last) (QP_ACCESS_ALL & ~QP_ACCESS_FROM(first, last))

#endif
