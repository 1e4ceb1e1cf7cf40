/* SPDX-License-Identifier: MIT */
/* Paper 2, overview: seconds of one elimination at seven sizes, what the branch saves, and ratios
 * to MATLAB; then quad strips that compute nothing, at the report's size. Times grow with the cube
 * of the size, so a budget limits the sizes. */
#include <math.h>

#include "cmd/output/figures.h"
#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"
#include "cmd/paper/table.h"

enum { LEAST = 1000, MOST = 4000, APART = 500 };

/* Strips at the report's size and block; the smaller size tells how long that will take. */
enum { STRIPS = 2000, FEW_STRIPS = 500, BLOCK = 4 };

static const char file[] = "paper2-overview.csv", strips_file[] = "paper2-vertices.csv";
static const char problem[] = "exact"; /* no row of the report exchanges rows; 16 bits hold it */
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

/* ---- Values of cells ---- */

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

/* An elimination's; NaN if there is no such record. */
static double seconds_of(const struct overview *o, int line, const char *variant)
{
    const struct qp_record *record = paper_record(o->bench, line, variant);
    return record != NULL ? record->seconds / record->iterations : NAN;
}

/* ---- Lines of the table ---- */

static int decimals_of(double value, bool ratio)
{
    return ratio ? 2 : value < 0.1 ? 5 : 3;
}

/* A table with a column for each of these lines. */
static struct table begin_table(const struct overview *o, const char *title, int from, int end)
{
    struct table table = table_begin(o->bench);
    fputc('\n', table.out);
    table_columns(&table, "-36 %s", title);
    for (int line = from; line < end; line++)
        table_columns(&table, "9 %d", o->bench->line[line].width);
    table_heads(&table);
    return table;
}

static void put_theirs(struct table *table, const struct overview *o, const char *title,
                       const char *prefix, const char *row, int decimals)
{
    table_text(table, "%s", title);
    for (int line = 0; line < o->sizes; line++)
        table_number(table, decimals, their_number(o, line, prefix, row));
}

/* Ours, as seconds or as parts of LAPACK's. */
static void put_ours(struct table *table, const struct overview *o, const char *variant, bool ratio)
{
    table_text(table, "  %s", variant);
    for (int line = 0; line < o->sizes; line++) {
        const struct qp_record *record = paper_record(o->bench, line, variant);
        const double seconds = seconds_of(o, line, variant);
        if (ratio && record != NULL && !isnan(record->seconds))
            table_ratio(table, 2, record, paper_record(o->bench, line, sgesv),
                        seconds / seconds_of(o, line, sgesv));
        else
            table_time(table, decimals_of(seconds, ratio), record, seconds, "");
    }
}

static void put_octave(struct table *table, const struct overview *o, bool ratio)
{
    if (isnan(o->octave[0]))
        return;
    table_text(table, "  Octave, A \\ b in single");
    for (int line = 0; line < o->sizes; line++) {
        double value = o->octave[line] / (ratio ? seconds_of(o, line, sgesv) : 1.0);
        table_number(table, decimals_of(value, ratio), value);
    }
}

static void put_hosts(struct table *table, const struct overview *o, const char *prefix, bool ratio)
{
    for (int host = 0; host < HOSTS; host++) {
        put_theirs(table, o, hosts[host].title, prefix, hosts[host].row, ratio ? 2 : 3);
        if (hosts[host].variant != NULL)
            put_ours(table, o, hosts[host].variant, ratio);
        if (host == 0)
            put_octave(table, o, ratio);
    }
    for (int i = 0; i < OTHERS; i++) {
        table_text(table, "%s", others[i].title);
        table_end_row(table);
        put_ours(table, o, others[i].variant, ratio);
    }
}

static void put_branch(struct table *table, const struct overview *o)
{
    put_theirs(table, o, "Branch improvement", "", "branch_improvement", 3);
    table_text(table, "  1 - branched / doublebuffered");
    for (int line = 0; line < o->sizes; line++) {
        const bool noisy = figure_is_noisy(paper_record(o->bench, line, branched)) ||
                           figure_is_noisy(paper_record(o->bench, line, doublebuffered));
        const double ratio = seconds_of(o, line, branched) / seconds_of(o, line, doublebuffered);
        table_number(table, 3, noisy ? NAN : 1.0 - ratio);
    }
}

static void print_left_out(const struct overview *o)
{
    const struct paper_bench *bench = o->bench;
    int sizes = 0, strip_sizes = 0;
    for (int line = 0; line < bench->planned && bench->given.record == NULL; line++) {
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
static void put_their_strips(struct table *table, const struct overview *o, const char *title,
                             int decimals, double value)
{
    table_text(table, "%s", title);
    for (int line = o->sizes; line < o->bench->planned; line++)
        table_number(table, decimals, o->bench->line[line].width == STRIPS ? value : NAN);
}

/* Seconds, or millions of vertices a second. */
static void put_our_strips(struct table *table, const struct overview *o, bool rate)
{
    for (int i = 0; strips[i] != NULL; i++) {
        table_text(table, "  %s", strips[i]);
        for (int line = o->sizes; line < o->bench->planned; line++) {
            const struct qp_record *record = paper_record(o->bench, line, strips[i]);
            const double seconds = seconds_of(o, line, strips[i]);
            if (rate)
                table_rate(table, 1, record,
                           record != NULL ? 1e-6 * record->vertices / seconds : NAN);
            else
                table_time(table, 3, record, seconds, "");
        }
    }
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
    struct table table = begin_table(o, "seconds", o->sizes, o->bench->planned);
    put_their_strips(&table, o, "6800 GT, noop", 2, seen);
    put_their_strips(&table, o, "  at the rate claimed, 6800 Ultra", 2,
                     paper_figure(theirs, "seconds_computed"));
    put_our_strips(&table, o, false);
    table_text(&table, "1e6 vertices/s");
    table_end_row(&table);
    put_their_strips(&table, o, "6800 GT, noop", 0, 1e-6 * vertices / seen);
    put_their_strips(&table, o, "  claimed, 6800 Ultra", 0, 1e-6 * claimed);
    put_our_strips(&table, o, true);
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
        bool goes_on = bench->given.record == NULL && !paper_left_out(bench, line) &&
                       (line == 0 || !isnan(o.octave[line - 1]));
        o.octave[line] = goes_on ? octave_solve(bench->line[line].width) : NAN;
    }
    fputs("\nPaper 2, overview: each of its rows, and below it ours. Eliminations of N x (N + 1) "
          "without\n"
          "pivoting; LAPACK, in MATLAB's row, pivots, and needs a third of the operations. Bounds "
          "compute\n"
          "nothing of use. The paper's processor is unnamed; 6800 Ultra and GT are its cards.\n",
          bench->out);
    struct table seconds = begin_table(&o, "seconds", 0, o.sizes);
    put_hosts(&seconds, &o, "", false);
    put_branch(&seconds, &o);
    struct table ratios = begin_table(&o, "time / MATLAB's; ours: / LAPACK's", 0, o.sizes);
    put_hosts(&ratios, &o, "ratio_", true);
    print_strips(&o, &strips_table);
    print_left_out(&o);
    return QP_OK;
}
