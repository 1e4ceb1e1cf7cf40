/* SPDX-License-Identifier: MIT */
/* Operations and recipes. An operation must bring its reference, its cost and its tolerance, or it
 * does not exist. */
#ifndef QP_PLAN_OP_H
#define QP_PLAN_OP_H

#include <quadpass/problem.h>
#include <quadpass/trial.h>
#include <quadpass/walk.h>

#include "lab/plan/kernel.h"
#include "toolkit/base/compare.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/status.h"

struct qp_plan;
struct qp_recipe;
/* ---- Operations ---- */

struct qp_size {
    int width, height;
};

/* Extent of a problem: sizes and counts that records, sentences and costs go by. */
struct qp_extent {
    int width, height, systems; /* as records have them */
    double updates;             /* updates in one step */
    struct qp_size answer;      /* its values across and up */
    struct qp_marked_cell cell;
    int batch; /* rows of each matrix where a problem is many systems; 0: it is a single one */
};

/* The parameter of a kind of problems, such as a stride. */
struct qp_range {
    int least, most;
    int usual;        /* value where a description says 0; 0 where 0 itself is a value */
    const int *sweep; /* values that a benchmark goes through, up to a negative one */
    const char *what; /* in a few words; NULL: there is no parameter */
};

enum { QP_NO_INPUTS = -1 };

/* A kind of problems: a row of its operation's table. */
struct qp_kind {
    const char *name; /* as --problem takes it */
    const char *what; /* a sentence for lists and pages, p the parameter */
    struct qp_range range;
    int inputs;     /* how many of a recipe's arrays it reads; 0: all */
    int width;      /* the only one it comes in; 0: any */
    bool unchecked; /* checked only where it is asked for by name */
    bool benched;   /* benchmarks take it by default; where none is, the variants' first */
    bool roof;      /* upper bound for other kinds: its variants are benchmarked beside theirs */
    bool followed;  /* accuracy follows its steps unless another kind is asked for */
    bool solved;    /* accuracy measures whole solves of it where it is asked for */
    bool settles;   /* steps give the first one's answer, so stage 9 takes one */
};

/* A field: stored, or derived from stored ones. */
struct qp_field {
    const char *name; /* the state's is its sampler's */
    float padding;    /* such as 1 where variants divide by it */
};

/* Runs of a check and of a benchmark. */
struct qp_runs {
    const struct qp_size *sizes; /* sizes of a check, up to one of 0 */
    const int *steps;            /* numbers of steps of a check, likewise */
    const struct qp_size *bench_sizes;
    int (*bench_steps)(const struct qp_problem *problem);
    /* Steps of a benchmark on a GPU; 0, or no such function: as above. */
    int (*gpu_steps)(const struct qp_recipe *recipe);

    /* Most steps that a launch or a pass of the variant takes, where all are alike: two launches
     * and a step more speak for any number. NULL: they are not, or one is the whole work. */
    int (*launch)(const struct qp_recipe *recipe);
    /* Cells each way that a step of the variant reads, where qp_step takes windows of a grid that
     * begin at even cells; 0, or no such function: it does not. */
    int (*reach)(const struct qp_recipe *recipe);
    /* Fills the state of a problem whose kind starts from zeros with random values, or with zeros
     * again, which cost a GPU less power. NULL: kinds start from what they are. */
    void (*start)(struct qp_problem *problem, bool random);
    bool whole_systems;  /* each of four systems is as large as one alone, in a benchmark too */
    bool counts_systems; /* a benchmark counts the systems of a batch by the second */
};

/* The usual ones (runs.c). */
extern const struct qp_size qp_usual_sizes[];
extern const int qp_usual_steps[];
extern const struct qp_runs qp_usual_runs;

/* A step in double from `old` to `new`, both as large as the answer: step problem->first of
 * problem->reference_iterations, counted from 0. *scale becomes at least the largest sum of
 * magnitudes that one update forms, which a variant rounds; negative: no memory is left. */
typedef void qp_step(const struct qp_problem *problem, const double *old, double *new,
                     double *scale);

/* Rows `first` up to `end` of such a step, none of which reads what another one writes; returns
 * their largest sum of magnitudes. And the step that takes all rows so, on all cores. */
typedef double qp_step_rows(const struct qp_problem *problem, const double *old, double *new,
                            size_t first, size_t end);
void qp_step_by_rows(const struct qp_problem *problem, qp_step_rows *rows, const double *old,
                     double *new, double *scale);

/* Limits of variants in 16 bits; a limit of 0 is not checked. */
struct qp_half {
    double (*tolerance)(const struct qp_problem *problem, int iterations); /* as the operation's */
    double least_divisor; /* least magnitude of values that variants divide by */
    double least_largest; /* least magnitude of the start's largest element */
    double least_scale;   /* least size of the numbers that are rounded on the way */
};

