/* SPDX-License-Identifier: MIT */
/* Paper 5, figures 7 to 10: rates of the tuned kernel against n and against T, in float and in double. The thesis says of
 * them that performance is "greatly diminished" below n = 1024, and "largely independent" of T. */
#include <math.h>

#include "base/whole.h"
#include "cmd/paper/bench_paper5.h"

enum { LEAST = 64, TURN = 1024, LARGEST = 16384, LARGEST_IN_BUDGET = 2048 };

/* Grids from which on a run is timed once, and doubles are left out: the host makes and checks them for seconds. */
enum { TIMED_ONCE = 2048, FLOAT_ALONE = 16384 };

/* Against T: grids that the cache of a device holds, and that it does not. */
static const int widths[] = {1024, 4096}, steps[] = {1, 4, 16, 64, 256};
enum { WIDTHS = sizeof widths / sizeof widths[0], STEPS = sizeof steps / sizeof steps[0] };

/* Rates count as alike within a tenth; diminished is what falls below half. */
static const double alike = 0.9, diminished = 0.5;

/* Updates that the reference takes a second for. */
static const double updates = 0x1p28;

/* Of a large grid a few at least, for the clock's sake. */
static int steps_for(int n)
{
    return qp_clamp(updates / ((double)n * n), 4, 512);
}

static void add(struct paper_bench *bench, enum paper5_tag tag, int n, int steps_of_line, int first)
{
    struct paper_line *line = paper_add_line(bench, "spike", n, n, first);
    if (line == NULL)
        return;
    line->tag = tag;
    line->steps = steps_of_line;
    line->repeats = n < TIMED_ONCE ? 0 : 1;
}

/* Without a device the least grid alone, whose rows are skipped by name. */
static int largest(const struct paper_bench *bench)
{
    return paper5_devices() == 0          ? LEAST
           : bench->options->budget > 0.0 ? LARGEST_IN_BUDGET
                                          : LARGEST;
}

/* T is the user's where --iterations says it. */
void paper5_plan_sizes(struct paper_bench *bench)
{
    const int first = bench->rows, most = largest(bench);
    paper_add_row(bench, paper5_tuned());
    paper_add_row(bench, paper5_tuned_double());
    for (int n = LEAST; n <= most && n < FLOAT_ALONE; n *= 2)
        add(bench, PAPER5_AGAINST_N, n, steps_for(n), first);
    const int floats = bench->rows;
    paper_add_row(bench, paper5_tuned());
    for (int n = FLOAT_ALONE; n <= most; n *= 2)
        add(bench, PAPER5_AGAINST_N, n, steps_for(n), floats);
    for (int w = 0; w < WIDTHS && bench->options->iterations == 0; w++) {
        for (int k = 0; k < STEPS && widths[w] <= most; k++) {
            if ((double)steps[k] * widths[w] * widths[w] <= updates)
                add(bench, PAPER5_AGAINST_T, widths[w], steps[k], floats);
        }
    }
}

/* ---- Figures 7 to 10 ---- */

static double rate_of(const struct paper_bench *bench, int line, const char *row)
{
    const struct qp_record *record = paper_record(bench, line, row);
    return record != NULL ? record->glups : NAN;
}

static void print_rates(const struct paper_bench *bench, int line, const char *row, double wide)
{
    FILE *out = bench->options->table;
    const struct qp_record *record = paper_record(bench, line, row);
    const double rate = rate_of(bench, line, row), streaming = paper5_streaming(bench);
    paper_print_ours(out, 10, 2, record, rate, "");
    paper_print_ours(out, 9, 1, record, paper5_flops * rate, "");
    paper_print_ours(out, 9, 1, record, wide * paper5_bytes * rate, "");
    paper_print_number(out, 8, 1, 100.0 * wide * paper5_bytes * rate / streaming, "");
    paper_print_number(out, 8, 1, 100.0 * wide * paper5_least_bytes * rate / streaming, "");
}

/* Largest rate of a row on grids from `least` to `most`; NaN where none ran. */
static double best_from(const struct paper_bench *bench, const char *row, int least, int most)
{
    double best = NAN;
    for (int line = 0; line < bench->lines; line++) {
        const int n = bench->line[line].width;
        if (bench->line[line].tag == PAPER5_AGAINST_N && n >= least && n <= most)
            best = fmax(best, rate_of(bench, line, row));
    }
    return best;
}

/* Least n from which on all rates are at least that part of the best. */
static int reaches(const struct paper_bench *bench, const char *row, double part)
{
    const double best = best_from(bench, row, LEAST, LARGEST);
    int from = 0;
    for (int line = bench->lines - 1; line >= 0; line--) {
        const double rate = rate_of(bench, line, row);
        if (bench->line[line].tag != PAPER5_AGAINST_N || isnan(rate))
            continue;
        if (rate < part * best)
            break;
        from = bench->line[line].width;
    }
    return from;
}

