/* SPDX-License-Identifier: MIT */
/* Paper 2, overview: seconds of one elimination at seven sizes, what the branch saves, and ratios to
 * MATLAB. Times grow with the cube of the size, so a budget limits the sizes. */
#include <math.h>

#include "cmd/bench_paper.h"
#include "cmd/octave.h"
#include "cmd/papers.h"

enum { LEAST = 1000, MOST = 4000, APART = 500 };

static const char file[] = "paper2-overview.csv";
static const char doublebuffered[] = "gauss_jordan/doublebuffered";
static const char branched[] = "gauss_jordan/branched", sgesv[] = "gauss_jordan/sgesv";

/* The rows in the paper's order, and which of ours stands below each. */
static const struct {
    const char *row; /* in the file */
    const char *title;
    const char *variant; /* NULL: the same as the row below, on another card */
} hosts[] = {
    {"matlab", "MATLAB", sgesv},
    {"6800ultra", "6800 Ultra", NULL},
    {"6800gt", "6800 GT", "gauss_jordan/basic"},
    {"doublebuffered", "6800 GT, doublebuffered", doublebuffered},
    {"branched", "6800 GT, branched, doublebuffered", branched},
    {"notex", "6800 GT, notex (a bound)", "gauss_jordan/branched_notex"},
    {"alwayscache", "6800 GT, alwayscache (a bound)", "gauss_jordan/branched_alwayscache"},
};

enum { HOSTS = sizeof hosts / sizeof hosts[0] };

/* The best of ours: the first of these that there is. */
static const char *best(void)
{
    return qp_variant_find("gauss_jordan/blocked") != NULL ? "gauss_jordan/blocked"
                                                           : "gauss_jordan/shrinking";
}

/* Below the least of the paper's sizes --size is one of its own, for a quick look. */
void paper2_plan(struct paper_bench *bench)
{
    const struct options *options = bench->options;
    int most = options->width < options->height ? options->width : options->height;
    const char *problem = "dominant"; /* none of the paper's rows exchanges rows */
    bench->steps = 1;
    bench->repeats = 3;
    bench->minutes = 4.0;
    for (int host = 0; host < HOSTS; host++) {
        if (hosts[host].variant != NULL)
            paper_add_row(bench, hosts[host].variant);
    }
    paper_add_row(bench, best());
    if (most > 0 && most < LEAST)
        paper_add_line(bench, problem, most, most, 0);
    for (int size = LEAST; size <= MOST; size += APART)
        paper_add_line(bench, problem, size, size, 0);
}

/* ---- What stands in a cell ---- */

struct overview {
    const struct paper_bench *bench;
    struct paper_table theirs;
    double octave[MOST_PAPER_LINES];
};

static double their_number(const struct overview *o, int line, const char *prefix, const char *row)
{
    char size[16], name[32];
    snprintf(size, sizeof size, "%d", o->bench->line[line].width);
    snprintf(name, sizeof name, "%s%s", prefix, row);
    return paper_number(&o->theirs, paper_line(&o->theirs, name, NULL), size);
}

/* One elimination; NaN if there is no such record. */
static double seconds_of(const struct overview *o, int line, const char *variant)
{
    const struct qp_record *record = paper_record(o->bench, line, variant);
    return record != NULL ? record->seconds / record->iterations : NAN;
}

/* ---- Lines of the table ---- */

enum { LABEL = 36, CELL = 9 };

static int decimals_of(double value, bool ratio)
{
    return ratio ? 2 : value < 0.1 ? 5 : 3;
}

static void print_theirs(const struct overview *o, const char *title, const char *prefix,
                         const char *row, int decimals)
{
    FILE *out = o->bench->options->table;
    fprintf(out, "%-*s", LABEL, title);
    for (int line = 0; line < o->bench->planned; line++)
        paper_print_number(out, CELL, decimals, their_number(o, line, prefix, row), "");
    fputc('\n', out);
}

