/* SPDX-License-Identifier: MIT */
#include "tools/cmd/paper/bench_paper.h"

#include <math.h>
#include <stdlib.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/gl/context/context.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/paper/described.h"

enum { FIRST_STEPS = 2 };

/* ---- Measuring ---- */

static int rows_of(const struct paper_line *line)
{
    return line->end - line->first;
}

/* Steps of its runs; 0: as many as the minutes allow. */
static int steps_of(const struct paper_bench *bench, const struct paper_line *line)
{
    return line->steps > 0 && bench->options->iterations == 0 ? line->steps : bench->steps;
}

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

static enum qp_status walk_rows(struct paper_bench *bench, const struct paper_line *line,
                                struct qp_problem *const problems[], int steps)
{
    struct qp_style styles[MOST_PAPER_VARIANTS];
    struct qp_bench_desc desc = {.iterations = steps > 0 ? steps : 0,
                                 .repeats = line->repeats > 0 && bench->options->repeats == 0
                                                ? line->repeats
                                                : bench->repeats,
                                 .styles = styles,
                                 .random_start = true};
    for (int row = 0; row < rows_of(line); row++)
        styles[row] = (struct qp_style){.pingpong = bench->options->pingpong,
                                        .target = bench->options->target,
                                        .block = line->block};
    bench->command->count = line->record; /* in the place of a run with fewer steps */
    return command_bench(bench->command, &bench->variant[line->first], problems, rows_of(line),
                         &desc);
}

/* All variants of one line. With a budget a few steps first, then as many as the time allows; the
 * last run counts. */
