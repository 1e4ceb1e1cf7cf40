/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/picture.h"
#include "cmd/progress.h"
#include "cmd/system.h"

/* What came out. */
struct answer {
    int columns, begun, converged;
    double *x;                /* rows * columns values; what was not begun is its start */
    int worst_column;         /* from 1; not converged is worse than any residual */
    struct qp_solution worst; /* without its x */
};

static enum qp_status write_outputs(const struct options *options, const struct answer *answer)
{
    const struct qp_solution *one = &answer->worst; /* they all have its grid */
    enum qp_status status = QP_OK;
    if (options->output != NULL)
        status =
            qp_market_write(options->output, one->width * one->height, answer->columns, answer->x);
    if (options->picture != NULL && status == QP_OK)
        status = picture_write(options->picture, one->width, one->height, answer->x, NULL, NULL);
    return status;
}

static struct qp_solve_desc describe(const struct options *options)
{
    return (struct qp_solve_desc){
        .weight = options->weight,
        .tolerance = options->tolerance,
        .most_steps = options->max_iterations > 0 ? options->max_iterations : options->iterations,
        .refine = options->refine,
        .width = options->grid_width,
        .height = options->grid_height,
        .pingpong = options->pingpong,
        .target = options->target,
        .interrupt = &cmd_interrupted,
        .on_progress = progress_draw};
}

static bool is_worse(const struct qp_solution *a, const struct qp_solution *b)
{
    bool a_good = a->ending == QP_CONVERGED, b_good = b->ending == QP_CONVERGED;
    return a_good != b_good ? b_good : !(a->residual <= b->residual); /* NaN is the worst */
}

/* Takes the solution of the next column. */
static void keep(struct answer *answer, struct qp_solution *solution, size_t rows)
{
    memcpy(answer->x + (size_t)answer->begun * rows, solution->x, rows * sizeof *answer->x);
    free(solution->x);
    solution->x = NULL;
    if (answer->begun++ == 0 || is_worse(solution, &answer->worst)) {
        answer->worst = *solution;
        answer->worst_column = answer->begun;
    }
    answer->converged += solution->ending == QP_CONVERGED;
}

/* One column after the other; the context keeps the compiled programs between them. An interrupt
 * ends the column under way and leaves the others as they start. */
static enum qp_status solve(struct qp_context *context, const struct system *system,
                            const struct qp_solve_desc *described, struct answer *answer)
{
    struct progress bar = {0};
    struct qp_solve_desc desc = *described;
    const size_t rows = (size_t)system->a.rows;
    answer->columns = system_columns(system);
    const size_t count = rows * (size_t)answer->columns;
    answer->x = qp_alloc_zero(count, sizeof *answer->x, "the solutions");
    if (answer->x == NULL)
        return QP_NO_MEMORY;
    if (system->start.value != NULL)
        memcpy(answer->x, system->start.value, count * sizeof *answer->x);
    desc.user = &bar;
    enum qp_status status = QP_OK;
    for (size_t at = 0; at < count && status == QP_OK && (at == 0 || !cmd_interrupted);
         at += rows) {
        struct qp_solution solution;
        const double *b = system->b.value != NULL ? system->b.value + at : NULL;
        status = qp_solve(context, &system->a, b, answer->x + at, &desc, &solution);
        progress_end(&bar);
        if (status == QP_OK)
            keep(answer, &solution, rows);
        else if (answer->columns > 1)
            qp_fail_within(status, "column %d", answer->begun + 1);
    }
    return status;
}

static void report(FILE *table, const struct answer *answer)
{
    const struct qp_solution *worst = &answer->worst;
    fprintf(table, "%s on a grid of %d x %d, weight %.4g\n", worst->variant->name, worst->width,
            worst->height, worst->weight);
    if (answer->columns > 1)
        fprintf(table, "%d of %d columns converged", answer->converged, answer->columns);
    if (answer->begun < answer->columns)
        fprintf(table, ", %d not begun", answer->columns - answer->begun);
    if (answer->columns > 1)
        fprintf(table, "; the worst is column %d\n", answer->worst_column);
    fprintf(table, "%s\n", worst->sentence);
}

static int iterate(const struct options *options, const struct system *system,
                   const struct qp_variant *variant)
{
    struct answer answer = {0};
    struct qp_solve_desc desc = describe(options);
    struct qp_context *context = NULL;
    desc.variant = variant;
    enum qp_status status = system_open(options, variant, &context);
    if (status == QP_OK)
        status = solve(context, system, &desc, &answer);
    if (status == QP_OK)
        status = write_outputs(options, &answer);
    if (status == QP_OK)
        report(options->table, &answer);
    int code = status != QP_OK                      ? cmd_failed(status)
               : answer.converged == answer.columns ? EXIT_GOOD
                                                    : EXIT_FAILED;
    qp_context_destroy(&context);
    free(answer.x);
    return code;
}

int cmd_solve(int argc, char **argv)
{
    static const struct options_form form = {
        "solve", "A.mtx [b.mtx]",
        "Solves A x = b on the GPU: by weighted Jacobi, column by column of b, where A has nine "
        "bands on a grid, else all columns in one elimination. Without b it is A times ones.",
        true};
    struct options options;
    options_read(argc, argv, &form, &options);
    cmd_catch_interrupt();
    struct system system = {0};
    const struct qp_variant *variant = NULL;
    enum qp_status status = system_read(&options, &system);
    if (status == QP_OK)
        status = system_check_writable(options.output);
    if (status == QP_OK)
        status = system_check_writable(options.picture);
    if (status == QP_OK)
        status = system_find_variant(&options, &variant);
    int code = status != QP_OK ? cmd_failed(status)
               : system_is_dense(&options, &system, variant)
                   ? dense_solve(&options, &system, variant)
                   : iterate(&options, &system, variant);
    system_destroy(&system);
    return code;
}
