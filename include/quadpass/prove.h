/* SPDX-License-Identifier: MIT */
/* Can a context be trusted? Computations whose answers are known, and how far its functions are off
 * what C computes. */
#ifndef QUADPASS_PROVE_H
#define QUADPASS_PROVE_H

#include <quadpass/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Numbers of computations of qp_prove, and of functions of qp_function_error by their ranges; later
 * versions may have more. */
#define QP_PROOFS    12
#define QP_FUNCTIONS 15

/* A computation with a known answer, and how it went. */
struct qp_proof {
    const char *name;     /* such as "ping-pong" */
    const char *computes; /* a phrase, such as "the sum of 1 to 3721, in passes" */
    /* QP_OK: the answer is right. QP_DEVICE: it is wrong, or none came. QP_UNSUPPORTED: the device
     * lacks what it takes, which is no mistake. */
    enum qp_status status;
    /* "" or, unless it is right: what was computed, what came, what was expected, what to do. */
    char sentence[1024];
};

/* Computes what programs take for granted: fills, float targets, NaN and infinity that are kept,
 * draws, blends, 64 steps of ping-pong, a sum, divisions, loops, readbacks. That takes a tenth of a
 * second in software. `proofs` has room for `count` of them, usually QP_PROOFS, in the order in
 * which later ones rely on earlier ones; *wrong becomes the number of the first whose answer is
 * wrong, or -1. The built-in kernels that it runs are those of QUADPASS_SHADER_DIR, if they lie
 * there. A wrong answer is a result and QP_OK. Errors: QP_BAD_USE for NULL, a count that is not 1
 * to QP_PROOFS, another thread or a forked process; QP_NO_MEMORY; QP_DEVICE for a context that is
 * lost; then *wrong is -1 and the rest of the proofs are all zero. Owner: strings are the
 * library's, for ever. Threads: the context's. */
enum qp_status qp_prove(struct qp_context *context, struct qp_proof *proofs, int count, int *wrong);

/* Errors of a function of short kernels (kernel.h), over 2^20 values of its argument a. */
struct qp_function_error {
    const char *function; /* such as "pow(a, 2.5)" */
    double low, high;     /* range of a */
    double ulps; /* the largest error, in units in the last place of the float that is nearest */
    /* The largest error as a check of a kernel that returns this function measures it: in parts of
     * the largest value or, where that is larger, of what a change of a adds to it (trial.h). */
    double error;
    double tolerance;   /* error that a check allows a step by default */
    char sentence[512]; /* "", or that the error is larger, and what to do */
};

/* Measures function number `number`, 0 to QP_FUNCTIONS - 1, on the context's device; NaN has
 * infinite errors. Errors: QP_BAD_USE for NULL, another number, another thread or a forked process;
 * QP_NO_MEMORY; QP_DEVICE; then *out is all zero. Owner: strings are the library's, for ever.
 * Threads: the context's. */
enum qp_status qp_function_error(struct qp_context *context, int number,
                                 struct qp_function_error *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
