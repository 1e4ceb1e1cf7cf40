/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>
#include <string.h>

/* Awkward sizes: the least, one row, one column, primes, no multiple of four, a power of two, one
 * above, wide. */
static const struct {
    int width, height;
} sizes[] = {{1, 1},   {1, 7},  {7, 1},  {3, 3},     {13, 11}, {30, 30},
             {64, 64}, {65, 9}, {17, 5}, {128, 130}, {2048, 3}};

static const char *const kinds[] = {"random", "wraps", "symmetric", "bidomain"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What became of one row over all problems. */
struct tally {
    struct qp_record worst; /* of the case whose error comes nearest to its tolerance */
    int passed, skipped;
    bool failed;
};

static double strain(const struct qp_record *record)
{
    double ratio = record->error / record->tolerance;
    return isnan(ratio) ? INFINITY : ratio;
}

static void add_case(struct tally *tally, const struct qp_record *record)
{
    if (record->verdict == QP_SKIP) {
        if (tally->passed == 0 && !tally->failed)
            tally->worst = *record;
        tally->skipped++;
        return;
    }
    bool first = tally->passed == 0 && !tally->failed;
    tally->passed += record->verdict != QP_FAIL;
    if (!tally->failed &&
        (first || record->verdict == QP_FAIL || strain(record) > strain(&tally->worst)))
        tally->worst = *record;
    tally->failed = tally->failed || record->verdict == QP_FAIL;
}

/* All rows on one problem, each a single checked walk. */
static enum qp_status check_problem(const struct options *options, struct qp_context *context,
                                    const char *why, const struct qp_variant *const rows[],
                                    int count, const char *kind, int width, int height, int steps,
                                    struct tally *tallies)
{
    struct cmd_problems problems;
    struct qp_record records[MOST_ROWS];
    enum qp_status status =
        cmd_problems_create(options, kind, width, height, false, rows, count, &problems);
    if (status != QP_OK)
        return status;
    struct qp_bench_desc desc = {.iterations = steps,
                                 .repeats = 1,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .no_device = why,
                                 .interrupt = &cmd_interrupted};
    status = qp_bench(context, rows, problems.of, count, &desc, records);
    for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++)
        add_case(&tallies[i], &records[i]);
    cmd_problems_destroy(&problems);
    return status;
}

static enum qp_status check_all(const struct options *options, struct qp_context *context,
                                const char *why, const struct qp_variant *const rows[], int count,
                                struct tally *tallies)
{
    static const int step_counts[] = {1, 2, 7};
    int size_count = options->width > 0 ? 1 : (int)(sizeof sizes / sizeof sizes[0]);
    enum qp_status status = QP_OK;
    for (int c = 0; c < size_count * KINDS * 3 && status == QP_OK && !cmd_interrupted; c++) {
        int width = options->width > 0 ? options->width : sizes[c / (3 * KINDS)].width;
        int height = options->width > 0 ? options->height : sizes[c / (3 * KINDS)].height;
        const char *kind = kinds[c / 3 % KINDS];
        int steps = options->iterations_given ? options->iterations : step_counts[c % 3];
        if (options->iterations_given && c % 3 > 0)
            continue;
        if (options->problem != NULL && strcmp(options->problem, kind) != 0)
            continue;
        status =
            check_problem(options, context, why, rows, count, kind, width, height, steps, tallies);
    }
    return status;
}

static enum qp_verdict verdict_of(const struct options *options, struct tally *tally)
{
    if (tally->failed)
        return QP_FAIL;
    if (tally->passed > 0)
        return tally->worst.verdict;
    if (!cmd_is_required(options, tally->worst.variant))
        return QP_SKIP;
    tally->worst.verdict = QP_FAIL;
    return QP_FAIL;
}

static void print_row(FILE *table, const struct tally *tally, enum qp_verdict verdict)
{
    const struct qp_record *worst = &tally->worst;
    fprintf(table, "%-28s %-5s", worst->variant->name, qp_verdict_name(verdict));
    if (tally->passed > 0 || tally->failed)
        fprintf(table, " %3d cases  error %.1e of %.1e at %dx%d, %d steps", tally->passed,
                worst->error, worst->tolerance, worst->width, worst->height, worst->iterations);
    if (tally->skipped > 0 && tally->passed > 0)
        fprintf(table, "  (%d cases it cannot take)", tally->skipped);
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
    struct tally tallies[MOST_ROWS] = {0};
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
    int verdicts[4] = {0};
    for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++) {
        enum qp_verdict verdict = verdict_of(&options, &tallies[i]);
        verdicts[verdict]++;
        print_row(options.table, &tallies[i], verdict);
        records[i] = tallies[i].worst;
    }
    if (status == QP_OK && !cmd_interrupted)
        status = cmd_write_records(&options, context, records, count);
    qp_context_destroy(&context);
    if (status != QP_OK)
        return cmd_failed(status);
    if (cmd_interrupted)
        return EXIT_FAILED;
    return cmd_count(options.table, verdicts[QP_PASS], verdicts[QP_FAIL], verdicts[QP_SKIP],
                     verdicts[QP_BOUND]);
}
