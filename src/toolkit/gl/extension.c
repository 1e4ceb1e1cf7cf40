/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "toolkit/gl/context/context.h"

bool qp_context_has(const struct qp_context *context, const char *extension)
{
    (void)context; /* it is current */
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), extension) == 0)
            return true;
    }
    return false;
}
