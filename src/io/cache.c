/* SPDX-License-Identifier: MIT */
#include "io/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool qp_cache_folder(char path[PATH_MAX], bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool named = cache != NULL && cache[0] == '/';
    if (!named && (home == NULL || home[0] != '/'))
        return false;
    int used = snprintf(path, PATH_MAX, "%s%s", named ? cache : home, named ? "" : "/.cache");
    if (make && used < PATH_MAX)
        mkdir(path, 0700);
    if (used < PATH_MAX)
        used += snprintf(path + used, (size_t)(PATH_MAX - used), "/quadpass");
    if (make && used < PATH_MAX)
        mkdir(path, 0700);
    return used < PATH_MAX;
}

uint64_t qp_hash(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i] ^ 0xcbf29ce484222325u) * 0x100000001b3u;
    return hash;
}
