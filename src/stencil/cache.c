/* SPDX-License-Identifier: MIT */
/* Programs in the user's cache: each with a hash of its own bytes at its end, which no loader
 * reads. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/cache.h"
#include "io/output.h"
#include "stencil/machine.h"

enum { MOST_BYTES = 256 << 20 /* of all programs: those of a whole search, some 700 in CUDA */ };

static const char ending[] = ".program";

/* ---- Looking ---- */

/* True for what no other user can write. */
static bool is_own(const struct stat *of)
{
    return of->st_uid == geteuid() && (of->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

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

/* Why a file is not taken; NULL: it is. */
static const char *find_fault(int file)
{
    struct stat of;
    if (fstat(file, &of) != 0 || !S_ISREG(of.st_mode))
        return "is no file";
    if (!is_own(&of))
        return "can be written by others";
    if ((of.st_mode & S_IXUSR) == 0 || !is_whole(file))
        return "is damaged";
    futimens(file, NULL); /* a use: files that nobody used for long are removed */
    return NULL;
}

void qp_cache_open(uint64_t key, char path[PATH_MAX], struct qp_build *out)
{
    char folder[PATH_MAX];
    struct stat of;
    path[0] = '\0';
    if (!qp_cache_folder(folder, true) || stat(folder, &of) != 0 || !S_ISDIR(of.st_mode))
        return;
    if (!is_own(&of)) {
        snprintf(out->note, sizeof out->note, "%.400s can be written by others, and is not used",
                 folder);
        return;
    }
    if (snprintf(path, PATH_MAX, "%s/%016llx%s", folder, (unsigned long long)key, ending) >=
        PATH_MAX)
        path[0] = '\0';
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return;
    const char *fault = file >= 0 ? find_fault(file) : "cannot be read";
    if (fault == NULL) {
        out->file = file;
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
        snprintf(path, sizeof path, "%.3800s/%s", folder, entry->d_name);
        if (end == NULL || strcmp(end, ending) != 0 || lstat(path, &of) != 0 ||
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
    while (good && qp_cache_folder(folder, false) && find_oldest(folder, oldest) > MOST_BYTES &&
           unlink(oldest) == 0)
        continue;
}

enum qp_status qp_cache_put(const char *program, const char *path, struct qp_build *out)
{
    const int file = open(program, O_RDONLY | O_CLOEXEC);
    if (file <= 0)
        return qp_fail(QP_BAD_INPUT, "%s: nothing was compiled: %s", program, strerror(errno));
    if (path[0] != '\0')
        keep(program, path);
    out->file = file;
    return QP_OK;
}
