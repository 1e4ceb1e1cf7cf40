/* SPDX-License-Identifier: MIT */
#include "toolkit/io/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* True for what no other user can write. */
static bool is_own(const struct stat *of)
{
    return of->st_uid == geteuid() && (of->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

const char *qp_cache_folder(char path[PATH_MAX], bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool named = cache != NULL && cache[0] == '/';
    struct stat of;
    path[0] = '\0';
    if (!named && (home == NULL || home[0] != '/'))
        return "is not named: neither XDG_CACHE_HOME nor HOME names a folder";
    int used = snprintf(path, PATH_MAX, "%s%s", named ? cache : home, named ? "" : "/.cache");
    if (make && used < PATH_MAX)
        mkdir(path, 0700);
    if (used < PATH_MAX)
        used += snprintf(path + used, (size_t)(PATH_MAX - used), "/quadpass");
    if (make && used < PATH_MAX)
        mkdir(path, 0700);
    if (used >= PATH_MAX - NAME_MAX)
        return "has too long a path";
    if (stat(path, &of) != 0)
        return errno == ENOTDIR ? "cannot be made: Not a directory" : "cannot be made or read";
    return !S_ISDIR(of.st_mode) ? "is no folder" : is_own(&of) ? NULL : "can be written by others";
}

int qp_cache_file(const char *path, const char **fault)
{
    struct stat of;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *fault = file < 0 && errno == ENOENT                     ? NULL
             : file < 0                                      ? "cannot be read"
             : fstat(file, &of) != 0 || !S_ISREG(of.st_mode) ? "is no file"
             : !is_own(&of)                                  ? "can be written by others"
                                                             : NULL;
    if (*fault == NULL || file < 0)
        return file;
    close(file);
    return -1;
}

uint64_t qp_hash(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i] ^ 0xcbf29ce484222325u) * 0x100000001b3u;
    return hash;
}
