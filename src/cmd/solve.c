/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/picture.h"
#include "cmd/progress.h"

/* What the files hold; b and start a column for each system, which share the matrix. */
struct system {
    struct qp_market a, b, start;
};

/* What came out. */
struct answer {
    int columns, begun, converged;
    double *x;                /* rows * columns values; what was not begun is its start */
    int worst_column;         /* from 1; not converged is worse than any residual */
    struct qp_solution worst; /* without its x */
};

static bool is_dash(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* How sentences call a file that is read. */
static const char *shown(const char *path)
{
    return is_dash(path) ? "standard input" : path;
}

/* Columns of `rows` values; sparse ones are filled up with zeros. Left empty without a path. */
static enum qp_status read_columns(const char *path, int rows, struct qp_market *columns)
{
    if (path == NULL)
        return QP_OK;
    enum qp_status status = qp_market_read(path, columns);
    if (status != QP_OK)
        return status;
    if (columns->rows != rows)
        return qp_fail(QP_BAD_INPUT, "%s: is %d x %d where columns of %d values are needed",
                       shown(path), columns->rows, columns->columns, rows);
    if (columns->dense)
        return QP_OK;
    size_t count = (size_t)rows * (size_t)columns->columns;
    double *values = qp_alloc_zero(count, sizeof *values, "a sparse right-hand side or start");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < columns->count; k++)
        values[(size_t)columns->column[k] * (size_t)rows + (size_t)columns->row[k]] =
            columns->value[k];
    free(columns->value);
    columns->value = values;
    return QP_OK;
}

/* Without b there is one right-hand side, A times ones. */
static int columns_of(const struct system *system)
{
    return system->b.value != NULL ? system->b.columns : 1;
}

static enum qp_status read_system(const struct options *options, struct system *system)
{
    if (options->word_count < 1 || options->word_count > 2)
        return qp_fail(QP_BAD_USE, "solve takes a matrix file and at most one of right-hand sides");
    const char *b = options->word_count == 2 ? options->words[1] : NULL;
    const char *inputs[3] = {options->words[0], b, options->start};
    int from_standard = 0;
    for (int i = 0; i < 3; i++)
        from_standard += is_dash(inputs[i]);
    if (from_standard > 1)
        return qp_fail(QP_BAD_USE, "only one file can come from standard input");
    enum qp_status status = qp_market_read(inputs[0], &system->a);
    if (status == QP_OK)
        status = read_columns(b, system->a.rows, &system->b);
    if (status == QP_OK)
        status = read_columns(options->start, system->a.rows, &system->start);
    if (status == QP_OK && system->start.value != NULL &&
        system->start.columns != columns_of(system))
        return qp_fail(QP_BAD_INPUT, "%s: has %d columns for %d right-hand sides",
                       shown(options->start), system->start.columns, columns_of(system));
    return status;
}

/* An hour of solving is not to end in a folder that does not exist. */
static enum qp_status check_writable(const char *path)
{
    if (path == NULL || is_dash(path))
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
    answer->columns = columns_of(system);
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

int cmd_solve(int argc, char **argv)
{
    static const struct options_form form = {"solve", "A.mtx [b.mtx]",
                                             "Solves A x = b by weighted Jacobi on the GPU, column "
                                             "by column of b; without b it is A times ones.",
                                             true};
    struct options options;
    options_read(argc, argv, &form, &options);
    cmd_catch_interrupt();
    struct system system = {0};
    struct answer answer = {0};
    struct qp_solve_desc desc = describe(&options);
    struct qp_context *context = NULL;
    enum qp_status status = read_system(&options, &system);
    if (status == QP_OK)
        status = check_writable(options.output);
    if (status == QP_OK)
        status = check_writable(options.picture);
    if (status == QP_OK)
        status = find_variant(&options, &desc, &context);
    if (status == QP_OK)
        status = solve(context, &system, &desc, &answer);
    if (status == QP_OK)
        status = write_outputs(&options, &answer);
    if (status == QP_OK)
        report(options.table, &answer);
    int code = status != QP_OK                      ? cmd_failed(status)
               : answer.converged == answer.columns ? EXIT_GOOD
                                                    : EXIT_FAILED;
    qp_context_destroy(&context);
    free(answer.x);
    qp_market_destroy(&system.a);
    qp_market_destroy(&system.b);
    qp_market_destroy(&system.start);
    return code;
}
