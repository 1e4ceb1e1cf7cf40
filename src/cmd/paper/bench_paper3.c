/* SPDX-License-Identifier: MIT */
/* Paper 3, tables 1 to 8, figures 18 to 22 and section 8: 1000 steps of weighted Jacobi for the
 * heart model on the CPU, in OpenGL and in CUDA, on grids of height 1024. */
#include <math.h>
#include <string.h>

#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"
#include "cmd/paper/peaks.h"
#include "cmd/paper/table.h"

enum { HOSTS = 3, SQUARE = 1024 };

/* Section 8, which tells of these in a sentence each: the row, what it is compared with, and by how
 * many percent it took less time (more, if negative); NaN where the paper has no figure. */
static const struct {
    const char *variant, *than;
    double less;
} remarks[] = {{"jacobi9/symmetric_conditionals", "jacobi9/luminance", -10.0},
               {"jacobi9/symmetric", "jacobi9/luminance", NAN},
               {"jacobi9/cuda_shared_diagonal", "jacobi9/cuda_shared", 7.0},
               {"jacobi9/cuda_symmetric", "jacobi9/cuda_shared", NAN},
               {"jacobi9/cuda_double", "jacobi9/cuda_2d", NAN}};

enum { REMARKS = sizeof remarks / sizeof remarks[0] };

/* So that each of the paper's tables shows a range of them. */
enum implementation {
    CUDA_SIMPLE,
    CUDA_ALIGNED,
    CUDA_2D,
    CUDA_SHARED,
    CUDA_TEXTURE,
    CUDA_OURS,
    LUMINANCE,
    RGBA,
    CPU,
    IMPLEMENTATIONS
};

/* The paper's count of flops an update, and of bytes that come from device memory; NaN where its
 * tables have none. */
static const struct {
    const char *name; /* in the paper */
    const char *variant;
    double flops, device_bytes;
} implementations[IMPLEMENTATIONS] = {
    [CUDA_SIMPLE] = {"CUDA_Simple", "jacobi9/cuda_simple", NAN, NAN},
    [CUDA_ALIGNED] = {"CUDA_Aligned", "jacobi9/cuda_aligned", NAN, NAN},
    [CUDA_2D] = {"CUDA_2D", "jacobi9/cuda_2d", NAN, NAN},
    [CUDA_SHARED] = {"CUDA_Shared", "jacobi9/cuda_shared", 30.0, 56.0},
    [CUDA_TEXTURE] = {"CUDA_Texture", "jacobi9/cuda_texture", 33.0, 48.0},
    [CUDA_OURS] = {"CUDA, ours", "jacobi9/cuda_streaming", NAN, 48.0},
    [LUMINANCE] = {"OGL_Luminance", "jacobi9/luminance", 36.0, 48.0},
    [RGBA] = {"OGL_RGBA", "jacobi9/rgba", 36.0, 48.0},
    [CPU] = {"CPU", "jacobi9/amorim_cpu", 37.0, NAN},
};

/* AMD Opteron with GeForce 8600 GT, Athlon X2 with 8800 GT, Phenom with GTX 280. */
static const char *const hosts[HOSTS] = {"OP_8600GT", "AT_8800GT", "PH_280"};

/* Sizes of the paper's tables 1 and 2, and towards both ends of its figures. */
static const int widths[] = {256, 508, 511, 512, 513, 516, 768, SQUARE};

enum { WIDTHS = sizeof widths / sizeof widths[0], NARROWEST = 1, WIDEST = 5 };

void paper3_plan(struct paper_bench *bench)
{
    bench->steps = PAPER_STEPS;
    bench->repeats = 1;
    for (int i = 0; i < IMPLEMENTATIONS; i++)
        paper_add_row(bench, implementations[i].variant);
    for (int i = 0; i < WIDTHS; i++)
        paper_add_line(bench, "bidomain", widths[i], SQUARE, 0);
    int first = bench->rows;
    for (int i = 0; i < REMARKS; i++) {
        if (i == 0 || strcmp(remarks[i].than, remarks[i - 1].than) != 0)
            paper_add_row(bench, remarks[i].than);
        paper_add_row(bench, remarks[i].variant);
    }
    paper_add_line(bench, "bidomain", SQUARE, SQUARE, first);
}

/* ---- Ours ---- */

/* The line of that width; beyond the last if it was not measured. */
static int line_of(const struct paper_bench *bench, int width)
{
    int line = 0;
    while (line < bench->lines && bench->line[line].width != width)
        line++;
    return line;
}

