/* SPDX-License-Identifier: MIT */
/* State and helpers of `quadpass demo`, shared by its parts. */
#ifndef QP_CMD_DEMO_DEMO_H
#define QP_CMD_DEMO_DEMO_H

#include "tools/cmd/cmd.h"

/* A picture, written as soon as its values are there. */
struct demo_picture {
    char path[4096];
    const char *what; /* the thing to see */
    double low, high;
    bool is_there;
};

struct demo {
    const struct options *options;
    struct command *command; /* with the records of all parts, one after the other */
    FILE *out;               /* where the story is printed */
    struct qp_solution
        solved[MOST_VARIANTS];  /* GR_30_30 by the first variants; zero after a failure */
    bool failed[MOST_VARIANTS]; /* variants that did not solve it */
    struct qp_market matrix;    /* gr_30_30 */
    struct demo_picture heart, solution, spike;
};

/* A run of variants of one operation, all on one problem. */
struct demo_run {
    const char *op, *kind;
    int size, steps, repeats; /* by default */
    bool square;              /* a square of `size` at most, whatever --size says, and one step */
    int width, height;        /* as asked for: demo_begin sets these and the steps */
};
void demo_begin(const struct demo *demo, struct demo_run *run);

/* Checks and times the variants, adds their records to the demo, and draws the reference where
 * there is a picture. An interrupt ends it with QP_OK. */
enum qp_status demo_bench(struct demo *demo, const struct demo_run *run,
                          const struct qp_variant *const variants[], int count,
                          struct demo_picture *picture);

/* Solves GR_30_30 by the variants and draws the last solution. */
enum qp_status demo_solve(struct demo *demo, const struct qp_variant *const variants[], int count);

enum qp_status demo_draw(struct demo_picture *picture, int width, int height, const double *values);
void demo_name_picture(const struct demo *demo, const struct demo_picture *picture);

/* The three stories: eight variants of an operation each. */
enum { DEMO_STORIES = 3, DEMO_LADDER = 8 };
enum qp_status demo_stories(struct demo *demo);

/* --all. Parts 1 and 2: every variant on a heart, and on a matrix of the Harwell-Boeing collection;
 * 3 to 5: the report on Gauss-Jordan, variant by variant; batches; pivots; 6: Poisson's equation
 * for a spike. A part prints itself. */
enum qp_status demo_jacobi(struct demo *demo);
enum qp_status demo_gauss_jordan(struct demo *demo);
enum qp_status demo_poisson(struct demo *demo);

/* A variant, named without the operation, and its paper's gain over the one that it builds on. */
struct demo_rung {
    const char *variant, *paper;
};

/* All variants of an operation; returns how many. */
int demo_variants(const char *op, const struct qp_variant *variants[]);

/* Counts and prints the records from the first on. A gain is that of a rung, of a list that ends
 * with a row of zeros, over the variant that it builds on; without a list all are over `base`. It
 * is in MFLOP/s, each variant's by its own count, where its paper has these, else a ratio of
 * updates a second, so that four systems count as four; "-" where there is none, or either variant
 * is noisy. `in_ms`: a step's time in place of GFLOP/s. */
void demo_print_table(struct demo *demo, int first, const struct demo_rung *rungs, const char *base,
                      bool in_ms);

/* Name of a record's variant without its operation. */
const char *demo_name(const struct qp_record *record);

/* The record of this variant; NULL without one. */
const struct qp_record *demo_find(const struct qp_record *records, int count, const char *name);

/* Adds a variant's verdict, a skip as a failure where its kind is demanded; false for a variant
 * that an interrupt skipped. */
bool demo_count(struct demo *demo, const struct qp_variant *variant, enum qp_verdict verdict);

#endif
