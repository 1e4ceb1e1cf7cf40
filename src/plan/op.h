/* SPDX-License-Identifier: MIT */
/* Operations and recipes. An operation must bring its reference, its cost and its tolerance, or it does not
 * exist. */
#ifndef QP_PLAN_OP_H
#define QP_PLAN_OP_H

#include <quadpass/custom.h>
#include <quadpass/problem.h>
#include <quadpass/walk.h>

#include "base/compare.h"
#include "base/layout.h"
#include "base/status.h"
#include "plan/kernel.h"

struct qp_plan;
struct qp_recipe;

/* ---- Operations ---- */

struct qp_size {
    int width, height;
};

/* Amount of work of a problem, as records count it. */
struct qp_extent {
    int width, height, systems;
    double updates; /* of one step */
    double flops;   /* of one step, by the operation's own count; 0: the recipe's for each update */
};

/* The parameter of a kind of problems, such as a stride. */
struct qp_range {
    int least, most;
    int usual;        /* value where a description says 0; 0 where 0 itself is a value */
    const int *sweep; /* values that a benchmark goes through, up to a negative one */
    const char *what; /* in a few words */
};

/* One step in double from `old` to `new`, both as large as the answer. *scale becomes at least the
 * largest sum of magnitudes that one update forms: the size of the numbers a variant rounds. */
typedef void qp_step(const struct qp_problem *problem, const double *old, double *new,
                     double *scale);

/* Limits of variants in 16 bits; a limit of 0 is not checked. */
struct qp_half {
    double (*tolerance)(const struct qp_problem *problem, int iterations); /* as the operation's */
    double least_divisor; /* least magnitude of values that variants divide by */
    double least_largest; /* of the start: its largest element */
    double least_scale;   /* of the numbers that are rounded on the way */
};

struct qp_op {
    const char *name;
    const char *equation;
    const char *const *kinds; /* of its problems, up to a NULL, the default first; NULL: any name */
    const struct qp_range *ranges; /* of the parameter, kind by kind; NULL: there is none */
    const char *bench_kind;        /* kind that a benchmark takes; NULL: the default */
    const char *roof; /* name of the last kind, the upper bound (roof) for all other rows: rows that
                         take only this kind are benchmarked beside them. NULL: none */
    int state;  /* the field that the iteration carries on (ping-pong), as large as the answer */
    int fields; /* fields a problem stores; derived ones are numbered from here */
    double cell_bytes; /* of host memory, with the reference and one plan; 0: as its fields tell */
    int change_scale;  /* derived field s: the residual of the old iterate, divided by the norm of
                         the right-hand side, is s (new - old), cell by cell; -1 for none */
    const char *const *field_names; /* of stored and derived fields; the state's is its sampler */
    const struct qp_parameter *parameters; /* uniforms; a NULL name ends them. NULL for none */

    /* Room 1. Fills a problem whose sizes and weight are checked already. */
    enum qp_status (*create)(const struct qp_problem_desc *desc, struct qp_problem *problem);

    /* Room 9: the shortest correct C, never optimised. */
    qp_step *step;

    /* The same step by another algorithm, which judges the reference's own row. */
    qp_step *witness;

    /* The largest error that rounding explains after so many steps, in units of that scale; asked
     * when the reference is there, if it is wanted (wants_reference). */
    double (*tolerance)(const struct qp_problem *problem, int iterations);

    const struct qp_half *half; /* NULL without variants whose x and arrays stand in 16 bits */

    /* Likewise in double, where the reference's own rounding counts as much as the variant's. */
    double (*tolerance_double)(const struct qp_problem *problem, int iterations);

    /* Values of the answer across and up; NULL: as many as the grid has cells. */
    struct qp_size (*answer)(const struct qp_problem *problem);

    /* How many of a recipe's arrays a kind reads; NULL: all. */
    int (*inputs)(int kind);

    /* Operations on one value of such a kind, where they are not the recipe's. */
    double (*flops)(int kind);

    /* Bytes moved for one value of such a kind, where they are not those of the arrays. */
    double (*bytes)(int kind);

    /* Bytes and flops of one update of such a kind, where neither arrays nor recipes can tell. */
    struct qp_cost (*cost)(int kind, int parameter);

    /* Values of a derived field in this precision, rounded once (base/values.h). */
    void (*derive)(const struct qp_problem *problem, int field, enum qp_precision precision,
                   void *values);

