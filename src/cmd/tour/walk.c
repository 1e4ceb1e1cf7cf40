/* SPDX-License-Identifier: MIT */
/* quadpass walk: one small matrix in every room, with size, format and time. */
#include "cmd/tour/tour.h"

#include "cmd/cmd.h"
#include "cmd/output/terminal.h"
#include "ops/gauss_jordan/columns.h"
#include "ops/gauss_jordan/gauss_jordan.h"
#include "ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "ops/reduce/reduce.h"
#include "ops/spmv/spmv.h"
#include "ops/transfer/transfer.h"
#include "ops/transpose/transpose.h"

static const struct qp_variant *find_row(const struct options *options)
{
    const char *name = options->word_count > 0 ? options->words[0] : options->variant;
    if (name == NULL) {
        fputs("quadpass: walk takes a variant, such as jacobi9/luminance\n", stderr);
        return NULL;
    }
    if (options->word_count + (options->variant != NULL) > 1) {
        fputs("quadpass: walk takes one variant\n", stderr);
        return NULL;
    }
    const struct qp_variant *row = qp_variant_find(name);
    if (row == NULL)
        cmd_failed(cmd_unknown_variant(name));
    return row;
}

/* Operations with a tour of their own in place of the one on a grid; on CUDA too, or on OpenGL
 * alone. */
static const struct {
    const struct qp_op *op;
    bool of_kernels;
    void (*on_room)(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
} tours[] = {{&qp_op_reduce, true, tour_reduction},
             {&qp_op_transpose, true, tour_reduction},
             {&qp_op_spmv, true, tour_sparse},
             {&qp_op_transfer, true, tour_transfer},
             {&qp_op_gauss_jordan, false, tour_elimination},
             {&qp_op_gauss_jordan_batch, false, tour_batch}};

/* Chooses the tour of an operation. An elimination is walked for one step, since all steps are the
 * same. */
static void choose_tour(const struct options *options, struct tour *tour, struct qp_walk_desc *desc)
{
    const struct qp_op *op = tour->problem->op;
    desc->on_room = tour_grid;
    for (size_t i = 0; i < sizeof tours / sizeof tours[0]; i++) {
        if (tours[i].op == op && (tour->variant->backend != QP_CUDA || tours[i].of_kernels))
            desc->on_room = tours[i].on_room;
    }
    const struct qp_elimination *elimination = qp_elimination_of(tour->variant->recipe);
    desc->log_pivots = elimination != NULL && elimination->pivots;
    tour->eliminates = op->judge != NULL && op->judge->order == NULL;
    tour->upright = tour->eliminates || op == &qp_op_transpose;
    if (tour->eliminates && !options->iterations_given)
        desc->iterations = 1;
}

static enum qp_status walk(const struct options *options, struct qp_context *context,
                           struct tour *tour, struct qp_problem *problem, struct qp_result *result)
{
    struct qp_walk_desc desc = {.iterations = options->iterations_given ? options->iterations : 2,
                                .pingpong = options->pingpong,
                                .target = options->target,
                                .block = options->block,
                                .parts = options->parts,
                                .user = tour};
    choose_tour(options, tour, &desc);
    enum qp_status status = qp_walk(context, tour->variant, problem, &desc, result);
    tour_end(tour);
    if (status == QP_OK)
        fprintf(tour->out, "\n%s: %s%s%s\n", tour->variant->name,
                terminal_verdict(tour->out, result->verdict, 0), result->reason[0] ? ": " : "",
                result->reason);
    return status;
}

int cmd_walk(int argc, char **argv)
{
    static const struct options_form form = {"walk", "VARIANT", CMD_WALK_PURPOSE};
    struct options options;
    options_read(argc, argv, &form, &options);
    const struct qp_variant *row = find_row(&options);
    if (row == NULL)
        return EXIT_USAGE;
    struct qp_context *context;
    struct qp_problem problem = {0};
    char why[512];
    enum qp_status status = cmd_open(&options, &row, 1, &context, why, sizeof why);
    if (status == QP_OK && qp_variant_draws(row) && context == NULL)
        status = QP_NO_DEVICE;
    if (status == QP_OK)
        status = cmd_problem(
            &options, row->op, cmd_kind(&options, &row, 1), options.width > 0 ? options.width : 8,
            options.width > 0 ? options.height : 8, qp_variant_systems(row), &problem);
    struct qp_result result = {0};
    struct tour tour = {.out = options.table,
                        .problem = &problem,
                        .variant = row,
                        .result = &result,
                        .with_texts = options.text};
    if (status == QP_OK)
        status = walk(&options, context, &tour, &problem, &result);
    qp_problem_destroy(&problem);
    qp_context_destroy(&context);
    if (status != QP_OK)
        return cmd_failed(status);
    return result.verdict == QP_FAIL ? EXIT_FAILED : EXIT_GOOD;
}
