/* SPDX-License-Identifier: MIT */
/* Paper 3: its tables are described in docs/papers/paper3.table; here are peaks, and which tables
 * --size leaves. */
#include <math.h>

#include "tools/cmd/paper/described.h"
#include "tools/cmd/paper/peaks.h"

enum { SQUARE = 1024, NARROWEST = 508, WIDEST = 516 };

/* True if a line of these widths was to be measured. */
static bool is_planned(const struct paper_bench *bench, int least, int most)
{
    int line = 0;
    while (line < bench->planned &&
           (bench->line[line].width < least || bench->line[line].width > most))
        line++;
    return line < bench->planned;
}

static void print_tables(const struct paper_bench *bench, int from, int to,
                         const struct described_value *values)
{
    for (int number = from; number <= to; number++)
        described_print(bench, (const char[]){(char)('0' + number), '\0'}, values);
}

enum qp_status paper3_print(const struct paper_bench *bench)
{
    const struct peaks unknown = {.gflops = NAN, .gbytes_per_s = NAN};
    struct peaks cpu = unknown, gpu = unknown;
    const bool widths = is_planned(bench, NARROWEST, WIDEST),
               square = is_planned(bench, SQUARE, SQUARE);
    if (bench->given.record == NULL) { /* records have no peaks */
        peaks_of_cpu(&cpu);
        peaks_of_gpu(bench->cuda_ordinal, &gpu);
    }
    /* OpenGL's are unknown where it is not on the GPU that CUDA has. */
    const struct peaks gl = bench->cuda_ordinal < 0 ? unknown : gpu;
    const struct described_value values[] = {
        DESCRIBED("last", bench->line[bench->planned - 1].width),
        DESCRIBED("cpu_gflops", cpu.gflops),
        DESCRIBED("cpu_gbytes", cpu.gbytes_per_s),
        DESCRIBED("gpu_gflops", gpu.gflops),
        DESCRIBED("gpu_gbytes", gpu.gbytes_per_s),
        DESCRIBED("gl_gflops", gl.gflops),
        DESCRIBED("gl_gbytes", gl.gbytes_per_s),
        {0}};
    described_print(bench, "head", values);
    if (bench->given.record == NULL)
        peaks_print(bench->out, &cpu, &gpu);
    print_tables(bench, 1, widths ? 2 : 0, values);
    print_tables(bench, 3, square ? 8 : 0, values);
    described_print(bench, "curves", NULL);
    described_print(bench, "rates", NULL);
    if (square)
        described_print(bench, "remarks", NULL);
    else
        fprintf(bench->out, "\nLeft out by --size: tables %s3 to 8 and section 8 (%d x %d cells)\n",
                widths ? "" : "1 and 2 (widths from 508 on), ", SQUARE, SQUARE);
    return QP_OK;
}