    /* QP_OK, or QP_UNSUPPORTED and the reason why a row cannot take this problem; NULL: all rows can. */
    enum qp_status (*takes)(const struct qp_recipe *recipe, const struct qp_problem *problem);

    /* Value of a field's padding, such as 1 where a variant divides by it; NULL: 0. */
    float (*padding)(const struct qp_op *op, int field);

    /* ---- Members of operations that are no step on a grid; zero for those that are ---- */

    /* The grid that a size asked for stands for. Errors: QP_BAD_USE. */
    enum qp_status (*grid)(const struct qp_problem_desc *desc, int *width, int *height);
    struct qp_extent (*extent)(const struct qp_problem *problem);

    /* Room 10 without the reference: writes into `worst` the error that was judged, and its place. */
    void (*judge)(const struct qp_problem *problem, const struct qp_matrix *answer,
                  struct qp_comparison *worst);
    const char *judged; /* name of that error, in a few words */

    /* Room 7: the reason in a kernel's log why there is no answer. NULL where kernels keep no log. */
    enum qp_status (*explain)(struct qp_plan *plan, const void *log);

    /* Writes a sentence about parts that the answer leaves out, and why; false if it is whole. A check of an
     * incomplete answer fails, though all that is there is right. */
    bool (*leaves_out)(const struct qp_problem *problem, const struct qp_matrix *answer,
                       char *reason, size_t size);

    /* With judge: false where room 9 would take too long and only sharpens the tolerance. */
    bool (*wants_reference)(const struct qp_problem *problem);

    /* Name of a row for problems too large for a texture; NULL, or no such function: there is none. */
    const char *(*larger)(const struct qp_problem *problem);

    int checked_kinds;                 /* the first so many are checked; 0: all */
    const struct qp_size *sizes;       /* sizes of a check, up to one of 0; NULL: the usual */
    const int *steps;                  /* numbers of steps of a check, likewise */
    const struct qp_size *bench_sizes; /* sizes of a benchmark, likewise */
    int (*bench_steps)(const struct qp_problem *problem);
    unsigned settles;   /* bit k: steps of kind k give the first one's answer, room 9 takes one */
    bool whole_systems; /* each of four systems is as large as one alone, in a benchmark too */

    /* Rows of each matrix where a problem is many systems, which benchmarks count by the second; NULL
     * where it is a single one. */
    int (*batch)(const struct qp_problem *problem);
};

/* The kind's number in the operation's list, 0 if it takes any name; -1 if there is none. */
int qp_op_kind(const struct qp_op *op, const char *kind);

/* Number of values in the range of a kind's parameter: 1 without any. */
int qp_op_sweep(const struct qp_op *op, int kind);

/* Value of a field's padding. */
float qp_op_padding(const struct qp_op *op, int field);

/* ---- Recipes: variants as data ---- */

enum { QP_INPUTS = 12, QP_INPUT_FIELDS = 10, QP_DRAWS = 3 };

/* An array a variant reads: a texture whose sampler has this name, or a block of memory. */
struct qp_input {
    const char *name;
    struct qp_shape shape;
    int fields; /* how many matrices it holds */
    int field[QP_INPUT_FIELDS];
};

struct qp_draw {
    const char *vertex; /* NULL: the fixed pipeline */
    const char *fragment;
    enum qp_cover cover;
    const char *vertex_text; /* NULL: the library's file of that name */
    const char *fragment_text;
    const char *compute; /* instead of all of these: nothing is drawn, see QP_CAN_COMPUTE */
    bool loads_x;        /* reads x by imageLoad, not by a sampler */
};

/* What a sweep on the CPU reads and writes; pointers stand at the domain's first cell, and those to
 * arrays in QP_R64F need a cast, for they are doubles. */
struct qp_sweep {
    int width, height;
    int kind; /* of the problem, counted as in its operation's list */
    int parameter;
    double weight;
    const float *x;
    float *out; /* NaN, or of rows in place the start of x once more */
    const float *input[QP_INPUTS];
    const void *user;       /* the recipe's own */
    enum qp_status *status; /* QP_OK, or the reason for no answer, whose sentence is stored too */
};

typedef void qp_sweep_function(const struct qp_sweep *sweep);

