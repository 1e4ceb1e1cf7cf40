/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "baseline/ranks.h"
#include "cmd/output/progress.h"
#include "cmd/output/report.h"
#include "cmd/output/terminal.h"
#include "cmd/ranks.h"
#include "cmd/solve/solved.h"
#include "cmd/workers.h"
#include "ops/table.h"
#include "walk/checker.h"
#include "walk/description.h"

/* Values of a kind's parameter that are checked: the first and the last of its range, and two between. */
enum { CHECKED_PARAMETERS = 4 };

enum { MOST_WHY = 512 };

/* The kind with this number among those that are checked; NULL behind the last. */
static const struct qp_kind *checked_kind(const struct qp_op *op, int number)
{
    const struct qp_kind *kind = op->kinds;
    while (kind->name != NULL && (kind->unchecked || number-- > 0))
        kind++;
    return kind->name != NULL ? kind : NULL;
}

/* The problems to check rows of one operation on: those of the kind asked for or of all kinds, and of
 * each kind those with the parameter asked for or with several. */
struct family {
    const struct options *options;
    const struct qp_op *op;
    const struct qp_kind *kind; /* the one asked for; NULL: all that are checked */
    int parameters;             /* of each kind */
};

static enum qp_status make_problem(void *user, int number, int width, int height, int systems,
                                   struct qp_problem *out)
{
    const struct family *family = user;
    const int k = number % family->parameters;
    const struct qp_kind *kind =
        family->kind != NULL ? family->kind : checked_kind(family->op, number / family->parameters);
    struct options one = *family->options;
    if (family->parameters > 1 && kind->range.what != NULL)
        one.parameter = kind->range.sweep[k * (qp_kind_sweep(kind) - 1) / (CHECKED_PARAMETERS - 1)];
    return cmd_problem(&one, family->op->name, kind->name, width, height, systems, out);
}

/* All that comes of a row. */
struct outcome {
    bool refused; /* its operation has no problem of this size */
    bool empty;   /* an interrupt came before its first case */
    enum qp_status status;
    char sentence[512]; /* of a status that is no QP_OK, or why it was refused */
    char unsolved[512]; /* why no direct solver judges its solutions; "" if one does */
    struct qp_tally tally;
    struct solved solved;
};

/* A check under way: row by row, since each is printed as soon as all of it is done. */
struct check {
    const struct options *options;
    struct qp_context *context;
    char *why; /* without a context */
    const struct qp_variant *const *rows;
    int count, done, refused; /* rows; refused: of an operation that has no problem of this size */
    bool told;                /* that there is no direct solver */
    struct qp_kept_problems *kept; /* of one operation, */
    const struct qp_op *op;        /* this one */
    int verdicts[QP_VERDICTS];
    struct outcome *outcomes; /* one for each row, in memory that processes share */
    struct qp_record *records;
    struct qp_tally *tallies;
};

static struct qp_check_desc describe(const struct check *check, struct family *family)
{
    const struct options *options = check->options;
    struct qp_check_desc desc = {.make = make_problem,
                                 .problems = 1,
                                 .width = options->width,
                                 .height = options->height,
                                 .iterations = options->iterations_given ? options->iterations : 0,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .parts = options->parts,
                                 .no_device = check->why,
                                 .interrupt = &cmd_interrupted,
                                 .user = family};
    if (options->problem != NULL)
        family->kind = qp_op_kind_at(family->op, qp_op_kind(family->op, options->problem));
    if (options->width == 0 && family->kind != NULL && family->kind->width > 0) {
        desc.width = family->kind->width;
        desc.height = family->op->trial->bench_sizes->height;
    }
    while (family->kind == NULL && checked_kind(family->op, desc.problems) != NULL)
        desc.problems++;
    if (qp_op_has_parameters(family->op) && options->parameter < 0)
        family->parameters = CHECKED_PARAMETERS;
    desc.problems *= family->parameters;
    return desc;
}

