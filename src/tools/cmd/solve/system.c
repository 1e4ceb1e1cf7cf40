/* SPDX-License-Identifier: MIT */
#include "tools/cmd/solve/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/picture.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/style.h"

static bool is_dash(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Name of an input file in sentences. */
static const char *shown(const char *path)
{
    return is_dash(path) ? "standard input" : path;
}

/* Reads columns of `rows` values; sparse ones are filled up with zeros. Left empty without a
 * path. */
static enum qp_status read_columns(const char *path, int rows, struct qp_market *columns)
{
    if (path == NULL)
        return QP_OK;
    enum qp_status status = grid_read_columns(path, columns);
    if (status != QP_OK)
        return status;
    if (columns->dense && columns->rows == 1 && columns->columns == rows && grid_is_array(path)) {
        columns->rows = rows; /* an array of one axis */
        columns->columns = 1;
    }
    if (columns->rows != rows)
        return qp_fail(
            QP_BAD_INPUT,
            "%s: is %d x %d where columns of %d values are needed, one for each row of the "
            "matrix",
            shown(path), columns->rows, columns->columns, rows);
    if (columns->dense)
        return QP_OK;
    size_t count = (size_t)rows * (size_t)columns->columns;
    const double bytes = (double)count * sizeof *columns->value, there = 0.9 * qp_memory_there();
    if (bytes > there)
        return qp_fail(QP_BAD_INPUT,
                       "%s: %d columns of %d values need about %.1f GB, and may take %.1f; give "
                       "fewer at a time",
                       shown(path), columns->columns, rows, bytes * 1e-9, there * 1e-9);
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

bool system_takes_ones(const struct options *options)
{
    return options->rhs != NULL && strcmp(options->rhs, "ones") == 0;
}

double *system_ones(size_t count)
{
    double *values = qp_alloc(count, sizeof *values, "a right-hand side of ones");
    for (size_t i = 0; values != NULL && i < count; i++)
        values[i] = 1.0;
    return values;
}

const char *system_given(const struct system_option *options)
{
    while (options->name != NULL && !options->given)
        options++;
    return options->name;
}

int system_columns(const struct system *system)
{
    return system->b.value != NULL ? system->b.columns : 1;
}

enum qp_status system_read(const struct options *options, struct system *system)
{
    if (options->word_count < 1 || options->word_count > 2)
        return qp_fail(QP_BAD_USE, "solve takes a matrix file and at most one of right-hand sides");
    const char *b = options->word_count == 2 ? options->words[1] : NULL;
    if (b != NULL && system_takes_ones(options))
        return qp_fail(QP_BAD_USE, "--rhs ones is a right-hand side, and %s another; leave one out",
                       shown(b));
    const char *inputs[3] = {options->words[0], b, options->start};
    int from_standard = 0;
    for (int i = 0; i < 3; i++)
        from_standard += is_dash(inputs[i]);
    if (from_standard > 1)
        return qp_fail(QP_BAD_USE, "only one file can come from standard input");
    progress_say("reading %.40s", shown(inputs[0]));
    enum qp_status status = grid_read_columns(inputs[0], &system->a);
    if (status == QP_OK && system->a.rows != system->a.columns)
        status = qp_fail(QP_BAD_INPUT,
                         "%s: is %d x %d, and only a square matrix can be %s (give one row to each "
                         "unknown)",
                         shown(inputs[0]), system->a.rows, system->a.columns,
                         strcmp(options->command->name, "invert") == 0 ? "inverted" : "solved");
    if (status == QP_OK && system_takes_ones(options)) {
        system->b = (struct qp_market){.rows = system->a.rows, .columns = 1, .dense = true};
        system->b.value = system_ones((size_t)system->a.rows);
        status = system->b.value != NULL ? QP_OK : QP_NO_MEMORY;
    } else if (status == QP_OK)
        status = read_columns(b, system->a.rows, &system->b);
    if (status == QP_OK)
        status = read_columns(options->start, system->a.rows, &system->start);
    if (status == QP_OK && system->start.value != NULL &&
        system->start.columns != system_columns(system))
        return qp_fail(QP_BAD_INPUT, "%s: has %d columns for %d right-hand sides",
                       shown(options->start), system->start.columns, system_columns(system));
    return status;
}

/* Lists the operations that solve matrices from files, as "a, b and c". */
static void list_solvers(char *text, size_t size)
{
    size_t length = 0;
    for (const struct qp_solver *s = qp_solvers; qp_solver_reads_files(s) && length < size; s++) {
        const char *comma = length == 0 ? "" : qp_solver_reads_files(s + 1) ? ", " : " and ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", comma, s->op->name);
    }
}

enum qp_status system_find_variant(const struct options *options, enum qp_solver_input own,
                                   const struct qp_variant **variant)
{
    const struct qp_op *op = qp_solver_for(own)->op;
    char name[128], solvers[256];
    *variant = NULL;
    if (options->variant == NULL)
        return QP_OK;
    snprintf(name, sizeof name, "%s/%s", op != NULL ? op->name : "", options->variant);
    if (op != NULL)
        *variant = qp_variant_find(name);
    if (*variant == NULL)
        *variant = qp_variant_find(options->variant);
    if (*variant == NULL)
        return cmd_unknown_variant(options->variant);
    if (own == QP_RIGHT_SIDE || qp_solver_reads_files(qp_solver_of(*variant)))
        return QP_OK;
    list_solvers(solvers, sizeof solvers);
    return qp_fail(QP_BAD_USE,
                   "%s: is a variant of %s, which solves no system from a file; those of %s do",
                   (*variant)->name, (*variant)->op, solvers);
}

enum qp_status system_open(struct command *command, const struct qp_variant *variant)
{
    const enum qp_status status = command_open_for(command, variant);
    if (status == QP_OK && variant != NULL && variant->backend == QP_CUDA &&
        qp_cuda_look(qp_context_cuda_ordinal(command->context)) != QP_OK)
        return qp_fail_within(QP_NO_DEVICE, "%s", variant->name);
    return status;
}

void system_tune(struct options *options, const struct qp_context *context,
                 const struct qp_variant *variant, int rows)
{
    char tuned[QP_WINNER_LETTERS];
    const struct qp_style style = style_take(options, context, variant, rows, tuned);
    if (tuned[0] == '\0' || style.group_x + style.block > 0)
        return;
    style_say(variant->name, tuned);
    memcpy(options->tuned, tuned, sizeof tuned);
    options->pingpong = style.pingpong;
    options->target = style.target;
    options->parts = style.parts;
}

void system_tell_quicker(double seconds, double on_host, const char *solver)
{
    const double far = 5.0, short_solve = 0.5; /* nobody waits for a shorter one */
    if (seconds > short_solve && seconds > far * on_host)
        sentence_say("%s on the host would take about %.1g s, where this took %.2g s", solver,
                     on_host, seconds);
}

bool system_has_moved(const double *x, int rows, int columns, const double *start)
{
    const size_t count = (size_t)rows * (size_t)columns;
    size_t k = 0;
    while (k < count && x[k] == (start != NULL ? start[k] : 0.0))
        k++;
    return k < count;
}

enum qp_status system_write_picture(const struct options *options, int width, int height,
                                    const double *x)
{
    double low = 0.0, high = 0.0;
    if (options->picture == NULL)
        return QP_OK;
    const enum qp_status status = picture_write(options->picture, width, height, x, &low, &high);
    if (status == QP_OK)
        picture_tell_scale(options->table, options->picture, low, high);
    return status;
}

bool system_writes(const struct options *options)
{
    return options->output != NULL || options->picture != NULL || options->json != NULL ||
           options->csv != NULL;
}

void system_destroy(struct system *system)
{
    qp_market_destroy(&system->a);
    qp_market_destroy(&system->b);
    qp_market_destroy(&system->start);
}

const char *system_layout(const struct qp_variant *variant)
{
    return qp_solver_of(variant)->input != QP_SPARSE    ? NULL
           : strstr(variant->name, "diagonals") != NULL ? "diagonals"
           : strstr(variant->name, "cuda") != NULL      ? "cuda_adaptive"
                                                        : "sliced_ell";
}

/* ---- Records ---- */

/* Seconds of the solve itself: what no part of them has. */
static double rest_of(double seconds, const double part[])
{
    for (int k = 0; k < QP_SOLVE_PARTS; k++)
        seconds -= part[k];
    return fmax(seconds, 0.0);
}

void system_tell_seconds(FILE *table, double seconds, const double part[])
{
    fprintf(table, "seconds: %.2g to compile, %.2g to set up, %.2g to solve, %.2g to judge\n",
            part[QP_COMPILING], part[QP_SETTING_UP], rest_of(seconds, part), part[QP_JUDGING]);
}

/* Adds a solve's seconds, and its parts, which add up to them. */
static bool add_seconds(cJSON *record, double seconds, const double part[])
{
    static const char *const names[] = {"compile_seconds", "set_up_seconds", "judge_seconds"};
    bool good = records_add(record, "seconds", records_number(seconds));
    for (int k = 0; k < QP_SOLVE_PARTS; k++)
        good = good && records_add(record, names[k], records_number(part[k]));
    return good && records_add(record, "solve_seconds", records_number(rest_of(seconds, part)));
}

static cJSON *make_record(const void *sides, int number)
{
    const struct qp_side *side = (const struct qp_side *)sides + number;
    const char *name = side->variant != NULL ? side->variant->name : NULL;
    cJSON *record = cJSON_CreateObject();
    const bool good = records_add(record, "variant", records_string(name)) &&
                      records_add(record, "method", records_string(qp_method_name(side->method))) &&
                      records_add(record, "reason", records_string(side->reason)) &&
                      records_add(record, "iterations", records_number(side->steps)) &&
                      records_add(record, "eliminations", records_number(side->eliminations)) &&
                      records_add(record, "residual", records_number(side->residual)) &&
                      records_add(record, "condition", records_number(side->condition)) &&
                      records_add(record, "certain_digits",
                                  records_number(side->digits >= 0 ? side->digits : NAN)) &&
                      add_seconds(record, side->seconds, side->part) &&
                      records_add(record, "ending", records_string(qp_ending_name(side->ending))) &&
                      records_add(record, "solver", records_string(side->solver)) &&
                      records_add(record, "layout", records_string(system_layout(side->variant)));
    return records_keep(good, record);
}

static cJSON *make_solution(const struct options *options, const struct qp_solution *s)
{
    const bool asked = options->variant != NULL || options->method != NULL;
    const char *reason = asked ? "asked for"
                         : qp_solver_of(s->variant)->input == QP_NINE_BANDS
                             ? "expected to be the quickest"
                             : "the first listed for this kind of "
                               "device";
    cJSON *record = cJSON_CreateObject();
    const bool good = records_add(record, "variant", records_string(s->variant->name)) &&
                      records_add(record, "method", records_string(s->method)) &&
                      records_add(record, "reason", records_string(reason)) &&
                      records_add(record, "width", records_number(s->width)) &&
                      records_add(record, "height", records_number(s->height)) &&
                      records_add(record, "iterations", records_number(s->steps)) &&
                      records_add(record, "rounds", records_number(s->rounds)) &&
                      records_add(record, "weight", records_number(s->weight)) &&
                      records_add(record, "residual", records_number(s->residual)) &&
                      add_seconds(record, s->seconds, s->part) &&
                      records_add(record, "ending", records_string(qp_ending_name(s->ending)));
    return records_keep(good, record);
}

/* Adds to each record as what its variant is tuned, and writes them. */
static enum qp_status write_tuned(const struct options *options, const struct qp_context *context,
                                  cJSON *records)
{
    cJSON *record;
    bool good = records != NULL;
    cJSON_ArrayForEach(record, records) good =
        good && records_add(record, "tuned", records_string(options->tuned));
    return cmd_write_rows(options, context, records_keep(good, records));
}

enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count)
{
    return write_tuned(options, context, records_list(count, make_record, sides));
}

enum qp_status solve_write_solution(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution)
{
    cJSON *records = cJSON_CreateArray();
    const bool good = records_append(records, make_solution(options, solution));
    return write_tuned(options, context, records_keep(good, records));
}

enum qp_status solve_write_dense_records(const struct options *options, struct qp_context *context,
                                         const struct qp_dense_solution *solution)
{
    struct qp_side *sides =
        qp_alloc((size_t)solution->sides, sizeof *sides, "the records of an elimination");
    if (sides == NULL)
        return QP_NO_MEMORY;
    for (int k = 0; k < solution->sides; k++) {
        sides[k] = qp_dense_side(solution, k);
        snprintf(sides[k].reason, sizeof sides[k].reason, "%s%s",
                 options->variant != NULL ? solution->variant->name : "elimination",
                 options->variant != NULL ? " was asked for"
                                          : " was taken, for iteration makes no inverse");
    }
    const enum qp_status status = solve_write_records(options, context, sides, solution->sides);
    free(sides);
    return status;
}
