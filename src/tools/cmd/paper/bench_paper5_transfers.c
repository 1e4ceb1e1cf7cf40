/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 12: what transfers before and after T steps cost, by variants on a spike: their x
 * goes to the device and comes back, beside those of as many values by other ways. The right half,
 * steps that match the processor and that hide the transfers, is judged. */
#include <math.h>

#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/described.h"
#include "tools/cmd/paper/table.h"

enum { THESIS_STEPS = 32, BUDGET_SIZE = 1024, SIZE = 4096 };

/* Transfers are hidden where they take less of the time than this: the thesis's 60 to 100 steps
 * leave 0.29 to 0.20. */
static const double hidden = 0.2;

/* The thesis's opponent is the last. */
static const char *const opponents[] = {"poisson5/openmp", "poisson5/threads"};
enum { OPPONENTS = sizeof opponents / sizeof opponents[0] };

void paper5_plan_transfers(struct paper_bench *bench)
{
    const struct described_value most[] = {
        DESCRIBED("most", bench->options->budget > 0.0 ? BUDGET_SIZE : SIZE), {0}};
    described_plan(bench, "transfers", most);
    described_plan(bench, "movers", most);
}

static int rows_of(const struct paper_bench *bench, int line)
{
    return line >= 0 ? bench->line[line].end - bench->line[line].first : 0;
}

static const struct qp_record *record_at(const struct paper_bench *bench, int line, int k)
{
    return paper_record(bench, line, bench->variant[bench->line[line].first + k]->name);
}

/* Steps in words, "never" where there is no number of them. */
static const char *name_steps(char text[16], double steps)
{
    if (isfinite(steps) && steps >= 0.0)
        snprintf(text, 16, "%.0f", ceil(steps));
    else
        snprintf(text, 16, "%s", isnan(steps) ? "-" : "never");
    return text;
}

static double step_of(const struct qp_record *record)
{
    return record != NULL ? record->seconds / record->iterations : NAN;
}

/* T from which T steps and the transfers take less time than the opponent's T steps. */
static double steps_to_win(double step, double transfers, double opponent)
{
    return isnan(opponent) ? NAN : opponent > step ? transfers / (opponent - step) : INFINITY;
}

/* Figure 12 there: percent of 32 steps, steps that match and that hide. */
struct theirs {
    double percent, match, least_hidden, most_hidden;
};

static struct theirs read_theirs(const struct paper_bench *bench)
{
    return (struct theirs){
        .percent = paper5_figure(bench, "transfer_percent_of_32_steps_n4096_c870"),
        .match = paper5_figure(bench, "steps_to_match_16_threads_n4096_c870"),
        .least_hidden = paper5_figure(bench, "steps_to_hide_transfers_least_n4096_c870"),
        .most_hidden = paper5_figure(bench, "steps_to_hide_transfers_most_n4096_c870")};
}

/* A way between host and device, against each opponent. */
struct way {
    double transfers, hidden, match[OPPONENTS];
};

static struct way way_of(const struct paper_bench *bench, int line, double step, double transfers)
{
    struct way way = {transfers, transfers * (1.0 - hidden) / hidden / step, {0}};
    for (int i = 0; i < OPPONENTS; i++)
        way.match[i] =
            steps_to_win(step, transfers, step_of(paper_record(bench, line, opponents[i])));
    return way;
}

/* Keeps the faster one in `best`. */
static void put_way(struct table *table, const char *name, double step, const struct way *way,
                    struct way *best)
{
    char text[16];
    if (isnan(way->transfers))
        return;
    table_text(table, "  %s|%.2f|%.1f %%|%s", name, 1e3 * way->transfers,
               100.0 * way->transfers / (way->transfers + THESIS_STEPS * step),
               name_steps(text, way->hidden));
    for (int i = 0; i < OPPONENTS; i++)
        table_text(table, "%s", name_steps(text, way->match[i]));
    if (isnan(best->transfers) || way->transfers < best->transfers)
        *best = *way;
}