/* All cases of one row. */
static enum qp_status check_cases(struct check *check, const struct qp_variant *row,
                                  struct outcome *out)
{
    struct family family = {.options = check->options, .op = qp_op_find(row->op), .parameters = 1};
    const struct qp_check_desc desc = describe(check, &family);
    if (check->op != family.op)
        qp_kept_problems_destroy(&check->kept);
    check->op = family.op;
    enum qp_status status =
        qp_check_keeping(check->context, &row, 1, &desc, &check->kept, &out->tally);
    if (status != QP_BAD_USE)
        return status;
    out->refused = true; /* others may take this size */
    snprintf(out->sentence, sizeof out->sentence, "%s", qp_error());
    out->tally = (struct qp_tally){.worst = cmd_skipped(row, check->options), .skipped = 1};
    return QP_OK;
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

/* Whole solves of a row that has passed so far. The systems have sizes and step counts of their own: who asks
 * for others does not want them. */
static enum qp_status check_solutions(const struct check *check, const struct qp_variant *row,
                                      struct outcome *out)
{
    const struct options *options = check->options;
    if (options->width > 0 || options->iterations_given || qp_tally_verdict(&out->tally) != QP_PASS)
        return QP_OK;
    const double start = qp_clock();
    enum qp_status status = solved_check(options, check->context, row, &out->solved);
    out->tally.seconds += qp_clock() - start;
    if (out->solved.failed && status == QP_OK)
        fail(&out->tally, out->solved.reason);
    if (status != QP_UNSUPPORTED || cmd_interrupted)
        return status;
    snprintf(out->unsolved, sizeof out->unsolved, "%s", qp_error());
    return QP_OK;
}

/* Makes an interrupted row a skip, unless a case has failed already. */
static void leave(struct qp_tally *tally, const struct qp_variant *row)
{
    const int cases = tally->passed;
    if (tally->failed > 0)
        return;
    if (tally->worst.variant == NULL)
        tally->worst.variant = row;
    tally->worst.verdict = QP_SKIP;
    tally->passed = 0;
    snprintf(tally->worst.reason, sizeof tally->worst.reason,
             "interrupted after %d cases, which passed", cases);
}

/* For a report, whose verdicts come from the counts. A skip that was required to run is a failure. */
static struct qp_tally for_report(const struct qp_tally *tally, enum qp_verdict verdict)
{
    struct qp_tally told = *tally;
    if (verdict == QP_FAIL && tally->failed == 0) {
        told.failed = 1;
        snprintf(told.worst.reason, sizeof told.worst.reason, "required, and skipped: %.480s",
                 tally->worst.reason);
    }
    return told;
}

static void print_row(FILE *table, int name_width, const struct qp_tally *tally,
                      const struct solved *solved, enum qp_verdict verdict)
{
    const struct qp_record *worst = &tally->worst;
    fprintf(table, "%-*s %s", name_width, worst->variant->name,
            terminal_verdict(table, verdict, 5));
    if (verdict == QP_BOUND)
        fprintf(table, " %3d cases  wrote every cell", tally->passed);
    else if (tally->passed + tally->failed > 0 && isfinite(worst->error))
        fprintf(table, " %3d cases  error %.1e, allowed %.1e, at %dx%d, %d step%s", tally->passed,
                worst->error, worst->tolerance, worst->width, worst->height, worst->iterations,
                worst->iterations > 1 ? "s" : "");
    else if (tally->failed > 0 && !isnan(worst->error)) /* it came to room 10 */
        fprintf(table, " %3d cases  no number at %dx%d, %d step%s", tally->passed, worst->width,
                worst->height, worst->iterations, worst->iterations > 1 ? "s" : "");
    if (tally->skipped > 0 && tally->passed > 0)
        fprintf(table, "  (%d cases it cannot take)", tally->skipped);
    if (solved->cases > 0)
        fprintf(table, "  solves: error %.0e, allowed %.0e", solved->error, solved->tolerance);
    if (worst->reason[0] != '\0')
        fprintf(table, "  %s", worst->reason);
    fputc('\n', table);
}

/* One row from its first case to its last solve. */
static void compute_row(void *user, int number)
{
    struct check *check = user;
    struct outcome *out = &check->outcomes[number];
    out->status = check_cases(check, check->rows[number], out);
    if (out->status == QP_OK && !cmd_interrupted)
        out->status = check_solutions(check, check->rows[number], out);
    if (cmd_interrupted && out->status == QP_UNSUPPORTED)
        out->status = QP_OK;
    out->empty = cmd_interrupted && out->tally.passed + out->tally.failed == 0;
    if (cmd_interrupted && !out->empty && out->status == QP_OK)
        leave(&out->tally, check->rows[number]);
    if (out->status != QP_OK)
        snprintf(out->sentence, sizeof out->sentence, "%s", qp_error());
}

/* Its line in the table. Of an interrupted one that had begun, too. */
static enum qp_status take_row(struct check *check, const struct outcome *out)
{
    struct qp_tally tally = out->tally;
    if (out->status != QP_OK || (out->refused && ++check->refused == check->count))
        return qp_fail(out->refused ? QP_BAD_USE : out->status, "%s", out->sentence);
    if (out->empty)
        return QP_OK;
    progress_end();
    if (out->unsolved[0] != '\0' && !check->told)
        fprintf(check->options->table, "no solution is compared with a direct solver's: %s\n",
                out->unsolved);
    check->told = check->told || out->unsolved[0] != '\0';
    enum qp_verdict verdict = qp_tally_verdict(&tally);
    if (verdict == QP_SKIP && cmd_is_required(check->options, tally.worst.variant))
        tally.worst.verdict = verdict = QP_FAIL;
    check->verdicts[verdict]++;
    check->records[check->done] = tally.worst;
    check->tallies[check->done++] = for_report(&tally, verdict);
    print_row(check->options->table, cmd_name_width(check->rows, check->count), &tally,
              &out->solved, verdict);
    fflush(check->options->table);
    return QP_OK;
}

/* ---- Processes ---- */

static void work(void *user, int number)
{
    const struct check *check = user;
    if (check->rows[number]->backend != QP_MPI) /* which the parent joins */
        compute_row(user, number);
}

static bool begin(void *user)
{
    struct check *check = user;
    const struct qp_variant *rows[MOST_ROWS];
    int count = 0;
    for (int i = 0; i < check->count; i++) {
        if (check->rows[i]->backend != QP_MPI)
            rows[count++] = check->rows[i];
    }
    return cmd_open(check->options, rows, count, &check->context, check->why, MOST_WHY) == QP_OK;
}

static void end(void *user)
{
    struct check *check = user;
    qp_kept_problems_destroy(&check->kept);
    qp_context_destroy(&check->context);
}

/* All rows in their order, computed here or by processes that have begun before. */
static enum qp_status check_rows(struct check *check, struct workers *workers)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < check->count && status == QP_OK; i++) {
        const bool here = workers == NULL || check->rows[i]->backend == QP_MPI;
        if (cmd_interrupted && here)
            continue;
        progress_say("check of %s, row %d of %d", check->rows[i]->name, check->done + 1,
                     check->count);
        if (here && !qp_runs_here(check->rows[i]))
            continue;
        if (here)
            compute_row(check, i);
        else if (!workers_wait(workers, i) && !cmd_interrupted)
            return qp_fail(QP_DEVICE, "the process that checked %s has crashed",
                           check->rows[i]->name);
        if (here || workers_wait(workers, i))
            status = take_row(check, &check->outcomes[i]);
    }
    if (workers != NULL)
        progress_end();
    return status;
}

