/* SPDX-License-Identifier: MIT */
/* A solve of Poisson's equation: poisson.c steers its rounds, right_side.c has right-hand sides and
 * residuals, choice.c chooses method and variant, ending.c writes the outcome. */
#ifndef QP_SOLVE_POISSON_POISSON_H
#define QP_SOLVE_POISSON_POISSON_H

#include <quadpass/poisson.h>

#include "lab/ops/poisson5/methods.h"
#include "lab/solve/iterate/iteration.h"

/* Chooses s->method and the variant, or takes those asked for. Errors: those of
 * qp_solve_poisson. */
enum qp_status qp_poisson_choose(struct qp_iteration *s);

/* True where multigrid solves: it is asked for, or no method and variant is and it is expected to
 * be quicker than steps. */
bool qp_poisson_takes_cycles(const struct qp_iteration *s);

/* Makes multigrid's problem in place of poisson5's, and chooses its variant, or takes that asked
 * for. Errors: those of qp_solve_poisson. */
enum qp_status qp_poisson_take_cycles(struct qp_iteration *s);

/* Fills s->b with h^2 f, of the caller's values or of a problem of the kind. Errors: QP_BAD_INPUT,
 * naming a value's place. */
enum qp_status qp_poisson_fill_rhs(struct qp_iteration *s);

/* Fills b with h^2 f of all cells, row by row. */
void qp_poisson_rhs(const struct qp_problem *problem, double *b);

/* True if a method can use the variant: not bounds, not variants without a fixed order. */
bool qp_poisson_has_method(const struct qp_variant *variant);

/* True for variants that compute in double. */
bool qp_poisson_is_double(const struct qp_variant *variant);

/* Floor of the relative residual, that rounding leaves of a correction at worst: an update rounds u
 * by 2^-24 of it, or in double 2^-53, which changes a residual by 4 times that, and |u| may be |h^2
 * f| / (4 (1 - rho)). */
double qp_poisson_floor(const struct qp_problem *problem, bool in_double);

/* Names of variants, fastest first on devices with this GL_RENDERER; NULL ends the list. The first
 * that can take the problem is taken, with its order's method: sor, or of all cells at once
 * chebyshev. `renderer` NULL: no device. */
const char *const *qp_poisson_preference(const char *renderer);

/* Computes residual = b - A x, and out->residual, its relative norm, from above. */
void qp_poisson_measure(struct qp_iteration *s);

/* Fills in the outcome, rounds and seconds; no digits are proven. */
int qp_poisson_report(struct qp_iteration *s, struct qp_outcome *outcome);

#endif
