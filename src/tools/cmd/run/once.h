/* SPDX-License-Identifier: MIT */
/* A run of a user's shader, from its file to its outcome: files, numbers, a line. */
#ifndef QP_CMD_RUN_ONCE_H
#define QP_CMD_RUN_ONCE_H

#include "tools/cmd/run/inputs.h"

/* Reads the kernel file, its inputs and the reference anew, takes all steps, writes and prints what
 * is asked for. `*verdict` is QP_SKIP without a reference. Errors: those of reading, compiling and
 * running, with a sentence; QP_UNSUPPORTED for an interrupt. */
enum qp_status run_once(const struct options *options, struct qp_context *context,
                        enum qp_verdict *verdict);

/* Says on standard error, if that is a terminal, that --backend cpu is expected to be twice as
 * quick, where a software device took these seconds for so many updates of cells: once a user, by
 * a mark in the user's cache, and not where the backend refuses the kernel or an option. In
 * advice.c. */
struct run_trial;
void run_advise(const struct options *options, const struct qp_context *context,
                const struct run_trial *trial, double updates, double seconds);

/* ---- Its outcome (outcome.c) ---- */

/* Refuses, before anything runs, a name of -o that says no format and frames that would lie over
 * another file of the command or of the head; makes the folder of frames. Errors: QP_BAD_USE,
 * QP_BAD_INPUT. */
enum qp_status outcome_check(const struct options *options, const struct qp_kernel_file_head *head);

/* Refuses a file of -o that cannot hold the channels of x: QP_BAD_USE. */
enum qp_status outcome_check_channels(const struct options *options, const struct run_input *x);

/* For the rest, `x` is the first state as it was read back. */

/* Writes frame `number` of --frames. Four values of a cell are a colour, of two the first is
 * grey. */
enum qp_status outcome_frame(const struct options *options, const struct run_input *x, int number);

/* Writes --picture and -o, of an animation the `frames` of `film`, and says on the table which
 * values the colours of pictures are. */
enum qp_status outcome_write(const struct options *options, const struct run_input *x,
                             const struct run_input *film, int frames);

/* The range of all finite values, and their mean, in double; all of them NaN if there is none. */
struct run_range {
    double low, high, mean;
    size_t others; /* values that are not finite */
};

struct run_range outcome_range(const struct run_input *x);

#endif
