/* SPDX-License-Identifier: MIT */
/* Paper 2, overview: seconds of one elimination at seven sizes, what the branch saves, and ratios to
 * MATLAB; then quad strips that compute nothing, at the report's size. Times grow with the cube of the
 * size, so a budget limits the sizes. */
#include <math.h>

#include "cmd/output/figures.h"
#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"

enum { LEAST = 1000, MOST = 4000, APART = 500 };

/* Strips at the report's size and block; the smaller size tells how long that will take. */
enum { STRIPS = 2000, FEW_STRIPS = 500, BLOCK = 4 };

static const char file[] = "paper2-overview.csv", strips_file[] = "paper2-vertices.csv";
static const char problem[] =
    "exact"; /* none of the report's rows exchanges rows; 16 bits hold it */
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

/* Ours that the report gives no figure of. */
static const struct {
    const char *title, *variant;
} others[] = {{"Our best in fragments", "gauss_jordan/blocked"},
              {"Our best in compute shaders", "gauss_jordan/blocked_compute"},
              {"Our best in CUDA", "gauss_jordan/cuda_blocked"},
              {"Before the pass of divisions", "gauss_jordan/undivided"},
              {"Proposed: framebuffer operations", "gauss_jordan/blend"},
              {"Proposed, limited to FP16", "gauss_jordan/blend_half"},
              {"  the blender multiplies, too", "gauss_jordan/blend_multiply_half"}};

enum { OTHERS = sizeof others / sizeof others[0] };

static const char *const strips[] = {"gauss_jordan/blocks_noop_notex",
                                     "gauss_jordan/blocks_vbo_noop_notex", NULL};

static void plan_strips(struct paper_bench *bench)
{
    const int first = paper_add_rows(bench, strips), few = paper_side(bench, FEW_STRIPS);
    paper_add_line(bench, problem, few, few, first)->block = BLOCK;
    paper_add_line(bench, problem, STRIPS, STRIPS, first)->block = BLOCK;
}

/* Below the least of the paper's sizes --size is one of its own, for a quick look. */
void paper2_plan(struct paper_bench *bench)
{
    const int least = paper_side(bench, LEAST);
    bench->steps = 1;
    bench->repeats = 3;
    bench->minutes = 4.0;
    for (int host = 0; host < HOSTS; host++) {
        if (hosts[host].variant != NULL)
            paper_add_row(bench, hosts[host].variant);
    }
    for (int i = 0; i < OTHERS; i++)
        paper_add_row(bench, others[i].variant);
    if (least < LEAST)
        paper_add_line(bench, problem, least, least, 0);
    for (int size = LEAST; size <= MOST; size += APART)
        paper_add_line(bench, problem, size, size, 0);
    plan_strips(bench);
}

/* ---- What stands in a cell ---- */

struct overview {
    const struct paper_bench *bench;
    int sizes; /* lines of its sizes, which come first; those of strips follow */
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
    fprintf(o->bench->out, "%-*s", LABEL, title);
    for (int line = 0; line < o->sizes; line++)
        paper_print_number(o->bench->out, CELL, decimals, their_number(o, line, prefix, row));
    fputc('\n', o->bench->out);
}

/* Ours, as seconds or as parts of LAPACK's. */
static void print_ours(const struct overview *o, const char *variant, bool ratio)
{
    fprintf(o->bench->out, "  %-*s", LABEL - 2, variant);
    for (int line = 0; line < o->sizes; line++) {
        const struct qp_record *record = paper_record(o->bench, line, variant);
        const double seconds = seconds_of(o, line, variant);
        if (ratio && record != NULL && !isnan(record->seconds))
            paper_print_ratio(o->bench->out, CELL, 2, record, paper_record(o->bench, line, sgesv),
                              seconds / seconds_of(o, line, sgesv));
        else
            paper_print_time(o->bench->out, CELL, decimals_of(seconds, ratio), record, seconds, "");
    }
    fputc('\n', o->bench->out);
}

static void print_octave(const struct overview *o, bool ratio)
{
    if (isnan(o->octave[0]))
        return;
    fprintf(o->bench->out, "  %-*s", LABEL - 2, "Octave, A \\ b in single");
    for (int line = 0; line < o->sizes; line++) {
        double value = o->octave[line] / (ratio ? seconds_of(o, line, sgesv) : 1.0);
        paper_print_number(o->bench->out, CELL, decimals_of(value, ratio), value);
    }
    fputc('\n', o->bench->out);
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
    for (int i = 0; i < OTHERS; i++) {
        fprintf(o->bench->out, "%s\n", others[i].title);
        print_ours(o, others[i].variant, ratio);
    }
}

static void print_branch(const struct overview *o)
{
    print_theirs(o, "Branch improvement", "", "branch_improvement", 3);
    fprintf(o->bench->out, "  %-*s", LABEL - 2, "1 - branched / doublebuffered");
    for (int line = 0; line < o->sizes; line++) {
        const bool noisy = figure_is_noisy(paper_record(o->bench, line, branched)) ||
                           figure_is_noisy(paper_record(o->bench, line, doublebuffered));
        const double ratio = seconds_of(o, line, branched) / seconds_of(o, line, doublebuffered);
        paper_print_number(o->bench->out, CELL, 3, noisy ? NAN : 1.0 - ratio);
    }
    fputc('\n', o->bench->out);
}