/* Whether it is still so. */
static void judge_sizes(const struct paper_bench *bench, const char *row, const char *what)
{
    FILE *out = bench->options->table;
    const double best = best_from(bench, row, LEAST, LARGEST);
    const double below = best_from(bench, row, LEAST, TURN - 1);
    const double at = best_from(bench, row, TURN, TURN);
    if (isnan(below) || isnan(at))
        return;
    fprintf(out,
            "  %-7s below it at most %.0f %% of the best rate, at it %.0f %%, half from %d on: "
            "%s\n",
            what, 100.0 * below / best, 100.0 * at / best, reaches(bench, row, diminished),
            below >= diminished * best ? "no longer so"
            : at < diminished * best   ? "still so, beyond it too"
                                       : "still so");
}

static void print_theirs(FILE *out, const struct paper_table *theirs)
{
    static const struct {
        const char *device, *precision, *name;
    } cards[] = {{"fx570", "single", "FX 570"},
                 {"c870", "single", "C870"},
                 {"c1060", "single", "C1060"},
                 {"c1060", "double", "C1060, double"}};
    for (int i = 0; i < 4; i++) {
        const int line = paper_line(theirs, cards[i].device, cards[i].precision);
        fprintf(out, "%s%s %g (%g %%)", i > 0 ? ", " : "", cards[i].name,
                paper_number(theirs, line, "gflops"),
                paper_number(theirs, line, "percent_of_streaming"));
    }
    fputs(".\n\n", out);
}

/* ---- Against T ---- */

/* Rates of one grid, T rising. */
struct course {
    int count, steps[STEPS];
    double rate[STEPS];
};

static struct course course_of(const struct paper_bench *bench, int width, const char *row)
{
    struct course out = {0};
    for (int line = 0; line < bench->lines && out.count < STEPS; line++) {
        const struct qp_record *record = paper_record(bench, line, row);
        if (bench->line[line].tag != PAPER5_AGAINST_T || bench->line[line].width != width ||
            record == NULL || isnan(record->glups))
            continue;
        out.steps[out.count] = record->iterations;
        out.rate[out.count++] = record->glups;
    }
    return out;
}

/* Number of the first T from which on rates are like the last one. */
static int settles_at(const struct course *course)
{
    const double last = course->rate[course->count - 1];
    int k = course->count - 1;
    while (k > 0 && fmin(course->rate[k - 1], last) >= alike * fmax(course->rate[k - 1], last))
        k--;
    return k;
}

static void print_course(const struct paper_bench *bench, int width, const char *row)
{
    FILE *out = bench->options->table;
    const struct course course = course_of(bench, width, row);
    if (course.count < 2)
        return;
    fprintf(out, "  n = %d:", width);
    for (int k = 0; k < course.count; k++)
        fprintf(out, "%s T = %d %.2f", k > 0 ? "," : "", course.steps[k], course.rate[k]);
    const int first = settles_at(&course);
    if (first == 0)
        fputs(": still so\n", out);
    else
        fprintf(out, ": from T = %d on\n", course.steps[first]);
}

/* The thesis's two sentences, where there are rates to judge them by. */
static void print_sentences(const struct paper_bench *bench, const char *const row[2])
{
    static const char *const what[] = {"float", "double"};
    FILE *out = bench->options->table;
    if (isnan(best_from(bench, row[0], LEAST, LARGEST)))
        return;
    fputs("\"Greatly diminished as the problem size falls below n = 1024\":\n", out);
    for (int i = 0; i < 2; i++)
        judge_sizes(bench, row[i], what[i]);
    if (bench->options->iterations > 0)
        return;
    fputs("\"Largely independent of the number of iterations\", within a tenth; GLUP/s:\n", out);
    for (int w = 0; w < WIDTHS; w++)
        print_course(bench, widths[w], row[0]);
}

enum qp_status paper5_print_sizes(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    const char *const row[] = {paper5_tuned(), paper5_tuned_double()};
    struct paper_table theirs;
    const enum qp_status status = paper_read("paper5-tuned.csv", &theirs);
    if (status != QP_OK)
        return status;
    fprintf(
        out,
        "\nPaper 5, figures 7 to 10: %s and %s for a spike.\nGB/s count 9.125 bytes an update, "
        "or 18.25, as theirs do; %% are of the copy of 256 MiB, by these\nbytes and by 8 or 16. "
        "Theirs, at best, GFLOP/s and %% of their streaming:\n",
        row[0], row[1]);
    print_theirs(out, &theirs);
    fprintf(out, "%6s%5s%10s%9s%9s%8s%8s%10s%9s%9s%8s%8s\n", "n", "T", "GLUP/s", "GFLOP/s", "GB/s",
            "%", "% at 8", "double", "GFLOP/s", "GB/s", "%", "% at 16");
    for (int line = 0; line < bench->lines; line++) {
        if (bench->line[line].tag != PAPER5_AGAINST_N || paper_left_out(bench, line))
            continue;
        fprintf(out, "%6d%5d", bench->line[line].width,
                bench->record[bench->line[line].record].iterations);
        print_rates(bench, line, row[0], 1.0);
        print_rates(bench, line, row[1], 2.0);
        fputc('\n', out);
    }
    print_sentences(bench, row);
    return QP_OK;
}
