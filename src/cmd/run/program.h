/* SPDX-License-Identifier: MIT */
/* A shader of the user's with its arrays on the device: two of the state x, which take turns. */
#ifndef QP_CMD_RUN_PROGRAM_H
#define QP_CMD_RUN_PROGRAM_H

#include "cmd/options_run.h"
#include "cmd/run/inputs.h"
#include "toolkit/tokens.h"

/* A shader's file as it was read: its form and what it writes. */
struct run_shader {
    const char *path;
    char *text;
    struct qp_tokens tokens;
    bool is_short; /* kernel(), not main() */
    int channels;  /* of what it writes; 0: a whole shader's text does not tell */
};

/* Errors, after which *out is all zero: QP_BAD_INPUT for a file that cannot be read, or has neither main() nor
 * kernel(); QP_NO_MEMORY. Owner: the caller, by run_shader_destroy. `path` must live as long. */
enum qp_status run_shader_read(const char *path, struct run_shader *out);
void run_shader_destroy(struct run_shader *shader);

struct run_program {
    struct qp_context *context;
    struct qp_kernel *kernel;
    struct qp_array *array[QP_KERNEL_INPUTS], *next; /* array[0] is x, and next what is written */
    struct qp_pass pass;
    char name[QP_KERNEL_NUMBERS][64];                     /* of the numbers, */
    double value[QP_KERNEL_NUMBERS][MOST_NUMBERS_OF_ONE]; /* and their values, */
    int values[QP_KERNEL_NUMBERS];                        /* so many */
    int steps, all;                                       /* done, and to be done */
    struct qp_rect
        part; /* of the step under way: where its next cells begin, in a band of this height */
    double drawn,
        slice; /* part of it that is done, 0 to 1; cells drawn before the device is waited for */
};

/* Compiles the shader and uploads the inputs, whose names must live as long. A name that is given and that the shader does not read is QP_BAD_USE;
 * other errors are those of qp_kernel_create and qp_array_create; then *out is all zero. Owner: the caller, by
 * run_program_destroy. */
enum qp_status run_program_make(struct qp_context *context, const struct options *options,
                                const struct run_shader *shader, const struct run_inputs *inputs,
                                struct run_program *out);
void run_program_destroy(struct run_program *program);

/* Takes steps and waits for them, of costly cells several times in a step: an interrupt is looked for between. Errors: those of qp_pass_run; QP_UNSUPPORTED for an interrupt. */
enum qp_status run_program_step(struct run_program *program, int steps);

/* Reads x, which has the inputs' first size. */
enum qp_status run_program_read(const struct run_program *program, float *values);

/* Says on standard error how many values of `x`, the state now, are not finite, and with which step (0: in the start) and
 * cell that began or why nobody looked; nothing if all are finite. The program's own state is lost (blow_up.c). */
void run_tell_blow_up(struct run_program *program, const struct run_input *start,
                      const struct run_input *x);

/* ---- The number of --reduce, computed on the device from all channels (reduction.c) ---- */

enum { MOST_CHANNELS = 4 };

struct run_reduction {
    enum reduction what;
    struct qp_reduction *of[MOST_CHANNELS]; /* one for each channel */
    struct qp_array_desc x;
    bool in_tiles; /* x is larger than a texture, and is reduced by qp_array_reduce */
};

/* For arrays that are described so; sums carry their rounding along where the device can (reduce.h). Nothing is made
 * without --reduce. Errors, after which *out is all zero: those of qp_reduction_create;
 * QP_UNSUPPORTED for several values a cell in tiles. Owner: the caller, by
 * run_reduction_destroy, before the context. */
enum qp_status run_reduction_make(struct qp_context *context, enum reduction what,
                                  const struct qp_array *x, struct run_reduction *out);
void run_reduction_destroy(struct run_reduction *reduction);

/* Waits for the steps so far. *out is NaN if a value is. Errors: those of qp_reduce and qp_array_reduce. */
enum qp_status run_reduction_take(const struct run_reduction *reduction, const struct qp_array *x,
                                  double *out);

#endif
