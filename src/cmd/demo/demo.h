/* SPDX-License-Identifier: MIT */
/* State and helpers of `quadpass demo`, shared by its parts. */
#ifndef QP_CMD_DEMO_DEMO_H
#define QP_CMD_DEMO_DEMO_H

#include "cmd/cmd.h"

/* A picture that is written when all parts are done, so that an interrupted demo leaves none. */
struct demo_picture {
    char path[4096];
    const char *what; /* one sees there */
    int width, height;
    double *values; /* owned; NULL: there is nothing to see */
};

struct demo {
    const struct options *options;
    FILE *out; /* where the story is told */
    struct qp_context *context;
    char why[512];                       /* there is no context */
    struct qp_record records[MOST_ROWS]; /* of all parts, one after the other */
    int count;
    int verdicts[QP_VERDICTS];
    struct qp_market matrix; /* gr_30_30 */
    struct demo_picture heart, solution;
};

/* Parts 1 and 2 (demo_jacobi.c): every row on a heart, and on a matrix of the Harwell-Boeing
 * collection. A part prints itself and adds its records and verdicts. */
enum qp_status demo_jacobi(struct demo *demo);

/* Parts 3 to 5 (demo_gauss_jordan.c): the report on Gauss-Jordan, row by row; batches; pivots. */
enum qp_status demo_gauss_jordan(struct demo *demo);

/* Part 6 (demo_poisson.c): Poisson's equation for a spike. */
enum qp_status demo_poisson(struct demo *demo);

/* Keeps a copy of the values, one picture's. QP_NO_MEMORY without room for it. */
enum qp_status demo_keep_picture(struct demo_picture *picture, int width, int height,
                                 const double *values);

/* A row, the one that it builds on, and its paper's gain over that; named without the operation. */
struct demo_rung {
    const char *variant, *below, *paper;
};

/* The gain of a record's row over the one below it in the same run, by a list that ends with a row
 * of zeros: in MFLOP/s, each row's by its own count, where its paper has these, else a ratio of
 * updates a second, so that four systems count as four; "-" where there is none, or either row is
 * noisy. Returns the paper's words. */
enum { DEMO_GAIN = 64 };
const char *demo_gain(const struct demo_rung *rungs, const struct qp_record *record,
                      const struct qp_record *records, int count, char gain[DEMO_GAIN]);

/* Name of a record's row without its operation; the record of such a name, NULL without one. */
const char *demo_name(const struct qp_record *record);
const struct qp_record *demo_find(const struct qp_record *records, int count, const char *name);

/* Begins a record's line: its name so wide, its verdict and its error; false after the reason why there is none. */
bool demo_begin_line(FILE *out, const struct qp_record *record, int width);

/* All rows of an operation; returns how many. */
int demo_rows(const char *op, const struct qp_variant *rows[]);

/* Adds a row's verdict, a skip as a failure where its kind is demanded. */
void demo_count(struct demo *demo, const struct qp_variant *row, enum qp_verdict verdict);

#endif
