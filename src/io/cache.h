/* SPDX-License-Identifier: MIT */
/* The user's cache. */
#ifndef QP_IO_CACHE_H
#define QP_IO_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cache's folder, $XDG_CACHE_HOME/quadpass or ~/.cache/quadpass, made if that is asked for;
 * false where the environment names none. Relative names are invalid by the XDG's letter. */
bool qp_cache_folder(char path[PATH_MAX], bool make);

/* A number that all bytes change. Begin with 0. */
uint64_t qp_hash(uint64_t hash, const void *bytes, size_t count);

#endif
