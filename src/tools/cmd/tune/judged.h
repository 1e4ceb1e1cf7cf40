/* SPDX-License-Identifier: MIT */
/* A kernel file at one size: the same random arrays for all its programs, and the states that each
 * must give. */
#ifndef QP_CMD_TUNE_JUDGED_H
#define QP_CMD_TUNE_JUDGED_H

#include "lab/plan/op.h"
#include "tools/stencil/machine.h"
#include "tools/tune/search.h"

/* Steps that a sample takes a multiple of: all numbers of steps in one go divide it, but 10. */
enum { JUDGED_STEPS = 48 };

struct judged {
    const struct qp_kernel_file *file;
    struct qp_size size;
    int steps;             /* after which states are compared */
    char *arrays, *wanted; /* arrays and states one after the other, as the kernel has them */

    /* Asynchronous programs: the distance from what is wanted; seconds of plain steps. */
    double enough, plain;
};

/* Makes the arrays, and room for the states. Errors: QP_NO_MEMORY. Owner: the caller, by
 * judged_destroy. */
enum qp_status judged_make(struct judged *out);
void judged_destroy(struct judged *judged);

/* Starts a program of the kernel, with the arrays. Errors: those of qp_machine_open; QP_DEVICE for
 * one that never answers. Owner: the caller, by qp_machine_close, also after errors. */
enum qp_status judged_open(const struct judged *judged, const struct qp_build *build,
                           struct qp_machine *out);

/* Gives the program its arrays again. Takes steps and waits for them. */
enum qp_status judged_put(const struct judged *judged, struct qp_machine *machine);
enum qp_status judged_take(struct qp_machine *machine, int steps, double *seconds);

/* States of the untuned program become those that are wanted; with `timed` it first finds how many
 * steps a sample takes. */
enum qp_status judged_learn(struct judged *judged, bool timed, struct qp_machine *untuned);

/* Takes the steps and compares all states bit for bit with those that are wanted: a difference is
 * kept in *tried with its cell. With NULL the states become those that are wanted. */
enum qp_status judged_compare(struct judged *judged, struct qp_machine *machine,
                              struct qp_tried *tried);

#endif
