/* SPDX-License-Identifier: MIT */
/* The system's C compiler, for a reference that stands in a file. */
#ifndef QP_CMD_RUN_COMPILE_H
#define QP_CMD_RUN_COMPILE_H

#include <quadpass/status.h>

/* Compiles a file as a shared object by $CC, or cc, and loads it: for dlclose(). Nothing stays on the disk. Errors, after
 * which *library is NULL: those of run_reference_make. */
enum qp_status compile_and_load(const char *path, void **library);

#endif
