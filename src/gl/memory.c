/* SPDX-License-Identifier: MIT */
/* How much of the device's memory is free: two vendors' extensions tell, in KiB. */
#include <math.h>

#include "gl/context.h"

double qp_gl_memory_there(const struct qp_context *context)
{
    GLint kilobytes[4] = {0}; /* ATI: all in the pool, largest block, and the same of the host's */
    if (context->device.software)
        return INFINITY;
    if (qp_context_has(context, "GL_NVX_gpu_memory_info"))
        glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, kilobytes);
    else if (qp_context_has(context, "GL_ATI_meminfo"))
        glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, kilobytes);
    return kilobytes[0] > 0 ? 1024.0 * kilobytes[0] : INFINITY;
}
