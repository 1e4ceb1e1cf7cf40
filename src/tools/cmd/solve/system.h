/* SPDX-License-Identifier: MIT */
/* Systems from files, the variant that takes them, and records, for solve and invert. */
#ifndef QP_CMD_SOLVE_SYSTEM_H
#define QP_CMD_SOLVE_SYSTEM_H

#include "lab/solve/solvers.h"
#include "tools/cmd/cmd.h"

/* Contents of the files: one matrix, and b and start with a column for each system. */
struct system {
    struct qp_market a, b, start;
};

/* Reads a matrix, a file of right-hand sides if there is a second word, and a start. */
enum qp_status system_read(const struct options *options, struct system *system);
void system_destroy(struct system *system);

/* Says so where a solver on the host, which takes about this many seconds, would have been quicker
 * by far than a solve that took `seconds`. */
void system_tell_quicker(double seconds, double on_host, const char *solver);

/* An option, and whether it was given. system_given returns the name of the first option given in a
 * list up to a NULL name, or NULL. */
struct system_option {
    bool given;
    const char *name;
};
const char *system_given(const struct system_option *options);

/* True for --rhs ones, a uniform load; and so many ones for free(), NULL without memory. */
bool system_takes_ones(const struct options *options);
double *system_ones(size_t count);

/* Number of right-hand sides; without b there is one, A times ones. */
int system_columns(const struct system *system);

/* The variant asked for, NULL for none. A name alone means first a variant of the operation with
 * the input `own` (QP_SOLVES_NOTHING: none), whatever other operation has one of that name. With an
 * input from a file the variant must solve such. */
enum qp_status system_find_variant(const struct options *options, enum qp_solver_input own,
                                   const struct qp_variant **variant);

/* Opens the command's context, unless the variant needs none. Errors: QP_NO_DEVICE without the
 * device that the variant runs on. */
enum qp_status system_open(struct command *command, const struct qp_variant *variant);

/* Sets ping-pong style, target and parts to those that the tuner found for a variant that was asked
 * for, and options->tuned to their text, and says so. Does nothing where the tuner found a group or
 * a block, which solves do not take. `rows`: of the grid, 0 where it is not known yet. */
void system_tune(struct options *options, const struct qp_context *context,
                 const struct qp_variant *variant, int rows);

/* True if x differs from the start (NULL: zeros). An x that does not, after an early interrupt or
 * taken back, replaces no earlier file. */
bool system_has_moved(const double *x, int rows, int columns, const double *start);

/* Writes --picture of a solution on its grid if asked for, and prints its scale. */
enum qp_status system_write_picture(const struct options *options, int width, int height,
                                    const double *x);

/* True if a file is asked for. */
bool system_writes(const struct options *options);

/* Solves, writes and reports. */
enum qp_status solve_right_side(struct command *command);

/* Prints the four parts of a solve's seconds as a line (enum qp_solve_part). */
void system_tell_seconds(FILE *table, double seconds, const double part[]);

/* ---- Records: one for each right-hand side ---- */

/* The layout of a matrix in products of iterations; else NULL. */
const char *system_layout(const struct qp_variant *variant);

/* Writes --json and --csv if asked for: the head of all records, one record for each of `count`
 * sides. */
enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count);

/* Writes one record of a solve on a grid, likewise. */
enum qp_status solve_write_solution(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution);

/* Writes the records of an elimination, by the variant that its options name or the preferred
 * one. */
enum qp_status solve_write_dense_records(const struct options *options, struct qp_context *context,
                                         const struct qp_dense_solution *solution);

#endif
