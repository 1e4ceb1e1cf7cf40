/* SPDX-License-Identifier: MIT */
/* Paper 5, figures 7 to 10: rates of the tuned kernel against n and against T, in float and in
 * double; without a CUDA device those of variants of OpenGL and of the processors' threads. The
 * thesis says of them that performance is "greatly diminished" below n = 1024, and "largely
 * independent" of T. */
#include <math.h>

#include "toolkit/base/whole.h"
#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/described.h"
#include "tools/cmd/paper/table.h"

enum { LEAST = 64, TURN = 1024, LARGEST = 16384 };

/* Largest grids by whether there is a CUDA device, and a budget. */
static const int largest[2][2] = {{2048, 512}, {LARGEST, 2048}};

/* Grids from which on a run is timed once, and doubles are left out: the host makes and checks them
 * for seconds. */
enum { TIMED_ONCE = 2048, FLOAT_ALONE = 16384 };

/* Against T: grids that the cache holds, and that it does not; of processors, and of CUDA
 * devices. */
enum { WIDTHS = 2, STEPS = 5 };
static const int widths[2][WIDTHS] = {{256, 2048}, {1024, 4096}},
                 steps[STEPS] = {1, 4, 16, 64, 256};

/* Rates count as alike within a tenth; diminished is what falls below half. */
static const double alike = 0.9, diminished = 0.5;

/* Updates of a run: those that the reference takes a second for, and fewer where the variants are
 * slow. */
static const double updates[2] = {0x1p26, 0x1p28};

/* Variants in float and in double, by whether there is a CUDA device. */
struct pair {
    const char *row[2];
};
enum { PAIRS = 2 };
static const struct pair all_pairs[2][PAIRS] = {
    {{{"poisson5/targets_fused4", "poisson5/double_rgba"}},
     {{"poisson5/threads_bound", "poisson5/threads_bound_double"}}},
    {{{"poisson5/cuda_tuned_sync", "poisson5/cuda_double_hilo"}}}};

/* 1 with a CUDA device: the index of all that depends on it. */
static int has_device(const struct paper_bench *bench)
{
    return paper5_devices(bench) > 0;
}

static int count_pairs(const struct paper_bench *bench)
{
    return has_device(bench) ? 1 : PAIRS;
}

/* Steps of a run: of a large grid at least four, as the clock needs. */
static int steps_for(const struct paper_bench *bench, int n)
{
    return qp_clamp(updates[has_device(bench)] / ((double)n * n), 4, 512);
}

static void add(struct paper_bench *bench, enum paper5_tag tag, int n, int steps_of_line, int first)
{
    paper_add_grid(bench, &(struct paper_line){.problem = "spike",
                                               .width = n,
                                               .height = n,
                                               .parameter = -1,
                                               .steps = steps_of_line,
                                               .repeats = n < TIMED_ONCE ? 0 : 1,
                                               .tag = tag,
                                               .first = first});
}

/* T is the user's where --iterations says it. */
void paper5_plan_sizes(struct paper_bench *bench)
{
    const int device = has_device(bench), pairs = count_pairs(bench), first = bench->variants;
    const struct pair *pair = all_pairs[device];
    const int most = largest[device][bench->options->budget > 0.0];
    for (int k = 0; k < 2 * pairs; k++)
        paper_add_variant(bench, pair[k / 2].row[k % 2]);
    for (int n = LEAST; n <= most && n < FLOAT_ALONE; n *= 2)
        add(bench, PAPER5_AGAINST_N, n, steps_for(bench, n), first);
    const int floats = bench->variants;
    for (int k = 0; k < pairs; k++)
        paper_add_variant(bench, pair[k].row[0]);
    for (int n = FLOAT_ALONE; n <= most; n *= 2)
        add(bench, PAPER5_AGAINST_N, n, steps_for(bench, n), floats);
    for (int w = 0; w < WIDTHS && bench->options->iterations == 0; w++) {
        const int n = widths[device][w];
        for (int k = 0; k < STEPS && n <= most; k++) {
            if ((double)steps[k] * n * n <= updates[device])
                add(bench, PAPER5_AGAINST_T, n, steps[k], floats);
        }
    }
}

/* ---- Figures 7 to 10 ---- */

static void put_rates(struct table *table, const struct paper_bench *bench, int line,
                      const char *row, double wide)
{
    const struct qp_record *record = paper_record(bench, line, row);
    const double rate = paper_rate(record), streaming = paper5_streaming(bench);
    table_rate(table, 2, record, rate);
    table_rate(table, 1, record, paper5_flops * rate);
    table_rate(table, 1, record, wide * paper5_bytes * rate);
    table_number_of(table, 1, record, 100.0 * wide * paper5_bytes * rate / streaming);
    table_number_of(table, 1, record, 100.0 * wide * paper5_least_bytes * rate / streaming);
}

/* Largest rate of a variant on grids from `least` to `most`; NaN where none ran. */
static double best_from(const struct paper_bench *bench, const char *row, int least, int most)
{
    double best = NAN;
    for (int line = 0; line < bench->lines; line++) {
        const int n = bench->line[line].width;
        if (bench->line[line].tag == PAPER5_AGAINST_N && n >= least && n <= most)
            best = fmax(best, paper_rate(paper_record(bench, line, row)));
    }
    return best;
}

