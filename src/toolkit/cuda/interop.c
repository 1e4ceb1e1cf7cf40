/* SPDX-License-Identifier: MIT */
/* Textures and buffers shared by OpenGL and CUDA: registered once, then mapped to either in
 * turn. */
#include <quadpass/cuda.h>

#include <stdio.h>
#include <stdlib.h>

#include "toolkit/gl/texture.h" /* GLEW must come before CUDA's header takes in OpenGL's */

#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include "toolkit/base/caller.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/objects.h"

struct qp_shared {
    struct qp_context *context; /* NULL once it was destroyed */
    struct qp_shared *next;     /* next one of the same context */
    cudaGraphicsResource_t resource;
    enum qp_shared_access access;
    GLuint texture_id, buffer_id; /* name of the texture or of the buffer */
    bool mapped;
    struct qp_shared_view view; /* its objects belong to view.array, which seldom moves */
    char name[32];              /* for sentences */
};

/* ---- Checks before sharing ---- */

static enum qp_status check_texture(const struct qp_shared *shared, GLenum target)
{
    GLint width = 0;
    if (!glIsTexture(shared->texture_id))
        return qp_fail(QP_BAD_USE, "OpenGL has no %s", shared->name);
    if (!qp_texture_ask(shared->texture_id, target, GL_TEXTURE_WIDTH, &width))
        return qp_fail(QP_BAD_USE, "%s is no %s texture", shared->name,
                       target == GL_TEXTURE_2D ? "2D" : "rectangle");
    return width > 0 ? QP_OK : qp_fail(QP_BAD_USE, "%s has no texels yet", shared->name);
}

static enum qp_status check_buffer(const struct qp_shared *shared)
{
    GLint before = 0, bytes = 0;
    if (!glIsBuffer(shared->buffer_id))
        return qp_fail(QP_BAD_USE, "OpenGL has no %s", shared->name);
    glGetIntegerv(GL_COPY_READ_BUFFER_BINDING, &before);
    glBindBuffer(GL_COPY_READ_BUFFER, shared->buffer_id);
    glGetBufferParameteriv(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
    glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)before);
    /* sizes from 2^31 on do not fit the int that the driver answers with */
    return bytes != 0 ? QP_OK : qp_fail(QP_BAD_USE, "%s has no bytes yet", shared->name);
}

static enum qp_status check_desc(const struct qp_shared_desc *desc)
{
    if (desc == NULL || (desc->texture == 0) == (desc->buffer == 0))
        return qp_fail(QP_BAD_USE, "either a texture or a buffer can be shared");
    if ((int)desc->access < 0 || desc->access > QP_SHARED_DISCARD)
        return qp_fail(QP_BAD_USE, "there is no access %d to what is shared", (int)desc->access);
    if ((int)desc->target < 0 || desc->target >= QP_TEXTURE_TARGETS)
        return qp_fail(QP_BAD_USE, "there is no texture target %d", (int)desc->target);
    return QP_OK;
}

static enum qp_status check_new(const struct qp_context *context, const struct qp_shared *shared)
{
    for (const struct qp_shared *other = context->shared; other != NULL; other = other->next) {
        if (other->texture_id == shared->texture_id && other->buffer_id == shared->buffer_id)
            return qp_fail(QP_BAD_USE, "%s is shared already", shared->name);
    }
    return QP_OK;
}

/* ---- Registering ---- */

static enum qp_status check_registered(const struct qp_shared *shared, cudaError_t error)
{
    char doing[sizeof shared->name + sizeof "register "];
    snprintf(doing, sizeof doing, "register %s", shared->name);
    return qp_cuda_check(error, doing);
}

static enum qp_status register_texture(struct qp_shared *shared, GLenum target)
{
    static const unsigned flags[] = {
        cudaGraphicsRegisterFlagsSurfaceLoadStore, cudaGraphicsRegisterFlagsReadOnly,
        cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsWriteDiscard};
    GLint format = 0;
    cudaError_t error = cudaGraphicsGLRegisterImage(&shared->resource, shared->texture_id, target,
                                                    flags[shared->access]);
    if (error != cudaErrorInvalidValue)
        return check_registered(shared, error);
    cudaGetLastError();
    qp_texture_ask(shared->texture_id, target, GL_TEXTURE_INTERNAL_FORMAT, &format);
    return qp_fail(
        QP_UNSUPPORTED,
        "CUDA cannot share %s, whose format is OpenGL's 0x%x; it takes complete textures with 1, 2 "
        "or 4 channels of colour, such as GL_LUMINANCE32F_ARB, GL_R32F and GL_RGBA32F_ARB",
        shared->name, (unsigned)format);
}

static enum qp_status register_buffer(struct qp_shared *shared)
{
    static const unsigned flags[] = {cudaGraphicsRegisterFlagsNone,
                                     cudaGraphicsRegisterFlagsReadOnly,
                                     cudaGraphicsRegisterFlagsWriteDiscard};
    return check_registered(
        shared,
        cudaGraphicsGLRegisterBuffer(&shared->resource, shared->buffer_id, flags[shared->access]));
}

