/* SPDX-License-Identifier: MIT */
/* A kernel file with its arrays on the device: two of each state, which take turns. */
#ifndef QP_CMD_RUN_PROGRAM_H
#define QP_CMD_RUN_PROGRAM_H

#include "tools/cmd/run/inputs.h"
#include "tools/cmd/run/machine.h"

/* A file in turn. */
struct run_turn {
    const struct qp_kernel_file *file; /* the trial's, as the pass's kernel */
    struct qp_pass pass;
    int at[QP_KERNEL_INPUTS]; /* its arrays among all */
};

struct run_program {
    struct qp_context *context;
    struct run_machine *machine; /* --backend's, in place of all that is OpenGL's; NULL: none */
    struct run_turn turn[QP_KERNEL_TURNS];
    int turns, now;                     /* files, and the one whose part of the step is under way */
    struct qp_array *array[RUN_ARRAYS]; /* in the order of the inputs */
    struct qp_array *next[RUN_ARRAYS];  /* array that is written of each state */
    int states;                         /* states of the last file: the first arrays */
    int steps, all;                     /* done, and to be done */
    /* Place of the next cells of the file under way, in a band of this height. */
    struct qp_rect part;
    /* Part of it that is done, 0 to 1; cells drawn before the device is waited for. */
    double drawn, slice;
};

struct run_trial;

/* Compiles the trial's kernels and makes its arrays, or starts its machine; the trial must live as
 * long. Errors: those of qp_kernel_create, qp_array_create and run_machine_open; then *out is all
 * zero. Owner: the caller, by run_program_destroy. */
enum qp_status run_program_make(struct qp_context *context, struct run_trial *trial,
                                struct run_program *out);
void run_program_destroy(struct run_program *program);

/* Writes all inputs, which walks of the trial may have changed. Errors: likewise, and those of
 * run_program_write. */
enum qp_status run_program_start(struct run_program *program, const struct run_inputs *inputs);

/* Takes steps and waits for them, of costly cells several times in a step: an interrupt is looked
 * for between. Errors: those of qp_pass_run; QP_UNSUPPORTED for an interrupt. */
enum qp_status run_program_step(struct run_program *program, int steps);

/* Reads all states, one after the other, each as `x` describes it, into x->values. */
enum qp_status run_program_read(struct run_program *program, const struct run_input *x);

/* Writes array k as its input describes it, with these values. */
enum qp_status run_program_write(struct run_program *program, int k, const struct run_input *input,
                                 const void *values);

/* Says on standard error how many values of `x`, the states now as run_program_read has them, are
 * not finite, and with which step (0: in the start) and cell that began or why nobody looked;
 * nothing if all are finite. The program's own state is lost (blow_up.c). */
void run_tell_blow_up(struct run_program *program, const struct run_inputs *start,
                      const struct run_input *x);

/* ---- The number of --reduce, computed on the device from all channels (reduction.c) ---- */

enum { MOST_CHANNELS = 4 };

struct run_reduction {
    enum reduction what;
    struct qp_reduction *of[MOST_CHANNELS]; /* a reduction for each channel */
    struct qp_array_desc x;
    bool in_tiles; /* x is larger than a texture, and is reduced by qp_array_reduce */
};

/* Makes the reduction for arrays that are described so; sums carry their rounding along where the
 * device can (reduce.h). Nothing is made without --reduce. Errors, after which *out is all zero:
 * those of qp_reduction_create; QP_UNSUPPORTED for several values a cell in tiles. Owner: the
 * caller, by run_reduction_destroy, before the context. */
enum qp_status run_reduction_make(struct qp_context *context, enum reduction what,
                                  const struct qp_array *x, struct run_reduction *out);
void run_reduction_destroy(struct run_reduction *reduction);

/* Waits for the steps so far. *out is NaN if a value is. Errors: those of qp_reduce and
 * qp_array_reduce. */
enum qp_status run_reduction_take(const struct run_reduction *reduction, const struct qp_array *x,
                                  double *out);

/* The same of values in the host's memory, in double. */
double run_reduction_of(enum reduction what, const struct run_input *x);

#endif
