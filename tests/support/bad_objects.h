/* SPDX-License-Identifier: MIT */
/* Objects of the toolkit for calls with a bad argument, and what is none. */
#ifndef QP_TESTS_BAD_OBJECTS_H
#define QP_TESTS_BAD_OBJECTS_H

#include "support/refused.h"

enum { SIDE = 4, CELLS = SIDE * SIDE, BAD = 5, BAD_PARTS = 11 };

/* Sizes of the arrays of good calls, and the kernel's description. */
extern const struct qp_array_desc usual;
extern const struct qp_kernel_desc adds;

/* Arguments of good calls: `good` of the test's context, `strange` of another one. */
extern struct good {
    struct qp_context *context;
    struct qp_array *x, *y, *out, *one;
    struct qp_kernel *kernel;
    struct qp_list *list;
    struct qp_download *download;
    struct qp_reduction *reduction;
    struct qp_mask *mask;
    struct qp_depth *depth;
    struct qp_pass pass;
} good, strange;

/* Memory that is none of the library's objects. */
extern double anything[32];

/* Parts that an array of the usual sizes does not have. */
extern const struct qp_rect bad_parts[BAD_PARTS];

/* Array that is none of the test's context, in row 0 to BAD - 1; row 3 is an array of the other
 * context. */
struct qp_array *bad_array(int row);

/* Opens and closes both sets; `call` runs between them, and then, for what it does with `good`,
 * `elsewhere` in another thread. */
void with_objects(void **state, void (*call)(void), void (*elsewhere)(void));

#endif
