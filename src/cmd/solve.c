/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <string.h>

#include "base/status.h"
#include "cmd/picture.h"
#include "cmd/progress.h"
#include "cmd/solve_json.h"
#include "cmd/system.h"

/* Elimination takes no steps from a start, and its unknowns stand on no grid. */
enum qp_status solve_refuse_options(const struct options *options)
{
    const struct {
        bool given;
        const char *name;
    } others[] = {{options->start != NULL, "--x0"},
                  {options->weight > 0.0, "--weight"},
                  {options->max_iterations > 0, "--max-iterations"},
                  {options->iterations_given, "--iterations"},
                  {options->grid_width > 0, "--grid"},
                  {options->picture != NULL, "--picture"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i].given)
            return qp_fail(
                QP_BAD_USE,
                "%s belongs to iterations on a grid, and this matrix is eliminated; leave "
                "it out",
                others[i].name);
    }
    return QP_OK;
}

static struct qp_solve_desc describe(const struct options *options,
                                     const struct qp_variant *variant, struct progress *bar)
{
    return (struct qp_solve_desc){
        .variant = variant,
        .weight = options->weight,
        .tolerance = options->tolerance,
        .most_steps = options->max_iterations > 0 ? options->max_iterations : options->iterations,
        .refine = options->refine,
        .width = options->grid_width,
        .height = options->grid_height,
        .pingpong = options->pingpong,
        .target = options->target,
        .interrupt = &cmd_interrupted,
        .on_progress = progress_draw,
        .user = bar};
}

static enum qp_status write_outputs(const struct options *options, struct qp_context *context,
                                    const struct qp_answer *answer)
{
    enum qp_status status = QP_OK;
    if (options->output != NULL)
        status = qp_market_write(options->output, answer->rows, answer->sides, answer->x);
    if (options->picture != NULL && status == QP_OK)
        status =
            picture_write(options->picture, answer->width, answer->height, answer->x, NULL, NULL);
    if (options->json != NULL && status == QP_OK)
        status = solve_write_json(options, context, answer->side, answer->begun);
    return status;
}

static void report(const struct options *options, const struct qp_answer *answer)
{
    FILE *table = options->table;
    const struct qp_side *worst = &answer->side[answer->worst];
    if (worst->method == QP_ELIMINATION)
        fprintf(table, "%s with %d unknown%s\n", worst->variant->name, answer->rows,
                answer->rows > 1 ? "s" : "");
    else
        fprintf(table, "%s on a grid of %d x %d, weight %.4g\n", worst->variant->name,
                answer->width, answer->height, answer->weight);
    if (options->variant == NULL)
        fprintf(table, "%s\n", worst->reason);
    if (answer->sides > 1)
        fprintf(table, "%d of %d columns converged", answer->converged, answer->sides);
    if (answer->begun < answer->sides)
        fprintf(table, ", %d not begun", answer->sides - answer->begun);
    if (answer->sides > 1)
        fprintf(table, "; the worst is column %d\n", answer->worst + 1);
    fprintf(table, "%s\n", worst->sentence);
}

/* Solves, writes and reports; returns the exit code. */
static int solve(const struct options *options, const struct system *system,
                 const struct qp_variant *variant)
{
    struct qp_answer answer = {0};
    struct progress bar = {0};
    const struct qp_solve_desc desc = describe(options, variant, &bar);
    struct qp_context *context = NULL;
    enum qp_status status =
        system_is_dense(options, system, variant) ? solve_refuse_options(options) : QP_OK;
    if (status == QP_OK)
        status = system_open(options, variant, &context);
    if (status == QP_OK)
        status = qp_solve_system(context, &system->a, system->b.value, system_columns(system),
                                 system->start.value, &desc, &answer);
    progress_end(&bar);
    if (status == QP_OK && answer.width == 0) /* a grid, but zeros on its diagonal */
        status = solve_refuse_options(options);
    if (status == QP_OK)
        status = write_outputs(options, context, &answer);
    if (status == QP_OK)
        report(options, &answer);
    int code = status != QP_OK                    ? cmd_failed(status)
               : answer.converged == answer.sides ? EXIT_GOOD
                                                  : EXIT_FAILED;
    qp_context_destroy(&context);
    qp_answer_destroy(&answer);
    return code;
}

int cmd_solve(int argc, char **argv)
{
    static const struct options_form form = {
        "solve", "A.mtx [b.mtx]",
        "Solves A x = b on the GPU: where A has nine bands on a grid by weighted Jacobi, column by "
        "column of b, as long as that promises to be quicker than elimination; else all columns "
        "in one elimination. Without b it is A times ones.",
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
    int code = status == QP_OK ? solve(&options, &system, variant) : cmd_failed(status);
    system_destroy(&system);
    return code;
}
