/* SPDX-License-Identifier: MIT */
/* Can a pass of one's own be trusted? A trial (trial.h) of this one pass: a reference in C judges
 * it at awkward sizes with guards around its arrays, each place where its kernel reads is spoiled
 * to see whether the reference would notice, and it is timed. It is compared with the reference
 * alone, not with trivial kernels: a pass may copy its input, and QP_CANNOT_TELL does not occur. */
#ifndef QUADPASS_PASS_CHECK_H
#define QUADPASS_PASS_CHECK_H

#include <quadpass/pass.h>
#include <quadpass/spoil.h>
#include <quadpass/trial.h>
#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Zero means default. */
struct qp_pass_check_desc {
    /* Its outputs begin as they are on the device before the pass: NaN where it has to write all
     * cells, and values where it blends, scatters points or runs in place. NULL: arrays of their
     * own judge the same arrays in guards, and nothing is spoiled. */
    qp_trial_reference *reference;
    void *user; /* handed to it */
    /* The error allowed, in units of what the reference returns. 0: 2^-20 in outputs of floats,
     * 2^-10 of halves, 2^-48 of doubles, none of integers. */
    double tolerance;
    /* Inputs hold random values in [low, high), of integers too; both 0: from -1 to 1, and of
     * integers from 0 to 10. */
    double low, high;
    unsigned long long seed;
    /* Names of inputs that keep their sizes and values, such as tables; NULL ends the list. Others
     * change with the outputs: those that are as large as the outputs, a multiple of them, or a
     * part, stay so along each axis. */
    const char *table[QP_KERNEL_INPUTS + 1];
    /* Cells of the outputs, 2^26 at most. 0: eleven awkward sizes, those of qp_check_desc. */
    int width, height;
    bool spoil; /* every place where the kernel's text reads an array, as qp_spoil does */
    /* Called after each mutant; `user` comes with it. */
    void (*on_mutant)(void *user, const struct qp_spoiled *mutant);
};

/* All zero where nothing was checked. */
struct qp_pass_check_result {
    enum qp_verdict verdict; /* QP_PASS or QP_FAIL */
    int cases; /* cases that ran: at each size arrays of their own, and in guards if it can */
    double error, allowed; /* error and limit of the worst case, the failed one if one failed */
    int width, height;     /* size of its outputs */
    char reason[512];      /* why it failed; else empty */
    /* Time of a pass over arrays as large as the caller's, median of five; NaN unless it is
     * right. */
    double seconds;
    int made, noticed;  /* mutants */
    char survivor[512]; /* the first one that nothing noticed, as a sentence; else empty */
};

/* Checks what a pass computes, without touching its arrays: they are described, and arrays like
 * them are made. A case makes arrays, fills them, runs the pass, reads all outputs back, and
 * compares: results must be finite and within the tolerance. In guards, arrays are views of larger
 * ones: the cells around inputs are NaN, and 0x5a5a5a5a in integers; those around outputs are 1234,
 * which must stay. Short kernels can run in guards, and so can shaders that declare `origin` and
 * the NAME_origin of every input they read. A failed check is a result and QP_OK. Errors: those of
 * qp_pass_run for the pass; QP_BAD_USE for a region, a mask or a depth, which belong to one size,
 * for outputs that are inputs as another view, for invalid sizes, values and tolerances, for a
 * table that is no input, and for `spoil` without a reference or of a kernel that does not pass;
 * QP_NO_MEMORY; QP_DEVICE. Then the verdict is QP_NO_VERDICT. Owner: none. Threads: the
 * context's. */
enum qp_status qp_pass_check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                             struct qp_pass_check_result *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
