/* SPDX-License-Identifier: MIT */
/* Kernels that are compiled when they are needed: NVRTC compiles a text, and CUDA's driver loads
 * and launches what it makes. Both are found at run time, in builds without CUDA, too. */
#ifndef QP_CUDA_NVRTC_H
#define QP_CUDA_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/own_files.h"
#include "toolkit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds a function of CUDA's driver, to which `function` points; false: it is not there. */
bool qp_cuda_find(const char *name, void *function);

/* The kind of the first device and the compiler's version, such as "-arch=sm_90" and "-arch=sm_90
 * NVRTC=13.0". The driver is asked once, since processes made after that cannot ask it. Errors:
 * QP_UNSUPPORTED. */
enum qp_status qp_nvrtc_kind(char arch[32], char device[64]);

/* Compiles a text's kernels to *size bytes that devices run; options are NVRTC's, such as
 * "-arch=sm_90". Errors: QP_UNSUPPORTED without NVRTC; QP_BAD_INPUT with the first line that it
 * says; QP_NO_MEMORY. Owner: the caller, by free. */
enum qp_status qp_nvrtc_compile(const char *name, const char *text, const char *const options[],
                                int count, void **cubin, size_t *size);

/* A kernel on the device that is current (qp_cuda_select); all zero: none. */
struct qp_nvrtc_kernel {
    void *module, *function;
};

/* Loads the kernel of this name, declared extern "C", from what was compiled, which is not needed
 * any more. Errors: QP_UNSUPPORTED without a driver; QP_NO_MEMORY, QP_DEVICE; then *out is all
 * zero. Owner: the caller, by qp_nvrtc_unload, which takes what is all zero and leaves it. */
enum qp_status qp_nvrtc_load(const void *cubin, const char *name, struct qp_nvrtc_kernel *out);
void qp_nvrtc_unload(struct qp_nvrtc_kernel *kernel);

/* Launches it in `blocks` of so many threads, each with `shared` bytes of shared memory, at most
 * 48 KiB, on a stream (qp_cuda.stream). Errors: QP_DEVICE. */
enum qp_status qp_nvrtc_launch(const struct qp_nvrtc_kernel *kernel, size_t blocks, int threads,
                               int shared, void *stream, void *arguments[]);

#ifdef __cplusplus
}
#endif
#endif
