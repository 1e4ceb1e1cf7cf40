/* SPDX-License-Identifier: MIT */
/* Trials: a kernel of your own and its reference in C. They take the same walk as the library's
 * variants: checks, benchmarks, mutants and reports judge them alike (walk.h, check.h, bench.h,
 * spoil.h). demos/hello.c is an example in a page; docs/judge.md explains it at
 * length. */
#ifndef QUADPASS_TRIAL_H
#define QUADPASS_TRIAL_H

#include <quadpass/pass.h>
#include <quadpass/variant.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { QP_TRIAL_KERNELS = 8 /* programs of one step, at most */ };

/* A kernel, its reference, and other kernels that are to compute the same. Several trials may live
 * at once. A trial is not written after the last qp_trial_add, so threads, each with a context of
 * its own, may then share it; the functions in its description run in the thread that walks. */
struct qp_trial;

/* ---- The trial ---- */

/* The step in double, which judges all variants: writes every value of every output, which begin as
 * NaN. Arrays of inputs hold doubles (qp_kernel_array_at). Returns the largest sum of magnitudes
 * that one cell's update formed, which is the size of the numbers that a variant rounds. 0: it is
 * called four times more in the first step, with inputs of which half are nearer to 0 by 2^-10 and
 * 2^-13, and its answers show that sum, between the largest magnitude of the outputs and that of
 * inputs and outputs; integers, and a reference that decides or remembers, show the outputs'. */
typedef double qp_trial_reference(const struct qp_kernel_grid *grid, double *const output[]);

/* An input, as far as the kernel's description does not say it; zero means default. */
struct qp_trial_input {
    const char *name; /* name of an input of the kernel; NULL ends the list */
    enum qp_outside outside;
    double value; /* with QP_OUTSIDE_VALUE */

    /* The value of a cell, rounded to the input's type. NULL: random in [low, high); if both are 0,
     * from -1 to 1, or from 0 to 10 for integers. For values of your own at one size, write into
     * qp_problem_field(problem, name)->doubles before the first walk. */
    double (*fill)(void *user, int x, int y, int width, int height, int channel);
    double low, high;

    /* An input of this size at all sizes of the outputs, and its values, which are copied; a cell's
     * channels are columns side by side. NULL: it is as large as the outputs. */
    const struct qp_matrix *table;
};

/* Zero means default. Everything is copied but what `user` points to. */
struct qp_trial_desc {
    const char *name; /* letters, digits and _ */

    /* Name of the input that output k is in the next step; its first values are the start. "": it
     * is none. All NULL: "x" for output 0, if there is such an input. */
    const char *state[QP_KERNEL_OUTPUTS];
    struct qp_trial_input input[QP_KERNEL_INPUTS + 1];
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]; /* a value for each of the kernel's */
    /* NULL: nothing judges; benchmarks say QP_UNCHECKED, and checks refuse. */
    qp_trial_reference *reference;
    void *user; /* handed to the functions */

    /* The error allowed after one step, in units of what the reference returns; n steps may have n
     * times that. 0: 2^-20 of floats, 2^-10 of halves, 2^-48 of doubles, none of integers. */
    double tolerance;
    double flops;     /* flops of one update of one cell; 0: not counted, and records hold NaN */
    double bytes;     /* likewise; 0: every input read once and every output written once */
    const int *steps; /* numbers of steps of a check, up to 0; NULL: 1, 2 and 7 */

    /* Sets the numbers of step `step` of `steps`, counted from 0, in a copy of `number` in the
     * order of the first kernel's; lists stay as they are. The reference finds them, too. NULL:
     * they are the same in all steps. Trials that have it take no functions as variants. */
    void (*set_step)(void *user, int step, int steps, struct qp_pass_number *number);
};

/* Makes a trial without variants. Types, channels and outputs are those of the description of its
 * first kernel, which qp_trial_add may add. Errors: QP_BAD_USE with a sentence for what is missing,
 * misnamed or named twice; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_trial_destroy.
 * Threads: any. */
