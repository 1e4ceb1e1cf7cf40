/* SPDX-License-Identifier: MIT */
/* The user's cache. */
#ifndef QP_IO_CACHE_H
#define QP_IO_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cache's folder, $XDG_CACHE_HOME/quadpass or ~/.cache/quadpass, made if that is asked for;
 * with room in `path` for a file's name. Returns why it is not used, as after its name: other users
 * can write there, say; NULL: it is. Relative names are invalid by the XDG's letter. */
const char *qp_cache_folder(char path[PATH_MAX], bool make);

/* Opens a file there if it is ours to believe: a plain file, no link or pipe, that no other user
 * can write. Below 0 *fault is why not; NULL: there is none. Whether it is whole its reader looks.
 */
int qp_cache_file(const char *path, const char **fault);

/* A number that all bytes change. Begin with 0. */
uint64_t qp_hash(uint64_t hash, const void *bytes, size_t count);

#endif
