/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/picture.h"
#include "cmd/progress.h"

/* What the files hold. */
struct system {
    struct qp_market a, b, start;
};

/* A vector as a dense column; a sparse one is filled up with zeros. NULL if it was not given. */
static enum qp_status read_vector(const char *path, int rows, struct qp_market *vector)
{
    if (path == NULL)
        return QP_OK;
    enum qp_status status = qp_market_read(path, vector);
    if (status != QP_OK)
        return status;
    if (vector->rows != rows || vector->columns != 1)
        return qp_fail(QP_BAD_INPUT, "%s: is %d x %d where a vector of %d x 1 is needed", path,
                       vector->rows, vector->columns, rows);
    if (vector->dense)
        return QP_OK;
    double *values = qp_alloc_zero((size_t)rows, sizeof *values, "a vector");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < vector->count; k++)
        values[vector->row[k]] = vector->value[k];
    free(vector->value);
    vector->value = values;
    return QP_OK;
}

static enum qp_status read_system(const struct options *options, struct system *system)
{
    if (options->word_count < 1 || options->word_count > 2)
        return qp_fail(QP_BAD_USE, "solve takes a matrix file and at most one right-hand side");
    const char *b = options->word_count == 2 ? options->words[1] : NULL;
    const char *inputs[3] = {options->words[0], b, options->start};
    int from_standard = 0;
    for (int i = 0; i < 3; i++)
        from_standard += inputs[i] != NULL && strcmp(inputs[i], "-") == 0;
    if (from_standard > 1)
        return qp_fail(QP_BAD_USE, "only one file can come from standard input");
    enum qp_status status = qp_market_read(inputs[0], &system->a);
    if (status == QP_OK)
        status = read_vector(b, system->a.rows, &system->b);
    if (status == QP_OK)
        status = read_vector(options->start, system->a.rows, &system->start);
    return status;
}

/* An hour of solving is not to end in a folder that does not exist. */
static enum qp_status check_writable(const char *path)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return QP_OK;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        slash[slash == folder] = '\0';
    if (access(folder, W_OK) == 0 && (access(path, F_OK) != 0 || access(path, W_OK) == 0))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s cannot be written: %s", path, strerror(errno));
}

static enum qp_status find_variant(const struct options *options, struct qp_solve_desc *desc,
                                   struct qp_context **context)
{
    desc->variant = options->variant != NULL ? qp_variant_find(options->variant) : NULL;
    if (options->variant != NULL && desc->variant == NULL)
        return qp_fail(QP_BAD_USE, "no variant is called '%s'; 'quadpass list' shows them",
                       options->variant);
    if (desc->variant != NULL && desc->variant->backend != QP_GL)
        return QP_OK;
    struct qp_context_desc wanted = {.device = options->device};
    return qp_context_create(&wanted, context);
}

static enum qp_status write_outputs(const struct options *options,
                                    const struct qp_solution *solution)
{
    enum qp_status status = QP_OK;
    if (options->output != NULL)
        status =
            qp_market_write(options->output, solution->width * solution->height, 1, solution->x);
    if (options->picture != NULL && status == QP_OK)
        status = picture_write(options->picture, solution->width, solution->height, solution->x,
                               NULL, NULL);
    return status;
}

static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct system *system, struct qp_solve_desc *desc,
                            struct qp_solution *solution)
{
    desc->weight = options->weight;
    desc->tolerance = options->tolerance;
    desc->most_steps = options->max_iterations > 0 ? options->max_iterations : options->iterations;
    desc->refine = options->refine;
    desc->width = options->grid_width;
    desc->height = options->grid_height;
    desc->pingpong = options->pingpong;
    desc->target = options->target;
    desc->interrupt = &cmd_interrupted;
    desc->on_progress = progress_draw;
    return qp_solve(context, &system->a, system->b.value, system->start.value, desc, solution);
}

int cmd_solve(int argc, char **argv)
{
    static const struct options_form form = {"solve", "A.mtx [b.mtx]",
                                             "Solves A x = b by weighted Jacobi on the GPU; "
                                             "without b the right-hand side is A times ones.",
                                             true};
    struct options options;
    options_read(argc, argv, &form, &options);
    cmd_catch_interrupt();
    struct system system = {0};
    struct qp_solution solution = {0};
    struct progress bar = {0};
    struct qp_solve_desc desc = {.user = &bar};
    struct qp_context *context = NULL;
    enum qp_status status = read_system(&options, &system);
    if (status == QP_OK)
        status = check_writable(options.output);
    if (status == QP_OK)
        status = check_writable(options.picture);
    if (status == QP_OK)
        status = find_variant(&options, &desc, &context);
    if (status == QP_OK)
        status = solve(&options, context, &system, &desc, &solution);
    progress_end(&bar);
    if (status == QP_OK)
        status = write_outputs(&options, &solution);
    int code = EXIT_GOOD;
    if (status != QP_OK)
        code = cmd_failed(status);
    else {
        fprintf(options.table, "%s on a grid of %d x %d, weight %.4g\n%s\n", solution.variant->name,
                solution.width, solution.height, solution.weight, solution.sentence);
        code = solution.ending == QP_CONVERGED ? EXIT_GOOD : EXIT_FAILED;
    }
    qp_context_destroy(&context);
    qp_solution_destroy(&solution);
    qp_market_destroy(&system.a);
    qp_market_destroy(&system.b);
    qp_market_destroy(&system.start);
    return code;
}
