/* SPDX-License-Identifier: MIT */
/* Files of other formats than those that are read, told by their first bytes, with a way out. */
#ifndef QP_IO_FORMATS_H
#define QP_IO_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

struct qp_file_format {
    const char *bytes; /* bytes that it begins with */
    size_t count;
    const char *name, *advice;
};

/* The format whose files begin with these bytes; NULL: none that is known. */
const struct qp_file_format *qp_format_of(const char *bytes, size_t count);

/* Text that begins with this word, by its looks; NULL: none that is known. */
const struct qp_file_format *qp_format_of_word(const char *word);

/* The first word of the third line of a Harwell-Boeing file, as RUA: real, unsymmetric, assembled.
 */
bool qp_format_is_boeing(const char *type);

#endif
