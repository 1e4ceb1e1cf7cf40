/* SPDX-License-Identifier: MIT */
/* Tours of `quadpass walk`: traces that print the contents of each stage, one for steps on a grid,
 * one each for reductions, eliminations, batches, sparse products and transfers. */
#ifndef QP_CMD_WALK_WALK_H
#define QP_CMD_WALK_WALK_H

#include "lab/plan/op.h"
#include "tools/cmd/output/trace.h"

/* The stages of each. That of a grid has all; the others those in which they differ from it. */
extern const struct trace_stage walk_grid[QP_STAGES + 1];
extern const struct trace_stage walk_reduction[QP_STAGES + 1];
extern const struct trace_stage walk_elimination[QP_STAGES + 1];
extern const struct trace_stage walk_batch[QP_STAGES + 1];
extern const struct trace_stage walk_sparse[QP_STAGES + 1];
extern const struct trace_stage walk_transfer[QP_STAGES + 1];

/* Columns of an elimination, which stage 5 will print: a trace's `user`. */
struct walk_columns {
    struct trace trace; /* to the text; no stream: there is none */
    char *text;
    size_t length;
};

/* Prints the results of columns, if stage 5 has not. */
void walk_print_columns(const struct trace *trace);

/* True if answers of this operation are judged by their residual. */
static inline bool walk_eliminates(const struct qp_op *op)
{
    return op->judge != NULL && op->judge->order == NULL;
}

/* A corner of at most 8 x 8 values, upright 9 x 8. */
void walk_values(const struct trace *trace, int width, int height, const void *values,
                 enum qp_precision precision);

/* The whole storage: # is NaN, a guard or a cell not yet computed. */
void walk_storage(const struct trace *trace, const struct qp_layout *layout, const void *texels);

/* Layouts of the state and of all inputs; the shaders, and the rest of stage 4; the packed state as
 * it is. */
void walk_layouts(const struct trace *trace);
void walk_shaders(const struct trace *trace);
void walk_program(const struct trace *trace);
void walk_texels(const struct trace *trace);

/* Prints the target on the device, as it is at present. */
void walk_state(const struct trace *trace);

/* The map of a chaotic step: which neighbours each cell found updated. */
void walk_seen(const struct trace *trace);

/* The name of the field that the iteration carries on. */
const char *walk_state_name(const struct trace *trace);

#endif
