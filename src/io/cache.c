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
