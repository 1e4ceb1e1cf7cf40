/* SPDX-License-Identifier: MIT */
/* Multigrid for matrices of nine bands: its fields, kinds and variants. */
#ifndef QP_OPS_MULTIGRID_MULTIGRID_H
#define QP_OPS_MULTIGRID_MULTIGRID_H

#include "lab/engines/gl.h"
#include "lab/ops/multigrid/hierarchy.h"
#include "lab/ops/multigrid/scheme.h"
#include "lab/plan/op.h"
#include "toolkit/base/values.h"
#include "toolkit/gl/render_texture.h"

/* Stored fields 0 to 8 are the bands (enum qp_jacobi9_band). */
enum qp_multigrid_field {
    QP_MULTIGRID_B = QP_JACOBI9_BANDS, /* right-hand side */
    QP_MULTIGRID_X,                    /* start */
    QP_MULTIGRID_STORED
};

enum qp_multigrid_kind {
    QP_MULTIGRID_FIELD,
    QP_MULTIGRID_SINE,
    QP_MULTIGRID_BIDOMAIN,
    QP_MULTIGRID_JUMPS,
    QP_MULTIGRID_INSULATED,
    QP_MULTIGRID_KINDS
};

/* Data of a variant: its scheme, a number in qp_multigrid_schemes. */
struct qp_multigrid_variant {
    int scheme;
};

int qp_multigrid_scheme_of(const struct qp_recipe *recipe);

/* The same step by a way of its own (witness.c). */
qp_step qp_multigrid_witness;

/* A problem with the matrix of a file and b = A times ones, as qp_problem_from_market makes
 * jacobi9's. Errors: likewise, and QP_BAD_INPUT for entries that couple row ends, a matrix that is
 * not symmetric, and a diagonal that is not positive. */
enum qp_status qp_multigrid_from_market(const struct qp_market *matrix, int width, int height,
                                        struct qp_problem *out);

/* A problem with the matrix of Poisson's equation, x = 0 around its grid, as poisson5 has it; b and
 * x are 0. Errors: those of qp_problem_allocate. */
enum qp_status qp_multigrid_poisson(int width, int height, struct qp_problem *out);

/* True where all row sums of its matrix are 0 within the rounding of float, so that x is known but
 * for a constant. */
bool qp_multigrid_is_singular(const struct qp_problem *problem);

extern const struct qp_op qp_op_multigrid;

/* ---- Cycles on the CPU (cpu/cycle.c) ---- */

/* Grids of a plan in float or double: the reference's cycle, made fast.
 *
 * Smoothing steps, the residual after them and the interpolation before them go over a grid in one
 * sweep: each is a stage that trails the one before by a row, with a ring of four rows between, so
 * the matrix is read once for all. A thread has an equal share of the rows and computes a few rows
 * beyond it once more, so threads never wait for each other, and values do not depend on how many
 * there are. Equal rows of the matrix are one row in memory and remain in the cache. */
/* Values: rows begin at a multiple of these, and so far from what is before them. */
enum { QP_MULTIGRID_LINE = 16 };

/* Vectors hold a grid's rows, with zeros around them; pointers are to node (0, 0). */
struct qp_multigrid_vectors {
    int width, height;
    long pitch; /* values from row to row */
    struct qp_multigrid_line across, up;
    double radius;
    void **row; /* row y of the matrix: nine lines of `pitch` values, and the diagonal's inverse */
    void *b, *x, *smooth, *residual; /* `smooth` is x between the smoothers of a cycle */
    /* Node x interpolates with low[x] of the next coarser grid's node at[x] and high[x] of the one
     * after; coarse node k takes weight[j][k] of the nodes from 2 k + across.low - 1 + j on. */
    int *at;
    void *low, *high, *weight[4];
    void *rows, *vectors; /* memory of all that, beside `row` and `at`; its bytes */
    size_t rows_bytes, vectors_bytes;
};

struct qp_multigrid_solver {
    enum qp_precision precision;
    const struct qp_multigrid_scheme *scheme;
    int grids, threads;
    struct qp_multigrid_vectors grid[QP_MULTIGRID_GRIDS];
    double *inverse; /* the hierarchy's */
    bool singular;   /* likewise */
    void *rings;     /* rows of all threads */
    /* Refined schemes have the finest matrix and the right-hand side in double; the power of two by
     * which residuals are multiplied before they are rounded, so that float holds them; and x as
     * the step found it. */
    struct qp_multigrid fine;
    double *right, scale;
    const double *start;
};

/* Grids of a hierarchy in this precision. It takes over the inverse; of a refined scheme, whose
 * grids are in float, the finest rows, too. b, less its mean where the matrix is singular, is the
 * finest one's right-hand side. Errors: QP_NO_MEMORY. Free it in any case. */
enum qp_status qp_multigrid_solver_make(struct qp_multigrid *multigrid, enum qp_precision precision,
                                        const struct qp_multigrid_scheme *scheme,
                                        const struct qp_matrix *b, int threads,
                                        struct qp_multigrid_solver *out);
