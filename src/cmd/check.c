/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "cmd/solved.h"
#include "ops/op.h"

/* Values of a kind's parameter that are checked: the first and the last of its sweep, and two between. */
enum { CHECKED_PARAMETERS = 4 };

/* The problems to check rows of one operation on: those of the kind asked for or of all kinds, and of
 * each kind those with the parameter asked for or with several. */
struct family {
    const struct options *options;
    const struct qp_op *op;
    int parameters; /* of each kind */
};

static enum qp_status make_problem(void *user, int number, int width, int height, int systems,
                                   struct qp_problem *out)
{
    const struct family *family = user;
    const struct qp_op *op = family->op;
    const char *kind = family->options->problem;
    const int k = number % family->parameters;
    struct options one = *family->options;
    if (kind == NULL)
        kind = op->kinds[number / family->parameters];
    if (family->parameters > 1) {
        const int last = qp_op_sweep(op, qp_op_kind(op, kind)) - 1;
        one.parameter = op->ranges[qp_op_kind(op, kind)].sweep[k * last / (CHECKED_PARAMETERS - 1)];
    }
    return cmd_problem(&one, op->name, kind, width, height, systems, out);
}

/* Batches of a kind that is asked for by its name alone have systems of one size, the benchmark's. */
static bool comes_in_one_size(const struct options *options, const struct qp_op *op)
{
    return options->problem != NULL && op->batch &&
           qp_op_kind(op, options->problem) >= op->checked_kinds;
}

static enum qp_status check_operation(const struct options *options, struct qp_context *context,
                                      const char *why, const struct qp_variant *const rows[],
                                      int count, struct qp_tally *tallies)
{
    struct family family = {.options = options, .op = qp_op_find(rows[0]->op), .parameters = 1};
    struct qp_check_desc desc = {.make = make_problem,
                                 .problems = 1,
                                 .width = options->width,
                                 .height = options->height,
                                 .iterations = options->iterations_given ? options->iterations : 0,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .no_device = why,
                                 .interrupt = &cmd_interrupted,
                                 .user = &family};
    if (options->width == 0 && comes_in_one_size(options, family.op)) {
        desc.width = family.op->bench_sizes->width;
        desc.height = family.op->bench_sizes->height;
    }
    while (options->problem == NULL && family.op->kinds[desc.problems] != NULL &&
           (family.op->checked_kinds == 0 || desc.problems < family.op->checked_kinds))
        desc.problems++;
    if (family.op->ranges != NULL && options->parameter < 0)
        family.parameters = CHECKED_PARAMETERS;
    desc.problems *= family.parameters;
    return qp_check(context, rows, count, &desc, tallies);
}

static void skip_all(const struct options *options, const struct qp_variant *const rows[],
                     int count, struct qp_tally *tallies)
{
    for (int i = 0; i < count; i++)
        tallies[i] = (struct qp_tally){.worst = cmd_skipped(rows[i], options), .skipped = 1};
}

static enum qp_status check_all(const struct options *options, struct qp_context *context,
                                const char *why, const struct qp_variant *const rows[], int count,
                                struct qp_tally *tallies)
{
    enum qp_status status = QP_OK;
    int refused = 0;
    for (int begin = 0, same; begin < count && status == QP_OK && !cmd_interrupted; begin += same) {
        same = cmd_same_operation(rows + begin, count - begin);
        status = check_operation(options, context, why, rows + begin, same, tallies + begin);
        if (status == QP_BAD_USE) { /* a size that others may take */
            skip_all(options, rows + begin, same, tallies + begin);
            refused += same;
            status = refused < count ? QP_OK : status;
        }
    }
    return status;
}

/* The record of a row that steps right but solves wrong. */
static void fail(struct qp_tally *tally, const char *reason)
{
    struct qp_record *record = &tally->worst;
    tally->failed++;
    record->verdict = QP_FAIL;
    record->seconds = record->seconds_min = NAN;
    record->glups = record->gbytes_per_s = record->gflops = NAN;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
}

/* Whole solves of the rows that have passed so far; `solved` has room for all. The systems have sizes
 * and step counts of their own: who asks for others does not want them. */
