/* SPDX-License-Identifier: MIT */
/* The arrays of a run as they stand at its start, in the host's memory: from files, or made. */
#ifndef QP_CMD_RUN_INPUTS_H
#define QP_CMD_RUN_INPUTS_H

#include "cmd/cmd.h"

struct run_input {
    char name[64];
    int width, height, channels;
    float *values; /* row by row from the bottom, channels side by side */
};

/* The state x is the first one; the others stand in the order of --input. */
struct run_inputs {
    struct run_input at[QP_KERNEL_INPUTS];
    int count;
};

/* Reads and makes all arrays; x has `channels` values a cell, as the kernel
 * writes, or with 0 as its file has. Errors, after which *out is all zero: QP_BAD_USE for sizes that contradict each other and what the
 * name of a file is refused for; QP_UNSUPPORTED for more than 2^28 values; QP_BAD_INPUT of files; QP_NO_MEMORY. Owner: the caller, by run_inputs_destroy. */
enum qp_status run_inputs_make(const struct options *options, int channels, struct run_inputs *out);
void run_inputs_destroy(struct run_inputs *inputs);

static inline size_t run_input_count(const struct run_input *input)
{
    return (size_t)input->width * (size_t)input->height * (size_t)input->channels;
}

#endif
