/* SPDX-License-Identifier: MIT */
/* Poisson's equation on a grid: its fields, kinds and orders of updates. */
#ifndef QP_OPS_POISSON5_POISSON5_H
#define QP_OPS_POISSON5_POISSON5_H

#include "lab/engines/parts/parts.h"
#include "lab/ops/poisson5/spike.h"
#include "lab/plan/op.h"

enum qp_poisson5_field {
    QP_POISSON5_F, /* right-hand side f */
    QP_POISSON5_X, /* start */
    QP_POISSON5_STORED,

    QP_POISSON5_RHS = QP_POISSON5_STORED, /* h^2 f, computed in double and rounded once */
    /* 4 / (w ||h^2 f||); times a Jacobi step's change it is the residual before the step. */
    QP_POISSON5_CHANGE,
    QP_POISSON5_ALL_FIELDS
};

/* Kinds of problems; a file's right-hand side is a field. */
enum qp_poisson5_kind { QP_POISSON5_FIELD, QP_POISSON5_SPIKE, QP_POISSON5_SINE, QP_POISSON5_KINDS };

/* Orders in which a step updates its cells. Red cells have an even sum of column and row. */
enum qp_poisson5_order {
    QP_POISSON5_TOGETHER,  /* all from the old values: Jacobi */
    QP_POISSON5_RED_BLACK, /* red ones, then black ones from the new red: Gauss-Seidel, SOR */
    QP_POISSON5_CHAOTIC,   /* each once, from whatever its neighbours hold by then */

    /* Asynchronous variants (async.h), a launch a step, whose blocks take problem->alpha steps and
     * one
       more: */
    QP_POISSON5_BLOCKS, /* each block as if it were alone, around it the values before the launch */
    /* Updates all of a block together, around it whatever its neighbours hold by then. */
    QP_POISSON5_ASYNC_BLOCKS,
    /* Updates a thread's cells in turn, around them whatever neighbours hold by then. */
    QP_POISSON5_ASYNC_COLUMNS,
    QP_POISSON5_ORDERS
};

/* True for orders that leave a choice: an answer is one of many. */
bool qp_poisson5_is_chaotic(enum qp_poisson5_order order);

/* Facts about a variant of this operation; all zero for most. */
struct qp_poisson5_variant {
    struct qp_parts_variant parts; /* first, for qp_engine_parts reads this */
    enum qp_poisson5_order order;
    /* Members of qp_engine_poisson5: */
    int steps[QP_DRAWS]; /* steps that each draw of the recipe takes at once, rising from 1 */
    int rows;            /* texels up that an invocation computes; 0: as many as there are sheets */
    int band;            /* rows of fragments that several passes go over before the next; 0: all */
    char head[24];       /* a line in front of the shader */
    int figure; /* 17 to 20, in async_gl.c and async_threads.c; 0: a step of all cells together */
    /* Members of qp_engine_poisson5_threads: */
    bool strips; /* blocks as wide as the grid */
    bool bound;  /* each thread stays on a core */
};

/* Both grids and h^2 f, as `label`, in one shape: so nearly all variants hold them. */
#define QP_POISSON5_HOLDS(label, ...) \
    .state = __VA_ARGS__, .input = {QP_ARRAY(label, QP_POISSON5_RHS, __VA_ARGS__)}, .flops = 5

/* Layout on processors and on CUDA: rows begin at multiples of this number of values, and around
 * the cells are zeros. */
#define QP_POISSON5_IN_ROWS(values, multiple) \
    QP_POISSON5_HOLDS("h^2 f", {.format = values, .pad_x = 1, .pad_y = 1, .align = multiple})

enum { QP_POISSON5_FUSED = 8 /* steps in one pass at most */ };

/* OpenGL variants that update all cells together (engine.c), and one line on where a draw of theirs
 * draws. */
extern const struct qp_engine qp_engine_poisson5;
extern const struct qp_engine
    qp_engine_poisson5_in_place; /* variants that draw into what they read (in_place.c) */
void qp_poisson5_tell_draw(const struct qp_plan *plan, int draw, char *line, size_t size);

const struct qp_poisson5_variant *qp_poisson5_variant(const struct qp_recipe *recipe);

/* Distance of two cells: 1 / (width + 1), so that the grid's rows go from 0 to 1. */
double qp_poisson5_h(const struct qp_problem *problem);

/* h^2 f of a cell: by the kind's formula, or from the field of the whole grid. */
double qp_poisson5_rhs(const struct qp_problem *problem, int x, int y);

/* The same where the kind's number is known, and need not be looked for in every cell. */
double qp_poisson5_rhs_of(const struct qp_problem *problem, int kind, int x, int y);

/* A value of the grid, and 0 on its rim. */
static inline double qp_poisson5_value_at(const struct qp_problem *problem, const double *u, int x,
                                          int y)
{
    const bool inside = x >= 0 && x < problem->width && y >= 0 && y < problem->height;
    return inside ? u[(size_t)y * (size_t)problem->width + (size_t)x] : 0.0;
}

/* Largest eigenvalue of the Jacobi step with weight 1, cos(pi h) on a square: errors shrink by it a
 * step. */
double qp_poisson5_radius(const struct qp_problem *problem);

/* Component of its eigenvector, sin(pi x) sin(pi y) with both from 0 to 1 over the grid. */
double qp_poisson5_mode(const struct qp_problem *problem, int x, int y);

/* Errors that come into a step, and their growth in it: the sum of its factors |1 - w| + |w| up to
 * the last step. A half step of red cells goes into the black ones of the same step. */
double qp_poisson5_grown(const struct qp_problem *problem, int iterations);

extern const struct qp_judge qp_poisson5_judge; /* chaotic.c */

/* Lists whose variants parts run. */
extern const struct qp_recipe qp_poisson5_cpu[], qp_poisson5_cpu_orders[], qp_poisson5_gl[],
    qp_poisson5_gl_double[], qp_poisson5_gl_in_place[], qp_poisson5_cuda_fast[];

extern const struct qp_op qp_op_poisson5;

#endif