/* A lent sweep or kernel calls another library, which Quadpass itself does without: the recipe points to this
 * place, and src/baseline fills it at start in a program that is linked with both. */
struct qp_lent {
    const char *library;            /* as in "built without BLAS" */
    qp_sweep_function *sweep;       /* of CPU rows; NULL: built without */
    const struct qp_kernel *kernel; /* of CUDA rows, likewise */
    /* Before a run of a sweep: finds the library. Errors: QP_UNSUPPORTED. */
    enum qp_status (*open)(void);
};

/* Block sizes of a row, for --block: rows of threads in a CUDA block, rows of a piece that moves, or texels of a
 * drawn block each way. */
struct qp_block_rule {
    const int *listed; /* the sizes it takes, its own choice first, up to 0; NULL: any size */
    int (*usual)(const struct qp_recipe *recipe,
                 int rows); /* default where any is taken; 0: none */
    bool drawn;             /* blocks are drawn: smaller ones cost vertices */
};

struct qp_engine;

/* Everything that tells one variant from another. OpenGL variants draw, CPU variants sweep, CUDA
 * variants launch; the rest is told by what they name. Unused entries are zero. */
struct qp_recipe {
    const struct qp_engine *engine; /* NULL: the engine of its backend */
    struct qp_shape state;          /* of both arrays of the ping-pong */
    struct qp_input input[QP_INPUTS];
    struct qp_draw draw[QP_DRAWS];
    qp_sweep_function *sweep;
    const struct qp_kernel *kernel;
    const struct qp_lent *lent;         /* in place of sweep or kernel */
    const struct qp_block_rule *blocks; /* NULL: takes no --block */
    bool in_place;      /* its sweep finds the start of x in `out`, and overwrites it there */
    int systems;        /* solved at once, in the channels of x: 4, or 0 and 1 for one */
    bool bound;         /* an upper bound: computes nothing of use, shows a row's speed limit */
    double flops;       /* of one update, by its paper's convention */
    double bytes;       /* of one update; 0: every value once */
    unsigned not_kinds; /* bit k: not for the operation's problems of kind k */

    /* Tolerance in place of the operation's, where rows round differently. NaN: no memory to compute it. */
    double (*tolerance)(const struct qp_recipe *recipe, const struct qp_problem *problem);

    /* What the engine that the row names, or else its operation, alone reads, of the type that its header tells
     * (struct qp_..._row and the like). Where both read, the operation's struct begins with the engine's.
     * Sweeps and kernels find it as `user`. */
    const void *own;
};

/* All arrays of the recipe, and those that this problem's kind reads. */
int qp_recipe_inputs(const struct qp_recipe *recipe);
int qp_op_parameters(const struct qp_op *op);
int qp_recipe_inputs_for(const struct qp_recipe *recipe, const struct qp_problem *problem);
int qp_recipe_draws(const struct qp_recipe *recipe);

/* Bytes and flops of a row of this operation for one update of a problem of this kind, counted from its arrays;
 * with op NULL from the recipe alone. */
struct qp_cost qp_recipe_cost(const struct qp_recipe *recipe, const struct qp_op *op, int kind);

/* Bytes and flops of a variant for one update of this problem. */
struct qp_cost qp_variant_cost_of(const struct qp_variant *variant,
                                  const struct qp_problem *problem);

/* Amount of work of a problem in records: the operation's own count, or cells as updates. */
struct qp_extent qp_problem_extent(const struct qp_problem *problem);

/* QP_UNSUPPORTED for more cells than coordinates wrapped in float can count; 0: any number. */
enum qp_status qp_takes_cells(const struct qp_problem *problem, int most_cells);

/* True for rows that need an OpenGL context: its own, and those of CUDA that share its textures. */
bool qp_variant_draws(const struct qp_variant *variant);

/* True for rows that take --block; and the default block for so many rows of a matrix, 0 for other rows. */
bool qp_recipe_takes_blocks(const struct qp_recipe *recipe);
int qp_recipe_block(const struct qp_recipe *recipe, int rows);

/* The recipe's own sweep or the one it was lent; NULL if there is none. */
qp_sweep_function *qp_recipe_sweep(const struct qp_recipe *recipe);

/* Likewise its kernel. */
const struct qp_kernel *qp_recipe_kernel(const struct qp_recipe *recipe);

#endif
