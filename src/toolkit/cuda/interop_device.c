/* SPDX-License-Identifier: MIT */
/* The CUDA device that belongs to an OpenGL context. */
#include <quadpass/cuda.h>

#include "toolkit/gl/context/context.h" /* GLEW must come before CUDA's header takes in OpenGL's */

#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include "toolkit/cuda/device.h"
#include "toolkit/gl/objects.h"

/* EGL numbers devices as if all were visible, CUDA only those that are. */
static enum qp_status compare_devices(const struct qp_context *context)
{
    enum { MOST = 16 };
    unsigned count = 0;
    int device[MOST], wanted = context->device.cuda_device;
    cudaError_t error = cudaGLGetDevices(&count, device, MOST, cudaGLDeviceListAll);
    cudaGetLastError();
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0))
        return qp_fail(QP_UNSUPPORTED,
                       "CUDA does not see the device that this context draws with, %s; look at "
                       "CUDA_VISIBLE_DEVICES",
                       context->device.renderer);
    if (error != cudaSuccess)
        return qp_cuda_check(error, "find the device that OpenGL draws with");
    for (unsigned i = 0; i < count && i < MOST; i++) {
        if (device[i] == wanted)
            return QP_OK;
    }
    return qp_fail(QP_UNSUPPORTED,
                   "EGL says that this context draws with CUDA's device %d, and CUDA that it is "
                   "%d; look at CUDA_VISIBLE_DEVICES",
                   wanted, device[0]);
}

/* Looks the device up, unless something shared already shows that it is right. */
static enum qp_status look(struct qp_context *context)
{
    if (context->shared != NULL)
        return QP_OK;
    enum qp_status status = qp_cuda_look(context->device.cuda_device);
    if (status == QP_OK && context->device.cuda_device < 0)
        return qp_fail(QP_UNSUPPORTED,
                       "this context draws with %s, which is no CUDA device; open one with the "
                       "device nvidia",
                       context->device.renderer);
    return status == QP_OK ? compare_devices(context) : status;
}

/* Makes both contexts current, as mapping and registering need. */
enum qp_status qp_cuda_use(struct qp_context *context, int *ordinal)
{
    enum qp_status status = qp_context_check(context);
    if (status == QP_OK)
        status = qp_context_enter(context);
    if (status == QP_OK)
        status = look(context);
    if (status == QP_OK)
        status =
            qp_cuda_check(cudaSetDevice(context->device.cuda_device), "open the context's device");
    if (status == QP_OK && ordinal != NULL)
        *ordinal = context->device.cuda_device;
    return status;
}
