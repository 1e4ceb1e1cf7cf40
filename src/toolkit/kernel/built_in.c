/* SPDX-License-Identifier: MIT */
#include "toolkit/kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/shaders.h"

/* The text with the lines in front of it; free() takes it; NULL without memory. */
static char *put_in_front(const char *text, const char *version, const char *lines)
{
    const char *rest = text;
    size_t first = 0;
    if (strncmp(text, "#version", 8) == 0) {
        first = strcspn(text, "\n");
        rest = text + first + (text[first] == '\n');
    }
    if (version == NULL || first == 0)
        version = text;
    else
        first = strlen(version);
    const size_t size = first + strlen(lines) + strlen(rest) + 2;
    char *all = qp_alloc(size, 1, "a shader's text");
    if (all != NULL)
        snprintf(all, size, "%.*s%s%s%s", (int)first, version, first > 0 ? "\n" : "", lines, rest);
    return all;
}

enum qp_status qp_kernel_built_in(struct qp_context *context, const char *shader,
                                  const char *version, const char *lines,
                                  const struct qp_kernel_desc *desc, struct qp_kernel **out)
{
    struct qp_kernel_desc kernel = *desc;
    char *text;
    *out = NULL;
    enum qp_status status = qp_shader_read(shader, &text);
    if (status != QP_OK)
        return status;
    char *all = put_in_front(text, version, lines);
    free(text);
    if (all == NULL)
        return QP_NO_MEMORY;
    if (kernel.name == NULL)
        kernel.name = shader;
    if (strstr(all, "void main()") != NULL)
        kernel.fragment.text = all;
    else
        kernel.body = all;
    status = qp_kernel_create(context, &kernel, out);
    free(all);
    if (status == QP_BAD_INPUT && desc->name == NULL) /* a text of the library's alone */
        status = qp_fail(QP_DEVICE, "%s", qp_error());
    if (status == QP_OK)
        (*out)->stays_inside = kernel.fragment.text != NULL;
    return status;
}
