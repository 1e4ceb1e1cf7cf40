/* SPDX-License-Identifier: MIT */
/* Winners: configurations that were found to be the fastest here, in the user's cache, a file for a
 * kernel and a device. */
#ifndef QP_IO_WINNER_H
#define QP_IO_WINNER_H

#include <stdbool.h>

#include <quadpass/status.h>

enum { QP_WINNER_LETTERS = 512 };

/* The values that were kept, such as "steps=4 together=2"; false: none. A file that is damaged,
 * another kernel's or device's, or of another version is as none. */
bool qp_winner_read(const char *kernel, const char *device, char values[QP_WINNER_LETTERS]);

/* Replaces them as a whole, and makes the folder. Errors: QP_BAD_INPUT with the system's reason,
 * QP_NO_MEMORY. */
enum qp_status qp_winner_write(const char *kernel, const char *device, const char *values);

#endif
