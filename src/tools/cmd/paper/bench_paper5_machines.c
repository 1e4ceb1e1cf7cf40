/* SPDX-License-Identifier: MIT */
/* Paper 5, table 1: the machines. Streaming is measured as there: on a GPU by a copy from device
 * memory to device memory, which counts the bytes read and those written (NVIDIA's bandwidthTest
 * copies 32 MiB), on a CPU by STREAM's triad. */
#include <math.h>
#include <omp.h>

#include "toolkit/cuda/device.h"
#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/described.h"
#include "tools/cmd/paper/peaks.h"

/* ---- For all parts of paper 5 ---- */

const char paper5_tuned[] = "poisson5/cuda_tuned_sync";
const double paper5_flops = 5.0, paper5_bytes = 9.125, paper5_least_bytes = 8.0;

int paper5_threads(const struct paper_bench *bench)
{
    return bench->given.record != NULL ? bench->given_threads : omp_get_max_threads();
}

double paper5_figure(const struct paper_bench *bench, const char *name)
{
    return described_figure(bench, "figures", name, "value");
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
    const int first = bench->variants;
    paper_add_variant(bench, copy);
    for (int i = 0; i < 2 && paper5_devices(bench) > 0; i++)
        paper_add_grid(bench, &(struct paper_line){.problem = "copy",
                                                   .width = copies[i].width,
                                                   .height = copies[i].height,
                                                   .parameter = -1,
                                                   .steps = copies[i].steps,
                                                   .repeats = 1,
                                                   .tag = PAPER5_COPY,
                                                   .first = first});
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

void paper5_print_machines(const struct paper_bench *bench)
{
    const bool given = bench->given.record != NULL; /* records have no attributes and peaks */
    const double small = copied(bench, SMALL_WIDTH), large = copied(bench, LARGE);
    struct peaks gpu = {.gflops = NAN, .gbytes_per_s = NAN}, cpu = gpu;
    struct qp_cuda *cuda = NULL;
    double triad = NAN;
    if (!given) {
        triad = peaks_triad();
        peaks_of_cpu(&cpu);
        peaks_of_gpu(bench->cuda_ordinal, &gpu);
    }
    const bool here = !given && qp_cuda_open(bench->cuda_ordinal, &cuda) == QP_OK;
    fprintf(bench->out,
            "\nPaper 5, table 1: the machines. GPU: %s, its attributes. CPU: %d threads;\npeaks of "
            "one of them, measured, times their number. Streaming is measured: cudaMemcpy on the\n"
            "device, bytes read and written; STREAM's triad on all threads.\n\n",
            given  ? bench->given.device
            : here ? cuda->name
                   : "no CUDA device",
            paper5_threads(bench));
    described_print(bench, "machines",
                    (const struct described_value[]){
                        DESCRIBED("multiprocessors", here ? cuda->multiprocessors : NAN),
                        DESCRIBED("cores", here ? peaks_cores(cuda) * cuda->multiprocessors : NAN),
                        DESCRIBED("gpu_doubles", here ? gpu.gflops / cuda->double_ratio : NAN),
                        DESCRIBED("gpu_gflops", gpu.gflops),
                        DESCRIBED("gpu_gbytes", gpu.gbytes_per_s),
                        DESCRIBED("small", small),
                        DESCRIBED("large", large),
                        DESCRIBED("threads", paper5_threads(bench)),
                        DESCRIBED("cpu_gflops", cpu.gflops),
                        DESCRIBED("triad", triad),
                        {0}});
    qp_cuda_close(&cuda);
    if (!isnan(small / large))
        fprintf(bench->out, "The thesis's copy of 32 MiB is %.2f times as fast as one of 256%s.\n",
                small / large, small > 1.1 * large ? ": it stays in a cache" : "");
}
