/* SPDX-License-Identifier: MIT */
/* `invert`: elimination from a file to a file. */
#include <math.h>

#include "lab/solve/solvers.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/solve/system.h"

static struct qp_dense_desc describe(const struct options *options,
                                     const struct qp_variant *variant)
{
    return (struct qp_dense_desc){.variant = variant,
                                  .tolerance = options->tolerance,
                                  .refine = options->refine,
                                  .pingpong = options->pingpong,
                                  .target = options->target,
                                  .interrupt = &cmd_interrupted,
                                  .checkpoint = options->checkpoint,
                                  .every = options->every,
                                  .resume = options->resume};
}

static void report(FILE *table, const struct qp_dense_solution *solution)
{
    fprintf(table, "%s with %d unknown%s\n", solution->variant->name, solution->rows,
            solution->rows > 1 ? "s" : "");
    if (solution->sides > 1)
        fprintf(table,
                "%d of %d columns converged; the worst is column %d (of %d, counted from 1)\n",
                solution->converged, solution->sides, solution->worst + 1, solution->sides);
}

/* True if all columns of the inverse were begun (none is zero): an incomplete one does not replace
 * an earlier file. */
static bool is_whole(const struct qp_dense_solution *solution)
{
    const size_t n = (size_t)solution->rows;
    bool whole = true;
    for (size_t k = 0; k < (size_t)solution->sides && whole; k++) {
        size_t i = 0;
        while (i < n && solution->x[k * n + i] == 0.0)
            i++;
        whole = i < n;
    }
    return whole;
}

/* Writes and reports the inverse. */
static enum qp_status leave(struct command *command, enum qp_status status,
                            const struct qp_dense_solution *solution)
{
    const struct options *options = command->options;
    const bool whole = status == QP_OK && is_whole(solution);
    if (whole)
        progress_say("writing %d x %d values", solution->rows, solution->sides);
    if (whole && options->output != NULL)
        status = grid_write_columns(options->output, solution->rows, solution->sides, solution->x);
    if (whole && status == QP_OK)
        status = solve_write_dense_records(options, command->context, solution);
    progress_end();
    command->code = solution->ending == QP_CONVERGED ? EXIT_GOOD : EXIT_FAILED;
    if (status == QP_OK) {
        double squares = 0.0;
        for (int k = 0; k < solution->sides; k++)
            squares += solution->residuals[k] * solution->residuals[k];
        report(options->table, solution);
        fprintf(options->table, "||A X - I|| is %.3g in the Frobenius norm\n", sqrt(squares));
        system_tell_seconds(options->table, solution->seconds, solution->part);
        fprintf(options->table, "%s\n", solution->sentence);
        if (!whole && system_writes(options))
            fputs("nothing is written: not all columns were computed\n", options->table);
    }
    return status;
}

static enum qp_status invert(struct command *command, const struct qp_market *matrix,
                             const struct qp_variant *variant)
{
    struct qp_dense_solution solution = {0};
    const struct qp_dense_desc desc = describe(command->options, variant);
    enum qp_status status = system_open(command, variant);
    progress_say("inverting %d unknowns", matrix->rows);
    if (status == QP_OK)
        status = qp_invert(command->context, matrix, &desc, &solution);
    status = leave(command, status, &solution);
    qp_dense_solution_destroy(&solution);
    return status;
}

enum qp_status cmd_invert(struct options *options, struct command *command)
{
    struct system system = {0};
    const struct qp_variant *variant = NULL;
    cmd_catch_interrupt();
    enum qp_status status =
        options->word_count == 1 ? QP_OK : qp_fail(QP_BAD_USE, "invert takes one matrix file");
    if (status == QP_OK)
        status = grid_check_name(options->output, false);
    if (status == QP_OK)
        status = system_read(options, &system);
    if (status == QP_OK)
        status = system_find_variant(options, QP_ANY_MATRIX, &variant);
    if (status == QP_OK)
        status = invert(command, &system.a, variant);
    system_destroy(&system);
    return status;
}
