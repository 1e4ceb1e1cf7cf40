/* SPDX-License-Identifier: MIT */
/* Buffer objects that live, counted at the driver's functions and not by the library's own
 * counter. */
#ifndef QP_TESTS_BUFFERS_H
#define QP_TESTS_BUFFERS_H

/* Counts from 0 until buffers_end, which gives the driver its functions back. */
void buffers_begin(void);
long buffers_alive(void);
void buffers_end(void);

#endif
