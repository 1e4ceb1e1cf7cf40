/* SPDX-License-Identifier: MIT */
/* Can a pass of one's own be trusted? A reference in C judges it at awkward sizes with guards around its arrays, each place
 * where its kernel reads is spoiled to see whether the reference would notice, and it is timed. */
#ifndef QUADPASS_PASS_CHECK_H
#define QUADPASS_PASS_CHECK_H

#include <quadpass/pass.h>
#include <quadpass/spoil.h>
#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An input as a reference sees it: width x height cells, row by row, of so many values side by side, as the device holds
 * them. */
struct qp_pass_array {
    int width, height, channels;
    enum qp_outside outside;
    double value; /* with QP_OUTSIDE_VALUE */
    const double *values;
};

/* What a reference is given. */
struct qp_pass_grid {
    int width, height, channels; /* of the outputs */
    struct qp_pass_array
        input[QP_KERNEL_INPUTS]; /* in the kernel's order; all zero: the pass has none */
    struct qp_pass_number number[QP_KERNEL_NUMBERS]; /* likewise */
    void *user;
};

/* The pass in double: writes every value of every output, which begin as they are on the device before the pass: NaN where it
 * has to write all cells, and values where it blends, scatters points or runs in place. Returns the largest sum of
 * magnitudes that one cell's update formed, which is the size of the numbers that the device rounds; 0 stands for the
 * largest magnitude of inputs and outputs. Runs in the thread that checks. */
typedef double qp_pass_reference(const struct qp_pass_grid *pass, double *const output[]);

/* The value of an input's cell, or what its description says of one outside. Errors: NaN for NULL and for a channel that
 * it does not have. Owner: none. Threads: any. */
double qp_pass_array_at(const struct qp_pass_array *input, int x, int y, int channel);

/* Zero means default. */
struct qp_pass_check_desc {
    /* NULL: arrays of their own judge the same arrays in guards, and nothing is spoiled. */
    qp_pass_reference *reference;
    void *user; /* handed to it */
    /* The error allowed, in units of what the reference returns. 0: 2^-20 in outputs of floats, 2^-10 of halves, 2^-48 of
     * doubles, none of integers. */
    double tolerance;
    /* Inputs hold random values in [low, high), of integers too; both 0: from -1 to 1, and of integers from 0 to 10. */
    double low, high;
    unsigned long long seed;
    /* Names of inputs that keep their sizes and values, such as tables; NULL ends the list. Others change with the outputs:
     * those that are as large as the outputs, a multiple of them, or a part, stay so along each axis. */
    const char *table[QP_KERNEL_INPUTS + 1];
    /* Cells of the outputs, 2^26 at most. 0: eleven awkward sizes, those of qp_check_desc. */
    int width, height;
    bool spoil; /* every place where the kernel's text reads an array, as qp_spoil does */
    /* After each mutant; `user` comes with it. */
    void (*on_mutant)(void *user, const struct qp_spoiled *mutant);
};

/* Zeroed it says nothing. */
struct qp_pass_check_result {
    enum qp_verdict verdict; /* QP_PASS or QP_FAIL */
    int cases;             /* that ran: at each size arrays of their own, and in guards if it can */
    double error, allowed; /* of the worst case, the failed one if one failed */
    int width, height;     /* its outputs' */
    char reason[512];      /* why it failed; else empty */
    double seconds; /* of a pass over the caller's inputs, median of five; NaN unless it is right */
    int made, noticed;  /* mutants */
    char survivor[512]; /* the first one that nothing noticed, as a sentence; else empty */
};

/* Checks what a pass computes, without touching its arrays: they are described, and arrays like them are made. A case makes
 * arrays, fills them, runs the pass, reads all outputs back, and compares: results must be finite and within the tolerance.
 * In guards, arrays are views of larger ones: around inputs stands NaN, and 0x5a5a5a5a in integers; around outputs 1234,
 * which must stay. Short kernels can stand there, and shaders that declare `origin` and the NAME_origin of what they
 * read. A failed check is a result and QP_OK. Errors: those of qp_pass_run for the pass; QP_BAD_USE for a region, a mask
 * or a depth, which belong to one size, for outputs that are inputs as another view, for sizes, values and tolerances that
 * are none, for a table that is no input, and for `spoil` without a reference or of a kernel that does not pass;
 * QP_NO_MEMORY; QP_DEVICE. Then the verdict is QP_NO_VERDICT. Owner: none. Threads: the context's. */
enum qp_status qp_pass_check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                             struct qp_pass_check_result *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
