/* SPDX-License-Identifier: MIT */
/* Kernels of CUDA that NVRTC compiles, as files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/cuda/nvrtc.h"
#include "toolkit/io/cache.h"
#include "tools/stencil/machine.h"

enum qp_status qp_cubin_compile(const char *name, const char *text, const char *const options[],
                                int count, const char *path)
{
    void *cubin = NULL;
    size_t size = 0;
    enum qp_status status = qp_nvrtc_compile(name, text, options, count, &cubin, &size);
    FILE *out = status == QP_OK ? fopen(path, "we") : NULL;
    const bool written = out != NULL && fwrite(cubin, 1, size, out) == size;
    if (status == QP_OK && (out == NULL || fclose(out) != 0 || !written))
        status = qp_fail(QP_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
    free(cubin);
    return status;
}

enum qp_status qp_cubin_add(const char *folder, const char *arch)
{
    char include[PATH_MAX], path[PATH_MAX];
    /* the bits of OpenGL: denormal numbers are zero, and nothing is fused */
    const char *const options[] = {arch,          include,           "-std=c++17",
                                   "-ftz=true",   "-prec-div=true",  "-prec-sqrt=true",
                                   "-fmad=false", "-default-device", "-DMOST_AT_ONCE=16"};
    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(path, sizeof path, "%s/steps.cubin", folder);
    return qp_cubin_compile("kernels", "#include \"steps.cu\"\n", options,
                            (int)(sizeof options / sizeof options[0]), path);
}

enum qp_status qp_cubin_make(const char *name, const char *text, struct qp_build *out)
{
    struct qp_scratch scratch = {.lock = -1};
    char arch[32], device[64], path[PATH_MAX], keep[PATH_MAX];
    const double start = qp_clock();
    *out = (struct qp_build){.file = 0};
    enum qp_status status = qp_nvrtc_kind(arch, device);
    if (status != QP_OK)
        return status;
    qp_cache_open(qp_hash(qp_hash(0, device, strlen(device)), text, strlen(text)), keep, out);
    if (out->file > 0)
        return QP_OK;
    status = qp_scratch_make(&scratch);
    snprintf(path, sizeof path, "%s/cubin", scratch.folder);
    if (status == QP_OK)
        status = qp_cubin_compile(name, text, (const char *[]){arch}, 1, path);
    if (status == QP_OK)
        status = qp_cache_put(path, keep, out);
    qp_scratch_remove(&scratch);
    out->seconds = qp_clock() - start;
    return status;
}