static const char *beside(double ours, double least, double most)
{
    return ours < least ? "sooner" : ours > most ? "later" : "still so";
}

/* Break-even by the fastest way, beside the thesis's. */
static void judge(FILE *out, const struct way *best, const struct theirs *theirs)
{
    const double match = ceil(best->match[OPPONENTS - 1]), hides = ceil(best->hidden);
    char text[16];
    fprintf(out, "by the fastest of these threads are matched after %s (%s), ",
            name_steps(text, match),
            isnan(match) ? "not measured" : beside(match, theirs->match, theirs->match));
    fprintf(out, "and transfers hidden after %s (%s)\n", name_steps(text, hides),
            beside(hides, theirs->least_hidden, theirs->most_hidden));
}

static void print_device(const struct paper_bench *bench, int line, const struct qp_record *record,
                         const struct theirs *theirs)
{
    const int movers = described_line(bench, "movers");
    const double step = step_of(record);
    struct way best = {.transfers = NAN},
               way = way_of(bench, line, step, record->upload_seconds + record->readback_seconds);
    fprintf(bench->out, "\n%s, %.3f ms a step; T hidden, and to beat openmp and threads\n",
            record->variant->name, 1e3 * step);
    struct table table =
        table_of(bench, "-32   transfers by|10 ms|12 T = 32|9 hidden|9 openmp|9 threads");
    put_way(&table, "the variant itself", step, &way, &best);
    for (int i = 0; i < rows_of(bench, movers); i++) {
        const struct qp_record *mover = record_at(bench, movers, i);
        if (mover == NULL || mover->variant->backend != record->variant->backend)
            continue;
        way = way_of(bench, line, step, step_of(mover));
        put_way(&table, mover->variant->name, step, &way, &best);
    }
    table_text(&table, "  theirs, C870 and 16 threads|-|%.1f %%|%g-%3g|-|%g", theirs->percent,
               theirs->least_hidden, theirs->most_hidden, theirs->match);
    table_end(&table);
    if (!isnan(best.transfers))
        judge(bench->out, &best, theirs);
}

/* The fastest variant on OpenGL; NULL if none ran. */
static const struct qp_record *fastest(const struct paper_bench *bench, int line)
{
    const struct qp_record *best = NULL;
    for (int i = 0; i < rows_of(bench, line); i++) {
        const struct qp_record *record = record_at(bench, line, i);
        if (record != NULL && record->variant->backend == QP_GL && !isnan(record->seconds) &&
            (best == NULL || step_of(record) < step_of(best)))
            best = record;
    }
    return best;
}

/* All variants of CUDA, and of OpenGL the fastest one. Returns the number. */
static int print_devices(const struct paper_bench *bench, int line, const struct theirs *theirs)
{
    const struct qp_record *gl = fastest(bench, line);
    int printed = 0;
    for (int i = 0; i < rows_of(bench, line); i++) {
        const struct qp_record *record = record_at(bench, line, i);
        if (record != NULL && !isnan(record->seconds) &&
            (record->variant->backend == QP_CUDA || record == gl)) {
            print_device(bench, line, record, theirs);
            printed++;
        }
    }
    return printed;
}

void paper5_print_transfers(const struct paper_bench *bench)
{
    const struct theirs theirs = read_theirs(bench);
    const int line = described_line(bench, "transfers");
    fprintf(bench->out,
            "\nPaper 5, figure 12: transfers, at n = %d here and 4096 there. Theirs took %g %% of "
            "the time of\n32 steps; it took %g steps to match 16 threads, and %g to %g to hide "
            "most of them (which leaves a\nfifth or more of the time).\n",
            line >= 0 ? bench->line[line].width : 0, theirs.percent, theirs.match,
            theirs.least_hidden, theirs.most_hidden);
    if (print_devices(bench, line, &theirs) == 0)
        fputs("no variant ran on a device\n", bench->out);
}
