/* SPDX-License-Identifier: MIT */
/* The record of a run. */
#ifndef QP_CMD_RUN_RECORD_H
#define QP_CMD_RUN_RECORD_H

#include "cmd/run/inputs.h"

struct run_record {
    const char *shader;        /* its file */
    const struct run_input *x; /* after the last step */
    double seconds;            /* of all steps */
    double reduced;            /* with --reduce, else NaN */
    enum qp_verdict verdict;   /* QP_SKIP: without a reference */
    double error, allowed;     /* NaN: not judged */
    const char *reason;
};

/* Writes --json and --csv if they are asked for: one record. Errors: those of records_write_rows. */
enum qp_status run_record_write(const struct options *options, struct qp_context *context,
                                const struct run_record *record);

#endif
