/* SPDX-License-Identifier: MIT */
/* Atomic output files: the bytes go to a part file beside the target, which is renamed when all are
 * there, so that no half-written file ever replaces a good one. */
#ifndef QP_IO_OUTPUT_H
#define QP_IO_OUTPUT_H

#include <quadpass/status.h>

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct qp_output {
    FILE *file; /* to write to; NULL after an open that failed */
    const char *path;
    char *place;  /* path of the finished file, links resolved */
    char *beside; /* path of the part file; NULL: writes to the place itself, a pipe or a device */
    mode_t mode;  /* mode of the file to be replaced; 0: none was there */
    bool durable; /* set after qp_output_open: the file is to outlive a loss of power, too */
};

/* True for standard output: "-", and the system's names of it. */
bool qp_output_is_standard(const char *path);

/* False, with errno, if the output would surely not open: no such folder, a folder itself, or no
 * right to write. Nothing is made. */
bool qp_output_is_possible(const char *path);

/* Makes a folder, and is content with one that is there. QP_BAD_INPUT with the system's reason. */
enum qp_status qp_output_folder(const char *path);

/* Removes what killed processes have left, and nobody holds a lock of: calls `remove` for each
 * folder PATH.PID-XXXXXX of mkdtemp's that was held; NULL: unlinks part files of this path. What
 * may be another's stays. */
void qp_output_sweep(const char *path, int (*remove)(const char *));

/* Marks a new folder as ours and locks it, until the descriptor is closed or the process ends;
 * below 0: it cannot be opened. Where it cannot be locked, it is not swept. Owner: the caller, by
 * close. */
int qp_output_hold(const char *folder);

/* True if both names lead to one file, be it by ./, links or hard links, and whether it is there
 * yet or not. Devices and pipes have no contents to lose, so each is never the same as anything. */
bool qp_output_is_same(const char *path, const char *other);

/* `path` must live until the output is closed; "-" is standard output. Close it in any case. False
 * if it failed, with errno. */
bool qp_output_open(struct qp_output *output, const char *path);

/* Closes and renames the file. `reason` says why it is incomplete; NULL: it is whole. Errors:
 * QP_BAD_INPUT with that reason, or the system's if the last bytes do not arrive, QP_NO_MEMORY;
 * then an earlier file is unchanged, and no new one appears. */
enum qp_status qp_output_close(struct qp_output *output, const char *reason);

/* Writes a whole file: the three in turn. Errors: those of qp_output_close. */
enum qp_status qp_output_write(const char *path, const void *bytes, size_t count);

#endif
