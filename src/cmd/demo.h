/* SPDX-License-Identifier: MIT */
/* What the parts of `quadpass demo` share. */
#ifndef QP_CMD_DEMO_H
#define QP_CMD_DEMO_H

#include "cmd/cmd.h"

struct demo {
    const struct options *options;
    struct qp_context *context;
    char why[512];                       /* there is no context */
    struct qp_record records[MOST_ROWS]; /* of all parts, one after the other */
    int count;
    int verdicts[4];
};

/* Parts 1 and 2 (demo_jacobi.c): every row on a heart, and on a matrix of the Harwell-Boeing
 * collection. A part prints itself and adds its records and verdicts. */
enum qp_status demo_jacobi(struct demo *demo);

/* Parts 3 to 5 (demo_gauss_jordan.c): the report on Gauss-Jordan, row by row; batches; pivots. */
enum qp_status demo_gauss_jordan(struct demo *demo);

/* All rows of an operation; returns how many. */
int demo_rows(const char *op, const struct qp_variant *rows[]);

/* Adds a row's verdict, a skip as a failure where its kind is demanded. */
void demo_count(struct demo *demo, const struct qp_variant *row, enum qp_verdict verdict);

#endif
