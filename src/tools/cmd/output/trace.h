/* SPDX-License-Identifier: MIT */
/* Traces of walks: each stage as it is printed, drawn or kept, and the numbers of its arrays. */
#ifndef QP_CMD_OUTPUT_TRACE_H
#define QP_CMD_OUTPUT_TRACE_H

#include <stdio.h>

#include <quadpass/walk.h>

#include "lab/plan/plan.h"

struct trace;

/* A stage of a trace. One without words and function is passed over. */
struct trace_stage {
    const char *words;                       /* printed below the heading; NULL: none */
    void (*show)(const struct trace *trace); /* NULL: nothing more */
};

struct trace {
    const struct trace_stage *stages; /* QP_STAGES + 1 of them, by their numbers */
    void *user;                       /* for the stages' functions */
    FILE *out;                        /* headings and words; NULL: none */
    bool plain;                       /* headings without times; arrays without margin and dots */
    bool upright;                     /* row 0 at the top, as matrices are written */
    bool with_texts;                  /* shaders with their texts */

    /* The present stage, and what the walk has found so far. */
    enum qp_stage stage;
    struct qp_plan *plan;
    const struct qp_result *result;
};

/* Walks, and calls the function of each stage. Errors: those of qp_walk. */
enum qp_status trace_walk(struct trace *trace, struct qp_context *context,
                          const struct qp_variant *variant, struct qp_problem *problem,
                          const struct qp_walk_desc *desc, struct qp_result *result);

/* Texels of the source, or of the target, as they are on the device at present; guards that an
 * engine does not read are as packed. Errors: those of the engine, QP_NO_MEMORY. Owner: the caller,
 * by free, also after an error. */
enum qp_status trace_texels(struct qp_plan *plan, bool target, void **out);

/* The same as a matrix. Errors: also those of qp_plan_unpack. Owner: the caller, by
 * qp_matrix_destroy. */
enum qp_status trace_matrix(struct qp_plan *plan, bool target, struct qp_matrix *out);

/* Rows of numbers, and how many of them a page has room for. */
struct trace_numbers {
    const void *values;
    enum qp_precision precision;
    int width, height, apart; /* apart: values from one row to the next */
    int columns, lines;       /* printed at most */
    int decimals;
};

/* Prints the first numbers of the first rows; # is NaN: a guard, or a cell not yet computed. */
void trace_print(const struct trace *trace, const struct trace_numbers *numbers);

/* Prints one of them, in eight columns; NaN as this character. */
void trace_print_number(FILE *out, double value, int decimals, char no_number);

#endif
