/* SPDX-License-Identifier: MIT */
#ifndef QP_PLAN_PROBLEM_H
#define QP_PLAN_PROBLEM_H

#include <signal.h>

#include <quadpass/problem.h>

#include "lab/plan/op.h"

/* An empty problem of this kind and size, its fields NaN; size and memory are checked first. */
enum qp_status qp_problem_allocate(const struct qp_op *op, const char *kind, int width, int height,
                                   int systems, struct qp_problem *out);

/* A view of one of the systems as a problem of its own; nothing in it may be destroyed. */
struct qp_problem qp_problem_system(const struct qp_problem *problem, int system);

/* Name of a value of one system's answer in sentences; *x and *y become its cell. */
void qp_problem_name(const struct qp_problem *problem, int *x, int *y, char *place, size_t size);

/* The problem that this one is a part of, or itself; and the place in it, row by row, of a cell of
 * this one. */
const struct qp_problem *qp_problem_whole(const struct qp_problem *problem);
size_t qp_problem_place(const struct qp_problem *problem, size_t x, size_t y);

/* Copies one system `systems` times, for variants that take no fewer; destroy it as any other. */
enum qp_status qp_problem_repeat(const struct qp_problem *one, int systems, struct qp_problem *out);

/* Number of a problem's kind in its operation's list, 0 for one that is in no list, such as a file;
 * and its row. */
int qp_problem_kind(const struct qp_problem *problem);
const struct qp_kind *qp_problem_kind_row(const struct qp_problem *problem);

/* Extent of a problem: the operation's own count, and the grid's; each cell is an update. */
struct qp_extent qp_problem_extent(const struct qp_problem *problem);

/* Cells of one system; and values of all systems' answers together. */
size_t qp_problem_cells(const struct qp_problem *problem);
size_t qp_problem_answers(const struct qp_problem *problem);

/* Lets a problem start from random values, or as its kind does; of operations that can. */
void qp_problem_start_at_random(struct qp_problem *problem, bool random);

/* Weight of a step of the walk under way, counted from 0. */
double qp_problem_step_weight(const struct qp_problem *problem, int step);

/* Errors: QP_BAD_USE if this kind of problem takes no parameter, or not this one. */
enum qp_status qp_problem_check_parameter(const struct qp_op *op, const char *kind, int parameter);

/* qp_problem_create for an operation that need not be in any table. */
enum qp_status qp_problem_make(const struct qp_op *op, const struct qp_problem_desc *desc,
                               struct qp_problem *out);

/* Stage 9: finds problem->reference, the answer after `iterations` steps, among those that are
 * kept, or computes it. Variants whose updates have the same order are compared with the same one.
 * `interrupt` is looked at before each step and may be NULL. Errors: QP_BAD_INPUT if some cell of
 * it is not finite, QP_NO_MEMORY, QP_UNSUPPORTED if it was interrupted; then there is no reference,
 * or the one before. */
enum qp_status qp_problem_reference(struct qp_problem *problem, int iterations,
                                    const volatile sig_atomic_t *interrupt);

/* Frees all references: the next one is computed. */
void qp_problem_forget(struct qp_problem *problem);

/* An answer of the reference and what it is after; a problem's newest leads to the others. */
struct qp_past_answer {
    struct qp_past_answer *next; /* asked for before this one */
    int order, alpha, block, parameter, iterations;
    bool random_start;
    double weight, scale;
    double answer[];
};

struct qp_past_answer *qp_problem_newest(const struct qp_problem *problem); /* NULL: none */

/* The one after most steps, fewer than these; NULL: none. */
const struct qp_past_answer *qp_problem_before(const struct qp_problem *problem, int iterations);
void qp_past_answers_free(struct qp_past_answer *first);

/* The answer `steps` after the iterate `from`, and its scale; free it. Errors likewise. */
enum qp_status qp_problem_go_on(const struct qp_problem *problem, const struct qp_matrix *from,
                                int steps, const volatile sig_atomic_t *interrupt, double **answer,
                                double *scale);

/* Cells of a grid, `width` x `height` from (x, y) on. */
struct qp_patch {
    int x, y, width, height;
};

/* The answer after `steps` steps in a patch, row by row, and its scale; free it. Only cells that
 * these steps read are updated: each reads `reach` cells each way (struct qp_runs). Errors
 * likewise. */
enum qp_status qp_problem_patch(const struct qp_problem *problem, const struct qp_patch *patch,
                                int steps, int reach, const volatile sig_atomic_t *interrupt,
                                double **answer, double *scale);

/* How many updates these are. */
double qp_patch_updates(const struct qp_problem *problem, const struct qp_patch *patch, int steps,
                        int reach);

/* The witness's answer after `iterations` steps; the caller frees it. Errors likewise. */
enum qp_status qp_problem_witness(const struct qp_problem *problem, int iterations,
                                  const volatile sig_atomic_t *interrupt, double **answer);

#endif
