/* SPDX-License-Identifier: MIT */
/* Elimination in fragment shaders, many columns a step: LU factors with partial pivoting, then back
 * substitution. Block by block of so many columns
 *
 *     panel      the block's columns are copied to a small array
 *     pivots     four of them a pass: the vertex shader finds four pivots, fragments eliminate;
 *                where rows are many, passes before it list candidates, the best of groups of rows
 *     exchange   which row stands where afterwards, as LAPACK exchanges them
 *     factors    the pivots' rows, exchanged, and the block's part of the diagonal, which are kept
 *     product    a := a + L U on what is left of the matrix, L as the panel left it; rows are
 *                exchanged as they are fetched
 *
 * and from the last block to the first
 *
 *     solve      its unknowns, for all right-hand sides
 *     back       what they take from the right-hand sides of the rows above
 *
 * Nothing leaves the device before the end. The matrix stands four columns a texel, rows dealt out
 * to the layers of one array texture, each a render target: a shader can compute which layer it
 * reads, and so fetch any row. Unknowns are made a multiple of four with those of an identity. */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_H
#define QP_OPS_GAUSS_JORDAN_BLOCKED_H

#include "plan/plan.h"

/* Sizes chosen by measurement. One vertex that looks at all rows leaves the rest of a GPU idle;
 * on software that search costs next to nothing and more passes cost much
 * (docs/measurements/gauss-jordan-speed.md). */
struct qp_blocked {
    int columns; /* in a block; a multiple of four, and the layers: a block begins with the first */
    int many;    /* rows left from which GPUs list candidates for pivots */
    int group;   /* rows of a group, a multiple of four: each candidate is the best of one group */
};

extern const struct qp_engine qp_engine_blocked;

#endif
