/* SPDX-License-Identifier: MIT */
/* Trials: they fill the same struct qp_op, qp_recipe and qp_variant that the table's variants are
 * made of, and the walk knows no difference. */
#ifndef QP_TRIAL_TRIAL_H
#define QP_TRIAL_TRIAL_H

#include <stdint.h>

#include <quadpass/pass.h>
#include <quadpass/trial.h>

#include "lab/plan/op.h"
#include "lab/plan/plan.h"

/* An input. The state's values are a part of the problem's field 0, others have a field of their
 * own. All fields hold doubles that the type of the input can hold. */
struct qp_trial_array {
    struct qp_trial_input desc; /* its table is not used */
    enum qp_array_type type;
    int channels;
    struct qp_size own;     /* beside trial->size: the outputs' multiple or part, at all sizes */
    struct qp_matrix table; /* `values` is the trial's; no width: none */
    int state;              /* the output that it is in the next step; -1: none */
    int field;
};

struct qp_trial_string {
    struct qp_trial_string *next;
    char text[];
};

struct qp_trial_recipe {
    struct qp_trial_recipe *next;
    const struct qp_trial *trial;
    struct qp_variant variant;
    struct qp_recipe recipe; /* its draws have the texts, which mutants replace in a copy */
    int kernels;
    /* Kernels with words of `strings`, and the trial's names. */
    struct qp_kernel_desc kernel[QP_TRIAL_KERNELS];
    char *strings[QP_TRIAL_KERNELS];
    bool in_turn; /* each program reads what the one before it wrote */
    bool guarded; /* its kernels find cells that do not begin at texel (0, 0) */
    enum qp_pass_blend blend[QP_TRIAL_KERNELS];
    int points[QP_TRIAL_KERNELS]; /* 0: as their covers say */
    void *user;                   /* data of an engine that is not this folder's */
};

struct qp_trial {
    struct qp_op op; /* first: a problem's operation leads back here */
    struct qp_runs runs;
    struct qp_judge judge;
    struct qp_trial_desc desc;
    int inputs, numbers, outputs, channels;
    enum qp_array_type type; /* type of the outputs */
    struct qp_size size;     /* size of the outputs, beside the inputs' own */
    struct qp_trial_array input[QP_KERNEL_INPUTS];
    struct qp_kernel_number number[QP_KERNEL_NUMBERS];
    struct qp_pass_number value[QP_KERNEL_NUMBERS + 1];
    int state[QP_KERNEL_OUTPUTS]; /* the input that an output is in the next step; -1: none */
    bool keeps_outputs; /* outputs are not cleared: a step adds to the arrays of the one before */
    bool in_place;      /* a step reads its inputs from the output arrays */
    const struct qp_kernel_file *file; /* makes the inputs and the numbers of a step; NULL: none */
    char where[64]; /* place in checked passes: text after a cell's name in sentences */
    /* The reference for inputs that a try (qp_trial_shrink) has changed; NULL: itself. */
    void (*again)(const struct qp_kernel_grid *grid, int try, double *const output[]);
    /* The answer to a problem like this one, with inputs of another seed; QP_UNSUPPORTED: nothing
     * random is read. NULL: that of qp_trial_problem. */
    enum qp_status (*other_seed)(void *user, const struct qp_problem *problem, double *answer);
    struct qp_field field[QP_KERNEL_INPUTS + 2];
    struct qp_trial_recipe *recipes;
    struct qp_trial_string *strings; /* copies of all that descriptions say */
};

/* A copy of a text that lives as long as the trial; NULL if there is no memory. */
const char *qp_trial_keep(struct qp_trial *trial, const char *text);

/* The name of a trial of a file of this path: that of the file without its ending, as a word. */
void qp_trial_name_file(const char *path, char name[64]);

/* The usual steps, as far as a head that says how many are taken has more, and its own: the first
 * ones are where an error is not yet small beside what is allowed. Without such a head there are as
 * many as all schedules have values for. A 0 ends them. */
void qp_trial_choose_steps(const struct qp_kernel_file *file, int chosen[5]);

/* Letters, digits and _, at least one and at most 63. */
bool qp_trial_is_word(const char *name);

/* Sets the engine of a variant, whose backend its records name; `user` is the engine's. */
void qp_trial_set_engine(const struct qp_variant *variant, const struct qp_engine *engine,
                         enum qp_backend backend, void *user);

void qp_trial_destroy_recipe(struct qp_trial_recipe *recipe);

/* The input or number of this name; below 0: none. */
int qp_trial_input_of(const struct qp_trial *trial, const char *name);
int qp_trial_number_of(const struct qp_trial *trial, const char *name);

/* Added to a seed for the answer of another one. */
enum { QP_TRIAL_OTHER_SEED = 7919 };

/* Answers that need no kernel (op.h). */
double qp_trial_trivial(const struct qp_problem *problem, int which, char *name, size_t size);

/* Fills in the operation, but for its trivial kernels, when all else is there. */
void qp_trial_fill_op(struct qp_trial *trial);

/* Arguments of a function for this problem, without values of its inputs. */
struct qp_kernel_grid qp_trial_grid(const struct qp_trial *trial, const struct qp_problem *problem);