static const struct qp_record *record_of(const struct paper_bench *bench, int width,
                                         enum implementation which)
{
    return paper_record(bench, line_of(bench, width), implementations[which].variant);
}

/* Seconds of 1000 steps, from as many as were taken. */
static void put_seconds(struct table *table, const struct qp_record *record)
{
    const bool fewer = record != NULL && record->iterations != PAPER_STEPS;
    const double seconds =
        record != NULL ? record->seconds * PAPER_STEPS / record->iterations : NAN;
    table_time(table, 3, record, seconds, fewer ? "~" : "");
}

/* ---- Tables 1 and 2: what the width does ---- */

static const struct {
    const char *file, *title;
    enum implementation begin, end;
} width_tables[] = {
    {"paper3-table1.csv", "Table 1: seconds of 1000 steps at each width", CUDA_SIMPLE, CUDA_SHARED},
    {"paper3-table2.csv", "Table 2: seconds of 1000 steps at each width", CUDA_2D, CUDA_TEXTURE},
};

enum { WIDTH_TABLES = sizeof width_tables / sizeof width_tables[0] };

static void put_widths_of(struct table *table, const struct paper_bench *bench,
                          const struct paper_table *theirs, enum implementation which)
{
    for (int host = 0; host < HOSTS; host++) {
        int place = paper_line(theirs, hosts[host], implementations[which].name);
        table_text(table, "  %s|%s", host == 0 ? implementations[which].name : "", hosts[host]);
        for (int i = NARROWEST; i <= WIDEST; i++) {
            char head[16];
            snprintf(head, sizeof head, "seconds_%d", widths[i]);
            table_theirs(table, theirs, place, head);
        }
    }
    table_text(table, "|ours");
    for (int i = NARROWEST; i <= WIDEST; i++)
        put_seconds(table, record_of(bench, widths[i], which));
}

static enum qp_status print_width_table(const struct paper_bench *bench, int number)
{
    struct paper_table theirs;
    struct table table = table_begin(bench);
    enum qp_status status = paper_read(width_tables[number].file, &theirs);
    if (status != QP_OK)
        return status;
    fprintf(bench->out, "\n%s\n", width_tables[number].title);
    table_columns(&table, "-16 |-10 ");
    for (int i = NARROWEST; i <= WIDEST; i++)
        table_columns(&table, "10 %d", widths[i]);
    table_heads(&table);
    for (int which = width_tables[number].begin; which < (int)width_tables[number].end; which++)
        put_widths_of(&table, bench, &theirs, (enum implementation)which);
    return QP_OK;
}

/* ---- Tables 3 to 8: the square grid ---- */

enum roof { NO_ROOF, FLOPS, BYTES };

