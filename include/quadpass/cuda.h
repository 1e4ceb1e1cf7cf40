/* SPDX-License-Identifier: MIT */
/* Interoperability: kernels of your own on the textures and buffers of an OpenGL context, without a
 * copy through the host. Register once (qp_shared_create); then map, launch, unmap, draw, and so on
 * in turn. A mapped object is CUDA's, an unmapped one OpenGL's; access by the other side is
 * undefined. All functions belong to the context's thread, and leave the context and, but for
 * qp_shared_look, its CUDA device current there. demos/interop.cu is an example in a page.
 *
 * Handles are plain pointers and numbers, so that this header needs none of CUDA's. A library that
 * was built without CUDA has the same functions: each answers QP_UNSUPPORTED, "built without
 * CUDA". */
#ifndef QUADPASS_CUDA_H
#define QUADPASS_CUDA_H

#include <stddef.h>

#include <quadpass/context.h>
#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes the CUDA device that the context draws with current on this thread; `ordinal`, CUDA's
 * number of it, may be NULL. EGL names it (EGL_CUDA_DEVICE_NV), and CUDA (cudaGLGetDevices) must
 * agree. Errors: QP_UNSUPPORTED for a build without CUDA, no driver or one too old, no CUDA device,
 * a context on a device that is not CUDA's, such as llvmpipe, or that CUDA takes for another;
 * QP_BAD_USE for NULL or another thread; QP_NO_MEMORY, QP_DEVICE. Owner: none. Threads: the
 * context's. */
enum qp_status qp_cuda_use(struct qp_context *context, int *ordinal);

/* ---- Objects that OpenGL and CUDA share ---- */

/* A texture or a buffer of OpenGL that CUDA knows. It goes before the texture or buffer is deleted,
 * and before its context or a cudaDeviceReset; one that outlives the context can only be
 * destroyed. */
struct qp_shared;

enum qp_shared_access {
    QP_SHARED_READ_WRITE,
    QP_SHARED_READ,   /* kernels leave it as it is */
    QP_SHARED_DISCARD /* kernels write all of it: its earlier contents are lost */
};

/* Either a texture or a buffer, by OpenGL's name. Zero means default. */
struct qp_shared_desc {
    unsigned texture;
    enum qp_texture_target target; /* target of the texture; default: a rectangle */
    unsigned buffer;
    enum qp_shared_access access;
};

/* A mapped object as kernels see it; valid until it is unmapped. Zero where a member does not
 * apply. */
struct qp_shared_view {
    int width, height; /* texels */
    int channels;      /* values in a texel: 1, 2 or 4 */
    void *array;       /* a cudaArray_t */
    /* A cudaTextureObject_t: texel (x, y) is at (x + 0.5, y + 0.5), and beyond the edges zeros. */
    unsigned long long texture;
    /* A cudaSurfaceObject_t, which counts x in bytes; 0 with QP_SHARED_READ. */
    unsigned long long surface;
    void *pointer; /* address of a buffer, in device memory */
    size_t bytes;
};

/* Registers with CUDA, which may take a millisecond: once, not for every run. Errors: QP_BAD_USE
 * (NULL or another thread; no such texture or buffer, none of that target, one without storage, or
 * shared already), QP_UNSUPPORTED (as qp_cuda_use, and for formats that CUDA does not share, such
 * as those of depth or of three channels), QP_NO_MEMORY, QP_DEVICE; then *out is NULL. While it is
 * shared its storage cannot change. Bindings stay as they are. Owner: the caller, by
 * qp_shared_destroy; the texture or buffer stays the caller's. Threads: the context's. */
enum qp_status qp_shared_create(struct qp_context *context, const struct qp_shared_desc *desc,
                                struct qp_shared **out);

enum { QP_SHARED_AT_ONCE = 32 };

/* Maps up to QP_SHARED_AT_ONCE objects of one context to CUDA; one call for all costs less than one
 * for each. Earlier OpenGL commands end before later work of `stream` (a cudaStream_t; NULL: the
 * default one) begins; the host does not wait. Errors: QP_BAD_USE (mapped already, named twice,
 * deleted while it was shared, a destroyed context), QP_NO_MEMORY, QP_DEVICE; then none of them is
 * mapped by this call. Owner: none. Threads: the context's. */
enum qp_status qp_shared_map(struct qp_shared *const *shared, int count, void *stream);

/* Unmaps: earlier work of `stream` ends before later OpenGL commands begin. Errors: QP_BAD_USE (not
 * mapped, and as above); QP_NO_MEMORY or QP_DEVICE, which may be the error of an earlier
 * kernel. Owner: none. Threads: the context's. */
enum qp_status qp_shared_unmap(struct qp_shared *const *shared, int count, void *stream);

/* Returns CUDA's handles of a mapped object. Errors: QP_BAD_USE (NULL, not mapped, another thread,
 * a destroyed context); then *out is all zero. Owner: the library, until it is unmapped. Threads:
 * the context's. */
enum qp_status qp_shared_look(const struct qp_shared *shared, struct qp_shared_view *out);

/* Unregisters, after all kernels on the device have ended; a mapped object is unmapped. Takes NULL
 * and leaves *shared NULL. Errors: none. Owner: none. Threads: the context's; another one leaves
 * the object as it is. */
void qp_shared_destroy(struct qp_shared **shared);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