enum qp_status qp_trial_create(const struct qp_trial_desc *desc, const struct qp_kernel_desc *first,
                               struct qp_trial **out);

struct qp_kernel_file;

/* Makes a trial of a kernel file (kernel_file.h), and its variant "NAME/kernel", where NAME is that
 * of the file. The head says everything but the reference, whose inputs and numbers are in the
 * order of file->desc; its size, and its seed, are for those who make problems, which hold what
 * `quadpass check` gives to the kernel at the same seed. Errors: QP_BAD_USE for files in turn, and
 * an array that no line makes or that a file holds; QP_NO_MEMORY; then *out and *variant are NULL.
 * Owner: the caller, by qp_trial_destroy, before the file. Threads: any. */
enum qp_status qp_trial_from_file(const struct qp_kernel_file *file, qp_trial_reference *reference,
                                  void *user, struct qp_trial **out,
                                  const struct qp_variant **variant);

/* Frees the trial with its variants, after its problems; takes NULL and leaves *trial NULL. Errors:
 * none. Owner: none. Threads: any. */
void qp_trial_destroy(struct qp_trial **trial);

/* ---- Its variants ---- */

/* Cells that a program computes: all, all columns but the first and the last, the first or the last
 * column. Points are as many as there are cells, or as a variant says, and a vertex shader or a
 * body with place() (kernel.h) puts them anywhere. */
enum qp_cover { QP_COVER_ALL, QP_COVER_INTERIOR, QP_COVER_LEFT, QP_COVER_RIGHT, QP_COVER_POINTS };

/* Zero means default. */
struct qp_trial_variant {
    const char *name; /* after the slash: letters, digits and _ */
    const char *sentence;

    /* Programs of one step, in this order; an empty one ends the list. All read the old state, and
     * each writes its cells (but see in_turn). Or one function, a sweep or a launch, which runs on
     * the context's device if that is CUDA's, else on CUDA's first. They have the outputs of the
     * trial's first kernel and no other inputs and numbers; functions get those of the trial, in
     * its first kernel's order. A trial in floats may have a variant in double. */
    struct qp_kernel_desc kernel[QP_TRIAL_KERNELS];
    enum qp_cover cover[QP_TRIAL_KERNELS]; /* cells that each program covers */
    /* Each program reads what the one before it wrote, and covers all cells, or points that it
     * blends. */
    bool in_turn;

    /* Points of programs that cover points; 0: as many as there are cells. And how results are
     * combined with what programs before have written; those of the first one, and of all in turn,
     * with a copy of the state that they read (pass.h). */
    int points[QP_TRIAL_KERNELS];
    enum qp_pass_blend blend[QP_TRIAL_KERNELS];
};

/* Adds a variant called "trial/name". Errors: QP_BAD_USE; QP_BAD_INPUT for a file that cannot be
 * read; QP_NO_MEMORY; then *out is NULL. Faults that only a device finds are reported in stage 4 of
 * a walk, with the verdict QP_FAIL: a shader that does not compile (name, line, that line, the
 * driver's words), or that uses a name which is not listed. Owner: the trial. Threads: any. */
enum qp_status qp_trial_add(struct qp_trial *trial, const struct qp_trial_variant *variant,
                            const struct qp_variant **out);

/* ---- Its problems ---- */

/* Fills arrays for outputs of this size, for qp_walk and qp_bench. Errors: QP_BAD_USE for an
 * impossible size, QP_BAD_INPUT for a fill that is not finite, QP_NO_MEMORY. Owner: the caller, by
 * qp_problem_destroy. Threads: any. */
enum qp_status qp_trial_problem(const struct qp_trial *trial, int width, int height,
                                unsigned long long seed, struct qp_problem *out);

/* The same as qp_check_desc.make, where `user` is the trial and a problem's number its seed. Trials
 * have one system. Errors: those of qp_trial_problem. Owner: the caller, by qp_problem_destroy.
 * Threads: any. */
enum qp_status qp_trial_make(void *trial, int number, int width, int height, int systems,
                             struct qp_problem *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
