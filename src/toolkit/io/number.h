/* SPDX-License-Identifier: MIT */
#ifndef QP_IO_NUMBER_H
#define QP_IO_NUMBER_H

/* Reads [+-] digits [. digits] [e [+-] digits], one digit at least on either side of the e, as
 * strtod does, bit for bit, in this thread's locale, which must have a point. Returns where the
 * number ends, before a byte that can be part of no number; NULL for any other text, among it NaN,
 * Infinity and 0x10. */
const char *qp_number_read(const char *text, double *value);

#endif
