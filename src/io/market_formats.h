/* SPDX-License-Identifier: MIT */
/* Other files than Matrix Market text, which are told by their names, with a way out. */
#ifndef QP_IO_MARKET_FORMATS_H
#define QP_IO_MARKET_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

struct qp_market_format {
    const char *bytes; /* that it begins with */
    const char *name, *advice;
};

/* The format whose files begin as `line` does; NULL: none that is known. */
const struct qp_market_format *qp_market_format_of(const char *line);

/* The first word of the third line of a Harwell-Boeing file, as RUA: real, unsymmetric, assembled.
 */
bool qp_market_is_boeing(const char *type);

#endif
