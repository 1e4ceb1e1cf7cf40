/* SPDX-License-Identifier: MIT */
/* The user's cache. */
#ifndef QP_IO_CACHE_H
#define QP_IO_CACHE_H

#include <limits.h>
#include <stdbool.h>

/* The cache's folder, $XDG_CACHE_HOME/quadpass or ~/.cache/quadpass, made if that is asked for; false where the environment
 * names none. Relative names are invalid by the XDG's letter. */
bool qp_cache_folder(char path[PATH_MAX], bool make);

#endif
