/* SPDX-License-Identifier: MIT */
/* The thesis's configuration of its generator (chapter VI): lines KEY = VALUE, and comments
 * after #. */
#ifndef QP_STENCIL_CONF_H
#define QP_STENCIL_CONF_H

#include "toolkit/kernel_file/kernel_file.h"

/* Facts that a configuration has beside the kernel. */
struct qp_conf {
    const char *target;   /* target, as qp_stencil_target has it; NULL: not said */
    char directory[4096]; /* "": not said */
};

/* Reads a configuration as the kernel file that says the same: file->text is its whole text.
 * Errors: QP_BAD_INPUT with file and line for a line that is none, an unknown key, one that is
 * given twice, a value that it does not take and values that contradict each other, for no
 * neighbour, and for what is not generated; QP_NO_MEMORY; then *file is NULL. */
enum qp_status qp_conf_read(const char *path, struct qp_conf *out, struct qp_kernel_file **file);

#endif
