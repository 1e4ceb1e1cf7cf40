/* SPDX-License-Identifier: MIT */
/* Paper 3, tables 3 to 8 and figures 18 and 21 as far as they concern OpenGL and the CPU: 1000 steps
 * of weighted Jacobi for the heart model, grids of height 1024. */
#include <math.h>

#include "cmd/bench_paper.h"
#include "cmd/papers.h"

enum { CPU, LUMINANCE, RGBA, IMPLEMENTATIONS, HOSTS = 3, SQUARE = 1024 };

static const struct {
    const char *name; /* in the paper */
    const char *variant;
} implementations[IMPLEMENTATIONS] = {{"CPU", "jacobi9/amorim_cpu"},
                                      {"OGL_Luminance", "jacobi9/luminance"},
                                      {"OGL_RGBA", "jacobi9/rgba"}};

/* AMD Opteron with GeForce 8600 GT, Athlon X2 with 8800 GT, Phenom with GTX 280. */
static const char *const hosts[HOSTS] = {"OP_8600GT", "AT_8800GT", "PH_280"};

void paper3_plan(struct paper_bench *bench)
{
    /* Those of the paper's tables 1 and 2, and towards both ends of its figures. */
    static const int widths[] = {256, 508, 511, 512, 513, 516, 768, SQUARE};
    bench->problem = "bidomain";
    bench->steps = PAPER_STEPS;
    bench->repeats = 1;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        paper_add_line(bench, widths[i], SQUARE);
    for (int i = 0; i < IMPLEMENTATIONS; i++)
        paper_add_row(bench, implementations[i].variant);
}

/* ---- Ours ---- */

/* Seconds of 1000 steps, from as many as were taken. */
static double thousand_steps(const struct qp_record *r)
{
    return r->seconds * PAPER_STEPS / r->iterations;
}

static const char *mark(const struct qp_record *record)
{
    return record != NULL && record->iterations != PAPER_STEPS ? "~" : "";
}

/* The paper's GB is 2^30 bytes. */
static double rate(const struct qp_record *record, double bytes)
{
    return record->glups * 1e9 * bytes / 0x1p30;
}

static double gflops(const struct qp_record *record)
{
    return record->gflops;
}

static double with_neighbours(const struct qp_record *record)
{
    return rate(record, 80.0);
}

static double from_memory(const struct qp_record *record)
{
    return rate(record, 48.0);
}

/* ---- Tables 3 to 8 ---- */