/* Least n from which on all rates are at least that part of the best. */
static int reaches(const struct paper_bench *bench, const char *row, double part)
{
    const double best = best_from(bench, row, LEAST, LARGEST);
    int from = 0;
    for (int line = bench->lines - 1; line >= 0; line--) {
        const double rate = paper_rate(paper_record(bench, line, row));
        if (bench->line[line].tag != PAPER5_AGAINST_N || isnan(rate))
            continue;
        if (rate < part * best)
            break;
        from = bench->line[line].width;
    }
    return from;
}

/* Says whether a variant turns slower at the size where the thesis's did. */
static void judge_sizes(const struct paper_bench *bench, const char *row, const char *what)
{
    const double best = best_from(bench, row, LEAST, LARGEST);
    const double below = best_from(bench, row, LEAST, TURN - 1);
    const double at = best_from(bench, row, TURN, TURN);
    if (isnan(below) || isnan(at))
        return;
    fprintf(bench->out,
            "  %-7s below it at most %.0f %% of the best rate, at it %.0f %%, half from %d on: "
            "%s\n",
            what, 100.0 * below / best, 100.0 * at / best, reaches(bench, row, diminished),
            below >= diminished * best ? "no longer so"
            : at < diminished * best   ? "still so, beyond it too"
                                       : "still so");
}

static void print_theirs(const struct paper_bench *bench)
{
    static const char *const cards[][2] = {{"fx570/single", "FX 570"},
                                           {"c870/single", "C870"},
                                           {"c1060/single", "C1060"},
                                           {"c1060/double", "C1060, double"}};
    for (int i = 0; i < 4; i++)
        fprintf(bench->out, "%s%s %g (%g %%)", i > 0 ? ", " : "", cards[i][1],
                described_figure(bench, "rates", cards[i][0], "gflops"),
                described_figure(bench, "rates", cards[i][0], "percent_of_streaming"));
    fputs(".\n\n", bench->out);
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
    const struct course course = course_of(bench, width, row);
    if (course.count < 2)
        return;
    fprintf(bench->out, "  n = %d:", width);
    for (int k = 0; k < course.count; k++)
        fprintf(bench->out, "%s T = %d %.2f", k > 0 ? "," : "", course.steps[k], course.rate[k]);
    const int first = settles_at(&course);
    if (first == 0)
        fputs(": still so\n", bench->out);
    else
        fprintf(bench->out, ": from T = %d on\n", course.steps[first]);
}

/* The thesis's two sentences, where there are rates to judge them by. */
static void print_sentences(const struct paper_bench *bench, const char *const row[2])
{
    static const char *const what[] = {"float", "double"};
    if (isnan(best_from(bench, row[0], LEAST, LARGEST)))
        return;
    if (!isnan(best_from(bench, row[0], TURN, TURN)))
        fputs("\"Greatly diminished as the problem size falls below n = 1024\":\n", bench->out);
    for (int i = 0; i < 2; i++)
        judge_sizes(bench, row[i], what[i]);
    if (bench->options->iterations > 0)
        return;
    fputs("\"Largely independent of the number of iterations\", within a tenth; GLUP/s:\n",
          bench->out);
    for (int w = 0; w < WIDTHS; w++)
        print_course(bench, widths[has_device(bench)][w], row[0]);
}

static void print_pair(const struct paper_bench *bench, const struct pair *pair)
{
    fprintf(bench->out, "%s and %s:\n", pair->row[0], pair->row[1]);
    struct table table = table_of(
        bench,
        "6 n|5 T|10 GLUP/s|9 GFLOP/s|9 GB/s|8 %|8 % at 8|10 double|9 GFLOP/s|9 GB/s|8 %|8 % at 16");
    for (int line = 0; line < bench->lines; line++) {
        if (bench->line[line].tag != PAPER5_AGAINST_N || paper_left_out(bench, line))
            continue;
        table_text(&table, "%d|%d", bench->line[line].width,
                   bench->command->records[bench->line[line].record].iterations);
        put_rates(&table, bench, line, pair->row[0], 1.0);
        put_rates(&table, bench, line, pair->row[1], 2.0);
    }
    table_end(&table);
    print_sentences(bench, pair->row);
}

void paper5_print_sizes(const struct paper_bench *bench)
{
    const int pairs = count_pairs(bench);
    fprintf(
        bench->out,
        "\nPaper 5, figures 7 to 10: rates for a spike%s.\nGB/s count 9.125 bytes an update, "
        "or 18.25, as theirs do; %% are of the copy of 256 MiB, by these\nbytes and by 8 or 16. "
        "Theirs, at best, GFLOP/s and %% of their streaming:\n",
        pairs == 1 ? "" : ", by OpenGL and by threads, for want of a CUDA device");
    print_theirs(bench);
    for (int k = 0; k < pairs; k++)
        print_pair(bench, &all_pairs[has_device(bench)][k]);
}