/* Tolerance of operations that round nothing. */
double qp_rounds_nothing(const struct qp_problem *problem, int iterations,
                         enum qp_precision precision);

/* Stage 10 where answers are judged by themselves. */
struct qp_judge {
    /* Writes into `worst` the error that was judged, and its place; false if the answer is to be
     * compared with the reference as usual. */
    bool (*measure)(const struct qp_problem *problem, const struct qp_matrix *answer,
                    struct qp_comparison *worst);
    const char *measured; /* name of that error, in a few words */

    /* Takes each walk's worst value, whose place is the answer's, and its result; NULL: nobody. */
    void (*note)(const struct qp_problem *, const struct qp_comparison *, const struct qp_result *);

    /* Order of a variant's updates, for problem->order: the reference follows it. NULL: 0. */
    int (*order)(const struct qp_recipe *recipe);

    /* True for variants whose answers are one of many, between bounds that hold for all later
     * steps, too, from a start of zeros. NULL: none. */
    bool (*races)(const struct qp_recipe *recipe);

    /* False where stage 9 takes too long: its reference only sharpens the tolerance. NULL: true. */
    bool (*wants_reference)(const struct qp_problem *problem);

    /* Writes a sentence about parts that the answer leaves out, and why; false if it is whole. A
     * check of an incomplete answer fails, though all that is there is right. NULL: it is. */
    bool (*leaves_out)(const struct qp_problem *problem, const struct qp_matrix *answer,
                       char *reason, size_t size);

    /* True where a step depends on its number and on how many there are: the reference goes on from
     * no answer after fewer. */
    bool counts;
    /* Error of this trivial answer, in scales, and its name; below 0: none such; NaN: no memory. */
    double (*trivial)(const struct qp_problem *problem, int which, char *name, size_t size);

    /* Name of a value in sentences, such as "cell (3, 4) of output 1", where the answer has other
     * places than the grid; *x and *y become its cell. NULL: it has not. */
    void (*name)(const struct qp_problem *problem, int *x, int *y, char *place, size_t size);

    /* Stage 7: the reason in a kernel's log why there is no answer. NULL: kernels keep no log. */
    enum qp_status (*explain)(struct qp_plan *plan, const void *log);
};

struct qp_op {
    const char *name;
    const char *equation;
    const struct qp_kind *kinds;  /* up to one without a name, the default first; NULL: any name */
    const struct qp_field *field; /* the stored ones, then the derived */
    int fields;                   /* fields a problem stores; derived ones are numbered from here */
    int state; /* the field that the iteration carries on (ping-pong), as large as the answer */
    /* Derived field s, or 0: residual of the old iterate / norm of b = s (new - old). */
    int change_scale;
    double cell_bytes; /* host memory, with the reference and one plan; 0: as its fields take */
    const struct qp_runs *runs;

    /* Stage 1. Fills a problem whose sizes and weight are checked already. */
    enum qp_status (*create)(const struct qp_problem_desc *desc, struct qp_problem *problem);

    /* Stage 9: the shortest correct C, never optimised. */
    qp_step *step;

    /* The same step by another algorithm, which judges the reference's own variant. */
    qp_step *witness;

    /* The largest error that rounding explains in variants of this precision after `iterations`
     * steps, in units of that scale; in double the reference's own rounding counts as much. Asked
     * when the reference is there, if the judge wants it. */
    double (*tolerance)(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision);

    const struct qp_half *half; /* NULL without variants whose x and arrays are stored in 16 bits */

    /* Bytes and flops of one update; of a problem without cells what holds for any size, as lists
     * have it. For most: qp_cost_of_arrays. */
    struct qp_cost (*cost)(const struct qp_recipe *recipe, const struct qp_problem *problem);

    /* Cells of a derived field where they are not the grid's, such as a sparse matrix's entries; an
     * array holds fields of one size. 0 x 0: there is no memory to count them. NULL: all are the
     * grid's. */
    struct qp_size (*field_size)(const struct qp_problem *problem, int field);

    /* Values of a derived field in this precision, rounded once (toolkit/base/values.h), of a part
     * of a grid its own cells' (qp_problem_place); `room` of them, as in its layout. Errors:
     * QP_NO_MEMORY. */
    enum qp_status (*derive)(const struct qp_problem *problem, int field,
                             enum qp_precision precision, size_t room, void *values);

    /* QP_OK, or QP_UNSUPPORTED and why a variant cannot take this problem; NULL: all can. */
    enum qp_status (*takes)(const struct qp_recipe *recipe, const struct qp_problem *problem);

    /* Name of a variant for problems too large for a texture; NULL, or no such function: none. */
    const char *(*larger)(const struct qp_problem *problem);

    /* ---- Members of operations that are no step on a grid; zero for those that are ---- */

