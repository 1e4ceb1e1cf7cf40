/* SPDX-License-Identifier: MIT */
/* A file being written, such that no half-written one ever stands in for a good one: the bytes go
 * beside it, and the name changes hands when all are there. */
#ifndef QP_IO_OUTPUT_H
#define QP_IO_OUTPUT_H

#include <quadpass/status.h>

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct qp_output {
    FILE *file; /* to write to; NULL after an open that failed */
    const char *path;
    char *found;  /* the file that was there, links resolved; NULL: none was */
    char *beside; /* where the bytes go; NULL: to the place itself, a pipe or a device */
    mode_t mode;  /* of the file that was there; 0: none was */
};

/* False, with errno, if the output would surely not open: no such folder, a folder itself, or no right to
 * write. Nothing is made. */
bool qp_output_is_possible(const char *path);

/* `path` must live until the output is closed; "-" is standard output. Close it in any case. False if
 * it failed, with errno. */
bool qp_output_open(struct qp_output *output, const char *path);

/* `reason` tells why not all was written, NULL that all was. QP_BAD_INPUT with that reason, or the
 * system's if the last bytes do not arrive, QP_NO_MEMORY for want of it; then a file that was there is
 * as it was, and none that was not is. */
enum qp_status qp_output_close(struct qp_output *output, const char *reason);

#endif