static const struct {
    const char *file, *title;
    const char *first, *second; /* the columns shown of each host */
    int begin, end;             /* the implementations */
    double (*ours)(const struct qp_record *record);
} tables[] = {
    {"paper3-table3.csv", "Table 3: seconds of 1000 steps, and speed-up over the CPU", "seconds",
     "speedup", CPU, IMPLEMENTATIONS, thousand_steps},
    {"paper3-table4.csv", "Table 4: GFLOP/s of the CPU, 37 flops an update, and % of its peak",
     "gflops", "percent_of_peak", CPU, LUMINANCE, gflops},
    {"paper3-table5.csv", "Table 5: GFLOP/s of OpenGL, 36 flops an update, and % of the peak",
     "gflops", "percent_of_peak", LUMINANCE, IMPLEMENTATIONS, gflops},
    {"paper3-table6.csv", "Table 6: GB/s of the CPU, 80 bytes an update, and % of its peak",
     "gbytes_per_s", "percent_of_peak", CPU, LUMINANCE, with_neighbours},
    {"paper3-table7.csv", "Table 7: GB/s of OpenGL, 80 bytes an update, and % of the peak",
     "gbytes_per_s", "percent_of_peak", LUMINANCE, IMPLEMENTATIONS, with_neighbours},
    {"paper3-table8.csv", "Table 8: GB/s of OpenGL from device memory, 48 bytes an update",
     "gbytes_per_s", "percent_of_peak", LUMINANCE, IMPLEMENTATIONS, from_memory},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

/* The line of the square grid; beyond the last if it was not measured. */
static int square_line(const struct paper_bench *bench)
{
    int line = 0;
    while (line < bench->lines && bench->line[line].width != SQUARE)
        line++;
    return line;
}

static void print_line(const struct paper_bench *bench, int number,
                       const struct paper_table *theirs, int which)
{
    FILE *out = bench->options->table;
    int line = square_line(bench);
    const struct qp_record *ours = paper_record(bench, line, implementations[which].variant);
    const struct qp_record *cpu = paper_record(bench, line, implementations[CPU].variant);
    bool times = tables[number].ours == thousand_steps;
    fprintf(out, "  %-14s", implementations[which].name);
    for (int host = 0; host < HOSTS; host++) {
        int place = paper_line(theirs, hosts[host], implementations[which].name);
        paper_print_number(out, 9, times ? 3 : 2, paper_number(theirs, place, tables[number].first),
                           "");
        paper_print_number(out, 8, 2, paper_number(theirs, place, tables[number].second), "");
    }
    paper_print_ours(out, 10, times ? 3 : 2, ours, ours != NULL ? tables[number].ours(ours) : NAN,
                     times ? mark(ours) : "");
    if (times)
        paper_print_ours(out, 8, 2, ours,
                         ours != NULL && cpu != NULL ? ours->glups / cpu->glups : NAN, "");
    fputc('\n', out);
}

static enum qp_status print_table(const struct paper_bench *bench, int number)
{
    FILE *out = bench->options->table;
    struct paper_table theirs;
    enum qp_status status = paper_read(tables[number].file, &theirs);
    if (status != QP_OK)
        return status;
    fprintf(out, "\n%s\n  %-14s", tables[number].title, "");
    for (int host = 0; host < HOSTS; host++)
        fprintf(out, "%17s", hosts[host]);
    fprintf(out, "%10s\n", "ours");
    for (int which = tables[number].begin; which < tables[number].end; which++)
        print_line(bench, number, &theirs, which);
    return QP_OK;
}

/* ---- Figures 18 and 21: curves, of which the paper gives no numbers ---- */

static void print_width(const struct paper_bench *bench, int line)
{
    FILE *out = bench->options->table;
    const struct qp_record *ours[IMPLEMENTATIONS];
    fprintf(out, "%7d", bench->line[line].width);
    for (int i = 0; i < IMPLEMENTATIONS; i++) {
        ours[i] = paper_record(bench, line, implementations[i].variant);
        paper_print_ours(out, 15, 3, ours[i], ours[i] != NULL ? thousand_steps(ours[i]) : NAN,
                         mark(ours[i]));
    }
    for (int i = 0; i < IMPLEMENTATIONS; i++)
        paper_print_ours(out, 15, 4, ours[i], ours[i] != NULL ? ours[i]->glups : NAN, "");
    paper_print_number(out, 7, 0, ours[CPU] != NULL ? ours[CPU]->iterations : NAN, "");
    fputc('\n', out);
}

static void print_widths(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    fprintf(out, "\nFigures 18 and 21, ours: height %d, each width\n%7s%45s%45s\n", SQUARE, "",
            "seconds of 1000 steps", "GLUP/s");
    fprintf(out, "%7s", "width");
    for (int i = 0; i < 2 * IMPLEMENTATIONS; i++)
        fprintf(out, "%15s", implementations[i % IMPLEMENTATIONS].name);
    fprintf(out, "%7s\n", "steps");
    for (int line = 0; line < bench->lines; line++)
        print_width(bench, line);
}

enum qp_status paper3_print(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    fprintf(
        out,
        "\nPaper 3, %d x %d cells, weighted Jacobi. Its machines: Opteron and GeForce 8600 GT,\n"
        "Athlon X2 and 8800 GT, Phenom and GTX 280. Ours: CPU is %s on one thread,\n"
        "OGL_Luminance %s, OGL_RGBA %s; ~ is computed from fewer steps.\n"
        "GFLOP/s and GB/s by the paper's counts of flops and bytes; its rates' GB are 2^30 bytes.\n"
        "GLUP/s, our own measure, are 1e9 updates of cells a second.\n"
        "Left out: the CUDA columns, tables 1 and 2 and figures 19 and 20, which are CUDA alone.\n",
        SQUARE, SQUARE, implementations[CPU].variant, implementations[LUMINANCE].variant,
        implementations[RGBA].variant);
    enum qp_status status = QP_OK;
    for (int number = 0; number < TABLES && status == QP_OK; number++)
        status = print_table(bench, number);
    print_widths(bench);
    return status;
}
