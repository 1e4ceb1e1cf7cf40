/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ops/op.h"

enum { SIZES = 4 };

static const int default_sizes[SIZES] = {256, 512, 1024, 2048};

static void print_head(FILE *table, const struct qp_record *record)
{
    int part = record->systems > 1 ? 2 : 1;
    fprintf(table, "%d x %d cells, %d steps a run\n", part * record->width, part * record->height,
            record->iterations);
    fprintf(table, "%-30s %-5s %9s %9s %9s %9s %9s %9s %9s %9s\n", "variant", "", "error", "of",
            "run ms", "upload ms", "back ms", "GLUP/s", "GB/s", "GFLOP/s");
}

static void print_record(FILE *table, const struct qp_record *r)
{
    fprintf(table, "%-30s %-5s", r->variant->name, qp_verdict_name(r->verdict));
    if (isnan(r->seconds)) {
        fprintf(table, " %s\n", r->reason);
        return;
    }
    if (r->verdict == QP_BOUND)
        fprintf(table, " %9s %9s", "-", "-");
    else
        fprintf(table, " %9.1e %9.1e", r->error, r->tolerance);
    fprintf(table, " %9.3f %9.3f %9.3f %9.4f %9.2f %9.2f\n", 1e3 * r->seconds,
            1e3 * r->upload_seconds, 1e3 * r->readback_seconds, r->glups, r->gbytes_per_s,
            r->gflops);
}

static void show_progress(void *user, int done, int all)
{
    const struct qp_problem *problem = user;
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r%40s\r", "");
    if (done < all)
        fprintf(stderr, "%d x %d: walk %d of %d", problem->width, problem->height, done, all);
}

/* All rows at one size; their records go to `records`. */
static enum qp_status bench_size(const struct options *options, struct qp_context *context,
                                 const char *why, const struct qp_variant *const rows[], int count,
                                 int width, int height, struct qp_record *records)
{
    struct cmd_problems problems;
    const char *kind =
        options->problem != NULL ? options->problem : qp_op_find(rows[0]->op)->bench_kind;
    enum qp_status status =
        cmd_problems_create(options, kind, width, height, true, rows, count, &problems);
    if (status != QP_OK)
        return status;
    struct qp_bench_desc desc = {.iterations = options->iterations,
                                 .repeats = options->repeats,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .no_device = why,
                                 .interrupt = &cmd_interrupted,
                                 .on_walk = show_progress,
                                 .user = problems.of[0]};
    status = qp_bench(context, rows, problems.of, count, &desc, records);
    cmd_problems_destroy(&problems);
    return status;
}

/* Rows of one operation at all sizes, their records one size after the other. */
static enum qp_status bench_operation(const struct options *options, struct qp_context *context,
                                      const char *why, const struct qp_variant *const rows[],
                                      int count, struct qp_record *records, int *sizes)
{
    *sizes = 0;
    for (int s = 0; s < (options->width > 0 ? 1 : SIZES) && !cmd_interrupted; s++) {
        int width = options->width > 0 ? options->width : default_sizes[s];
        int height = options->width > 0 ? options->height : default_sizes[s];
        struct qp_record *here = records + *sizes * count;
        enum qp_status status = bench_size(options, context, why, rows, count, width, height, here);
        if (status != QP_OK)
            return status;
        if (cmd_interrupted)
            break;
        print_head(options->table, here);
        for (int i = 0; i < count; i++)
            print_record(options->table, &here[i]);
        ++*sizes;
    }
    return QP_OK;
}

void cmd_count_rows(const struct options *options, const struct qp_record *records, int sizes,
                    int count, int verdicts[4])
{
    for (int row = 0; row < count; row++) {
        int seen[4] = {0};
        for (int s = 0; s < sizes; s++)
            seen[records[s * count + row].verdict]++;
        bool demanded = cmd_is_required(options, records[row].variant);
        if (seen[QP_FAIL] > 0 || (demanded && seen[QP_SKIP] == sizes))
            verdicts[QP_FAIL]++;
        else if (seen[QP_SKIP] == sizes)
            verdicts[QP_SKIP]++;
        else
            verdicts[seen[QP_BOUND] > 0 ? QP_BOUND : QP_PASS]++;
    }
}

int cmd_bench(int argc, char **argv)
{
    static const struct options_form form = {
        "bench", "[PATTERN...]",
        "Checks and times variants: all in turn, then all again; medians of the repeats. With "
        "--paper a paper's tables, ours beside its own figures; --size leaves out larger grids.",
        false};
    struct options options;
    const struct qp_variant *rows[MOST_ROWS];
    struct qp_record *records = calloc((size_t)SIZES * MOST_ROWS, sizeof *records);
    struct qp_context *context = NULL;
    char why[512];
    options_read(argc, argv, &form, &options);
    if (options.paper != 0) {
        free(records);
        return cmd_bench_paper(&options);
    }
    int count = records != NULL ? cmd_select(&options, rows) : 0;
    if (count <= 0) {
        free(records);
        return count < 0 ? EXIT_USAGE : EXIT_NO_DEVICE;
    }
    cmd_catch_interrupt();
    enum qp_status status = cmd_open(&options, rows, count, &context, why, sizeof why);
    int done = 0, verdicts[4] = {0};
    for (int begin = 0, same; begin < count && status == QP_OK && !cmd_interrupted; begin += same) {
        int sizes;
        same = cmd_same_operation(rows + begin, count - begin);
        status =
            bench_operation(&options, context, why, rows + begin, same, records + done, &sizes);
        if (status == QP_OK)
            cmd_count_rows(&options, records + done, sizes, same, verdicts);
        done += sizes * same;
    }
    if (status == QP_OK)
        status = cmd_write_records(&options, context, records, done);
    qp_context_destroy(&context);
    int code = status != QP_OK ? cmd_failed(status) : cmd_count(options.table, verdicts);
    free(records);
    return cmd_interrupted && code == EXIT_GOOD ? EXIT_FAILED : code;
}
