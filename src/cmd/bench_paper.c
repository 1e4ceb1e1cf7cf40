/* SPDX-License-Identifier: MIT */
#include "cmd/bench_paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "gl/context.h"

enum { FIRST_STEPS = 2 };

/* ---- What the papers' files use ---- */

void paper_add_line(struct paper_bench *bench, int width, int height)
{
    const struct options *options = bench->options;
    if (options->width > 0 && (width > options->width || height > options->height))
        return;
    bench->line[bench->lines].width = width;
    bench->line[bench->lines++].height = height;
}

void paper_add_row(struct paper_bench *bench, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    if (variant != NULL)
        bench->row[bench->rows++] = variant;
}

const struct qp_record *paper_record(const struct paper_bench *bench, int line, const char *name)
{
    for (int row = 0; row < bench->rows && line < bench->lines; row++) {
        if (strcmp(bench->row[row]->name, name) == 0)
            return &bench->record[line * bench->rows + row];
    }
    return NULL;
}

void paper_print_number(FILE *out, int characters, int decimals, double value, const char *mark)
{
    char text[40];
    snprintf(text, sizeof text, "%s%.*f", mark, decimals, value);
    fprintf(out, "%*s", characters, isnan(value) ? "-" : text);
}

void paper_print_ours(FILE *out, int characters, int decimals, const struct qp_record *record,
                      double value, const char *mark)
{
    if (record != NULL && isnan(record->seconds))
        fprintf(out, "%*s", characters, qp_verdict_name(record->verdict));
    else
        paper_print_number(out, characters, decimals, record != NULL ? value : NAN, mark);
}

/* ---- Measuring ---- */

static bool any_failed(const struct qp_record *records, int count)
{
    bool failed = false;
    for (int i = 0; i < count; i++)
        failed = failed || records[i].verdict == QP_FAIL;
    return failed;
}

/* How many steps fit in `left` seconds, after `steps` of them took so many. Set-up and checks are
 * counted as if they grew with the steps, so this errs on the short side. */
static int more_steps(int steps, double took, double left)
{
    double factor = fmin(0.9 * left / took, 10.0);
    double more = fmin(floor(steps * factor), PAPER_STEPS);
    return more >= 1.5 * steps ? (int)more : steps;
}

static enum qp_status walk_rows(const struct paper_bench *bench, struct qp_context *context,
                                const char *why, struct qp_problem *const problems[], int steps,
                                struct qp_record *records)
{
    struct qp_bench_desc desc = {.iterations = steps,
                                 .repeats = bench->repeats,
                                 .pingpong = bench->options->pingpong,
                                 .target = bench->options->target,
                                 .no_device = why,
                                 .interrupt = &cmd_interrupted};
    return qp_bench(context, bench->row, problems, bench->rows, &desc, records);
}

/* All rows of one line. With a budget a few steps first, then as many as the time allows; the last
 * run counts. */
static enum qp_status measure(const struct paper_bench *bench, struct qp_context *context,
                              const char *why, struct qp_problem *const problems[], double until,
                              struct qp_record *records)
{
    bool fixed = bench->steps > 0;
    int steps = fixed ? bench->steps : FIRST_STEPS;
    for (;;) {
        double begin = qp_clock();
        enum qp_status status = walk_rows(bench, context, why, problems, steps, records);
        if (status != QP_OK || cmd_interrupted || fixed || any_failed(records, bench->rows))
            return status;
        double now = qp_clock();
        int more = more_steps(steps, now - begin, until - now);
        if (more == steps)
            return QP_OK;
        steps = more;
    }
}

static void show_progress(const struct paper_bench *bench, int line)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r%40s\r", "");
    if (line < bench->lines)
        fprintf(stderr, "%d x %d: %d of %d", bench->line[line].width, bench->line[line].height,
                line + 1, bench->lines);
}

static enum qp_status measure_line(struct paper_bench *bench, struct qp_context *context,
                                   const char *why, int line, double until)
{
    struct cmd_problems problems;
    enum qp_status status =
        cmd_problems_create(bench->options, bench->problem, bench->line[line].width,
                            bench->line[line].height, true, bench->row, bench->rows, &problems);
    if (status != QP_OK)
        return status;
    status = measure(bench, context, why, problems.of, until, &bench->record[line * bench->rows]);
    cmd_problems_destroy(&problems);
    return status;
}

/* What all lines will take, from a few steps of the first, said before it begins. The fifth on top
 * is for set-up and the reference. */
static enum qp_status say_how_long(struct paper_bench *bench, struct qp_context *context,
                                   const char *why)
{
    int steps = bench->steps;
    double seconds = 0.0, cells = 0.0;
    bench->steps = FIRST_STEPS;
    enum qp_status status = measure_line(bench, context, why, 0, 0.0);
    bench->steps = steps;
    for (int row = 0; row < bench->rows && status == QP_OK; row++)
        seconds += isnan(bench->record[row].seconds) ? 0.0 : bench->record[row].seconds;
    for (int line = 0; line < bench->lines; line++)
        cells += (double)bench->line[line].width * bench->line[line].height;
    seconds *= 1.2 * bench->repeats * steps / FIRST_STEPS * cells /
               ((double)bench->line[0].width * bench->line[0].height);
    if (status == QP_OK && !cmd_interrupted)
        fprintf(stderr, "%d steps, %d timed: about %.0f %s; fewer with --iterations or --budget\n",
                steps, bench->repeats, seconds < 90.0 ? seconds : seconds / 60.0,
                seconds < 90.0 ? "seconds" : "minutes");
    return status;
}

