/* SPDX-License-Identifier: MIT */
/* Programs in the user's cache: each with a hash of its own bytes at its end, which no loader
 * reads. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "toolkit/io/cache.h"
#include "toolkit/io/output.h"
#include "tools/stencil/machine.h"

enum { MOST_BYTES = 256 << 20 /* bytes of all programs: those of a search, some 700 in CUDA */ };

static const char ending[] = ".program";

/* ---- Looking ---- */

static bool is_whole(int file)
{
    char bytes[1 << 14];
    uint64_t hash = 0, kept;
    struct stat of;
    if (fstat(file, &of) != 0 || of.st_size < (off_t)sizeof kept)
        return false;
    for (size_t left = (size_t)of.st_size - sizeof kept; left > 0;) {
        const ssize_t got = read(file, bytes, left < sizeof bytes ? left : sizeof bytes);
        if (got <= 0)
            return false;
        hash = qp_hash(hash, bytes, (size_t)got);
        left -= (size_t)got;
    }
    return read(file, &kept, sizeof kept) == sizeof kept && kept == hash;
}

/* True on a file system where no program may be started, as one that is mounted noexec. */
static bool starts_none(const char *folder)
{
    struct statvfs of;
    return statvfs(folder, &of) == 0 && (of.f_flag & ST_NOEXEC) != 0;
}

void qp_cache_open(uint64_t key, char path[PATH_MAX], struct qp_build *out)
{
    struct stat of;
    const char *fault = qp_cache_folder(path, true);
    if (fault == NULL && starts_none(path))
        fault = "is mounted noexec";
    if (fault != NULL && stat(path, &of) == 0)
        snprintf(out->note, sizeof out->note, "%.400s %s, and is not used", path, fault);
    if (fault != NULL) {
        path[0] = '\0';
        return;
    }
    sprintf(path + strlen(path), "/%016llx%s", (unsigned long long)key, ending);
    const int file = qp_cache_file(path, &fault);
    if (file >= 0 && (fstat(file, &of) != 0 || (of.st_mode & S_IXUSR) == 0 || !is_whole(file)))
        fault = "is damaged";
    if (fault == NULL) {
        out->file = file >= 0 ? file : 0;
        futimens(file, NULL); /* a use: files that nobody used for long are removed */
        return;
    }
    snprintf(out->note, sizeof out->note, "%.400s %s, and is compiled anew", path, fault);
    remove(path);
    if (file >= 0)
        close(file);
}

/* ---- Keeping ---- */

/* Finds the program that was not used for longest; returns the bytes of all. */
static off_t find_oldest(const char *folder, char oldest[PATH_MAX])
{
    char path[PATH_MAX];
    struct stat of;
    time_t used = 0;
    off_t bytes = 0;
    DIR *entries = opendir(folder);
    oldest[0] = '\0';
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX ||
            end == NULL || strcmp(end, ending) != 0 || lstat(path, &of) != 0 ||
            !S_ISREG(of.st_mode))
            continue;
        bytes += of.st_size;
        if (oldest[0] == '\0' || of.st_mtime < used) {
            used = of.st_mtime;
            strcpy(oldest, path);
        }
    }
    if (entries != NULL)
        closedir(entries);
    return bytes;
}

/* Copies all bytes, and their hash after them. */
static bool copy(FILE *from, FILE *to)
{
    char bytes[1 << 14];
    uint64_t hash = 0;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;) {
        hash = qp_hash(hash, bytes, got);
        if (fwrite(bytes, 1, got, to) != got)
            return false;
    }
    return !ferror(from) && fwrite(&hash, sizeof hash, 1, to) == 1 &&
           fchmod(fileno(to), S_IRWXU) == 0;
}

/* Puts a copy of a program there, whole or not at all, and removes the oldest files beyond 256
 * MB. */
static void keep(const char *program, const char *path)
{
    char folder[PATH_MAX], oldest[PATH_MAX];
    struct qp_output output;
    FILE *from = fopen(program, "re");
    if (from == NULL)
        return;
    qp_output_sweep(path, NULL);
    const bool good =
        qp_output_open(&output, path) && output.beside != NULL && copy(from, output.file);
    fclose(from);
    qp_output_close(&output, good ? NULL : "not all was copied"); /* then there is none */
    while (good && qp_cache_folder(folder, false) == NULL &&
           find_oldest(folder, oldest) > MOST_BYTES && unlink(oldest) == 0)
        continue;
}

enum qp_status qp_cache_put(const char *program, const char *path, struct qp_build *out)
{
    const int file = open(program, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", program, strerror(errno));
    if (path[0] != '\0')
        keep(program, path);
    out->file = file;
    return QP_OK;
}
