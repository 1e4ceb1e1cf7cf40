/* SPDX-License-Identifier: MIT */
#include "toolkit/io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "toolkit/base/status.h"

/* A file in each folder of ours, which a folder of the user's does not have. */
#define MARK ".quadpass"

bool qp_output_is_standard(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    bool standard = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        standard = standard || strcmp(path, names[i]) == 0;
    return standard;
}

/* ---- Resolving names and links ---- */

/* Path of `name` as seen from the folder of `path`. */
static char *seen_from(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    char *joined = NULL;
    return asprintf(&joined, "%.*s%s", folder, path, name) >= 0 ? joined : NULL;
}

/* The folder without links, and in it the last part of the name; NULL, with errno. */
static char *in_real_folder(const char *name)
{
    const char *slash = strrchr(name, '/'), *last = slash != NULL ? slash + 1 : name;
    char *here = seen_from(name, "."), *folder = here != NULL ? realpath(here, NULL) : NULL;
    char *place = NULL;
    if (last[0] == '\0')
        errno = name[0] == '\0' ? ENOENT : EISDIR;
    else if (folder != NULL && asprintf(&place, "%s/%s", folder, last) < 0)
        place = NULL;
    const int reason = errno;
    free(here);
    free(folder);
    errno = reason;
    return place;
}

/* Resolved path of the file that new bytes replace, whether it exists or not: no link leads away
 * from it. For free(); NULL, with errno, where there is no such folder. */
static char *find_place(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as many as Linux follows */
    char link[PATH_MAX], *name = seen_from("", path);
    ssize_t length = -1;
    for (int i = 0; name != NULL && i < MOST_LINKS; i++) {
        length = readlink(name, link, sizeof link - 1);
        if (length < 0)
            break;
        link[length] = '\0';
        char *next = seen_from(name, link);
        free(name);
        name = next;
    }
    if (length >= 0)
        errno = ELOOP;
    char *place = name != NULL && length < 0 ? in_real_folder(name) : NULL;
    const int reason = errno;
    free(name);
    errno = reason;
    return place;
}

/* Length of the folder's name in a resolved path, which begins with a slash. */
static int folder_length(const char *place)
{
    return (int)(strrchr(place, '/') - place) + 1;
}

static bool folder_takes_files(const char *place)
{
    char *folder = strndup(place, (size_t)folder_length(place));
    const bool good = folder != NULL && access(folder, W_OK | X_OK) == 0;
    free(folder);
    return good;
}

bool qp_output_is_possible(const char *path)
{
    struct stat old;
    if (qp_output_is_standard(path))
        return true;
    const bool there = stat(path, &old) == 0;
    if (there && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (there && access(path, W_OK) != 0)
        return false;
    if (there && !S_ISREG(old.st_mode))
        return true;
    char *place = find_place(path);
    const bool good = place != NULL && folder_takes_files(place);
    const int reason = errno;
    free(place);
    errno = reason;
    return good;
}

enum qp_status qp_output_folder(const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0 || (stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT, "%s: no folder can be made: %s%s", path, strerror(errno),
                   errno == ENOENT ? " (make the one that it is in first)" : "");
}

bool qp_output_is_same(const char *path, const char *other)
{
    struct stat a, b;
    const bool a_there = stat(path, &a) == 0, b_there = stat(other, &b) == 0;
    if (a_there && b_there)
        return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (a_there || b_there)
        return false;
    char *place = find_place(path), *other_place = find_place(other);
    const bool same = place != NULL && other_place != NULL && strcmp(place, other_place) == 0;
    free(place);
    free(other_place);
    return same;
}

/* ---- Writing ---- */

/* The name of a part file: the place's, cut where a name would be too long, and such that parts of
 * several writers differ. One that a killed run has left is never taken for ours. */
static char *part_name(const char *place, int number)
{
    char end[48], *name;
    snprintf(end, sizeof end, ".%ld-%d.part", (long)getpid(), number);
    const int folder = folder_length(place), most = NAME_MAX - (int)strlen(end);
    const int count = asprintf(&name, "%.*s%.*s%s", folder, place, most, place + folder, end);
    return count >= 0 ? name : NULL;
}

/* True for a name such as "NAME.PID-0.part" or, of a folder, "NAME.PID-" and the six letters of
 * mkdtemp. */
static bool is_ours(const char *entry, const char *name, bool folder)
{
    enum { MOST_PROCESS = 1 << 22 /* Linux's largest number of a process */ };
    static const char digits[] = "0123456789",
                      letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0 || entry[length] != '.')
        return false;
    const char *at = entry + length + 1, *rest = at + strspn(at, digits), *end = rest + 1;
    const long process = strtol(at, NULL, 10);
    if (rest == at || *rest != '-' || process < 1 || process > MOST_PROCESS)
        return false;
    end += strspn(end, folder ? letters : digits);
    return folder ? end == rest + 7 && *end == '\0' : end > rest + 1 && strcmp(end, ".part") == 0;
}

/* Opens, and locks, what a process that is gone has left; below 0: it is somebody's. A lock goes
 * with the process that holds it, in whatever namespace that is. */
