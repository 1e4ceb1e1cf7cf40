/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "cmd/output/terminal.h"
#include "ops/table.h"
#include "plan/op.h"
#include "solve/solvers.h"

static const int step_counts[] = {1, 10, 100, 1000};
enum { MOST_KINDS = 8, COUNTS = sizeof step_counts / sizeof step_counts[0] };

/* Rows compared by default: residual divided, residual times an inverse, sum divided, sum of
 * pre-divided terms. */
static const char *const usual[] = {"bands", "inverse", "luminance", "rgba_abreast"};

/* Prints errors in units of 2^-24 of the largest sum that an update forms: one rounding of it. */
static void print_record(FILE *table, const struct qp_record *r)
{
    fprintf(table, "%-10s %6d %-30s", r->problem, r->iterations, r->variant->name);
    if (r->verdict == QP_SKIP || isnan(r->error))
        fprintf(table, " %s  %s\n", terminal_verdict(table, r->verdict, 0), r->reason);
    else
        fprintf(table, " %10.3f %10.3f\n", r->error * 0x1p24, r->error_rms * 0x1p24);
}

/* False, with a message, if a row has no steps whose errors could add up. */
static bool all_step(const struct qp_variant *const rows[], int count)
{
    for (int i = 0; i < count; i++) {
        if (qp_solver_of(rows[i])->input == QP_NINE_BANDS)
            continue;
        sentence_say("accuracy follows iterations step by step, and %s is none; "
                     "'quadpass check %s' compares its answer",
                     rows[i]->name, rows[i]->name);
        return false;
    }
    return true;
}

/* Leaves out rows of operations where steps of the kind asked for repeat the first one's answer,
 * for a pattern such as openmp matches them too; returns how many are left, or all if none is. */
static int leave_settled_out(const char *kind, const struct qp_variant *rows[], int count)
{
    int left = 0;
    for (int i = 0; i < count && kind != NULL; i++) {
        const struct qp_op *op = qp_op_find(rows[i]->op);
        if (!qp_op_kind_at(op, qp_op_kind(op, kind))->settles)
            rows[left++] = rows[i];
    }
    return left > 0 ? left : count;
}

/* True if all rows step towards the solution of an equation on a grid. */
static bool all_solve_right_sides(const struct qp_variant *const rows[], int count)
{
    int k = 0;
    while (k < count && qp_solver_of(rows[k])->input == QP_RIGHT_SIDE)
        k++;
    return k == count;
}

/* The kind asked for, or those that the rows' operation names; returns how many. */
static int list_kinds(const struct options *options, const struct qp_variant *row,
                      const char *kinds[MOST_KINDS])
{
    const struct qp_kind *kind = qp_op_find(row->op)->kinds;
    int count = 0;
    if (options->problem != NULL)
        kinds[count++] = options->problem;
    for (; options->problem == NULL && kind->name != NULL && count < MOST_KINDS; kind++) {
        if (kind->followed)
            kinds[count++] = kind->name;
    }
    return count;
}

/* A kind of problem after all numbers of steps; `records` has room for COUNTS * count. */
static enum qp_status measure(const struct options *options, const char *kind,
                              struct qp_context *context, const char *why,
                              const struct qp_variant *const rows[], int count,
                              struct qp_record *records, int *done)
{
    struct cmd_problems problems;
    int size = options->width > 0 ? options->width : 256;
    int height = options->width > 0 ? options->height : 256;
    enum qp_status status =
        cmd_problems_create(options, kind, size, height, false, rows, count, &problems);
    if (status != QP_OK)
        return status;
    for (int i = 0; i < (options->iterations > 0 ? 1 : COUNTS); i++) {
        struct qp_bench_desc desc = {.iterations = options->iterations > 0 ? options->iterations
                                                                           : step_counts[i],
                                     .repeats = 1,
                                     .cold = true,
                                     .pingpong = options->pingpong,
                                     .target = options->target,
                                     .no_device = why,
                                     .interrupt = &cmd_interrupted};
        progress_say("accuracy of %s, %d steps", kind, desc.iterations);
        status = qp_bench(context, rows, problems.of, count, &desc, records + *done);
        if (status != QP_OK || cmd_interrupted)
            break;
        progress_end();
        for (int k = 0; k < count; k++)
            print_record(options->table, &records[*done + k]);
        *done += count;
    }
    cmd_problems_destroy(&problems);
    return status;
}

static enum qp_status carry_out(struct options *options, struct command *command)
{
    const struct qp_variant *rows[MOST_ROWS];
    if (options->word_count == 0 && options->variant == NULL) {
        for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
            options->words[options->word_count++] = qp_variant_find(usual[i])->name;
    }
    int count = cmd_select(options, rows), done = 0;
    if (count > 0)
        count = leave_settled_out(options->problem, rows, count);
    if (count > 0 && all_solve_right_sides(rows, count))
        return command_end(command, accuracy_poisson(options, rows, count));
    if (count < 0 || !all_step(rows, count))
        return command_end(command, EXIT_USAGE);
    const char *kinds[MOST_KINDS];
    const int kinds_count = list_kinds(options, rows[0], kinds);
    struct qp_record *records = calloc((size_t)(kinds_count * COUNTS * count), sizeof *records);
    if (records == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the records");
    cmd_catch_interrupt();
    enum qp_status status = command_open(command, options, rows, count);
    fprintf(options->table, "%-10s %6s %-30s %10s %10s\n", "problem", "steps", "variant", "largest",
            "rms");
    for (int i = 0; i < kinds_count && status == QP_OK && !cmd_interrupted; i++)
        status =
            measure(options, kinds[i], command->context, command->why, rows, count, records, &done);
    progress_end();
    if (status == QP_OK && !(cmd_interrupted && done == 0))
        status = cmd_write_records(options, command->context, records, done);
    int failed = 0, counts = options->iterations > 0 ? 1 : COUNTS;
    if (cmd_interrupted)
        fprintf(options->table, "interrupted after %d of %d lines\n", done,
                kinds_count * counts * count);
    for (int i = 0; i < done; i++)
        failed += records[i].verdict == QP_FAIL;
    free(records);
    command->code = failed > 0 || cmd_interrupted ? EXIT_FAILED : EXIT_GOOD;
    return status;
}

int cmd_accuracy(int argc, char **argv)
{
    static const struct options_form form = {
        "accuracy", "[PATTERN...]",
        "Compares variants with the reference in double, step by step: the largest error and its "
        "root mean square, in units of 2^-24 of the largest sum that one update forms. Rows that "
        "solve Poisson's equation are compared with the exact solution of its equations instead."};
    return command_run(argc, argv, &form, carry_out);
}
