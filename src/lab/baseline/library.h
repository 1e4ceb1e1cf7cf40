/* SPDX-License-Identifier: MIT */
/* A library loaded when a variant runs (dlopen), not linked when this is built: it is large, and
 * often not there. */
#ifndef QP_BASELINE_LIBRARY_H
#define QP_BASELINE_LIBRARY_H

#include <stddef.h>

#include "toolkit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function, and the offset of its pointer in the caller's struct of pointers, in bytes. */
struct baseline_function {
    const char *name; /* after a '?' one that may be missing; its pointer is NULL then */
    size_t at;
};

struct baseline_library {
    const char *title;                         /* for sentences: "cuBLAS" */
    const char *const *files;                  /* in the order they are tried; NULL ends them */
    const struct baseline_function *functions; /* a NULL name ends them */
};

/* Opens the first of the files that is there, by its name or in CUDA's usual folder, and fills the
 * struct `pointers`. Nothing is closed again: CUDA's libraries do not like it, and what they keep
 * on the device is worth keeping. Errors: QP_UNSUPPORTED; the sentence says what was looked for. */
enum qp_status baseline_load(const struct baseline_library *library, void *pointers);

/* Name of the file that was loaded under this title, links followed, such as
 * "libcublas.so.12.6.4.1"; NULL for none. */
const char *baseline_loaded(const char *title);

#ifdef __cplusplus
}
#endif
#endif