static int open_left(const char *path, bool folder)
{
    struct stat of;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return file;
    if (fstat(file, &of) == 0 && of.st_uid == geteuid() &&
        (folder ? S_ISDIR(of.st_mode) && (of.st_mode & 0777) == S_IRWXU &&
                      faccessat(file, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0
                : S_ISREG(of.st_mode)) &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    close(file);
    return -1;
}

void qp_output_sweep(const char *path, int (*remove)(const char *))
{
    char *place = find_place(path), *left = NULL;
    char *folder = place != NULL ? strndup(place, (size_t)folder_length(place)) : NULL;
    DIR *entries = folder != NULL ? opendir(folder) : NULL;
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (!is_ours(entry->d_name, place + folder_length(place), remove != NULL) ||
            asprintf(&left, "%s%s", folder, entry->d_name) < 0)
            continue;
        const int lock = open_left(left, remove != NULL);
        if (lock >= 0) {
            (remove != NULL ? remove : unlink)(left);
            close(lock);
        }
        free(left);
    }
    if (entries != NULL)
        closedir(entries);
    free(folder);
    free(place);
}

int qp_output_hold(const char *folder)
{
    const int lock = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const bool held = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    const int mark = held ? openat(lock, MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (mark >= 0)
        close(mark);
    return lock;
}

/* Locks a new part file; false: another process has just taken it for one that was left. */
static bool lock_part(int file)
{
    struct stat of;
    return flock(file, LOCK_EX) != 0 || fstat(file, &of) != 0 || of.st_nlink > 0;
}

/* Makes a part file, with the umask's mode. */
static FILE *open_part(struct qp_output *output)
{
    enum { MOST_TRIES = 1000 };
    int file = -1;
    for (int i = 0; i < MOST_TRIES && file < 0; i++) {
        free(output->beside);
        output->beside = part_name(output->place, i);
        if (output->beside == NULL)
            return NULL;
        file = open(output->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
        if (file >= 0 && !lock_part(file)) {
            close(file);
            file = -1;
        }
    }
    return file >= 0 ? fdopen(file, "w") : NULL;
}

/* A file that may not be written is not replaced either. */
static FILE *open_beside(struct qp_output *output)
{
    output->place = find_place(output->path);
    if (output->place == NULL || (output->mode != 0 && access(output->path, W_OK) != 0))
        return NULL;
    FILE *file = open_part(output);
    if (file == NULL) {
        free(output->beside);
        output->beside = NULL;
    }
    return file;
}

bool qp_output_open(struct qp_output *output, const char *path)
{
    struct stat old;
    const bool there = stat(path, &old) == 0, regular = there && S_ISREG(old.st_mode);
    *output = (struct qp_output){.path = path, .mode = regular ? old.st_mode : 0};
    if (qp_output_is_standard(path))
        output->file = stdout;
    else if (there && !regular) /* a pipe, a device */
        output->file = fopen(path, "we");
    else
        output->file = open_beside(output);
    return output->file != NULL;
}

/* Waits until the folder's entry for the new name is on the disk. File systems that cannot are not
 * asked twice. */
static bool sync_folder(const char *place)
{
    char *folder = strndup(place, (size_t)folder_length(place));
    const int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const bool good = file >= 0 && (fsync(file) == 0 || errno == EINVAL);
    const int reason = errno;
    if (file >= 0)
        close(file);
    free(folder);
    errno = reason;
    return good;
}

/* False, with errno, if the last bytes did not arrive or the name did not change hands. */
static bool finish(struct qp_output *output, bool good)
{
    const int lock = output->beside != NULL ? fcntl(fileno(output->file), F_DUPFD_CLOEXEC, 0) : -1;
    good = good && fflush(output->file) == 0;
    good = good && (!output->durable || output->beside == NULL || fsync(fileno(output->file)) == 0);
    int reason = errno;
    if (output->file != stdout && fclose(output->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (output->file == stdout && !good) { /* it is reported here, and not once more at the end */
        __fpurge(stdout);
        clearerr(stdout);
    }
    errno = reason;
    if (output->beside == NULL)
        return good;
    good = good && (output->mode == 0 || chmod(output->beside, output->mode & 07777) == 0) &&
           rename(output->beside, output->place) == 0;
    reason = errno;
    if (!good)
        unlink(output->beside);
    if (lock >= 0)
        close(lock);
    errno = reason;
    return good && (!output->durable || sync_folder(output->place));
}

enum qp_status qp_output_close(struct qp_output *output, const char *reason)
{
    bool good = output->file != NULL && finish(output, reason == NULL);
    if (!good && reason == NULL)
        reason = strerror(errno);
    int code = errno;
    free(output->beside);
    free(output->place);
    if (good)
        return QP_OK;
    return qp_fail(output->file == NULL && code == ENOMEM ? QP_NO_MEMORY : QP_BAD_INPUT,
                   "%s: cannot be written: %s (check folder and disk space)",
                   qp_output_is_standard(output->path) ? "standard output" : output->path, reason);
}

enum qp_status qp_output_write(const char *path, const void *bytes, size_t count)
{
    struct qp_output output;
    const bool good =
        qp_output_open(&output, path) && fwrite(bytes, 1, count, output.file) == count;
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