/* Ours, as seconds or as parts of LAPACK's. */
static void print_ours(const struct overview *o, const char *variant, bool ratio)
{
    FILE *out = o->bench->options->table;
    fprintf(out, "  %-*s", LABEL - 2, variant);
    for (int line = 0; line < o->bench->planned; line++) {
        double value = seconds_of(o, line, variant) / (ratio ? seconds_of(o, line, sgesv) : 1.0);
        paper_print_ours(out, CELL, decimals_of(value, ratio),
                         paper_record(o->bench, line, variant), value, "");
    }
    fputc('\n', out);
}

static void print_octave(const struct overview *o, bool ratio)
{
    FILE *out = o->bench->options->table;
    if (isnan(o->octave[0]))
        return;
    fprintf(out, "  %-*s", LABEL - 2, "Octave, A \\ b in single");
    for (int line = 0; line < o->bench->planned; line++) {
        double value = o->octave[line] / (ratio ? seconds_of(o, line, sgesv) : 1.0);
        paper_print_number(out, CELL, decimals_of(value, ratio), value, "");
    }
    fputc('\n', out);
}

static void print_hosts(const struct overview *o, const char *prefix, bool ratio)
{
    for (int host = 0; host < HOSTS; host++) {
        print_theirs(o, hosts[host].title, prefix, hosts[host].row, ratio ? 2 : 3);
        if (hosts[host].variant != NULL)
            print_ours(o, hosts[host].variant, ratio);
        if (host == 0)
            print_octave(o, ratio);
    }
    fprintf(o->bench->options->table, "Our best\n");
    print_ours(o, best(), ratio);
}

static void print_branch(const struct overview *o)
{
    FILE *out = o->bench->options->table;
    print_theirs(o, "Branch improvement", "", "branch_improvement", 3);
    fprintf(out, "  %-*s", LABEL - 2, "1 - branched / doublebuffered");
    for (int line = 0; line < o->bench->planned; line++)
        paper_print_number(
            out, CELL, 3, 1.0 - seconds_of(o, line, branched) / seconds_of(o, line, doublebuffered),
            "");
    fputc('\n', out);
}

static void print_head(const struct overview *o, const char *title)
{
    FILE *out = o->bench->options->table;
    fprintf(out, "\n%-*s", LABEL, title);
    for (int line = 0; line < o->bench->planned; line++)
        fprintf(out, "%*d", CELL, o->bench->line[line].width);
    fputc('\n', out);
}

static void print_left_out(const struct overview *o)
{
    const struct paper_bench *bench = o->bench;
    FILE *out = bench->options->table;
    if (bench->lines == bench->planned)
        return;
    fprintf(out, "\nNot run within %g minutes:", bench->minutes);
    for (int line = bench->lines; line < bench->planned; line++)
        fprintf(out, " %d", bench->line[line].width);
    fputs("; more with --budget\n", out);
}

enum qp_status paper2_print(const struct paper_bench *bench)
{
    struct overview o = {.bench = bench};
    enum qp_status status = paper_read(file, &o.theirs);
    if (status != QP_OK)
        return status;
    for (int line = 0; line < MOST_PAPER_LINES; line++) {
        bool goes_on = line < bench->lines && (line == 0 || !isnan(o.octave[line - 1]));
        o.octave[line] = goes_on ? octave_solve(bench->line[line].width) : NAN;
    }
    fputs("\nPaper 2, overview: each of its rows, and below it ours. Eliminations of N x (N + 1) "
          "without\n"
          "pivoting; LAPACK, in MATLAB's row, pivots, and needs a third of the operations. Bounds "
          "compute\n"
          "nothing of use. The paper's processor is unnamed; 6800 Ultra and GT are its cards.\n",
          bench->options->table);
    print_head(&o, "seconds");
    print_hosts(&o, "", false);
    print_branch(&o);
    print_head(&o, "time / MATLAB's; ours: / LAPACK's");
    print_hosts(&o, "ratio_", true);
    print_left_out(&o);
    return QP_OK;
}
