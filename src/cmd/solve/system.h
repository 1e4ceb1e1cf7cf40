/* SPDX-License-Identifier: MIT */
/* Systems from files, the row that takes them, and records, for solve and invert. */
#ifndef QP_CMD_SOLVE_SYSTEM_H
#define QP_CMD_SOLVE_SYSTEM_H

#include "cmd/cmd.h"
#include "solve/solvers.h"

/* Contents of the files: one matrix, and b and start with a column for each system. */
struct system {
    struct qp_market a, b, start;
};

/* A matrix, a file of right-hand sides if there is a second word, and a start. */
enum qp_status system_read(const struct options *options, struct system *system);
void system_destroy(struct system *system);

/* An option, and whether it was given; the name of the first that was, of a list up to a NULL name, or NULL. */
struct system_option {
    bool given;
    const char *name;
};
const char *system_given(const struct system_option *options);

/* Without b there is one right-hand side, A times ones. */
int system_columns(const struct system *system);

/* The variant asked for, NULL for none. A name alone means first a row of the operation with the input
 * `own` (QP_SOLVES_NOTHING: none), whatever other operation has one of that name. With an input from a file the variant must
 * solve such. */
enum qp_status system_find_variant(const struct options *options, enum qp_solver_input own,
                                   const struct qp_variant **variant);

/* The context, unless the variant needs none; QP_NO_DEVICE without the device that it runs on. */
enum qp_status system_open(const struct options *options, const struct qp_variant *variant,
                           struct qp_context **context);

/* Sets the ways to run a variant that is asked for to what the tuner found, and options->tuned to its text, and says so;
 * nothing with a group or a block, which a solve cannot be told. A grid of 0 rows is not known yet. */
void system_tune(struct options *options, const struct qp_context *context,
                 const struct qp_variant *variant, int rows);

/* True if elimination alone can solve it: asked for, or because no nine-band grid fits. */
bool system_is_dense(const struct options *options, const struct system *system,
                     const struct qp_variant *variant);

/* True if x is another one than the start, NULL for zeros: an interrupt before the first step, or an iterate that was taken
 * back to the start, does not replace an earlier file. */
bool system_has_moved(const double *x, int rows, int columns, const double *start);

/* Writes --picture of a solution on its grid if asked for, and prints its scale. */
enum qp_status system_write_picture(const struct options *options, int width, int height,
                                    const double *x);

/* Exit code of a solve; prints the error of one that failed. */
int system_code(enum qp_status status, bool converged);

/* True if a file is asked for. */
bool system_writes(const struct options *options);

/* Solves, writes and reports; returns the exit code. */
int solve_right_side(struct options *options);

/* ---- Records: one for each right-hand side ---- */

/* Writes --json and --csv if asked for: the head of all records, one record for each of `count` sides. */
enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count);

/* Likewise one record of a solve on a grid. */
enum qp_status solve_write_solution(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution);

/* The same for an elimination, by the row that its options name or the preferred one. */
enum qp_status solve_write_dense_records(const struct options *options, struct qp_context *context,
                                         const struct qp_dense_solution *solution);

#endif
