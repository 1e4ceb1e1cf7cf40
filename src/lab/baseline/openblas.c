/* SPDX-License-Identifier: MIT */
#include "lab/baseline/openblas.h"
#include "have.h"
#include "lab/baseline/baseline.h"

#if QP_HAVE_BLAS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lab/baseline/library.h"

#define ENTRY(name, function)                              \
    {                                                      \
        name, offsetof(struct baseline_openblas, function) \
    }

static const struct baseline_function functions[] = {ENTRY("openblas_set_num_threads", set_threads),
                                                     ENTRY("openblas_get_num_procs", processors),
                                                     ENTRY("openblas_get_corename", core),
                                                     ENTRY("?gotoblas_dynamic_quit", choose_quit),
                                                     ENTRY("?gotoblas_dynamic_init", choose_init),
                                                     ENTRY("cblas_scopy", scopy),
                                                     ENTRY("cblas_sgbmv", sgbmv),
                                                     ENTRY("sgesv_", sgesv),
                                                     ENTRY("sgetrf_", sgetrf),
                                                     ENTRY("dlange_", dlange),
                                                     ENTRY("dgesv_", dgesv),
                                                     ENTRY("dgecon_", dgecon),
                                                     {NULL, 0}};

static const char *const files[] = {"libopenblas.so.0", "libopenblasp.so.0", "libopenblas.so",
                                    NULL};

static const struct baseline_library library = {"OpenBLAS", files, functions};

/* Bytes of address space that the process has taken. */
static double taken(void)
{
    double pages = 0.0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%lf", &pages) != 1)
        pages = 0.0;
    if (file != NULL)
        fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* Bytes of address space that OpenBLAS wants: 128 MiB for each thread and for the caller, a stack
 * each, and the library itself. */
static double wanted(void)
{
    const char *asked = getenv("OPENBLAS_NUM_THREADS");
    const double all = (double)sysconf(_SC_NPROCESSORS_ONLN),
                 threads = asked != NULL && atoi(asked) > 0 ? atoi(asked) : all;
    return (threads + 1.0) * (0x1p27 + 0x1p23) + 0x1p27;
}

/* Refuses without enough address space, for which OpenBLAS would wait for ever. */
static enum qp_status check_room(void)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return QP_OK;
    const double left = (double)space.rlim_cur - taken();
    if (wanted() <= left)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "OpenBLAS needs %.1f GB of address space and the limit leaves %.1f; raise it "
                   "(ulimit -v), or set OPENBLAS_NUM_THREADS",
                   wanted() * 1e-9, left > 0.0 ? left * 1e-9 : 0.0);
}

/* ---- Kernels ---- */

/* Choice of OpenBLAS's kernels, for a fair comparison. OpenBLAS knows processors by their models;
 * on one newer than itself it falls back to the kernels of 2004 (Prescott, SSE3), which are three
 * to four times slower on a processor with AVX-512. Then the nearest relative it knows is chosen.
 * Builds for one processor alone do not read this variable. */
static const char variable[] = "OPENBLAS_CORETYPE";

/* Nearest relative of the processor; NULL where Prescott's kernels may be the best. */
static const char *relative(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return "SKYLAKEX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "HASWELL";
#endif
    return NULL;
}

static void choose_kernels(const struct baseline_openblas *blas)
{
    const char *name = relative();
    if (name == NULL || getenv(variable) != NULL || blas->choose_quit == NULL ||
        blas->choose_init == NULL || strcmp(blas->core(), "Prescott") != 0)
        return;
    setenv(variable, name, 1);
    blas->choose_quit();
    blas->choose_init();
    unsetenv(variable);
}

/* A single thread: OpenBLAS splits no product of so few bands anyway, and its idle threads would
 * spin where OpenMP and llvmpipe want the cores. */
const struct baseline_openblas *baseline_openblas(void)
{
    static struct baseline_openblas blas;
    static enum qp_status status = QP_OK;
    if (blas.core != NULL && status == QP_OK)
        return &blas;
    status = check_room();
    if (status == QP_OK)
        status = baseline_load(&library, &blas);
    if (status != QP_OK)
        return NULL;
    choose_kernels(&blas);
    blas.set_threads(1);
    return &blas;
}
#else
const struct baseline_openblas *baseline_openblas(void)
{
    qp_fail(QP_UNSUPPORTED, "built without BLAS");
    return NULL;
}
#endif

enum qp_status baseline_open_openblas(void)
{
    return baseline_openblas() != NULL ? QP_OK : QP_UNSUPPORTED;
}

const char *baseline_kernels(void)
{
    const struct baseline_openblas *blas = baseline_openblas();
    return blas != NULL ? blas->core() : NULL;
}