static const struct {
    const char *file, *title;
    const char *first, *second; /* the columns shown of each host */
    enum implementation begin, end;
    enum roof roof; /* the second column is a part of it; NO_ROOF: the speed-up, after seconds */
    double bytes;   /* bytes of an update; 0: those from device memory */
} tables[] = {
    {"paper3-table3.csv", "Table 3: seconds of 1000 steps, and speed-up over the CPU", "seconds",
     "speedup", CUDA_SHARED, IMPLEMENTATIONS, NO_ROOF, 0.0},
    {"paper3-table4.csv", "Table 4: GFLOP/s of the CPU, 37 flops an update, and % of its peak",
     "gflops", "percent_of_peak", CPU, IMPLEMENTATIONS, FLOPS, 0.0},
    {"paper3-table5.csv",
     "Table 5: GFLOP/s of GPUs, 30 flops an update in CUDA_Shared, 33 in CUDA_Texture, 36 in\n"
     "OpenGL, and % of the peak",
     "gflops", "percent_of_peak", CUDA_SHARED, CPU, FLOPS, 0.0},
    {"paper3-table6.csv", "Table 6: GB/s of the CPU, 80 bytes an update, and % of its peak",
     "gbytes_per_s", "percent_of_peak", CPU, IMPLEMENTATIONS, BYTES, 80.0},
    {"paper3-table7.csv", "Table 7: GB/s of GPUs, 80 bytes an update, and % of the peak",
     "gbytes_per_s", "percent_of_peak", CUDA_SHARED, CPU, BYTES, 80.0},
    {"paper3-table8.csv",
     "Table 8: GB/s of GPUs from device memory, 56 bytes an update in CUDA_Shared, else 48, and\n"
     "% of the peak",
     "gbytes_per_s", "percent_of_peak", CUDA_SHARED, CPU, BYTES, 0.0},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

/* A rate by the paper's count of flops or of bytes, whose GB are 2^30 of them. */
static double rate_of(int number, const struct qp_record *ours, enum implementation which)
{
    const double bytes =
        tables[number].bytes > 0.0 ? tables[number].bytes : implementations[which].device_bytes;
    return tables[number].roof == FLOPS ? paper_rate(ours) * implementations[which].flops
                                        : paper_rate(ours) * 1e9 * bytes / 0x1p30;
}

/* Writes seconds and the speed-up, or a rate and percent of the peak, whose GB are 10^9 bytes as
 * the paper's. */
static void put_ours(struct table *table, const struct paper_bench *bench, int number,
                     enum implementation which, const struct peaks *peaks)
{
    const struct qp_record *ours = record_of(bench, SQUARE, which);
    const struct qp_record *cpu = record_of(bench, SQUARE, CPU);
    if (tables[number].roof != NO_ROOF) {
        const double rate = rate_of(number, ours, which),
                     peak = tables[number].roof == FLOPS ? peaks->gflops : peaks->gbytes_per_s;
        table_rate(table, 2, ours, rate);
        table_rate(table, 2, ours, cpu != NULL ? 100.0 * rate / peak : NAN);
        return;
    }
    put_seconds(table, ours);
    if (ours != NULL && !isnan(ours->seconds))
        table_ratio(table, 2, ours, cpu, paper_rate(ours) / paper_rate(cpu));
    else
        table_rate(table, 2, ours, NAN);
}

/* The peaks of the row's machine: of one thread for the CPU, whose row has one; unknown for OpenGL
 * where it is not on the GPU that CUDA has. */
static const struct peaks *peaks_for(const struct paper_bench *bench, enum implementation which,
                                     const struct peaks *cpu, const struct peaks *gpu)
{
    static const struct peaks unknown = {.gflops = NAN, .gbytes_per_s = NAN};
    if (which == CPU)
        return cpu;
    return (which == LUMINANCE || which == RGBA) && bench->cuda_ordinal < 0 ? &unknown : gpu;
}

static enum qp_status print_table(const struct paper_bench *bench, int number,
                                  const struct peaks *cpu, const struct peaks *gpu)
{
    struct paper_table theirs;
    enum qp_status status = paper_read(tables[number].file, &theirs);
    if (status != QP_OK)
        return status;
    fprintf(bench->out, "\n%s\n", tables[number].title);
    struct table table = table_begin(bench);
    table.bare = true;
    table_columns(&table, "-16 ");
    for (int host = 0; host < HOSTS; host++)
        table_columns(&table, "9 %s@%s|8 %s@%s", tables[number].first, hosts[host],
                      tables[number].second, hosts[host]);
    table_columns(&table, "10 %s@ours|9 %s@ours", tables[number].first, tables[number].second);
    table_heads(&table);
    for (int which = tables[number].begin; which < (int)tables[number].end; which++) {
        table_text(&table, "  %s", implementations[which].name);
        for (int host = 0; host < HOSTS; host++) {
            const int place = paper_line(&theirs, hosts[host], implementations[which].name);
            table_theirs(&table, &theirs, place, tables[number].first);
            table_theirs(&table, &theirs, place, tables[number].second);
        }
        put_ours(&table, bench, number, (enum implementation)which,
                 peaks_for(bench, (enum implementation)which, cpu, gpu));
    }
    return QP_OK;
}

/* ---- Figures 18 to 22: curves, of which the paper gives no numbers ---- */

/* But for the line of section 8. */
static void print_curves_of(const struct paper_bench *bench, const char *what, bool seconds)
{
    struct table table = table_begin(bench);
    fprintf(bench->out, "%s\n", what);
    table_columns(&table, "7 width");
    for (int which = 0; which < IMPLEMENTATIONS; which++)
        table_columns(&table, "14 %s", implementations[which].name);
    if (seconds)
        table_columns(&table, "7 steps");
    table_heads(&table);
    for (int line = 0; line < bench->lines && bench->line[line].first == 0; line++) {
        const int width = bench->line[line].width;
        const struct qp_record *cpu = record_of(bench, width, CPU);
        table_text(&table, "%d", width);
        for (int which = 0; which < IMPLEMENTATIONS; which++) {
            const struct qp_record *ours = record_of(bench, width, (enum implementation)which);
            if (seconds)
                put_seconds(&table, ours);
            else
                table_rate(&table, 4, ours, paper_rate(ours));
        }
        if (seconds)
            table_number(&table, 0, cpu != NULL ? cpu->iterations : NAN);
    }
}

static void print_curves(const struct paper_bench *bench)
{
    fprintf(bench->out,
            "\nFigures 18 (OpenGL), 19 (CUDA_Simple, Aligned, 2D), 20 (CUDA_2D, Shared), 21 (all "
            "but the\nfirst three) and 22 (the same without the CPU), ours: height %d, each "
            "width\n",
            SQUARE);
    print_curves_of(bench, "seconds of 1000 steps", true);
    print_curves_of(bench, "GLUP/s", false);
}

/* ---- Section 8: what it tells in sentences ---- */

/* All in one run, the last of the lines. */
static void print_remarks(const struct paper_bench *bench)
{
    int line = bench->planned - 1;
    fprintf(bench->out,
            "\nSection 8: seconds of 1000 steps, %d x %d, and by how many %% faster (slower: "
            "negative)\n",
            SQUARE, SQUARE);
    struct table table = table_of(bench, "-34 |10 seconds|-26   than|10 seconds|8 theirs|9 ours");
    for (int i = 0; i < REMARKS; i++) {
        const struct qp_record *ours = paper_record(bench, line, remarks[i].variant);
        const struct qp_record *than = paper_record(bench, line, remarks[i].than);
        table_text(&table, "  %s", remarks[i].variant);
        put_seconds(&table, ours);
        table_text(&table, "  %s", remarks[i].than);
        put_seconds(&table, than);
        table_number(&table, 0, remarks[i].less);
        table_ratio(&table, 1, ours, than, 100.0 * (paper_rate(ours) / paper_rate(than) - 1.0));
    }
}

/* True if a line of these widths was to be measured. */
static bool is_planned(const struct paper_bench *bench, int least, int most)
{
    int line = 0;
    while (line < bench->planned &&
           (bench->line[line].width < least || bench->line[line].width > most))
        line++;
    return line < bench->planned;
}

static void print_head(const struct paper_bench *bench)
{
    fprintf(bench->out,
            "\nPaper 3, %d x %d cells, weighted Jacobi. Its machines: Opteron and GeForce 8600 "
            "GT,\n"
            "Athlon X2 and 8800 GT, Phenom and GTX 280. Ours: CPU is %s on one thread,\n"
            "OGL_Luminance %s, OGL_RGBA %s, CUDA_* jacobi9/cuda_*, and\n"
            "CUDA, ours, %s, which the paper has nothing beside; ~ is computed\n"
            "from fewer steps. GFLOP/s and GB/s by the paper's counts of flops and bytes; its "
            "rates' GB\n"
            "are 2^30 bytes, its peaks' 10^9. GLUP/s, our own measure, are 1e9 updates of cells a "
            "second.\n",
            bench->line[bench->planned - 1].width, SQUARE, implementations[CPU].variant,
            implementations[LUMINANCE].variant, implementations[RGBA].variant,
            implementations[CUDA_OURS].variant);
}

enum qp_status paper3_print(const struct paper_bench *bench)
{
    struct peaks cpu = {.gflops = NAN, .gbytes_per_s = NAN}, gpu = cpu;
    enum qp_status status = QP_OK;
    print_head(bench);
    if (bench->given.record == NULL) { /* records have no peaks */
        peaks_of_cpu(&cpu);
        peaks_of_gpu(bench->cuda_ordinal, &gpu);
        peaks_print(bench->out, &cpu, &gpu);
    }
    const bool widths_planned = is_planned(bench, widths[NARROWEST], widths[WIDEST]),
               square_planned = is_planned(bench, SQUARE, SQUARE);
    for (int number = 0; number < WIDTH_TABLES && widths_planned && status == QP_OK; number++)
        status = print_width_table(bench, number);
    for (int number = 0; number < TABLES && square_planned && status == QP_OK; number++)
        status = print_table(bench, number, &cpu, &gpu);
    print_curves(bench);
    if (square_planned)
        print_remarks(bench);
    else
        fprintf(bench->out, "\nLeft out by --size: tables %s3 to 8 and section 8 (%d x %d cells)\n",
                widths_planned ? "" : "1 and 2 (widths from 508 on), ", SQUARE, SQUARE);
    return status;
}
