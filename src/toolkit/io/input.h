/* SPDX-License-Identifier: MIT */
/* Files of strangers, opened for reading: how they are called, and how much there is of them. */
#ifndef QP_IO_INPUT_H
#define QP_IO_INPUT_H

#include <quadpass/status.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum { QP_INPUT_REASON = 512 };

struct qp_input_file {
    const char *name; /* for sentences */
    FILE *file;       /* NULL after an open that failed */
    size_t bytes;     /* in the file; SIZE_MAX for a pipe, whose length is unknown */
};

/* Opens a file, "-" for standard input; `path` must live as long. Close it in any case. Errors:
 * QP_BAD_INPUT with the system's reason. */
enum qp_status qp_input_open(const char *path, struct qp_input_file *out);

/* Standard input stays open. */
void qp_input_close(struct qp_input_file *input);

/* Errors: QP_BAD_INPUT where so many bytes of memory are not there. */
enum qp_status qp_input_check_memory(const struct qp_input_file *input, double bytes);

/* Writes why a file is refused. A reason quotes the file, whose control bytes must not reach a
 * terminal: what is not printable ASCII becomes '?'. */
__attribute__((format(printf, 2, 0))) void qp_input_reason(char reason[QP_INPUT_REASON],
                                                           const char *format, va_list arguments);

#endif