static void print_head(const struct overview *o, const char *title, int from, int end)
{
    fprintf(o->bench->out, "\n%-*s", LABEL, title);
    for (int line = from; line < end; line++)
        fprintf(o->bench->out, "%*d", CELL, o->bench->line[line].width);
    fputc('\n', o->bench->out);
}

static void print_left_out(const struct overview *o)
{
    const struct paper_bench *bench = o->bench;
    int sizes = 0, strip_sizes = 0;
    for (int line = 0; line < bench->planned; line++) {
        if (!paper_left_out(bench, line))
            continue;
        if (sizes + strip_sizes == 0)
            fprintf(bench->out, "\nNot run within %g minutes:", bench->minutes);
        if (line >= o->sizes && strip_sizes++ == 0)
            fputs(sizes > 0 ? ", strips of" : " strips of", bench->out);
        sizes += line < o->sizes;
        fprintf(bench->out, " %d", bench->line[line].width);
    }
    if (sizes + strip_sizes > 0)
        fputs("; more with --budget\n", bench->out);
}

/* ---- Quad strips ---- */

/* The report's figure, in the column of its size. */
static void print_their_strips(const struct overview *o, const char *title, int decimals,
                               double value)
{
    fprintf(o->bench->out, "%-*s", LABEL, title);
    for (int line = o->sizes; line < o->bench->planned; line++)
        paper_print_number(o->bench->out, CELL, decimals,
                           o->bench->line[line].width == STRIPS ? value : NAN);
    fputc('\n', o->bench->out);
}

/* Seconds, or millions of vertices a second. */
static void print_our_strips(const struct overview *o, const char *variant, bool rate)
{
    fprintf(o->bench->out, "  %-*s", LABEL - 2, variant);
    for (int line = o->sizes; line < o->bench->planned; line++) {
        const struct qp_record *record = paper_record(o->bench, line, variant);
        const double seconds = seconds_of(o, line, variant);
        if (rate)
            paper_print_ours(o->bench->out, CELL, 1, record,
                             record != NULL ? 1e-6 * record->vertices / seconds : NAN);
        else
            paper_print_time(o->bench->out, CELL, 3, record, seconds, "");
    }
    fputc('\n', o->bench->out);
}

static void print_strips(const struct overview *o, const struct paper_table *theirs)
{
    const double seen = paper_figure(theirs, "seconds_seen"),
                 vertices =
                     paper_figure(theirs, "vertices_per_pass") * paper_figure(theirs, "passes"),
                 claimed = paper_figure(theirs, "claimed_vertices_per_s");
    if (o->sizes == o->bench->planned)
        return;
    fprintf(o->bench->out,
            "\nPaper 2, block processing: N passes of quad strips, %d x %d texels a quad, that "
            "compute\nnothing (noop); sent with every pass, or stored (vbo). Bounds.\n",
            BLOCK, BLOCK);
    print_head(o, "seconds", o->sizes, o->bench->planned);
    print_their_strips(o, "6800 GT, noop", 2, seen);
    print_their_strips(o, "  at the rate claimed, 6800 Ultra", 2,
                       paper_figure(theirs, "seconds_computed"));
    for (int i = 0; i < 2; i++)
        print_our_strips(o, strips[i], false);
    fputs("1e6 vertices/s\n", o->bench->out);
    print_their_strips(o, "6800 GT, noop", 0, 1e-6 * vertices / seen);
    print_their_strips(o, "  claimed, 6800 Ultra", 0, 1e-6 * claimed);
    for (int i = 0; i < 2; i++)
        print_our_strips(o, strips[i], true);
}

enum qp_status paper2_print(const struct paper_bench *bench)
{
    struct overview o = {.bench = bench};
    struct paper_table strips_table;
    enum qp_status status = paper_read(file, &o.theirs);
    if (status == QP_OK)
        status = paper_read(strips_file, &strips_table);
    if (status != QP_OK)
        return status;
    while (o.sizes < bench->planned && bench->line[o.sizes].first == 0)
        o.sizes++;
    for (int line = 0; line < o.sizes; line++) {
        bool goes_on = !paper_left_out(bench, line) && (line == 0 || !isnan(o.octave[line - 1]));
        o.octave[line] = goes_on ? octave_solve(bench->line[line].width) : NAN;
    }
    fputs("\nPaper 2, overview: each of its rows, and below it ours. Eliminations of N x (N + 1) "
          "without\n"
          "pivoting; LAPACK, in MATLAB's row, pivots, and needs a third of the operations. Bounds "
          "compute\n"
          "nothing of use. The paper's processor is unnamed; 6800 Ultra and GT are its cards.\n",
          bench->out);
    print_head(&o, "seconds", 0, o.sizes);
    print_hosts(&o, "", false);
    print_branch(&o);
    print_head(&o, "time / MATLAB's; ours: / LAPACK's", 0, o.sizes);
    print_hosts(&o, "ratio_", true);
    print_strips(&o, &strips_table);
    print_left_out(&o);
    return QP_OK;
}
