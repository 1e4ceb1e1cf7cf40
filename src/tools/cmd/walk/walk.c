/* SPDX-License-Identifier: MIT */
/* quadpass walk: one small matrix in every stage, with size, format and time. */
#include "tools/cmd/walk/walk.h"

#include <string.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/ops/transfer/transfer.h"
#include "lab/ops/transpose/transpose.h"
#include "toolkit/base/status.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/terminal.h"

static enum qp_status find_row(const struct options *options, const struct qp_variant **variant)
{
    const char *name = options->word_count > 0 ? options->words[0] : options->variant;
    if (name == NULL)
        return qp_fail(QP_BAD_USE, "walk takes a variant, such as jacobi9/luminance");
    if (options->word_count + (options->variant != NULL) > 1)
        return qp_fail(QP_BAD_USE, "walk takes one variant");
    *variant = qp_variant_find(name);
    return *variant != NULL ? QP_OK : cmd_unknown_variant(name);
}

/* Operations with stages of their own in place of a grid's, and how many of the first on each
 * backend. */
static const struct {
    const struct qp_op *op;
    const struct trace_stage *stages;
    int own[QP_BACKENDS];
} tours[] = {{&qp_op_reduce, walk_reduction, {QP_STAGE_PACK, QP_STAGES, QP_STAGE_PACK}},
             {&qp_op_transpose, walk_reduction, {QP_STAGE_PACK, QP_STAGE_PACK, QP_STAGE_PACK}},
             {&qp_op_spmv, walk_sparse, {QP_STAGES, QP_STAGES, QP_STAGES}},
             {&qp_op_transfer, walk_transfer, {QP_STAGES, QP_STAGES, QP_STAGES}},
             {&qp_op_gauss_jordan, walk_elimination, {QP_STAGES, QP_STAGES}},
             {&qp_op_gauss_jordan_batch, walk_batch, {QP_STAGE_PACK, QP_STAGES}}};

static void choose_stages(const struct qp_op *op, enum qp_backend backend,
                          struct trace_stage stages[QP_STAGES + 1])
{
    memcpy(stages, walk_grid, sizeof walk_grid);
    for (size_t i = 0; i < sizeof tours / sizeof tours[0]; i++) {
        for (int k = 1; tours[i].op == op && k <= tours[i].own[backend]; k++) {
            if (tours[i].stages[k].words != NULL || tours[i].stages[k].show != NULL)
                stages[k] = tours[i].stages[k];
        }
    }
}

/* An elimination is walked for one step, since all steps are the same. */
static enum qp_status walk(const struct options *options, struct qp_context *context,
                           const struct qp_variant *variant, struct qp_problem *problem,
                           struct qp_result *result)
{
    const struct qp_elimination *elimination = qp_elimination_of(variant->recipe);
    const struct qp_op *op = problem->op;
    const bool eliminates = walk_eliminates(op);
    struct trace_stage stages[QP_STAGES + 1];
    struct walk_columns columns = {.text = NULL};
    struct trace trace = {.stages = stages,
                          .user = &columns,
                          .out = options->table,
                          .upright = eliminates || op == &qp_op_transpose,
                          .with_texts = options->text};
    const struct qp_walk_desc desc = {.iterations = options->iterations > 0 ? options->iterations
                                                    : eliminates            ? 1
                                                                            : 2,
                                      .pingpong = options->pingpong,
                                      .target = options->target,
                                      .block = options->block,
                                      .parts = options->parts,
                                      .log_pivots = elimination != NULL && elimination->pivots};
    choose_stages(op, variant->backend, stages);
    const enum qp_status status = trace_walk(&trace, context, variant, problem, &desc, result);
    walk_print_columns(&trace);
    if (status == QP_OK)
        fprintf(trace.out, "\n%s: %s%s%s\n", variant->name,
                terminal_verdict(trace.out, result->verdict, 0), result->reason[0] ? ": " : "",
                result->reason);
    return status;
}

enum qp_status cmd_walk(struct options *options, struct command *command)
{
    const struct qp_variant *variant = NULL;
    struct qp_problem problem = {0};
    enum qp_status status = find_row(options, &variant);
    if (status == QP_OK)
        status = command_open_for(command, variant);
    if (status == QP_OK)
        status = cmd_problem(options, variant->op, cmd_kind(options, &variant, 1),
                             options->width > 0 ? options->width : 8,
                             options->width > 0 ? options->height : 8, qp_variant_systems(variant),
                             &problem);
    struct qp_result result = {0};
    if (status == QP_OK)
        status = walk(options, command->context, variant, &problem, &result);
    qp_problem_destroy(&problem);
    command->code = result.verdict == QP_FAIL ? EXIT_FAILED : EXIT_GOOD;
    return status;
}
