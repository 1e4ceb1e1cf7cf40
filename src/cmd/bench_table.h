/* SPDX-License-Identifier: MIT */
/* The table of a benchmark: a head for each problem, a line for each record. */
#ifndef QP_CMD_BENCH_TABLE_H
#define QP_CMD_BENCH_TABLE_H

#include "cmd/cmd.h"

/* Rows of one operation, each in one way to run. */
struct bench_rows {
    const struct qp_variant *const *variant;
    const struct qp_style *style;
    int count;
    bool compares; /* in several ways, which a column tells */
    double share;  /* seconds of a row at one size, as in struct qp_bench_desc */
};

void bench_print_head(FILE *table, const struct qp_record *record, const struct bench_rows *rows);
void bench_print_record(FILE *table, const struct qp_record *record, const struct bench_rows *rows);

#endif