static enum qp_status measure(struct paper_bench *bench, const struct paper_line *line,
                              struct qp_problem *const problems[], double until)
{
    bool fixed = steps_of(bench, line) != 0;
    int steps = fixed ? steps_of(bench, line) : FIRST_STEPS;
    for (;;) {
        double begin = qp_clock();
        enum qp_status status = walk_rows(bench, line, problems, steps);
        if (status != QP_OK || cmd_interrupted || fixed ||
            any_failed(&bench->command->records[line->record], rows_of(line)))
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
    if (line < bench->lines)
        progress_say("paper %d, %d x %d: line %d of %d", bench->options->paper,
                     bench->line[line].width, bench->line[line].height, line + 1, bench->lines);
    else
        progress_end();
}

static enum qp_status measure_line(struct paper_bench *bench, int number, double until)
{
    const struct paper_line *line = &bench->line[number];
    struct options *options = bench->command->options;
    struct cmd_problems problems;
    options->parameter = line->parameter;
    enum qp_status status =
        cmd_problems_create(options, line->problem, line->width, line->height, true,
                            &bench->variant[line->first], rows_of(line), &problems);
    if (status != QP_OK)
        return status;
    status = measure(bench, line, problems.of, until);
    cmd_problems_destroy(&problems);
    return status;
}

/* Says how much is measured. No time is foretold: set-up, checks and the steps of small grids do
 * not grow with the cells, and measurements after the lines have steps of their own. */
static void say_how_much(const struct paper_bench *bench)
{
    fprintf(stderr,
            "%d steps, %d timed, of %d line%s; fewer with --iterations or --budget, smaller ones "
            "with --size\n",
            bench->steps, bench->repeats, bench->lines, bench->lines > 1 ? "s" : "");
}

/* Steps and minutes: a line must fit in what is left, by what the one before `took` with the same
 * variants. The first always runs, and the first with other variants if anything is left. */
static bool has_time(const struct paper_bench *bench, int number, double took, double left)
{
    if (number == 0 || bench->steps == 0 || bench->minutes == 0.0)
        return true;
    const struct paper_line *line = &bench->line[number], *before = line - 1;
    if (before->first != line->first)
        return left > 0.0;
    return !before->left_out && took * pow((double)line->width / before->width, 3.0) <= left;
}

/* With minutes alone what is left of them is shared by the lines that are left. An interrupted line
 * is dropped. */
static enum qp_status measure_lines(struct paper_bench *bench)
{
    double begin = qp_clock(), end = begin + 60.0 * bench->minutes;
    bool unlimited = bench->steps > 0 && bench->minutes == 0.0;
    enum qp_status status = QP_OK;
    if (unlimited)
        say_how_much(bench);
    else if (bench->steps > 0)
        fprintf(stderr, "as many sizes as %g minutes allow, which --budget changes\n",
                bench->minutes);
    int line = 0;
    for (; line < bench->lines && status == QP_OK && !cmd_interrupted; line++) {
        double now = qp_clock();
        bench->line[line].record = bench->command->count;
        bench->line[line].left_out = !has_time(bench, line, now - begin, end - now);
        if (bench->line[line].left_out)
            continue;
        begin = now;
        show_progress(bench, line);
        status = measure_line(bench, line, now + (end - now) / (bench->lines - line));
        if (cmd_interrupted) {
            bench->command->count = bench->line[line].record;
            break;
        }
    }
    show_progress(bench, bench->lines);
    bench->lines = line;
    return status;
}

/* ---- The command ---- */

/* A variant may stand in several tables. */
static bool stands_before(const struct paper_bench *bench, int row)
{
    int i = 0;
    while (bench->variant[i] != bench->variant[row])
        i++;
    return i < row;
}

/* Why cells show a verdict, once for each variant. */
static void print_reasons(const struct paper_bench *bench)
{
    for (int row = 0; row < bench->variants; row++) {
        for (int i = 0; i < bench->command->count && !stands_before(bench, row); i++) {
            const struct qp_record *record = &bench->command->records[i];
            if (record->variant != bench->variant[row] || record->reason[0] == '\0')
                continue;
            fprintf(bench->out, "%s, %d x %d: %s: %s\n", record->variant->name, record->width,
                    record->height, qp_verdict_name(record->verdict), record->reason);
            break;
        }
    }
}

/* Measures all lines and what is after them. An error there leaves them, and is kept in *after. */
static enum qp_status measure_all(struct paper_bench *bench, enum qp_status *after)
{
    enum qp_status status = command_open(bench->command, bench->variant, bench->variants);
    bench->cuda_ordinal = qp_context_cuda_ordinal(bench->command->context);
    if (status == QP_OK)
        status = command_unless_interrupted(measure_lines(bench));
    if (status == QP_OK && bench->after != NULL && !bench->options->lines_only && !cmd_interrupted)
        *after = command_unless_interrupted(bench->after(bench));
    return status;
}

/* The device's name; "" for none. */
static void name_device(const struct paper_bench *bench, char text[CMD_DEVICE])
{
    if (bench->given.record != NULL)
        snprintf(text, CMD_DEVICE, "%s", bench->given.device);
    else
        cmd_device(bench->command->context, bench->command->records, bench->command->count, text);
}

/* An error after the lines is reported last. */
static enum qp_status run(struct paper_bench *bench,
                          enum qp_status (*print)(const struct paper_bench *bench))
{
    const struct options *options = bench->options;
    char sentence[1024];
    enum qp_status status = QP_OK, after = QP_OK;
    if (bench->given.record != NULL)
        status = paper_take_given(bench);
    else
        status = measure_all(bench, &after);
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    if (status == QP_OK) {
        char device[CMD_DEVICE];
        name_device(bench, device);
        fprintf(options->table, "on %s\n", device[0] != '\0' ? device : "no OpenGL device");
        status = print(bench);
        fputs(options->markdown ? "\n" : "", bench->out);
        print_reasons(bench);
    }
    if (status == QP_OK)
        status = command_write(bench->command);
    qp_context_destroy(&bench->command->context);
    return status == QP_OK && after != QP_OK ? qp_fail(after, "%s", sentence) : status;
}

/* Variant by variant, over all lines that have the same variants. */
static void count_verdicts(const struct paper_bench *bench)
{
    bench->command->verdicts[QP_FAIL] = bench->failed;
    for (int line = 0, same; line < bench->lines; line += same) {
        const struct paper_line *first = &bench->line[line];
        int measured = !first->left_out;
        for (same = 1; line + same < bench->lines && first[same].first == first->first; same++)
            measured += !first[same].left_out;
        if (measured > 0)
            command_count(bench->command, &bench->command->records[first->record], measured,
                          rows_of(first));
    }
}

/* Minutes limit the lines where the paper's steps are few, and else the steps. */
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

static void plan(struct paper_bench *bench)
{
    described_plan(bench, NULL, NULL);
}

static enum qp_status print(const struct paper_bench *bench)
{
    described_print(bench, NULL, NULL);
    return QP_OK;
}

/* Steps and timed runs as the paper has them, and minutes. */
static const struct {
    void (*plan)(struct paper_bench *bench);
    enum qp_status (*print)(const struct paper_bench *bench);
    int steps, repeats;
    double minutes;
} papers[] = {{plan, print, 100, 3, 0.0}, /* the paper does not say */
              {plan, paper2_print, 1, 3, 4.0},
              {plan, paper3_print, PAPER_STEPS, 1, 0.0},
              {plan, print, PAPER_USUAL_STEPS, 1, 0.0},
              {paper5_plan, paper5_print, 32, 3, 0.0}}; /* as in its figure 12 */

/* Plans, takes or measures, and prints. */
static enum qp_status hold(struct paper_bench *bench)
{
    const struct options *options = bench->options;
    papers[options->paper - 1].plan(bench);
    if (bench->plan != QP_OK)
        return bench->plan;
    if (bench->lines == 0)
        return qp_fail(QP_BAD_USE, "no grid of paper %d fits in --size %dx%d", options->paper,
                       options->width, options->height);
    apply_options(bench);
    cmd_catch_interrupt();
    const enum qp_status status = run(bench, papers[options->paper - 1].print);
    if (status == QP_OK)
        count_verdicts(bench);
    return command_finish(bench->command, status, bench->lines, bench->planned, "lines");
}

/* Begins with a paper's own steps and minutes; NULL without memory. */
static struct paper_bench *begin(struct command *command)
{
    const struct options *options = command->options;
    struct paper_bench *bench = malloc(sizeof *bench);
    if (bench != NULL)
        *bench = (struct paper_bench){.options = options,
                                      .command = command,
                                      .out = options->table,
                                      .steps = papers[options->paper - 1].steps,
                                      .repeats = papers[options->paper - 1].repeats,
                                      .minutes = papers[options->paper - 1].minutes};
    else
        qp_fail(QP_NO_MEMORY, "no memory for the paper's table");
    return bench;
}

static void end(struct paper_bench *bench)
{
    free(bench->taken);
    free(bench->own);
    free(bench);
}

enum qp_status cmd_bench_paper(struct command *command)
{
    struct paper_bench *bench = begin(command);
    if (bench == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = paper_read_given(bench);
    if (status == QP_OK)
        status = hold(bench);
    free(bench->given.record);
    end(bench);
    return status;
}

enum qp_status paper_print_given(const struct options *options, int paper,
                                 const struct records_given *given, const char *links, FILE *out)
{
    struct options own = *options;
    struct command command = {.options = &own};
    own.paper = paper;
    own.markdown = true;
    own.table = out;
    struct paper_bench *bench = begin(&command);
    if (bench == NULL)
        return QP_NO_MEMORY;
    bench->given = *given;
    bench->links = links;
    paper_look_at_given(bench);
    papers[paper - 1].plan(bench);
    apply_options(bench);
    enum qp_status status = bench->plan == QP_OK ? paper_take_given(bench) : bench->plan;
    if (status == QP_OK)
        status = papers[paper - 1].print(bench);
    if (status == QP_OK)
        print_reasons(bench);
    free(command.records);
    end(bench);
    return status;
}
