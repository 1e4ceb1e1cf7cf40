/* SPDX-License-Identifier: MIT */
/* Poisson's equation on a grid: a right-hand side that is made, or from a file. */
#include <stdlib.h>

#include "lab/solve/solvers.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/split.h"
#include "tools/cmd/ranks.h"
#include "tools/cmd/solve/system.h"

/* The grid, and f row by row, or NULL for a kind's. */
struct task {
    int width, height;
    double *f;
};

/* Refuses options for a matrix from a file, and right-hand sides given twice or not at all. */
static enum qp_status refuse_options(const struct options *options)
{
    const char *name = qp_solver_for(QP_RIGHT_SIDE)->op->name;
    const char *other = system_given(
        (const struct system_option[]){{options->start != NULL, "--x0"},
                                       {options->weight > 0.0, "--weight"},
                                       {options->grid_width > 0, "--grid"},
                                       {options->precondition != NULL, "--precondition"},
                                       {0}});
    if (other != NULL)
        return qp_fail(QP_BAD_USE, "%s belongs to a matrix from a file, and not to %s", other,
                       name);
    if (options->word_count > 1)
        return qp_fail(QP_BAD_USE, "%s takes its right-hand side by --rhs, not as '%s'", name,
                       options->words[1]);
    if (options->rhs != NULL && (options->problem != NULL || options->seed_given))
        return qp_fail(QP_BAD_USE,
                       "--rhs is a right-hand side, and %s makes another; leave one out",
                       options->problem != NULL ? "--problem" : "--seed");
    if ((options->rhs == NULL || system_takes_ones(options)) && options->width == 0)
        return qp_fail(QP_BAD_USE, "%s takes --size N or WxH, or --rhs with a file", name);
    return QP_OK;
}

static enum qp_status read_rhs(const struct options *options, struct task *task)
{
    struct qp_matrix file;
    int channels;
    task->width = options->width;
    task->height = options->height;
    if (options->rhs == NULL)
        return QP_OK;
    if (system_takes_ones(options)) {
        task->f = system_ones((size_t)task->width * (size_t)task->height);
        return task->f != NULL ? QP_OK : QP_NO_MEMORY;
    }
    progress_say("reading %.40s", options->rhs);
    enum qp_status status = grid_read(options->rhs, &file, &channels);
    if (status == QP_OK && channels > 1)
        status = qp_fail(QP_BAD_INPUT, "%s: has %d values a cell, and a right-hand side has one",
                         options->rhs, channels);
    if (status == QP_OK && task->width > 0 &&
        (file.width != task->width || file.height != task->height))
        status = qp_fail(QP_BAD_INPUT,
                         "%s: has %d columns and %d rows, and --size asks for %d x %d; leave "
                         "--size out, or name that",
                         options->rhs, file.width, file.height, task->width, task->height);
    task->width = file.width;
    task->height = file.height;
    const size_t count = (size_t)file.width * (size_t)file.height;
    task->f = status == QP_OK ? qp_alloc(count, sizeof *task->f, "the right-hand side") : NULL;
    for (size_t i = 0; task->f != NULL && i < count; i++)
        task->f[i] = qp_matrix_value(&file, i);
    qp_matrix_destroy(&file);
    return status == QP_OK && task->f == NULL ? QP_NO_MEMORY : status;
}

/* Opens a device. Without OpenGL variants on the processor solve, unless a device was asked for by
 * name. */
static enum qp_status open_context(struct command *command, const struct qp_variant *variant)
{
    const enum qp_status status = system_open(command, variant);
    const bool any = variant == NULL && !options_names_device(command->options);
    return status == QP_NO_DEVICE && any ? QP_OK : status;
}

static enum qp_status write_outputs(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution)
{
    enum qp_status status = QP_OK;
    progress_say("writing %d x %d values", solution->width, solution->height);
    const struct qp_matrix grid = {.width = solution->width,
                                   .height = solution->height,
                                   .precision = QP_DOUBLES,
                                   .doubles = solution->x};
    if (options->output != NULL)
        status = grid_write(options->output, &grid, 1, NULL, NULL);
    progress_end();
    if (status == QP_OK)
        status = system_write_picture(options, solution->width, solution->height, solution->x);
    if (status == QP_OK)
        status = solve_write_solution(options, context, solution);
    return status;
}

/* Writes and reports a solution. */
static enum qp_status leave(const struct options *options, struct qp_context *context,
                            const struct qp_solution *solution)
{
    const bool written = solution->ending == QP_CONVERGED ||
                         system_has_moved(solution->x, solution->width, solution->height, NULL);
    const enum qp_status status = written ? write_outputs(options, context, solution) : QP_OK;
    if (status != QP_OK)
        return status;
    fprintf(options->table, "%s on a grid of %d x %d, %s", solution->variant->name, solution->width,
            solution->height, solution->method);
    if (solution->weight != 1.0)
        fprintf(options->table, " with weight %.6g", solution->weight);
    fputs("\n", options->table);
    split_tell(options->table, context, solution->variant, &options->parts);
    system_tell_seconds(options->table, solution->seconds, solution->part);
    fprintf(options->table, "%s\n", solution->sentence);
    if (!written && system_writes(options))
        fputs("nothing is written: u is where it began\n", options->table);
    system_tell_quicker(solution->seconds, 1e-7 * solution->width * solution->height,
                        "a sine transform (FFTW)");
    return QP_OK;
}

static enum qp_status solve(struct command *command, const struct task *task,
                            const struct qp_variant *variant)
{
    struct options *options = command->options;
    struct qp_solution solution = {0};
    enum qp_status status = open_context(command, variant);
    struct qp_context *context = command->context;
    if (status == QP_OK && variant != NULL)
        system_tune(options, context, variant, task->height);
    const struct qp_poisson_desc desc = {
        .width = task->width,
        .height = task->height,
        .rhs = task->f,
        .kind = options->problem,
        .seed = options->seed,
        .method = options->method,
        .variant = variant,
        .in_double = options->in_double,
        .refine = options->refine,
        .tolerance = options->tolerance,
        .most_steps = options->max_iterations > 0 ? options->max_iterations : options->iterations,
        .pingpong = options->pingpong,
        .target = options->target,
        .parts = options->parts,
        .interrupt = &cmd_interrupted,
        .on_progress = progress_draw,
        .checkpoint = options->checkpoint,
        .every = options->every,
        .resume = options->resume};
    progress_say("solving for %d x %d unknowns", task->width, task->height);
    if (status == QP_OK)
        status = qp_solve_poisson(context, &desc, &solution);
    progress_end();
    if (status == QP_OK)
        status = leave(options, context, &solution);
    command->code = solution.ending == QP_CONVERGED ? EXIT_GOOD : EXIT_FAILED;
    qp_solution_destroy(&solution);
    return status;
}

enum qp_status solve_right_side(struct command *command)
{
    const struct options *options = command->options;
    struct task task = {0};
    const struct qp_variant *variant = NULL;
    enum qp_status status = refuse_options(options);
    if (status == QP_OK)
        status = system_find_variant(options, QP_RIGHT_SIDE, &variant);
    if (status == QP_OK)
        status = ranks_join(options, &variant, variant != NULL);
    if (status == QP_OK)
        status = read_rhs(options, &task);
    if (status == QP_OK)
        status = solve(command, &task, variant);
    free(task.f);
    return status;
}
