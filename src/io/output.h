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
    char *place;  /* the name that the finished bytes take, links resolved */
    char *beside; /* where the bytes go; NULL: to the place itself, a pipe or a device */
    mode_t mode;  /* of the file that was there; 0: none was */
};

/* True for standard output: "-", and the system's names of it. */
bool qp_output_is_standard(const char *path);

/* False, with errno, if the output would surely not open: no such folder, a folder itself, or no right to
 * write. Nothing is made. */
bool qp_output_is_possible(const char *path);

/* True if both names lead to one file, be it by ./, links or hard links, and whether it is there yet
 * or not. Devices and pipes have no contents to lose, so each is never the same as anything. */
bool qp_output_is_same(const char *path, const char *other);

/* `path` must live until the output is closed; "-" is standard output. Close it in any case. False if
 * it failed, with errno. */
bool qp_output_open(struct qp_output *output, const char *path);

/* `reason` tells why not all was written, NULL that all was. QP_BAD_INPUT with that reason, or the
 * system's if the last bytes do not arrive, QP_NO_MEMORY for want of it; then a file that was there is
 * as it was, and none that was not is. */
enum qp_status qp_output_close(struct qp_output *output, const char *reason);

#endif
