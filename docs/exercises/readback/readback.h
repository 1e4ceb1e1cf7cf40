/* SPDX-License-Identifier: MIT */
/* What an answer to this exercise defines; and the ways to the host and back, which are counted. */
#ifndef READBACK_H
#define READBACK_H

#include <quadpass/quadpass.h>

/* Takes so many steps from x, width x height cells, by passes of the kernel, which reads 'x'; out
 * gets the state after the last one. */
enum qp_status run_steps(struct qp_context *context, const struct qp_kernel *mean,
                         struct qp_array *x, int width, int height, int steps, float *out);

extern int reads, writes;
#define qp_array_read(...)  (reads++, qp_array_read(__VA_ARGS__))
#define qp_array_ask(...)   (reads++, qp_array_ask(__VA_ARGS__))
#define qp_array_write(...) (writes++, qp_array_write(__VA_ARGS__))

#endif
