/* SPDX-License-Identifier: MIT */
/* A reference in C that the user wrote, compiled and called: in a process of its own, so that one
 * which crashes or never returns becomes a sentence. */
#ifndef QP_CMD_RUN_REFERENCE_H
#define QP_CMD_RUN_REFERENCE_H

#include <sys/types.h>

#include "tools/cmd/run/inputs.h"
#include "tools/stencil/compile.h"

/* A step: reads `before` and writes every value of `after`, cell (x, y) at y * width + x, of
 * several values a cell side by side, of several states one after the other. `input` are the other
 * arrays, of doubles where the reference's own type says so, `numbers` the values of all numbers,
 * both in the kernel's order. */
typedef void run_reference_function(int width, int height, const float *const *input,
                                    const double *numbers, const double *before, double *after);

struct run_reference {
    const char *path;
    const struct run_inputs *inputs; /* the caller's */
    void *pages;                     /* around both arrays */
    pid_t process;                   /* 0: none */
    int link;                        /* a socket, for a byte a step each way */
    double *before, *after, *numbers;
    int *starved; /* 1 once an allocation of a step has failed */
    struct qp_allowance limits;
    void *converted[QP_KERNEL_INPUTS];   /* arrays that have another type here */
    const struct qp_kernel_file *kernel; /* the caller's */
    size_t count;                        /* values of either */
    int step, steps;                     /* the latest, 0: none, and of the whole run */
    char where[64];                      /* the step, for sentences */
};

/* A file that was compiled, in a folder of its own. */
struct run_object {
    struct qp_scratch scratch;
    char file[4096];
    bool reads_doubles; /* its function takes inputs as doubles */
};

/* Compiles a reference by $CC, or cc, as a shared object; of a kernel that reads arrays but states
 * its function's type is looked at. Errors: QP_BAD_INPUT for a file that
 * cannot be read or does not compile (with the compiler's first error); QP_BAD_USE for a compiler
 * that is not there; QP_UNSUPPORTED for an interrupt. Then *out is all zero. Owner: the caller, by
 * run_reference_forget, which takes what is all zero. */
enum qp_status run_reference_compile(const char *path, bool reads, struct run_object *out);
void run_reference_forget(struct run_object *object);

/* Starts a process, which loads the object. Errors, after which *out is all zero: QP_BAD_INPUT for
 * an object that has no function `reference` or ends its process or is at its limit of seconds
 * while it is loaded, and for a value that its floats do not hold; QP_NO_MEMORY; QP_UNSUPPORTED for
 * an interrupt. Owner: the caller, by run_reference_destroy. */
enum qp_status run_reference_make(const struct qp_kernel_file *kernel,
                                  const struct run_inputs *inputs, const struct run_object *object,
                                  const struct qp_allowance *limits, struct run_reference *out);
void run_reference_destroy(struct run_reference *reference);

/* Computes `after`, which begins as NaN, from `before`, which the caller fills, in a step with
 * these numbers, in the kernel's order. A step of a try, from 0 on, has inputs that it changes
 * (qp_trial_shrink), and its end, for which `after` stays NaN, and what it remembers are forgotten;
 * below 0: it is none. Errors: QP_BAD_INPUT for a reference that ended, was at its limit of
 * seconds, wrote in front of its arrays, or left a value NaN or infinite; QP_UNSUPPORTED for an
 * interrupt. */
enum qp_status run_reference_step(struct run_reference *reference,
                                  const struct qp_pass_number *number, int try);

#endif
