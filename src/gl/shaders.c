/* SPDX-License-Identifier: MIT */
#include "gl/shaders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

static const char *live_folder(void)
{
    const char *folder = getenv("QUADPASS_SHADER_DIR");
    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

void qp_shader_path(const char *name, char *path, size_t size)
{
    const char *folder = live_folder();
    snprintf(path, size, "%s/%s", folder != NULL ? folder : "shaders", name);
}

enum qp_status qp_shader_read_file(const char *path, char **text)
{
    *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return qp_fail(QP_BAD_INPUT, "room 4, program: cannot read %s: %s%s", path, strerror(errno),
                       live_folder() != NULL ? " (QUADPASS_SHADER_DIR is set)" : "");
    char *buffer = qp_alloc(MOST_BYTES + 1, 1, "a shader's text");
    if (buffer == NULL) {
        fclose(file);
        return QP_NO_MEMORY;
    }
    size_t size = fread(buffer, 1, MOST_BYTES, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed || size == MOST_BYTES) {
        free(buffer);
        return qp_fail(QP_BAD_INPUT,
                       "room 4, program: %s cannot be read as a shader of under 1 MiB", path);
    }
    buffer[size] = '\0';
    *text = buffer;
    return QP_OK;
}

enum qp_status qp_shader_read(const char *name, char **text)
{
    *text = NULL;
    if (live_folder() != NULL) {
        char path[4096];
        qp_shader_path(name, path, sizeof path);
        return qp_shader_read_file(path, text);
    }
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        *text = qp_alloc((size_t)file->size + 1, 1, "a shader's text");
        if (*text == NULL)
            return QP_NO_MEMORY;
        memcpy(*text, file->text, file->size);
        (*text)[file->size] = '\0';
        return QP_OK;
    }
    return qp_fail(QP_BAD_INPUT, "room 4, program: no shader is called %s", name);
}