static enum qp_status check_and_register(struct qp_context *context, struct qp_shared *shared,
                                         GLenum target)
{
    const bool texture = shared->texture_id != 0;
    enum qp_status status = texture ? check_texture(shared, target) : check_buffer(shared);
    if (status == QP_OK)
        status = check_new(context, shared);
    if (status == QP_OK)
        status = qp_cuda_use(context, NULL);
    if (status != QP_OK)
        return status;
    return texture ? register_texture(shared, target) : register_buffer(shared);
}

static void forget_objects(struct qp_shared *shared)
{
    if (shared->view.texture != 0)
        cudaDestroyTextureObject(shared->view.texture);
    if (shared->view.surface != 0)
        cudaDestroySurfaceObject(shared->view.surface);
    shared->view = (struct qp_shared_view){0};
}

/* Unregisters; CUDA's errors are of no use any more (a deleted texture, a failed kernel). A kernel
 * may still run with the objects, on any stream, though everything was unmapped after it. */
static void give_back(struct qp_shared *shared)
{
    cudaDeviceSynchronize();
    forget_objects(shared);
    if (shared->mapped)
        cudaGraphicsUnmapResources(1, &shared->resource, NULL);
    cudaGraphicsUnregisterResource(shared->resource);
    cudaGetLastError();
}

static void leave_context(struct qp_shared *shared)
{
    shared->mapped = false;
    shared->context->counters.shared_objects--;
    shared->context = NULL;
}

/* CUDA unregisters only while the context is current, and a thread that does not own the context
 * cannot make it so: CUDA's side is then lost until the process ends. */
static void abandon(struct qp_context *context)
{
    const bool entered = eglGetCurrentContext() == context->handle;
    if (entered)
        cudaSetDevice(context->device.cuda_device);
    for (struct qp_shared *shared = context->shared; shared != NULL; shared = shared->next) {
        if (entered)
            give_back(shared);
        leave_context(shared);
    }
    context->shared = NULL;
}

enum qp_status qp_shared_create(struct qp_context *context, const struct qp_shared_desc *desc,
                                struct qp_shared **out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = NULL;
    enum qp_status status = qp_context_check(context);
    if (status == QP_OK)
        status = qp_context_enter(context);
    if (status == QP_OK)
        status = check_desc(desc);
    if (status != QP_OK)
        return status;
    struct qp_shared *shared = qp_alloc_zero(1, sizeof *shared, "a shared object");
    if (shared == NULL)
        return QP_NO_MEMORY;
    shared->access = desc->access;
    shared->texture_id = desc->texture;
    shared->buffer_id = desc->buffer;
    snprintf(shared->name, sizeof shared->name, "%s %u", desc->texture != 0 ? "texture" : "buffer",
             desc->texture != 0 ? desc->texture : desc->buffer);
    status = check_and_register(context, shared, qp_gl_target(desc->target));
    if (status != QP_OK) {
        free(shared);
        return status;
    }
    shared->context = context;
    shared->next = context->shared;
    context->shared = shared;
    context->abandon_shared = abandon;
    context->counters.shared_objects++;
    *out = shared;
    return QP_OK;
}

void qp_shared_destroy(struct qp_shared **shared)
{
    if (shared == NULL || *shared == NULL)
        return;
    struct qp_shared *old = *shared;
    if (old->context != NULL) {
        if (qp_context_enter(old->context) != QP_OK)
            return;
        cudaSetDevice(old->context->device.cuda_device);
        struct qp_shared **at = &old->context->shared;
        while (*at != old)
            at = &(*at)->next;
        *at = old->next;
        give_back(old);
        leave_context(old);
    }
    free(old);
    *shared = NULL;
}

/* ---- Mapping ---- */

static enum qp_status check_one(const struct qp_shared *shared, bool mapped)
{
    if (shared->mapped && !mapped)
        return qp_fail(QP_BAD_USE, "%s is mapped already; unmap it first", shared->name);
    if (!shared->mapped && mapped)
        return qp_fail(QP_BAD_USE, "%s is not mapped", shared->name);
    if (shared->texture_id != 0 ? !glIsTexture(shared->texture_id) : !glIsBuffer(shared->buffer_id))
        return qp_fail(QP_BAD_USE,
                       "%s was deleted while CUDA shared it; call qp_shared_destroy before OpenGL "
                       "deletes it",
                       shared->name);
    return QP_OK;
}