static enum qp_status check_solutions(const struct options *options, struct qp_context *context,
                                      const struct qp_variant *const rows[], int count,
                                      struct qp_tally *tallies, struct solved *solved)
{
    const struct qp_variant *good[MOST_ROWS];
    struct solved of_good[MOST_ROWS];
    int number[MOST_ROWS], left = 0;
    for (int i = 0; i < count; i++) {
        number[left] = i;
        good[left] = rows[i];
        left += qp_tally_verdict(&tallies[i]) == QP_PASS;
    }
    if (options->width > 0 || options->iterations_given)
        return QP_OK;
    enum qp_status status = solved_check(options, context, good, left, of_good);
    for (int i = 0; i < left && status == QP_OK; i++) {
        solved[number[i]] = of_good[i];
        if (of_good[i].failed)
            fail(&tallies[number[i]], of_good[i].reason);
    }
    if (status == QP_UNSUPPORTED) {
        fprintf(options->table, "no solution is compared with a direct solver's: %s\n", qp_error());
        return QP_OK;
    }
    return status;
}

/* A skip that was required to run is a failure. */
static enum qp_verdict verdict_of(const struct options *options, struct qp_tally *tally)
{
    enum qp_verdict verdict = qp_tally_verdict(tally);
    if (verdict == QP_SKIP && cmd_is_required(options, tally->worst.variant))
        tally->worst.verdict = verdict = QP_FAIL;
    return verdict;
}

static void print_row(FILE *table, int name_width, const struct qp_tally *tally,
                      const struct solved *solved, enum qp_verdict verdict)
{
    const struct qp_record *worst = &tally->worst;
    fprintf(table, "%-*s %-5s", name_width, worst->variant->name, qp_verdict_name(verdict));
    if (verdict == QP_BOUND)
        fprintf(table, " %3d cases  wrote every cell", tally->passed);
    else if (tally->passed + tally->failed > 0)
        fprintf(table, " %3d cases  error %.1e of %.1e at %dx%d, %d steps", tally->passed,
                worst->error, worst->tolerance, worst->width, worst->height, worst->iterations);
    if (tally->skipped > 0 && tally->passed > 0)
        fprintf(table, "  (%d cases it cannot take)", tally->skipped);
    if (solved->cases > 0)
        fprintf(table, "  solved to %.0e of %.0e", solved->error, solved->tolerance);
    if (worst->reason[0] != '\0')
        fprintf(table, "  %s", worst->reason);
    fputc('\n', table);
}

int cmd_check(int argc, char **argv)
{
    static const struct options_form form = {
        "check", "[PATTERN...]",
        "Runs variants on awkward problems and compares each with the reference.", false};
    struct options options;
    const struct qp_variant *rows[MOST_ROWS];
    struct qp_tally tallies[MOST_ROWS];
    struct solved solved[MOST_ROWS] = {0};
    struct qp_record records[MOST_ROWS];
    struct qp_context *context;
    char why[512];
    options_read(argc, argv, &form, &options);
    int count = cmd_select(&options, rows);
    if (count < 0)
        return EXIT_USAGE;
    cmd_catch_interrupt();
    enum qp_status status = cmd_open(&options, rows, count, &context, why, sizeof why);
    if (status == QP_OK)
        status = check_all(&options, context, why, rows, count, tallies);
    if (status == QP_OK && !cmd_interrupted)
        status = check_solutions(&options, context, rows, count, tallies, solved);
    int verdicts[4] = {0};
    for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++) {
        enum qp_verdict verdict = verdict_of(&options, &tallies[i]);
        verdicts[verdict]++;
        print_row(options.table, cmd_name_width(rows, count), &tallies[i], &solved[i], verdict);
        records[i] = tallies[i].worst;
    }
    if (status == QP_OK && !cmd_interrupted)
        status = cmd_write_records(&options, context, records, count);
    qp_context_destroy(&context);
    if (status != QP_OK)
        return cmd_failed(status);
    if (cmd_interrupted)
        return EXIT_FAILED;
    return cmd_count(options.table, verdicts);
}