    const struct qp_judge *judge; /* NULL: answers are compared with the reference */

    /* The grid that a size asked for means. Errors: QP_BAD_USE. */
    enum qp_status (*grid)(const struct qp_problem_desc *desc, int *width, int *height);

    /* Extent of a problem where that is not its grid: zeros are the grid's. */
    struct qp_extent (*extent)(const struct qp_problem *problem);
};

/* The kind's number in the operation's list, 0 if it takes any name; -1 if there is none. */
int qp_op_kind(const struct qp_op *op, const char *kind);

/* The row of the kind with this number; zeros for -1, and where an operation takes any name. */
const struct qp_kind *qp_op_kind_at(const struct qp_op *op, int number);

/* True if some kind has a parameter. */
bool qp_op_has_parameters(const struct qp_op *op);

/* Number of values that a benchmark gives a kind's parameter: 1 without any. */
int qp_kind_sweep(const struct qp_kind *kind);

/* ---- Recipes: variants as data ---- */

enum { QP_INPUTS = 12, QP_INPUT_FIELDS = 10, QP_DRAWS = 8 };

/* An array a variant reads: a texture whose sampler has this name, or a block of memory. */
struct qp_input {
    const char *name;
    struct qp_shape shape;
    int fields; /* how many matrices it holds */
    int field[QP_INPUT_FIELDS];
};

/* An array of one field, in the shape that comes last. */
#define QP_ARRAY(label, id, ...)                                        \
    {                                                                   \
        .name = label, .fields = 1, .field = {id}, .shape = __VA_ARGS__ \
    }

struct qp_draw {
    const char *vertex; /* NULL: the fixed pipeline */
    const char *fragment;
    enum qp_cover cover;
    const char *fragment_text; /* NULL: the library's file of that name */
    const char *compute;       /* instead of all of these: nothing is drawn, see QP_CAN_COMPUTE */
    bool loads_x;              /* reads x by imageLoad, not by a sampler */
    const struct qp_kernel_desc *kernel; /* the toolkit's, whose text fragment_text is; or NULL */
    bool precise, free; /* how its body computes with floats, for all that its description says */
};

/* Arguments of a sweep on the CPU; pointers are to the domain's first cell, and those to arrays in
 * QP_R64F need a cast, for they are doubles. */
struct qp_sweep {
    const struct qp_problem *problem;
    int width, height;
    int pitch; /* values from one row of x to the next, where it is stored in rows */
    int kind;  /* kind of the problem, counted as in its operation's list */
    int parameter;
    double weight;
    bool together; /* all cells from the old values, this once, in qp_engine_cpu_orders */
    int row;       /* first row, as the problem counts; pointers are to it */
    const float *x;
    float *out; /* NaN, or of variants in place the start of x once more */
    const float *input[QP_INPUTS];
    const void *user;       /* the recipe's own */
    int *threads;           /* receives how many another library took */
    enum qp_status *status; /* QP_OK, or the reason for no answer, whose sentence is stored too */
};

typedef void qp_sweep_function(const struct qp_sweep *sweep);

/* A lent sweep or kernel calls another library, which Quadpass itself does without: the recipe
 * points to this place, and src/lab/baseline fills it at start in a program that has both. */
struct qp_lent {
    const char *library;                 /* as in "built without BLAS" */
    qp_sweep_function *sweep;            /* sweep of CPU variants; NULL: built without */
    const struct qp_cuda_kernel *kernel; /* kernel of CUDA variants, likewise */
    /* Before a timed run: chooses how the sweep runs at this size, overwrites `out`; or NULL. */
    qp_sweep_function *tune;
    /* Before a run of a sweep: finds the library. Errors: QP_UNSUPPORTED. */
    enum qp_status (*open)(void);
};

/* Async factors of a variant, for --alpha: blocks take that many steps and one more in one launch,
 * which is a pass. */
struct qp_alpha_rule {
    int usual, most;
    bool even; /* its steps come in pairs */

    /* Bit k: takes kind k, but nobody can judge the answer, so in unchecked walks alone. */
    unsigned unjudged;
};

/* Block sizes of a variant, for --block: rows of threads in a CUDA block or what `counts` says,
 * rows of a piece that moves, or texels of a drawn block each way. */
struct qp_block_rule {
    const int *listed;  /* the sizes it takes, up to 0; NULL: any size */
    const char *counts; /* unit of a listed size, in sentences; NULL: rows of threads */
    /* The variant's own choice, 0: none; NULL: the first listed. */
    int (*usual)(const struct qp_recipe *recipe, int rows);
    int weighted; /* its own choice for steps of a weight other than 1; 0: the same */
    bool drawn;   /* blocks are drawn: smaller ones cost vertices */
    const struct qp_alpha_rule *alpha; /* NULL: takes no --alpha, a pass is one step */
};