/* Fills `resources` once all objects may change hands. */
static enum qp_status collect(struct qp_shared *const *shared, int count, bool mapped,
                              cudaGraphicsResource_t *resources)
{
    if (shared == NULL || count < 1 || count > QP_SHARED_AT_ONCE)
        return qp_fail(QP_BAD_USE, "1 to %d shared objects can change hands at once, not %d",
                       QP_SHARED_AT_ONCE, shared != NULL ? count : 0);
    for (int i = 0; i < count; i++) {
        if (shared[i] == NULL)
            return qp_fail(QP_BAD_USE, "shared object %d of %d is NULL", i + 1, count);
        if (shared[i]->context == NULL)
            return qp_fail(QP_BAD_USE, "the context of %s was destroyed", shared[i]->name);
        if (shared[i]->context != shared[0]->context)
            return qp_fail(QP_BAD_USE, "%s and %s belong to two contexts", shared[0]->name,
                           shared[i]->name);
        for (int k = 0; k < i; k++) {
            if (shared[k] == shared[i])
                return qp_fail(QP_BAD_USE, "%s is named twice", shared[i]->name);
        }
        resources[i] = shared[i]->resource;
    }
    enum qp_status status = qp_cuda_use(shared[0]->context, NULL);
    for (int i = 0; i < count && status == QP_OK; i++)
        status = check_one(shared[i], mapped);
    return status;
}

static cudaError_t make_objects(struct qp_shared *shared, cudaArray_t array)
{
    const struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray,
                                              .res.array.array = array};
    const struct cudaTextureDesc nearest = {
        .addressMode = {cudaAddressModeBorder, cudaAddressModeBorder, cudaAddressModeBorder},
        .filterMode = cudaFilterModePoint,
        .readMode = cudaReadModeElementType};
    struct cudaChannelFormatDesc format = {0};
    struct cudaExtent extent = {0};
    unsigned flags;
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, array);
    if (error == cudaSuccess)
        error = cudaCreateTextureObject(&texture, &resource, &nearest, NULL);
    if (error == cudaSuccess && shared->access != QP_SHARED_READ)
        error = cudaCreateSurfaceObject(&surface, &resource);
    shared->view = (struct qp_shared_view){.width = (int)extent.width,
                                           .height = (int)extent.height,
                                           .channels = (format.x > 0) + (format.y > 0) +
                                                       (format.z > 0) + (format.w > 0),
                                           .array = array,
                                           .texture = texture,
                                           .surface = surface};
    return error;
}

/* Finds the mapped array, which CUDA may have moved since last time; a kernel may still fetch from
 * the old one. */
static cudaError_t find_place(struct qp_shared *shared)
{
    cudaArray_t array = NULL;
    if (shared->buffer_id != 0)
        return cudaGraphicsResourceGetMappedPointer(&shared->view.pointer, &shared->view.bytes,
                                                    shared->resource);
    cudaError_t error = cudaGraphicsSubResourceGetMappedArray(&array, shared->resource, 0, 0);
    if (error != cudaSuccess || array == shared->view.array)
        return error;
    if (shared->view.array != NULL)
        cudaDeviceSynchronize();
    forget_objects(shared);
    error = make_objects(shared, array);
    if (error != cudaSuccess) /* a half-made view, which the next call would take for whole */
        forget_objects(shared);
    return error;
}

/* Flushes first, since CUDA waits only for commands that OpenGL has sent: an unsent draw was seen
 * to come after the kernel, where the draw before it had the same target (driver 580). */
enum qp_status qp_shared_map(struct qp_shared *const *shared, int count, void *stream)
{
    cudaGraphicsResource_t resources[QP_SHARED_AT_ONCE];
    enum qp_status status = collect(shared, count, false, resources);
    if (status != QP_OK)
        return status;
    glFlush();
    cudaError_t error = cudaGraphicsMapResources(count, resources, stream);
    if (error != cudaSuccess)
        return qp_cuda_check(error, "map what OpenGL shares");
    for (int i = 0; i < count && error == cudaSuccess; i++)
        error = find_place(shared[i]);
    if (error != cudaSuccess)
        cudaGraphicsUnmapResources(count, resources, stream);
    for (int i = 0; i < count; i++)
        shared[i]->mapped = error == cudaSuccess;
    return qp_cuda_check(error, "find what it mapped");
}

enum qp_status qp_shared_unmap(struct qp_shared *const *shared, int count, void *stream)
{
    cudaGraphicsResource_t resources[QP_SHARED_AT_ONCE];
    enum qp_status status = collect(shared, count, true, resources);
    if (status != QP_OK)
        return status;
    cudaError_t error = cudaGraphicsUnmapResources(count, resources, stream);
    for (int i = 0; i < count; i++)
        shared[i]->mapped = false;
    return qp_cuda_check(error, "unmap what OpenGL shares");
}

enum qp_status qp_shared_look(const struct qp_shared *shared, struct qp_shared_view *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_shared_view){0};
    if (shared == NULL)
        return qp_fail(QP_BAD_USE, "there is no shared object; it is NULL");
    if (shared->context == NULL)
        return qp_fail(QP_BAD_USE, "the context of %s was destroyed", shared->name);
    enum qp_status status = qp_context_enter(shared->context);
    if (status != QP_OK)
        return status;
    if (!shared->mapped)
        return qp_fail(QP_BAD_USE, "%s is not mapped: OpenGL has it; call qp_shared_map first",
                       shared->name);
    *out = shared->view;
    return QP_OK;
}
