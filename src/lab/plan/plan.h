/* SPDX-License-Identifier: MIT */
/* Plan: a run of one variant on one problem, and the data that stages 2 to 8 hand on. */
#ifndef QP_PLAN_PLAN_H
#define QP_PLAN_PLAN_H

#include <quadpass/walk.h>

#include "lab/plan/engine.h"
#include "lab/plan/op.h"

/* The plan owns everything but the problem, the variant and the context. */
struct qp_plan {
    const struct qp_variant *variant;
    const struct qp_problem *problem;
    struct qp_context *context; /* NULL for CPU variants */
    const struct qp_engine *engine;
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    int ordinal;          /* CUDA's number of the device of CUDA variants; negative: the first */
    int group_x, group_y; /* group of compute shaders: 0 until the fastest is known */
    int block;            /* texels of a block each way, or rows of a piece or of threads; else 0 */
    bool measures_change; /* engine->change will be called */
    int most_steps;       /* limit of one call of engine->passes; an engine that has it sets this */
    double warm_seconds;

    /* Arrays as they are packed: floats or doubles, as their layout says. */
    struct qp_layout layout; /* layout of x */
    void *texels;            /* x as packed, later as read back */
    void *empty;             /* the target as packed: NaN cells, padding, guards */
    int inputs;
    struct qp_layout input_layout[QP_INPUTS];
    void *input_texels[QP_INPUTS];
    void *scale_texels; /* with measures_change: its scale, laid out like x */

    void *own; /* the engine's, of a type that it alone knows; freed after its destroy() */
    void *log; /* the operation's data of a log that stage 7 has read, in one block; else NULL */
};

/* A plan before stage 2: its variant, its problem and the layouts of x and of the arrays that the
 * variant reads. Checks go by these, and nothing else is set. It owns nothing. */
struct qp_plan qp_plan_outline(const struct qp_variant *variant, const struct qp_problem *problem);

/* How many outlines were made since the process began. */
int qp_plan_outlines(void);

/* Bytes of all arrays as they are packed, and as a device holds them: x twice and the inputs. */
double qp_plan_bytes(const struct qp_plan *plan);

/* Begins stage 2 of an outline whose problem its engine can take: host memory, and what the engine
 * arranges. Errors: QP_UNSUPPORTED, QP_NO_MEMORY. Destroy *out in any case. */
enum qp_status qp_plan_make(const struct qp_plan *outline, const struct qp_walk_desc *desc,
                            struct qp_plan **out);

/* Stage 2: matrices -> texels, in place of those of an earlier walk. */
enum qp_status qp_plan_pack(struct qp_plan *plan);

/* Stage 8: texels as they are read back, plan->texels or others -> matrix of their precision, after
 * a look at padding and guards. Errors: QP_DEVICE, naming the texel that was written outside the
 * domain. */
enum qp_status qp_plan_unpack(const struct qp_plan *plan, const void *texels,
                              struct qp_matrix *out);

/* Cells of a field: the grid's, but of derived ones with a size of their own. 0 x 0: there is no
 * memory to count them. */
struct qp_size qp_field_size(const struct qp_problem *problem, int field);

/* Values of a stored or derived field in this precision; `scratch`, with room for so many, those of
 * its layout, holds those that the problem does not store so. NULL: there is no memory. */
const void *qp_field_values(const struct qp_problem *problem, int field,
                            enum qp_precision precision, size_t room, void *scratch);

/* Blocks of a launch, for kernels that report them, when stage 4 is done; else 0. */
struct qp_launch_blocks qp_plan_blocks(const struct qp_plan *plan);

/* Lines of x, as the engine's rows->change counts them: rows of texels in all sheets, of a flat
 * array the grid's rows. */
int qp_plan_lines(const struct qp_plan *plan);

void qp_plan_destroy(struct qp_plan **plan);

/* True if a walk looks at changes of its steps. */
static inline bool qp_walk_looks(const struct qp_walk_desc *desc)
{
    return desc->every > 0 && (desc->on_residual != NULL || desc->on_distance == NULL);
}

/* The recipe of this name in a list that ends with one without; NULL if there is none. */
const struct qp_recipe *qp_recipe_called(const struct qp_recipe *list, const char *name);

/* Steps that a check of `iterations` steps takes: of large grids where steps are alike two launches
 * and one step more, or as many as there are. `depth` is the caller's for variants in parts, else
 * 0. */
int qp_checked_steps(const struct qp_variant *variant, const struct qp_problem *problem,
                     int iterations, int depth);

/* True for a variant whose runs may have different answers. */
bool qp_races(const struct qp_variant *variant, const struct qp_problem *problem);

#endif