struct qp_engine;

/* Everything in which variants differ. OpenGL variants draw, CPU variants sweep, CUDA variants
 * launch; the members that they name say the rest. Unused entries are zero. */
struct qp_recipe {
    const char *name; /* "op/variant", as the command takes it */
    enum qp_backend backend;
    const char *layout;   /* how textures or memory store the matrices, in a few words */
    const char *place;    /* paper and section */
    const char *sentence; /* how it computes, and what differs from the variant that it builds on */
    const char *after;    /* name of that one, a change away; NULL: none */
    unsigned needs; /* abilities that neither its arrays and draws tell nor its engine, or-ed */

    const struct qp_engine *engine; /* NULL: the engine of its backend */
    struct qp_shape state;          /* shape of both arrays of the ping-pong */
    struct qp_input input[QP_INPUTS];
    struct qp_draw draw[QP_DRAWS];
    qp_sweep_function *sweep;
    const struct qp_cuda_kernel *kernel;
    const struct qp_lent *lent;         /* in place of sweep or kernel */
    const struct qp_block_rule *blocks; /* NULL: takes no --block */
    bool in_place;      /* its sweep finds the start of x in `out`, and overwrites it there */
    int systems;        /* solved at once, in the channels of x: 4, or 0 and 1 for one */
    bool bound;         /* an upper bound: computes nothing of use, shows a variant's speed limit */
    double flops;       /* flops of one update, by its paper's convention */
    double bytes;       /* bytes of one update; 0: every value once */
    unsigned not_kinds; /* bit k: not for the operation's problems of kind k */

    /* Tolerance in place of the operation's, of variants that round differently. NaN: no memory. */
    double (*tolerance)(const struct qp_recipe *recipe, const struct qp_problem *problem);

    /* Data that the engine which the variant names, or else its operation, alone reads, of a type
     * in its header (struct qp_..._row and the like). Where both read, the operation's struct
     * begins with the engine's. Sweeps and kernels find it as `user`. */
    const void *own;
};

/* True if the recipe is for the operation's problems of this kind, and can be checked on it; and
 * the first such kind. */
bool qp_recipe_takes_kind(const struct qp_recipe *recipe, int kind);
int qp_recipe_first_kind(const struct qp_recipe *recipe);

/* True unless it has a kernel that computes only all rows at once. */
bool qp_recipe_goes_by_rows(const struct qp_recipe *recipe);

/* All arrays of the recipe, and those that this problem's kind reads. */
int qp_recipe_inputs(const struct qp_recipe *recipe);
int qp_recipe_inputs_for(const struct qp_recipe *recipe, const struct qp_problem *problem);
int qp_recipe_draws(const struct qp_recipe *recipe);

/* Cost of one update of one system: the recipe's flops, and its bytes or, where it says none, every
 * value of the arrays that this kind reads once, and x read and written once. */
struct qp_cost qp_cost_of_arrays(const struct qp_recipe *recipe, const struct qp_problem *problem);

/* Tolerance of stage 10: the recipe's own, or the operation's for the recipe's width. */
double qp_recipe_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem,
                           int iterations);

/* Bytes and flops of a variant for one update of this problem; its operation may be NULL. */
struct qp_cost qp_variant_cost_of(const struct qp_variant *variant,
                                  const struct qp_problem *problem);

/* QP_UNSUPPORTED for more cells than coordinates wrapped in float can count; 0: any number. */
enum qp_status qp_takes_cells(const struct qp_problem *problem, int most_cells);

/* QP_BAD_USE for NULL, and for one without a recipe, which neither table nor trial has made. */
enum qp_status qp_variant_check(const struct qp_variant *variant);

/* True for variants that need an OpenGL context: its own, and CUDA's that share its textures. */
bool qp_variant_draws(const struct qp_variant *variant);

/* True for variants that take --block; and the default block of `rows` rows, else 0. */
bool qp_recipe_takes_blocks(const struct qp_recipe *recipe);
int qp_recipe_block(const struct qp_recipe *recipe, int rows);

/* NULL for variants without async factors. */
const struct qp_alpha_rule *qp_recipe_alpha_rule(const struct qp_recipe *recipe);

/* Async factor of a run where `asked` is as in struct qp_parts_desc; 0 for variants without.
 * qp_check_alpha reports whether the variant takes it (QP_UNSUPPORTED). */
int qp_recipe_alpha(const struct qp_recipe *recipe, int asked);
enum qp_status qp_check_alpha(const struct qp_recipe *recipe, int alpha);

/* The recipe's own sweep or kernel, or the one it was lent; NULL if there is none. */
qp_sweep_function *qp_recipe_sweep(const struct qp_recipe *recipe);
const struct qp_cuda_kernel *qp_recipe_kernel(const struct qp_recipe *recipe);

#endif
