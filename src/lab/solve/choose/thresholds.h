/* SPDX-License-Identifier: MIT */
/* Numbers that a person chose, by the gallery of systems that docs/solve.md is judged by: where one
 * method is preferred to another whose forecast is as short, or nearly so. Times are those of
 * preference.c, and no clock's. */
#ifndef QP_SOLVE_CHOOSE_THRESHOLDS_H
#define QP_SOLVE_CHOOSE_THRESHOLDS_H

/* Unknowns from which on multigrid is taken: below, set-up and looks are most of any solve. */
enum { QP_LEAST_GRID = 4000 };

/* Dominance above which units of unknowns differ from node to node, as in D A D, so that no coarser
 * grid holds what a smoother leaves; conjugate gradients take them off. */
static const double qp_rough = 2.0;

/* Steps from which on a polynomial's spared sums are worth its products. */
enum { QP_MANY_STEPS = 200 };

/* Part of conjugate gradients' forecast, which they often stay below, that a direct solver may
 * expect to take and still come before them. */
static const double qp_spared = 0.6;

/* Seconds below which the half of the work that a solver of definite matrices spares is less than
 * the loading of its library takes: 0.014, measured. */
static const double qp_loading = 0.03;

/* Seconds of an iteration which is not left for a direct solver: its 200 steps to a forecast. */
static const double qp_short_solve = 0.1;

/* Seconds that a direct solver may expect to take and still come before an iteration whose forecast
 * is one of a mesh, which the matrix is not. */
static const double qp_surely = 0.5;

/* Seconds that a direct solver may always take, and those to come for which a Krylov method is left
 * at least: a person hardly waits. */
static const double qp_short_wait = 1.0;

/* Seconds of dense elimination up to which MINRES is tried in place of conjugate gradients where
 * rows are dominant in no units: it needs a quarter to half of their steps, but stalls where the
 * error is smooth. Then elimination is sure to end the solve, in about as many seconds. */
static const double qp_soon = 4.0;

/* Times by which forecasts of a direct solver are off: it may take as much longer than the device
 * or an iteration, whose answers have fewer digits, and a Krylov method that it has refused makes
 * as many more steps before it is asked again. */
static const double qp_off = 4.0;

/* The longest elimination, in seconds, that starts without being asked for. */
enum { QP_LONGEST_ELIMINATION = 3600 };

#endif
