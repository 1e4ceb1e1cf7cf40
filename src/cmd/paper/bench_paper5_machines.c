/* SPDX-License-Identifier: MIT */
/* Paper 5, table 1: the machines. Streaming is measured as there: on a GPU by a copy from device
 * memory to device memory, which counts the bytes read and those written (NVIDIA's bandwidthTest
 * copies 32 MiB), on a CPU by STREAM's triad. */
#include <math.h>
#include <omp.h>

#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/peaks.h"
#include "cmd/paper/table.h"
#include "cuda/device.h"

/* ---- For all parts of paper 5 ---- */

const char paper5_tuned[] = "poisson5/cuda_tuned_sync";
const double paper5_flops = 5.0, paper5_bytes = 9.125, paper5_least_bytes = 8.0;

int paper5_threads(const struct paper_bench *bench)
{
    return bench->given.record != NULL ? bench->given_threads : omp_get_max_threads();
}

int paper5_devices(const struct paper_bench *bench)
{
    if (bench->given.record != NULL)
        return bench->given_devices;
    return qp_cuda_look(0) != QP_OK ? 0 : qp_cuda_look(1) != QP_OK ? 1 : 2;
}

/* ---- Table 1 ---- */

/* cudaMemcpy, from device memory to device memory. */
static const char copy[] = "transpose/cuda_copy_memcpy";

/* Copies of 32 MiB and of 256, which no cache holds. */
enum { SMALL_WIDTH = 4096, SMALL_HEIGHT = 2048, LARGE = 8192, SMALL_STEPS = 100, LARGE_STEPS = 20 };

void paper5_plan_machines(struct paper_bench *bench)
{
    static const struct {
        int width, height, steps;
    } copies[] = {{SMALL_WIDTH, SMALL_HEIGHT, SMALL_STEPS}, {LARGE, LARGE, LARGE_STEPS}};
    const int first = bench->rows;
    paper_add_row(bench, copy);
    for (int i = 0; i < 2 && paper5_devices(bench) > 0; i++) {
        struct paper_line *line =
            paper_add_line(bench, "copy", copies[i].width, copies[i].height, first);
        line->tag = PAPER5_COPY;
        line->steps = copies[i].steps;
        line->repeats = 1;
    }
}

/* GB/s of the copy of this width; NaN where none was measured. */
static double copied(const struct paper_bench *bench, int width)
{
    for (int line = 0; line < bench->lines; line++) {
        const struct qp_record *record = paper_record(bench, line, copy);
        if (bench->line[line].tag == PAPER5_COPY && record != NULL && record->width == width)
            return 2.0 * sizeof(float) * record->glups;
    }
    return NAN;
}

double paper5_streaming(const struct paper_bench *bench)
{
    return copied(bench, LARGE);
}

/* The columns that are ours: this GPU, by CUDA, and this CPU. */
struct machines {
    struct peaks gpu, cpu;
    double multiprocessors, cores, small, large, doubles; /* the GPU's */
    double triad;                                         /* the CPU's */
    char name[CMD_DEVICE];
};

static void look(const struct paper_bench *bench, struct machines *out)
{
    struct qp_cuda *cuda;
    *out = (struct machines){.multiprocessors = NAN,
                             .cores = NAN,
                             .doubles = NAN,
                             .small = copied(bench, SMALL_WIDTH),
                             .large = copied(bench, LARGE),
                             .triad = NAN,
                             .cpu = {.gflops = NAN, .gbytes_per_s = NAN},
                             .gpu = {.gflops = NAN, .gbytes_per_s = NAN},
                             .name = "no CUDA device"};
    if (bench->given.record != NULL) { /* records have no attributes and peaks */
        snprintf(out->name, sizeof out->name, "%s", bench->given.device);
        return;
    }
    out->triad = peaks_triad();
    peaks_of_cpu(&out->cpu);
    peaks_of_gpu(bench->cuda_ordinal, &out->gpu);
    if (qp_cuda_open(bench->cuda_ordinal, &cuda) != QP_OK)
        return;
    out->multiprocessors = cuda->multiprocessors;
    out->cores = peaks_cores(cuda) * cuda->multiprocessors;
    out->doubles = out->gpu.gflops / cuda->double_ratio;
    snprintf(out->name, sizeof out->name, "%s", cuda->name);
    qp_cuda_close(&cuda);
}

static void put_feature(struct table *table, const struct paper_table *theirs, const char *what,
                        const char *feature, double gpu, double cpu)
{
    static const char *const machines[] = {"c1060", "c870", "fx570", "conroe", "barcelona"};
    const int line = feature != NULL ? paper_line(theirs, feature, NULL) : -1;
    table_text(table, "%s", what);
    table_number(table, 0, gpu);
    table_number(table, 1, cpu);
    for (int i = 0; i < 5; i++)
        table_number(table, i < 3 ? 1 : 2, paper_number(theirs, line, machines[i]));
}

void paper5_print_machines(const struct paper_bench *bench, const struct paper_table *theirs)
{
    struct machines here;
    look(bench, &here);
    const int threads = paper5_threads(bench);
    fprintf(bench->out,
            "\nPaper 5, table 1: the machines. GPU: %s, its attributes. CPU: %d threads;\npeaks of "
            "one of them, measured, times their number. Streaming is measured: cudaMemcpy on the\n"
            "device, bytes read and written; STREAM's triad on all threads.\n\n",
            here.name, threads);
    struct table table =
        table_of(bench, "-26 |10 GPU|9 CPU|10 C1060|10 C870|10 FX 570|10 E6550|10 8350");
    put_feature(&table, theirs, "multiprocessors", "multiprocessors", here.multiprocessors, NAN);
    put_feature(&table, theirs, "cores, or threads", "cores", here.cores, threads);
    put_feature(&table, theirs, "peak GB/s", "peak_gbytes_per_s", here.gpu.gbytes_per_s, NAN);
    put_feature(&table, theirs, "streaming GB/s, 32 MiB", "streaming_gbytes_per_s", here.small,
                NAN);
    put_feature(&table, theirs, "the same, beyond caches", NULL, here.large, here.triad);
    put_feature(&table, theirs, "peak GFLOP/s, float", "peak_gflops_single", here.gpu.gflops,
                threads * here.cpu.gflops);
    put_feature(&table, theirs, "peak GFLOP/s, double", "peak_gflops_double", here.doubles,
                0.5 * threads * here.cpu.gflops);
    table_end(&table);
    if (!isnan(here.small / here.large))
        fprintf(bench->out, "The thesis's copy of 32 MiB is %.2f times as fast as one of 256%s.\n",
                here.small / here.large,
                here.small > 1.1 * here.large ? ": it stays in a cache" : "");
}
