/* SPDX-License-Identifier: MIT */
/* NVRTC and CUDA's driver, by functions that are found when they are needed. */
#include "toolkit/cuda/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/watch.h"
#include "toolkit/cuda/device.h"

/* A function of a library that may not be there. POSIX has dlsym hand out functions as pointers to
 * objects. */
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

enum qp_status qp_nvrtc_kind(char arch[32], char device[64])
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
    snprintf(arch, 32, "-arch=sm_%d%d", up, down);
    snprintf(device, 64, "%s NVRTC=%d.%d", arch, major, minor);
    return QP_OK;
}

/* Reports the first line with an error, or else the first. */
static enum qp_status tell_error(const char *log)
{
    const char *error = strstr(log, "error"), *line = error != NULL ? error : log;
    while (line > log && line[-1] != '\n')
        line--;
    return qp_fail(QP_BAD_INPUT, "a kernel does not compile: %.*s", (int)strcspn(line, "\n"), line);
}

enum qp_status qp_nvrtc_compile(const char *name, const char *text, const char *const options[],
                                int count, void **cubin, size_t *size)
{
    /* headers of the system, of which a device needs types alone, and one that NVRTC knows */
    static const char types[] = "typedef unsigned long uint64_t; typedef long int64_t; typedef "
                                "unsigned uint32_t; typedef int int32_t; typedef unsigned char "
                                "uint8_t;";
    static const char *const headers[] = {"stdint.h",  "cstdint",  "stdio.h",  "string.h",
                                          "stdbool.h", "stddef.h", "math.h",   "stdlib.h",
                                          "cstdio",    "cmath",    "assert.h", "cuda_runtime.h"};
    enum { HEADERS = sizeof headers / sizeof headers[0] };
    const char *texts[HEADERS] = {types, types};
    for (int k = 2; k < HEADERS; k++)
        texts[k] = "";
    int (*create)(void **program, const char *text, const char *name, int count,
                  const char *const *texts, const char *const *headers);
    int (*compile)(void *program, int count, const char *const *options), (*destroy)(void **);
    int (*log_bytes)(void *program, size_t *), (*cubin_bytes)(void *program, size_t *);
    int (*get_log)(void *program, char *), (*get_cubin)(void *program, char *);
    void *program = NULL;
    *cubin = NULL;
    if (!find_nvrtc("nvrtcCreateProgram", &create) ||
        !find_nvrtc("nvrtcDestroyProgram", &destroy) ||
        !find_nvrtc("nvrtcCompileProgram", &compile) || !find_nvrtc("nvrtcGetCUBIN", &get_cubin) ||
        !find_nvrtc("nvrtcGetProgramLog", &get_log) ||
        !find_nvrtc("nvrtcGetCUBINSize", &cubin_bytes) ||
        !find_nvrtc("nvrtcGetProgramLogSize", &log_bytes))
        return lack_nvrtc();
    if (create(&program, text, name, HEADERS, texts, headers) != 0)
        return qp_fail(QP_NO_MEMORY, "no memory to compile %s", name);
    qp_watch_library = "NVRTC";
    const bool good = compile(program, count, options) == 0;
    qp_watch_library = NULL;
    (good ? cubin_bytes : log_bytes)(program, size);
    char *made = qp_alloc_zero(*size + 1, 1, "a kernel");
    if (made != NULL)
        (good ? get_cubin : get_log)(program, made);
    destroy(&program);
    if (made != NULL && good)
        *cubin = made;
    if (made == NULL || good)
        return made != NULL ? QP_OK : QP_NO_MEMORY;
    const enum qp_status status = tell_error(made);
    free(made);
    return status;
}

/* ---- Launches: the driver's errors have the numbers of the runtime's ---- */

enum qp_status qp_nvrtc_load(const void *cubin, const char *name, struct qp_nvrtc_kernel *out)
{
    int (*load)(void **module, const void *image);
    int (*get)(void **function, void *module, const char *name);
    *out = (struct qp_nvrtc_kernel){.module = NULL};
    if (!qp_cuda_find("cuModuleLoadData", &load) || !qp_cuda_find("cuModuleGetFunction", &get))
        return qp_fail(QP_UNSUPPORTED, "there is no CUDA driver that loads kernels");
    int error = load(&out->module, cubin);
    if (error == 0)
        error = get(&out->function, out->module, name);
    if (error != 0)
        qp_nvrtc_unload(out);
    return qp_cuda_check(error, "load a kernel");
}

void qp_nvrtc_unload(struct qp_nvrtc_kernel *kernel)
{
    int (*unload)(void *module);
    if (kernel->module != NULL && qp_cuda_find("cuModuleUnload", &unload))
        unload(kernel->module);
    *kernel = (struct qp_nvrtc_kernel){.module = NULL};
}

enum qp_status qp_nvrtc_launch(const struct qp_nvrtc_kernel *kernel, size_t blocks, int threads,
                               int shared, void *stream, void *arguments[])
{
    static int (*launch)(void *, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned,
                         unsigned, unsigned shared, void *stream, void **, void *);
    if (launch == NULL)
        qp_cuda_find("cuLaunchKernel", &launch);
    return qp_cuda_check(launch(kernel->function, (unsigned)blocks, 1, 1, (unsigned)threads, 1, 1,
                                (unsigned)shared, stream, arguments, NULL),
                         "launch a kernel");
}