void qp_multigrid_solver_free(struct qp_multigrid_solver *solver);

/* Takes another right-hand side, likewise. */
void qp_multigrid_solver_set(struct qp_multigrid_solver *solver, const struct qp_matrix *b);

/* A cycle from x to another vector, both of this pitch and with zeros around them. */
void qp_multigrid_solver_cycle(struct qp_multigrid_solver *solver, const void *x, void *out,
                               long pitch);

/* ---- Grids in textures (gl/grids.c) ---- */

/* Texels from (x0, y0) up to (x1, y1). */
struct qp_multigrid_area {
    int x0, y0, x1, y1;
};

/* A texel of a vector has one node, or four of a row; those after a row's last one are 0. */
struct qp_multigrid_textures {
    int width, height; /* texels */
    int nodes;         /* from left to right */
    double radius;
    /* Texels whose nodes all have one row of the matrix; that row over the diagonal, whose place
     * has the row's sum; texels whose nodes are coarse ones or in the middle between two, and those
     * of the next coarser grid that take nodes by weights of 1/2, 1 and 1/2 and have one row of its
     * matrix. All zero for none, or where they are too few for a draw of their own. */
    struct qp_multigrid_area equal, regular, gathers;
    double band[QP_JACOBI9_BANDS], diagonal;
    bool five;        /* the bands between nodes of different columns and rows are 0 there */
    double inside[4]; /* corners of `equal`, for uniforms */
    /* The matrix over its diagonal. Row `first` and those `repeats` that follow are equal, and
     * stored once. With one node a texel it has (DL, DU, LD, UD), then (LL, LU, UL, UU) and the
     * diagonal of each node; with four, the bands from LL to UU, the diagonal and the row sum. Each
     * of them begins `width` texels after the one before. */
    struct qp_texture bands;
    int first, repeats;
    /* Interpolation of each column and row from the next coarser grid: the node before, and the
     * weights of that and of the next. And what the coarser grid's take of this one: the weights of
     * nodes from 2 k + rim - 1 on. Of all but the coarsest grid. */
    struct qp_texture share[2], weights[2];
    double rim[2];
    struct qp_render_texture b, x[2]; /* b over the diagonal */
    int now;                          /* which x is the newest */
};

/* Grids that a compute shader takes at once, and their nodes: of the finest, and of all. */
enum { QP_MULTIGRID_SMALL = 8, QP_MULTIGRID_SMALL_NODES = 1024, QP_MULTIGRID_ALL_NODES = 3072 };

/* Layout of a variant's textures. */
struct qp_multigrid_layout {
    enum qp_format format; /* a vector's */
    int nodes;             /* 1 or 4 in a texel */
    bool at_once;          /* the small grids are taken so */
    bool exact;            /* the finest grid's matrix as it is, for residuals in double */
};

/* Textures of a plan; `right` is the problem's b over the diagonal, less its mean where the matrix
 * is singular, or b as it is; and `inverse` the coarsest grid's, whose columns are multiplied by
 * the diagonal. */
struct qp_multigrid_gl {
    const struct qp_multigrid_scheme *scheme;
    int grids;
    struct qp_multigrid_textures grid[QP_MULTIGRID_GRIDS];
    bool singular;
    struct qp_texture right, inverse;
    /* For residuals in double: the matrix, as in `bands`, not over its diagonal; its row inside;
     * and the mean of b where it is singular. */
    struct qp_texture exact;
    double row[QP_JACOBI9_BANDS], mean;
    /* Small grids, with which the last of `grid` begins where they are taken at once: how many, and
     * eight numbers each: nodes across and up, the first node in `nodes`, the radius, and the rim
     * across and up. `nodes` has six texels a node. */
    int small;
    double number[8 * QP_MULTIGRID_SMALL];
    struct qp_texture nodes;
};

/* The engine of the variants on OpenGL (gl/gl.c). */
extern const struct qp_engine qp_engine_multigrid_gl;

/* A plan's own: qp_engine_gl's first, which makes, reads and destroys the textures of x. */
struct qp_plan_multigrid {
    struct qp_plan_gl gl;
    struct qp_multigrid_gl on;
};

/* Makes all of them. Errors: those of qp_multigrid_make, of qp_texture_create and of
 * qp_framebuffer_create. Destroy it in any case. */
enum qp_status qp_multigrid_gl_make(const struct qp_plan *plan,
                                    const struct qp_multigrid_layout *needs,
                                    struct qp_multigrid_gl *out);

/* Takes the problem's new right-hand side. Errors: those of qp_texture_create. */
enum qp_status qp_multigrid_gl_renew(const struct qp_plan *plan,
                                     const struct qp_multigrid_layout *needs,
                                     struct qp_multigrid_gl *textures);
void qp_multigrid_gl_destroy(struct qp_multigrid_gl *textures);

#endif
