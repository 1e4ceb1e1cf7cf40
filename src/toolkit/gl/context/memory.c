/* SPDX-License-Identifier: MIT */
/* Free memory of the device, by two vendors' extensions, in KiB. */
#include <math.h>

#include "toolkit/gl/context/context.h"

double qp_gl_memory_there(const struct qp_context *context)
{
    GLint kilobytes[4] = {0}; /* ATI: the pool, its largest block, and the same of host memory */
    if (context->device.software)
        return INFINITY;
    if (qp_context_has(context, "GL_NVX_gpu_memory_info"))
        glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, kilobytes);
    else if (qp_context_has(context, "GL_ATI_meminfo"))
        glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, kilobytes);
    return kilobytes[0] > 0 ? 1024.0 * kilobytes[0] : INFINITY;
}