/* Writes --junit and --tap if asked for. */
static enum qp_status write_reports(const struct check *check)
{
    const struct options *options = check->options;
    char name[CMD_DEVICE], ended[64];
    if (options->junit == NULL && options->tap == NULL)
        return QP_OK;
    cmd_device(check->context, check->records, check->done, name);
    snprintf(ended, sizeof ended, "interrupted after %d of %d rows", check->done, check->count);
    const struct qp_report_desc desc = {.device = name[0] != '\0' ? name : NULL,
                                        .driver = cmd_head(options, check->context).driver,
                                        .planned = check->count,
                                        .ended = cmd_interrupted ? ended : NULL};
    enum qp_status status = QP_OK;
    if (options->junit != NULL)
        status = report_write(options->junit, qp_report_junit, check->tallies, check->done, &desc);
    if (options->tap != NULL && status == QP_OK)
        status = report_write(options->tap, qp_report_tap, check->tallies, check->done, &desc);
    return status;
}

/* Prints the counts; returns the exit code. */
static int finish(const struct check *check)
{
    if (cmd_interrupted)
        fprintf(check->options->table, "interrupted after %d of %d rows\n", check->done,
                check->count);
    const int code = cmd_count(check->options->table, check->verdicts);
    return cmd_interrupted ? EXIT_FAILED : code;
}

int cmd_check(int argc, char **argv)
{
    static const struct options_form form = {
        "check", "[PATTERN...]",
        "Runs variants on awkward problems and compares each with the reference."};
    struct options options;
    const struct qp_variant *rows[MOST_ROWS];
    struct qp_record records[MOST_ROWS];
    struct qp_tally tallies[MOST_ROWS];
    char why[MOST_WHY];
    struct workers *workers = NULL;
    options_read(argc, argv, &form, &options);
    struct check check = {
        .options = &options, .why = why, .rows = rows, .records = records, .tallies = tallies};
    check.count = cmd_select(&options, rows);
    if (check.count < 0)
        return EXIT_USAGE;
    cmd_catch_interrupt();
    check.outcomes = workers_memory((size_t)check.count, sizeof *check.outcomes);
    if (check.outcomes == NULL)
        return cmd_failed(qp_fail(QP_NO_MEMORY, "no memory for what comes of the rows"));
    const struct workers_job job = {check.count, begin, work, end, &check};
    const int processes = baseline_ranks() == 1 ? workers_wanted(check.count) : 1;
    enum qp_status status = processes > 1 ? workers_start(processes, &job, &workers) : QP_OK;
    if (status == QP_OK)
        status = cmd_open(&options, rows, check.count, &check.context, why, sizeof why);
    if (status == QP_OK)
        status = check_rows(&check, workers);
    workers_end(&workers);
    qp_kept_problems_destroy(&check.kept);
    if (status == QP_OK && !(cmd_interrupted && check.done == 0))
        status = cmd_write_records(&options, check.context, records, check.done);
    if (status == QP_OK && !(cmd_interrupted && check.done == 0))
        status = write_reports(&check);
    qp_context_destroy(&check.context);
    return status != QP_OK ? cmd_failed(status) : finish(&check);
}
