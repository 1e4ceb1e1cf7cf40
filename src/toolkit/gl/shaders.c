/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/shaders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20, MOST_PATH = 4096, LONGEST_NAME = 64 };

static const char *live_folder(void)
{
    const char *folder = getenv("QUADPASS_SHADER_DIR");
    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

enum qp_status qp_shader_check_folder(const char *variable, const char *what)
{
    const char *folder = getenv(variable);
    struct stat found;
    if (folder == NULL || folder[0] == '\0')
        return QP_OK;
    errno = 0;
    if (strlen(folder) + LONGEST_NAME >= MOST_PATH)
        errno = ENAMETOOLONG;
    else if (stat(folder, &found) == 0 && !S_ISDIR(found.st_mode))
        errno = ENOTDIR;
    else if (errno == 0)
        access(folder, X_OK);
    if (errno == 0)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s: %.200s: %s; it names a folder whose %s are read in place of those in the "
                   "program",
                   variable, folder, strerror(errno), what);
}

/* True if QUADPASS_SHADER_DIR has an entry of this name, of any type: one that cannot be read is an
 * error. */
static bool is_live(const char *name, char *path, size_t size)
{
    const char *folder = live_folder();
    if (folder == NULL || strncmp(name, "probe/", 6) == 0)
        return false;
    snprintf(path, size, "%s/%s", folder, name);
    return access(path, F_OK) == 0 || errno != ENOENT;
}

void qp_shader_path(const char *name, char *path, size_t size)
{
    if (!is_live(name, path, size))
        snprintf(path, size, "shaders/%s", name);
}

bool qp_shader_is_live_sentence(const char *sentence)
{
    const char *folder = live_folder(), *said = strstr(sentence, "stage 4, program: ");
    return folder != NULL && said != NULL &&
           (strstr(said, folder) != NULL || strstr(said, ": linking ") != NULL);
}

enum qp_status qp_shader_read_file(const char *path, char **text)
{
    *text = NULL;
    const int input =
        open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* also a pipe without writer */
    FILE *file = input >= 0 ? fdopen(input, "rb") : NULL;
    if (file == NULL)
        return qp_fail(QP_BAD_INPUT, "cannot read the shader %s: %s%s", path, strerror(errno),
                       errno == ENOENT ? " (check its name and folder)" : "");
    fcntl(input, F_SETFL, 0);
    char *buffer = qp_alloc(MOST_BYTES + 1, 1, "a shader's text");
    if (buffer == NULL) {
        fclose(file);
        return QP_NO_MEMORY;
    }
    size_t size = fread(buffer, 1, MOST_BYTES, file);
    buffer[size] = '\0';
    const bool is_folder = ferror(file) != 0 && errno == EISDIR;
    bool failed = ferror(file) != 0 || strlen(buffer) < size;
    fclose(file);
    if (failed || size == MOST_BYTES) {
        free(buffer);
        return qp_fail(QP_BAD_INPUT,
                       is_folder
                           ? "%s is a folder; name a shader in it"
                           : "%s cannot be read as a shader of under 1 MiB, a text without NUL",
                       path);
    }
    *text = buffer;
    return QP_OK;
}

static enum qp_status copy_built_in(const char *name, char **text)
{
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
    return qp_fail(QP_BAD_INPUT, "stage 4, program: no shader is called %s%s", name,
                   live_folder() != NULL ? ", in QUADPASS_SHADER_DIR or in the program" : "");
}

enum qp_status qp_shader_read(const char *name, char **text)
{
    char path[MOST_PATH];
    *text = NULL;
    if (is_live(name, path, sizeof path))
        return qp_shader_read_file(path, text);
    enum qp_status status = qp_shader_check_folder("QUADPASS_SHADER_DIR", "shaders");
    return status == QP_OK ? copy_built_in(name, text) : status;
}
