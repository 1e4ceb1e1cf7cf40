/* SPDX-License-Identifier: MIT */
/* A kernel file as a trial: `check`, `bench` and `walk` of a file of the user's. */
#ifndef QP_CMD_RUN_TRIAL_H
#define QP_CMD_RUN_TRIAL_H

#include <quadpass/bench.h>
#include <quadpass/trial.h>

#include "lab/plan/op.h"
#include "lab/walk/checker.h"
#include "tools/cmd/output/records.h"
#include "tools/cmd/run/machine.h"
#include "tools/cmd/run/reference.h"

/* Channel of a state beside the reference's, in the first case of a check that failed. */
enum {
    RUN_BOTH_COLUMNS = 16,
    RUN_BOTH_ROWS = 8,
    RUN_BOTH_CELLS = RUN_BOTH_COLUMNS * RUN_BOTH_ROWS
};
struct run_both {
    bool told;         /* a case has failed: later ones are not kept */
    int width, height; /* 0: nothing was compared, or too much to print */
    char name[80];
    double is[RUN_BOTH_CELLS], wanted[RUN_BOTH_CELLS];
    bool wrong[RUN_BOTH_CELLS];
};

struct run_trial {
    struct qp_kernel_file *file;
    struct qp_trial *trial;
    struct run_machines machines;
    const struct qp_variant *variant; /* variant of the first machine */
    struct qp_kernel_desc kernel[QP_KERNEL_TURNS];
    struct qp_kernel *compiled[QP_KERNEL_TURNS];
    int turns;
    int steps[5];           /* steps of a check, up to 0 */
    int fresh_steps;        /* steps that were drawn; 0: none */
    int all;                /* steps of the run that is judged; 0: each walk is a run of its own */
    struct qp_size size[2]; /* all problems' own, by the head or a file, and 0; or only 0 */
    struct records_cases cases; /* a check's */
    struct records_judged judged[BACKENDS];
    struct records_mutants mutants;
    struct records_case latest; /* worst cell of the latest walk */
    struct run_both both;
    struct run_inputs inputs; /* inputs of the latest problem, as its reference */
    struct run_object object;
    struct run_reference reference;
    enum qp_status ended; /* how the reference ended, with the sentence */
    char sentence[512];
};

/* True if the command is asked for kernel files: its words end as these do. */
bool run_trial_is_asked(const struct options *options);

/* Reads the kernel file that the options name, and compiles its reference, which it says on
 * standard error, unless they leave it out, and programs of its machines. Errors: those of
 * cmd_kernel_file, of inputs, references and machines; QP_BAD_USE without a reference if one is
 * `needed`. Owner: the caller, by run_trial_close, after its problems. */
enum qp_status run_trial_open(const struct options *options, bool refers, bool needed,
                              struct run_trial *out);
void run_trial_close(struct run_trial *trial);

/* QP_BAD_INPUT for a kernel that does not compile on this device, which may be NULL; for a compute
 * shader that is QP_NO_DEVICE, after the sentence of whoever found none. The trial is closed before
 * it. */
enum qp_status run_trial_compile(struct run_trial *trial, struct qp_context *context);

/* The walks of a run. */
struct run_judgement {
    enum qp_verdict verdict;
    int steps; /* all, or the first one that is wrong */
    int worst; /* the step that came nearest to what is allowed, or that one, with its error */
    double error, allowed;
    char reason[512];
    struct qp_trivials trivials; /* for `bench`, which adds a case to the first step's */
};

/* Judges a variant's state after 1, 4, 16 ... and all steps of a problem of this size, and looks by
 * halving for the first step that is wrong. Errors: those of problems and walks, of the reference,
 * and an interrupt's. */
enum qp_status run_trial_judge(struct run_trial *trial, struct qp_context *context,
                               const struct qp_variant *variant, struct qp_size size, int steps,
                               struct run_judgement *out);

/* Counts the mutants of a kernel that passes, in one problem of its own size or else of 13 x 11
 * cells: after the fewest steps of a check, and where these show nothing after the most
 * (mutants.c). For those that survive it looks for other inputs, if it `tries`. The trial's cases
 * get the result, up to run_trial_close. A reference that ends is said by run_trial_end. Errors:
 * those of problems and walks; an interrupt's. */
enum qp_status run_trial_spoil(struct run_trial *trial, struct qp_context *context, bool tries);

/* ---- Cases of a check (cases.c) ---- */

/* Draws a seed of all random inputs, unless the options have one or want --fixed. */
void run_trial_draw_seed(struct options *options);

/* Steps that a check takes in place of the usual 2, drawn by the seed, for a kernel may know how
 * many there are; 0: none are drawn. */
int run_trial_draw_steps(const struct options *options, const struct qp_kernel_file *file);

/* Fills in the trial's cases, which the options then name, and the sizes of its machines: fresh
 * ones by the seed, unless its problems have their own or the options want --fixed; and what its
 * head says of its own judging. */
void run_trial_draw(struct run_trial *trial, struct options *options);

/* Fills in what the head alone says of its own judging. */
void run_trial_note_head(struct run_trial *trial, const struct options *options);

/* Lets the trial note the worst cell of each walk; adds a case of a variant, for
 * qp_check_desc.on_case. */
void run_trial_watch(struct run_trial *trial);
void run_trial_add_case(void *user, const struct qp_record *record);

/* Keeps arrays of the latest walk, whose worst cell is noted; and prints them, a wrong value in
 * stars (both.c). */
void run_trial_keep_both(struct run_trial *trial, const struct qp_problem *problem,
                         const struct qp_comparison *worst, const struct qp_result *result);
void run_trial_print_both(FILE *table, const struct run_both *both);

/* Makes a problem as qp_check_desc.make does; `user` is the trial, and `number` is added to its
 * seed. Only its latest problem can be judged. */
enum qp_status run_trial_make(void *user, int number, int width, int height, int systems,
                              struct qp_problem *out);

/* Adds to the reason of a failure what a kernel's loops may have to do with it. */
void run_trial_note_loops(const struct run_trial *trial, char *reason, size_t size);

/* `status`, or the reason why a reference has not judged. A record that has failed gets what
 * run_trial_note_loops says. */
enum qp_status run_trial_end(const struct run_trial *trial, enum qp_status status,
                             struct qp_record *record);

#endif
