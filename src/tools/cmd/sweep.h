/* SPDX-License-Identifier: MIT */
/* Ranges of a benchmark: the sizes, kinds of problem, parameters of each kind, and block sizes that
 * it goes through. */
#ifndef QP_CMD_SWEEP_H
#define QP_CMD_SWEEP_H

#include "lab/plan/op.h"
#include "tools/cmd/cmd.h"

/* Number of kinds of an operation's problems: all of them with --problem all, else 1. */
int sweep_kinds(const struct options *options, const struct qp_op *op);

/* Number of parameters of this kind; NULL is the operation's default. */
int sweep_parameters(const struct options *options, const struct qp_op *op, const char *kind);

/* Parameter number k; below 0: the usual one. */
int sweep_parameter(const struct options *options, const struct qp_op *op, const char *kind, int k);

/* All sizes with all parameters of all kinds that the row takes, or of the one that is asked for,
 * or, as the rows choose theirs, of the one that has most. */
int sweep_tables(const struct options *options, const struct qp_variant *variant);

/* Lines of all tables of these variants; a size that is asked for is the only one. */
int sweep_lines(const struct options *options, const struct qp_variant *const variants[],
                int count);

/* Block number k of a variant that has blocks: of those that its recipe lists, or else 4, 8, 16 ...
 * as long as there are more rows of the grid, and then all of them; 0 after that. */
int sweep_block(const struct qp_recipe *recipe, int k, int rows);

/* ---- Its table (bench_table.c): a head for each problem, a line for each record ---- */

/* Variants of one operation, each in one way to run. */
struct bench_variants {
    const struct qp_variant *const *variant;
    const struct qp_style *style;
    int count;
    bool compares; /* in several ways, which a column shows */
    double share;  /* seconds of a variant at one size, as in struct qp_bench_desc */
};

void bench_print_table(FILE *table, const struct qp_record *records,
                       const struct bench_variants *variants);
void bench_print_record(FILE *table, const struct qp_record *record,
                        const struct bench_variants *variants);

/* Says in a line, and in the record of a variant that ran, as what it is tuned; "": it is not. */
void bench_print_tuned(FILE *table, struct qp_record *record, const char *tuned);

#endif
