/* SPDX-License-Identifier: MIT */
#include "io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* The folder that a new file would stand in. */
static bool folder_takes_files(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool good = folder != NULL && access(folder, W_OK | X_OK) == 0;
    free(folder);
    return good;
}

bool qp_output_is_possible(const char *path)
{
    struct stat old;
    if (is_standard(path))
        return true;
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (lstat(path, &old) == 0) /* what a link names need not be there yet */
        return access(path, W_OK) == 0 || S_ISLNK(old.st_mode);
    return folder_takes_files(path);
}

/* The name that the finished bytes take: a link stays and what it names is replaced. */
static const char *target(const struct qp_output *output)
{
    return output->found != NULL ? output->found : output->path;
}

/* A file that may not be written is not replaced either. */
static FILE *open_beside(struct qp_output *output)
{
    if (output->mode != 0) {
        output->found = realpath(output->path, NULL);
        if (output->found == NULL || access(output->path, W_OK) != 0)
            return NULL;
    }
    if (asprintf(&output->beside, "%s.%ld.part", target(output), (long)getpid()) < 0)
        output->beside = NULL;
    return output->beside != NULL ? fopen(output->beside, "wxe") : NULL; /* with the umask's mode */
}

bool qp_output_open(struct qp_output *output, const char *path)
{
    struct stat old;
    bool taken = lstat(path, &old) == 0;
    bool regular = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    *output = (struct qp_output){.path = path, .mode = regular ? old.st_mode : 0};
    if (is_standard(path))
        output->file = stdout;
    else if (taken && !regular) /* a pipe, a device, a link to what is not there yet */
        output->file = fopen(path, "we");
    else
        output->file = open_beside(output);
    return output->file != NULL;
}

/* False, with errno, if the last bytes did not arrive or the name did not change hands. */
static bool finish(struct qp_output *output, bool good)
{
    good = good && fflush(output->file) == 0;
    int reason = errno;
    if (output->file != stdout && fclose(output->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    errno = reason;
    if (output->beside == NULL)
        return good;
    good = good && (output->mode == 0 || chmod(output->beside, output->mode & 07777) == 0) &&
           rename(output->beside, target(output)) == 0;
    reason = errno;
    if (!good)
        unlink(output->beside);
    errno = reason;
    return good;
}

enum qp_status qp_output_close(struct qp_output *output, const char *reason)
{
    bool good = output->file != NULL && finish(output, reason == NULL);
    if (!good && reason == NULL)
        reason = strerror(errno);
    int code = errno;
    free(output->beside);
    free(output->found);
    if (good)
        return QP_OK;
    return qp_fail(output->file == NULL && code == ENOMEM ? QP_NO_MEMORY : QP_BAD_INPUT,
                   "%s: cannot be written: %s (check folder and disk space)",
                   is_standard(output->path) ? "standard output" : output->path, reason);
}
