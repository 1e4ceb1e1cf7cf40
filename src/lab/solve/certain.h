/* SPDX-License-Identifier: MIT */
#ifndef QP_SOLVE_CERTAIN_H
#define QP_SOLVE_CERTAIN_H

#include <signal.h>

#include "toolkit/base/sparse.h"

enum { QP_CERTAIN_VECTORS = 9 /* as long as x, of scratch */ };

/* Proven bound on max |x - x'| / max |x'|, where A x' = b; `rows` are A's. `rest` is nearly b - A
 * x, and bound >= |b - A x|. A bound below 1 proves A regular, too; 1 means no proof, as for a
 * matrix that no scaling of columns makes dominant. Each of two solves takes at most `steps` steps
 * of two products of a vector by A, and none once interrupted. `scratch` is touched only where the
 * machine has twice its memory. */
double qp_certain_error(const struct qp_market *a, const struct qp_sparse *rows, const double *x,
                        const double *rest, const double *bound, int steps,
                        const volatile sig_atomic_t *interrupt, double *scratch);

#endif
