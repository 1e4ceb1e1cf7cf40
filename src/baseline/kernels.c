/* SPDX-License-Identifier: MIT */
/* Choice of OpenBLAS's kernels, for a fair comparison. OpenBLAS knows processors by their models; on one newer
 * than itself it falls back to the kernels of 2004 (Prescott, SSE3), which are three to four times slower on a
 * processor with AVX-512. Then the nearest relative it knows is chosen. */
#include "baseline/baseline.h"
#include "baseline/openblas.h"

#include <stdlib.h>
#include <string.h>

/* Environment variable that OpenBLAS reads when it chooses; builds for one processor alone do not choose. */
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

void baseline_choose_kernels(const struct baseline_openblas *blas)
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

const char *baseline_kernels(void)
{
    const struct baseline_openblas *blas = baseline_openblas();
    return blas != NULL ? blas->core() : NULL;
}