/* Steps and minutes: a line must fit in what is left. The first always runs. */
static bool has_time(const struct paper_bench *bench, int line, double took, double left)
{
    if (line == 0 || bench->steps == 0 || bench->minutes == 0.0)
        return true;
    return took * pow((double)bench->line[line].width / bench->line[line - 1].width, 3.0) <= left;
}

/* With minutes alone what is left of them is shared by the lines that are left. An interrupted line
 * is dropped. */
static enum qp_status measure_lines(struct paper_bench *bench, struct qp_context *context,
                                    const char *why)
{
    double begin = qp_clock(), end = begin + 60.0 * bench->minutes;
    bool unlimited = bench->steps > 0 && bench->minutes == 0.0;
    enum qp_status status = unlimited ? say_how_long(bench, context, why) : QP_OK;
    if (bench->steps > 0 && !unlimited)
        fprintf(stderr, "as many sizes as %g minutes allow, which --budget changes\n",
                bench->minutes);
    int line = 0;
    for (; line < bench->lines && status == QP_OK && !cmd_interrupted; line++) {
        double now = qp_clock();
        if (!has_time(bench, line, now - begin, end - now))
            break;
        begin = now;
        show_progress(bench, line);
        status = measure_line(bench, context, why, line, now + (end - now) / (bench->lines - line));
        if (cmd_interrupted)
            break;
    }
    show_progress(bench, bench->lines);
    bench->lines = line;
    return status;
}

/* ---- The command ---- */

/* Why cells show a verdict, once for each row. */
static void print_reasons(const struct paper_bench *bench)
{
    for (int row = 0; row < bench->rows; row++) {
        for (int line = 0; line < bench->lines; line++) {
            const struct qp_record *record = &bench->record[line * bench->rows + row];
            if (record->reason[0] == '\0')
                continue;
            fprintf(bench->options->table, "%s, %d x %d: %s: %s\n", record->variant->name,
                    record->width, record->height, qp_verdict_name(record->verdict),
                    record->reason);
            break;
        }
    }
}

static enum qp_status run(struct paper_bench *bench,
                          enum qp_status (*print)(const struct paper_bench *bench))
{
    const struct options *options = bench->options;
    struct qp_context *context;
    char why[512];
    enum qp_status status = cmd_open(options, bench->row, bench->rows, &context, why, sizeof why);
    bench->cuda_ordinal = qp_context_cuda_ordinal(context);
    if (status == QP_OK)
        status = measure_lines(bench, context, why);
    if (status == QP_OK) {
        fprintf(options->table, "on %s\n",
                context != NULL ? qp_context_device(context)->renderer : "no OpenGL device");
        status = print(bench);
        print_reasons(bench);
    }
    if (status == QP_OK)
        status = cmd_write_records(options, context, bench->record, bench->lines * bench->rows);
    qp_context_destroy(&context);
    return status;
}

/* Where the paper's steps are few, minutes limit the lines, and else the steps. */
static void apply_options(struct paper_bench *bench)
{
    const struct options *options = bench->options;
    bool limits_lines = bench->minutes > 0.0;
    if (options->budget > 0.0) {
        bench->minutes = options->budget;
        bench->steps = limits_lines ? bench->steps : 0;
    }
    if (options->iterations > 0)
        bench->steps = options->iterations;
    if (options->repeats > 0)
        bench->repeats = options->repeats;
    bench->planned = bench->lines;
}

int cmd_bench_paper(const struct options *options)
{
    static const struct {
        void (*plan)(struct paper_bench *bench);
        enum qp_status (*print)(const struct paper_bench *bench);
    } papers[] = {
        {paper1_plan, paper1_print}, {paper2_plan, paper2_print}, {paper3_plan, paper3_print}};
    struct paper_bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return EXIT_NO_DEVICE;
    bench->options = options;
    papers[options->paper - 1].plan(bench);
    if (bench->lines == 0) {
        fprintf(stderr, "quadpass: no grid of paper %d fits in --size %dx%d\n", options->paper,
                options->width, options->height);
        free(bench);
        return EXIT_USAGE;
    }
    apply_options(bench);
    cmd_catch_interrupt();
    enum qp_status status = run(bench, papers[options->paper - 1].print);
    int verdicts[4] = {0};
    cmd_count_rows(options, bench->record, bench->lines, bench->rows, verdicts);
    int code = status != QP_OK ? cmd_failed(status) : cmd_count(options->table, verdicts);
    free(bench);
    return cmd_interrupted && code == EXIT_GOOD ? EXIT_FAILED : code;
}
