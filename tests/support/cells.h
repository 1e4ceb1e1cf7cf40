/* SPDX-License-Identifier: MIT */
/* Arrays of the toolkit in tests: a value of any cell, in double, whatever the array holds. */
#ifndef QP_TESTS_CELLS_H
#define QP_TESTS_CELLS_H

#include "support/support.h"

/* Sizes that are no multiple of anything: one cell, a row, a column, and such as end inside a group
 * of four. */
extern const int cells_sizes[5][2];

/* `desc.width` x `desc.height` x channels values, row by row, channels side by side. free() takes
 * them. */
double *cells_values(const struct qp_array_desc *desc);

/* An array of such values; a view of a larger one, whose other cells hold `outside`, from (x, y)
 * on, if x or y is not 0: then *whole is that array, else NULL. Skips the test for what this device
 * lacks. */
struct qp_array *cells_array(struct qp_context *context, const struct qp_array_desc *desc,
                             const double *values);
struct qp_array *cells_view(struct qp_context *context, const struct qp_array_desc *desc,
                            const double *values, int x, int y, double outside,
                            struct qp_array **whole);

/* The values of an array, in double. free() takes them. */
double *cells_read(const struct qp_array *array);

#endif
