/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/op.h"
#include "lab/solve/solvers.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/terminal.h"

static const int step_counts[] = {1, 10, 100, 1000};
enum { MOST_KINDS = 8, COUNTS = sizeof step_counts / sizeof step_counts[0], USUAL_SIDE = 256 };

/* Variants compared by default: residual divided, residual times an inverse, sum divided, sum of
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

/* False, with a message, if a variant has no steps whose errors could add up. */
static bool all_step(const struct qp_variant *const variants[], int count)
{
    for (int i = 0; i < count; i++) {
        if (qp_solver_of(variants[i])->input == QP_NINE_BANDS)
            continue;
        sentence_say("accuracy follows iterations step by step, and %s is none; "
                     "'quadpass check %s' compares its answer",
                     variants[i]->name, variants[i]->name);
        return false;
    }
    return true;
}

/* Leaves out variants of operations where steps of the kind asked for repeat the first one's
 * answer, for a pattern such as openmp matches them too; returns how many are left, or all if none
 * is. */
static int leave_settled_out(const char *kind, const struct qp_variant *variants[], int count)
{
    int left = 0;
    for (int i = 0; i < count && kind != NULL; i++) {
        const struct qp_op *op = qp_op_find(variants[i]->op);
        if (!qp_op_kind_at(op, qp_op_kind(op, kind))->settles)
            variants[left++] = variants[i];
    }
    return left > 0 ? left : count;
}

/* True if all variants solve from this input. */
static bool all_solve(const struct qp_variant *const variants[], int count,
                      enum qp_solver_input input)
{
    int k = 0;
    while (k < count && qp_solver_of(variants[k])->input == input)
        k++;
    return k == count;
}

/* The kind whose whole solves are measured: of eliminations the one asked for, or the usual one; of
 * others one that is asked for, is solved, and is not to be followed for so many steps. NULL:
 * none. */
static const char *solved_kind(const struct options *options,
                               const struct qp_variant *const variants[], int count)
{
    const struct qp_kind *kind = qp_op_find(variants[0]->op)->kinds;
    const bool eliminates = all_solve(variants, count, QP_ANY_MATRIX);
    if (eliminates && options->problem != NULL)
        return options->problem;
    if (!eliminates && (!all_solve(variants, count, QP_NINE_BANDS) || options->problem == NULL ||
                        options->iterations > 0))
        return NULL;
    while (kind->name != NULL &&
           !(kind->solved && (eliminates || strcmp(kind->name, options->problem) == 0)))
        kind++;
    return kind->name;
}

/* The kind asked for, or those that the variants' operation names; returns how many. */
static int list_kinds(const struct options *options, const struct qp_variant *variant,
                      const char *kinds[MOST_KINDS])
{
    const struct qp_kind *kind = qp_op_find(variant->op)->kinds;
    int count = 0;
    if (options->problem != NULL)
        kinds[count++] = options->problem;
    for (; options->problem == NULL && kind->name != NULL && count < MOST_KINDS; kind++) {
        if (kind->followed)
            kinds[count++] = kind->name;
    }
    return count;
}

/* Numbers of steps that a kind is measured after. */
static int counts_of(const struct options *options)
{
    return options->iterations > 0 ? 1 : COUNTS;
}

/* A kind of problem after all numbers of steps. */
static enum qp_status measure(struct command *command, const char *kind,
                              const struct qp_variant *const variants[], int count)
{
    const struct options *options = command->options;
    struct cmd_problems problems;
    const int width = options->width > 0 ? options->width : USUAL_SIDE,
              height = options->width > 0 ? options->height : USUAL_SIDE;
    enum qp_status status =
        cmd_problems_create(options, kind, width, height, false, variants, count, &problems);
    if (status != QP_OK)
        return status;
    for (int i = 0; i < counts_of(options) && status == QP_OK && !cmd_interrupted; i++) {
        const int first = command->count;
        const struct qp_bench_desc desc = {
            .iterations = options->iterations > 0 ? options->iterations : step_counts[i],
            .repeats = 1,
            .cold = true,
            .pingpong = options->pingpong,
            .target = options->target};
        progress_say("accuracy of %s, %d steps", kind, desc.iterations);
        status = command_bench(command, variants, problems.of, count, &desc);
        progress_end();
        if (cmd_interrupted)
            command->count = first; /* some variants may not have run */
        for (int k = first; k < command->count; k++)
            print_record(options->table, &command->records[k]);
    }
    cmd_problems_destroy(&problems);
    return status;
}

enum qp_status cmd_accuracy(struct options *options, struct command *command)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    if (options->word_count == 0 && options->variant == NULL) {
        for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
            options->words[options->word_count++] = qp_variant_find(usual[i])->name;
    }
    int count = cmd_select(options, variants);
    if (count > 0)
        count = leave_settled_out(options->problem, variants, count);
    if (count > 0 && all_solve(variants, count, QP_RIGHT_SIDE))
        return accuracy_poisson(command, variants, count);
    const char *solved = count > 0 ? solved_kind(options, variants, count) : NULL;
    if (solved != NULL)
        return accuracy_solved(command, variants, count, solved);
    if (count < 0 || !all_step(variants, count))
        return command_end(command, EXIT_USAGE);
    const char *kinds[MOST_KINDS];
    const int kinds_count = list_kinds(options, variants[0], kinds);
    cmd_catch_interrupt();
    enum qp_status status = command_open(command, variants, count);
    if (status == QP_OK)
        fprintf(options->table, "%-10s %6s %-30s %10s %10s\n", "problem", "steps", "variant",
                "largest", "rms");
    for (int i = 0; i < kinds_count && status == QP_OK && !cmd_interrupted; i++)
        status = measure(command, kinds[i], variants, count);
    if (status == QP_OK)
        status = command_write(command);
    if (cmd_interrupted)
        fprintf(options->table, "interrupted after %d of %d lines\n", command->count,
                kinds_count * counts_of(options) * count);
    for (int i = 0; i < command->count; i++)
        command->verdicts[command->records[i].verdict]++;
    command->code = command->verdicts[QP_FAIL] > 0 || cmd_interrupted ? EXIT_FAILED : EXIT_GOOD;
    return status;
}
