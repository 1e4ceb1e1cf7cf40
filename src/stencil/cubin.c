/* SPDX-License-Identifier: MIT */
/* Kernels of CUDA that NVRTC compiles; it and the driver are found at run time. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "io/cache.h"
#include "stencil/machine.h"

/* A function of a library that may not be there. POSIX has dlsym hand out functions as pointers to objects. */
static bool find(const char *const files[], const char *name, void *function)
{
    void *library = NULL;
    for (int k = 0; files[k] != NULL && library == NULL; k++)
        library = dlopen(files[k], RTLD_NOW | RTLD_LOCAL);
    *(void **)function = library != NULL ? dlsym(library, name) : NULL;
    return *(void **)function != NULL;
}

bool qp_cuda_find(const char *name, void *function)
{
    static const char *const cuda[] = {"libcuda.so.1", NULL};
    return find(cuda, name, function);
}

static bool find_nvrtc(const char *name, void *function)
{
    static const char *const nvrtc[] = {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so",
                                        "libnvrtc.so.13", "libnvrtc.so.12", NULL};
    return find(nvrtc, name, function);
}

static enum qp_status lack_nvrtc(void)
{
    return qp_fail(QP_UNSUPPORTED, "found no NVRTC, CUDA's compiler (looked for libnvrtc.so); "
                                   "install it, or name its folder in LD_LIBRARY_PATH");
}

enum qp_status qp_cubin_kind(char arch[32], char device[64])
{
    enum { MAJOR = 75, MINOR = 76 };
    static int up, down; /* 0: not known yet */
    int (*version)(int *major, int *minor), (*init)(unsigned), (*get)(int *device, int ordinal),
        (*attribute)(int *value, int what, int device);
    int major = 0, minor = 0, first;
    if (!find_nvrtc("nvrtcVersion", &version) || version(&major, &minor) != 0)
        return lack_nvrtc();
    if (!qp_cuda_find("cuInit", &init) || !qp_cuda_find("cuDeviceGet", &get) ||
        !qp_cuda_find("cuDeviceGetAttribute", &attribute))
        return qp_fail(QP_UNSUPPORTED, "there is no CUDA driver (looked for libcuda.so.1)");
    if (up == 0 && (init(0) != 0 || get(&first, 0) != 0 || attribute(&up, MAJOR, first) != 0 ||
                    attribute(&down, MINOR, first) != 0))
        return qp_fail(QP_UNSUPPORTED, "CUDA has no device here");
    snprintf(arch, 32, "ARCH=sm_%d%d", up, down);
    snprintf(device, 64, "%s NVRTC=%d.%d", arch, major, minor);
    return QP_OK;
}

enum qp_status qp_cubin_compile(const char *name, const char *text, const char *arch, FILE *out)
{
    int (*create)(void **program, const char *text, const char *name, int headers,
                  const char *const *header, const char *const *names);
    int (*compile)(void *program, int count, const char *const *options), (*destroy)(void **);
    int (*log_bytes)(void *program, size_t *), (*cubin_bytes)(void *program, size_t *);
    int (*get_log)(void *program, char *), (*get_cubin)(void *program, char *);
    void *program = NULL;
    size_t size = 0;
    if (!find_nvrtc("nvrtcCreateProgram", &create) ||
        !find_nvrtc("nvrtcDestroyProgram", &destroy) ||
        !find_nvrtc("nvrtcCompileProgram", &compile) || !find_nvrtc("nvrtcGetCUBIN", &get_cubin) ||
        !find_nvrtc("nvrtcGetProgramLog", &get_log) ||
        !find_nvrtc("nvrtcGetCUBINSize", &cubin_bytes) ||
        !find_nvrtc("nvrtcGetProgramLogSize", &log_bytes))
        return lack_nvrtc();
    if (create(&program, text, name, 0, NULL, NULL) != 0)
        return qp_fail(QP_NO_MEMORY, "no memory to compile %s", name);
    const bool good = compile(program, 1, &arch) == 0;
    (good ? cubin_bytes : log_bytes)(program, &size);
    char *made = qp_alloc_zero(size + 1, 1, "a kernel");
    enum qp_status status = made != NULL ? QP_OK : QP_NO_MEMORY;
    if (made != NULL)
        (good ? get_cubin : get_log)(program, made);
    if (made != NULL && !good)
        status = qp_fail(QP_BAD_INPUT, "a kernel does not compile: %.*s", (int)strcspn(made, "\n"),
                         made);
    else if (made != NULL && (fwrite(made, 1, size, out) != size || fflush(out) != 0))
        status = qp_fail(QP_BAD_INPUT, "a kernel cannot be written: %s", strerror(errno));
    free(made);
    destroy(&program);
    return status;
}

enum qp_status qp_cubin_make(const char *name, const char *text, struct qp_build *out)
{
    char kind[32], device[64], scratch[QP_SCRATCH_LETTERS], path[PATH_MAX], keep[PATH_MAX];
    const double start = qp_clock();
    *out = (struct qp_build){.file = 0};
    enum qp_status status = qp_cubin_kind(kind, device);
    if (status != QP_OK)
        return status;
    const uint64_t key = qp_hash(qp_hash(0, device, strlen(device)), text, strlen(text));
    if ((out->file = qp_cache_open(key, keep, out->note)) > 0)
        return QP_OK;
    out->file = 0;
    status = qp_scratch_make(scratch);
    snprintf(path, sizeof path, "%s/cubin", scratch);
    FILE *file = status == QP_OK ? fopen(path, "we") : NULL;
    snprintf(device, sizeof device, "-arch=%s", strchr(kind, '=') + 1);
    if (file != NULL)
        status = qp_cubin_compile(name, text, device, file);
    const bool written = file != NULL && fclose(file) == 0;
    if (status == QP_OK && (!written || (out->file = open(path, O_RDONLY | O_CLOEXEC)) <= 0)) {
        status = qp_fail(QP_BAD_INPUT, "%s: %s", path, strerror(errno));
        out->file = 0;
    }
    if (status == QP_OK && keep[0] != '\0')
        qp_cache_put(path, keep);
    qp_scratch_remove(scratch);
    out->seconds = qp_clock() - start;
    return status;
}
