/* SPDX-License-Identifier: MIT */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "toolkit/base/status.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/paper/peaks.h"

struct fake_orders fake;

static const char *name_of(const struct qp_variant *variant)
{
    return variant != NULL ? variant->name : "any row";
}

/* Presses Ctrl-C during the solve of that number, from 1. */
static enum qp_status end(void)
{
    if (fake.interrupted > 0 && --fake.interrupted == 0)
        cmd_interrupted = 1;
    return fake.ends == QP_OK ? QP_OK : qp_fail(fake.ends, "%s", fake.sentence);
}

ANSWER(enum qp_status, qp_solve_system, struct qp_context *context, const struct qp_market *matrix,
       const double *b, int sides, const double *start, const struct qp_solve_desc *desc,
       struct qp_answer *out)
{
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    assert_true(desc->on_progress == progress_draw);
    printf("> %s solves %d unknowns, %d sides%s%s%s: weight %g, tolerance %g, %d steps, grid %d x "
           "%d, %s %s%s\n",
           name_of(desc->variant), matrix->rows, sides, b != NULL ? "" : " of ones",
           start != NULL ? " from a start" : "", context != NULL ? " on a device" : "",
           desc->weight, desc->tolerance, desc->most_steps, desc->width, desc->height,
           qp_pingpong_name(desc->pingpong), qp_target_name(desc->target),
           desc->refine ? ", refined" : "");
    const enum qp_status status = end();
    *out = status == QP_OK ? *fake.answer : (struct qp_answer){0};
    return status;
}

ANSWER(enum qp_status, qp_invert, struct qp_context *context, const struct qp_market *matrix,
       const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    printf("> %s inverts %d unknowns%s: tolerance %g, %s %s%s\n", name_of(desc->variant),
           matrix->rows, context != NULL ? " on a device" : "", desc->tolerance,
           qp_pingpong_name(desc->pingpong), qp_target_name(desc->target),
           desc->refine ? ", refined" : "");
    const enum qp_status status = end();
    *out = status == QP_OK ? *fake.solution : (struct qp_dense_solution){0};
    return status;
}

/* A variant takes as many steps as its name has letters, 100 more to refine; x is its unknowns'
 * numbers. */
ANSWER(enum qp_status, qp_solve, struct qp_context *context, const struct qp_market *matrix,
       const double *b, const double *start, const struct qp_solve_desc *desc,
       struct qp_solution *out)
{
    const char *name = desc->variant->name;
    assert_true(b[0] == 1.0 && b[matrix->rows - 1] == 1.0 && start == NULL);
    assert_true(context != NULL || desc->variant->backend != QP_GL);
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    *out = (struct qp_solution){.ending = QP_CONVERGED};
    if (fake.absent != NULL && strstr(name, fake.absent) != NULL)
        return qp_fail(QP_UNSUPPORTED, "not here");
    if (fake.ends != QP_OK && fake.failing != NULL && strcmp(name, fake.failing) == 0)
        return qp_fail(fake.ends, "%s", fake.sentence);
    if (fake.failing != NULL && strcmp(name, fake.failing) == 0)
        out->ending = QP_OUT_OF_STEPS;
    out->variant = desc->variant;
    out->steps = (int)strlen(name) + (desc->refine ? 100 : 0);
    out->width = 30;
    out->height = matrix->rows / 30;
    out->x = malloc((size_t)matrix->rows * sizeof *out->x);
    for (int i = 0; i < matrix->rows; i++)
        out->x[i] = i;
    return QP_OK;
}

/* Variants without pivoting say that the pivot is zero, unless the orders have another failure for
 * them. */
ANSWER(enum qp_status, qp_walk, struct qp_context *context, const struct qp_variant *variant,
       struct qp_problem *problem, const struct qp_walk_desc *desc, struct qp_result *result)
{
    const bool branched = strcmp(variant->name, "gauss_jordan/branched") == 0;
    const bool wrong = fake.failing != NULL && strcmp(variant->name, fake.failing) == 0;
    printf("> walk of %s at %d x %d, %s, %d step, first pivot %g%s\n", variant->name,
           problem->width, problem->height, problem->kind, desc->iterations,
           (double)problem->field[0].values[0], context != NULL ? " on a device" : "");
    *result = (struct qp_result){.verdict = branched || wrong ? QP_FAIL : QP_PASS, .error = 4e-8};
    if (wrong)
        strcpy(result->reason, "it is wrong");
    else if (branched)
        strcpy(result->reason, "stage 7: the pivot of column 1 is 0");
    return QP_OK;
}

/* ---- The machine ---- */

ANSWER(enum qp_status, qp_cuda_open, int ordinal, struct qp_cuda **out)
{
    (void)ordinal;
    *out = fake.card;
    return fake.card != NULL ? QP_OK : qp_fail(QP_UNSUPPORTED, "no card here");
}

/* A negative ordinal is any card's. */
ANSWER(enum qp_status, qp_cuda_look, int ordinal)
{
    const int cards = fake.card == NULL ? 0 : fake.cards > 0 ? fake.cards : 1;
    return cards > 0 && ordinal < cards ? QP_OK : qp_fail(QP_UNSUPPORTED, "no card here");
}

ANSWER(void, qp_cuda_close, struct qp_cuda **cuda)
{
    *cuda = NULL;
}

ANSWER(void, peaks_of_cpu, struct peaks *out)
{
    *out = (struct peaks){.gflops = 100.0, .gbytes_per_s = 20.0};
}

ANSWER(void, peaks_of_gpu, int ordinal, struct peaks *out)
{
    *out = ordinal < 0 && fake.card == NULL
               ? (struct peaks){.gflops = NAN, .gbytes_per_s = NAN}
               : (struct peaks){.gflops = 1000.0, .gbytes_per_s = 300.0};
}

ANSWER(double, peaks_triad, void)
{
    return 25.0;
}

ANSWER(int, omp_get_max_threads, void)
{
    return 6;
}

ANSWER(const char *, baseline_kernels, void)
{
    return "Pencil";
}