/* The largest sum of magnitudes that a cell adds up in this step, as far as the reference's answers
 * to changed inputs show it; 0: they show nothing, or the type is whole, and errors are measured in
 * parts of the outputs; negative: no memory is left. */
double qp_trial_response(const struct qp_trial *trial, const struct qp_kernel_grid *grid,
                         const double *old, const double *new);

/* A value of an input as try 0 to 3 changes it: in even ones half of all, in odd ones the others;
 * `state` is 1 before the first value of an array. */
double qp_trial_shrink(double value, int try, uint64_t *state);

/* Values of one output. */
static inline size_t qp_trial_values(const struct qp_trial *trial, const struct qp_problem *problem)
{
    return (size_t)problem->width * (size_t)problem->height * (size_t)trial->channels;
}

/* The recipe of a variant of a trial, or of a copy of one. */
static inline const struct qp_trial_recipe *qp_trial_recipe_of(const struct qp_variant *variant)
{
    return (const struct qp_trial_recipe *)variant->recipe->own;
}

/* ---- Values of one type (values.c) ---- */

/* Bytes of a value in the host's memory. */
size_t qp_typed_bytes(enum qp_array_type type);

/* A number as the type holds it. */
double qp_typed_round(enum qp_array_type type, double value);

/* Copies numbers into memory of a type (NULL: the values of unwritten cells), and back: all, or one
 * of them. */
void qp_typed_put(enum qp_array_type type, enum qp_precision precision, const void *values,
                  size_t count, void *memory);
void qp_typed_take(enum qp_array_type type, const void *memory, size_t count,
                   enum qp_precision precision, void *values);
double qp_typed_get(enum qp_array_type type, const void *memory, size_t i);

/* The same with all cells of an array. Errors: those of qp_array_write and qp_array_read;
 * QP_NO_MEMORY. */
enum qp_status qp_typed_write(struct qp_array *array, enum qp_precision precision,
                              const void *values);
enum qp_status qp_typed_read(const struct qp_array *array, enum qp_precision precision,
                             void *values);

/* The value of a cell that nobody has written, in integers a number; and the value that must not be
 * read. */
double qp_typed_unwritten(enum qp_array_type type);

/* Copies numbers as the device has them, so that references compute with the same ones. */
void qp_round_numbers(enum qp_number_type type, const double *from, int count, double *to);

/* Numbers of step `step` of `steps`, counted from 0, as the device has them. */
void qp_trial_set_step(const struct qp_trial *trial, int step, int steps,
                       struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]);

/* ---- Engines: of kernels (engine.c), and of functions on the CPU and on CUDA (functions.c)
 * ---- */

extern const struct qp_engine qp_engine_kernels, qp_engine_functions;

/* An array of a plan, in the middle of guards. */
struct qp_plan_array {
    enum qp_array_type type;
    size_t count;                   /* number of its values */
    struct qp_array *whole, *cells; /* a kernel's; the second is a view of the first, or the same */
    double guard;                   /* value in `whole` beside `cells` */
    char *block;                    /* block of functions: the host's memory, or the device's */
};

/* An engine's functions for its arrays: one is made for a description, of which type and count are
 * filled in, and is written (values NULL: what nobody has written); values of a state come back in
 * a precision of the host's, after a look at the guards. */
struct qp_trial_ways {
    enum qp_status (*make)(struct qp_plan *plan, const char *name, const struct qp_array_desc *desc,
                           bool is_read, struct qp_plan_array *out);
    enum qp_status (*put)(const struct qp_plan *plan, const struct qp_plan_array *array,
                          const double *values);
    enum qp_status (*get)(const struct qp_plan *plan, const struct qp_plan_array *state, int output,
                          enum qp_precision precision, void *values);
};

/* A plan's `own` begins with its arrays. */
struct qp_plan_arrays {
    const struct qp_trial_ways *ways;
    struct qp_plan_array input[QP_KERNEL_INPUTS]; /* inputs that are no states */
    /* States: the first two are the same where a step goes on in it; the last is between programs
     * in turn. */
    struct qp_plan_array state[3][QP_KERNEL_OUTPUTS];
    int source;
};

static inline struct qp_plan_arrays *qp_plan_arrays_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* The type in which a variant has an input: its own where it reads it, or else the trial's. */
enum qp_array_type qp_trial_input_type(const struct qp_trial_recipe *recipe, int input);

/* Stages of both engines (arrays.c): 2, where a plan gets its `own` of that size; 3; the start
 * again, after the warm-up of stage 4; 6; 7. And the norm of what a step has changed. */
enum qp_status qp_trial_arrange(struct qp_plan *plan, size_t bytes,
                                const struct qp_trial_ways *ways);
enum qp_status qp_trial_upload(struct qp_plan *plan);
enum qp_status qp_trial_begin(struct qp_plan *plan);
void qp_trial_swap(struct qp_plan *plan);
enum qp_status qp_trial_read(struct qp_plan *plan, bool target, void *texels);
enum qp_status qp_trial_change(struct qp_plan *plan, double *norm);

#endif
