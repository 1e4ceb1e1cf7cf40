/* SPDX-License-Identifier: MIT */
/* The arrays of a run as they are at its start, in the host's memory: from files, or made. */
#ifndef QP_CMD_RUN_INPUTS_H
#define QP_CMD_RUN_INPUTS_H

#include "toolkit/base/values.h"
#include "tools/cmd/cmd.h"

enum { RUN_ARRAYS = QP_KERNEL_TURNS * QP_KERNEL_INPUTS /* arrays of files in turn, at most */ };

struct run_input {
    const char *name; /* the kernel file's */
    /* The file that decides its size: the first one which writes it, or else reads it. */
    const struct qp_kernel_file *file;
    const struct qp_kernel_file_array *array; /* its own there */
    bool is_state;                            /* a state of any file */
    int width, height, channels;
    enum qp_array_type type;     /* on the device */
    enum qp_precision precision; /* precision of `values`: doubles for other types than float */
    void *values;                /* row by row from the bottom, channels side by side */
};

/* Inputs in the kernel's order: the states, then the others; of files in turn the last one's states
 * come first. */
struct run_inputs {
    struct run_input at[RUN_ARRAYS];
    int count, states;
};

/* Reads and makes all arrays; states have as many values a cell as the kernel writes, or of a whole
 * shader as the first one's file has. Errors, after which *out is all zero: QP_BAD_USE for sizes
 * that contradict each other, an array that nobody gave and what the name of a file is refused for;
 * QP_UNSUPPORTED for more than 2^28 values; QP_BAD_INPUT of files; QP_NO_MEMORY. Owner: the caller,
 * by run_inputs_destroy, before the kernel file. */
enum qp_status run_inputs_make(const struct qp_kernel_file *file, struct run_inputs *out);

/* The points that a file draws; 0 for one that draws none, and, of inputs that may come in other
 * sizes than these, for as many as there are cells. */
int run_inputs_points(const struct qp_kernel_file *file, const struct run_inputs *inputs,
                      bool sized);

void run_inputs_destroy(struct run_inputs *inputs);

/* The array of this name. */
int run_inputs_find(const struct run_inputs *inputs, const char *name);

/* The file's description, with as many values a cell as its arrays have. */
struct qp_kernel_desc run_inputs_describe(const struct run_inputs *inputs,
                                          const struct qp_kernel_file *file);

static inline size_t run_input_count(const struct run_input *input)
{
    return (size_t)input->width * (size_t)input->height * (size_t)input->channels;
}

/* Matrix of an input's cells, and of those of `states` arrays of its kind one above the other. */
struct qp_matrix run_input_matrix(const struct run_input *input, int states);

/* Room for the values of `states` arrays of its kind. Errors: QP_NO_MEMORY. Owner: the caller, by
 * free. */
enum qp_status run_input_alloc(struct run_input *input, int states);

#endif
