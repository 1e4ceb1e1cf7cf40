/* SPDX-License-Identifier: MIT */
/* A sparse matrix in textures, and its products with vectors.
 *
 * A vector is an array of `width` texels a row, four unknowns a texel, zeros after the last. With
 * diagonals, texel x of a row is beside the texels `count` x to `count` x + count - 1 of that row
 * of the values: one for each diagonal. In sliced ELL a slice is the four rows of a texel; its
 * slots are texels side by side, of four values and four places of unknowns. Rows are sorted by
 * length within windows, and unknowns with them.
 *
 * A row longer than a limit is cut into pieces. Vectors have room for their sums after the last
 * texel row of unknowns, level by level: a sum of a piece, then sums of sums. They are entries like
 * others, of value 1, for the level above and at last for the row itself. */
#ifndef QP_SPARSE_PRODUCT_H
#define QP_SPARSE_PRODUCT_H

#include <quadpass/pass.h>

#include "toolkit/base/sparse.h"

/* Most diagonals: those of a node and its 26 neighbours in space, in whole texels. */
enum { QP_PRODUCT_DIAGONALS_MOST = 28, QP_PRODUCT_LEVELS = 8 };

enum qp_product_layout {
    QP_PRODUCT_BEST, /* diagonals where they are few and well filled */
    QP_PRODUCT_DIAGONALS,
    QP_PRODUCT_SLICED_ELL
};

/* A sum of `count` entries from entry `first` on, or of unknowns from place `first` on. */
struct qp_product_piece {
    size_t first, count;
    bool of_sums;
};

struct qp_product {
    enum qp_product_layout layout;
    int rows;                /* rows of the matrix */
    int width, height, tall; /* texels of a vector: columns, rows of unknowns, all rows */
    int count, offset[QP_PRODUCT_DIAGONALS_MOST]; /* diagonals, in ascending order */
    int wide, high;                               /* texels of the values */

    /* Sliced ELL alone. */
    int *order, *at; /* order[p]: the row at place p; at[row]: its place */
    size_t most;     /* entries of a piece, at most */
    int levels, level_row[QP_PRODUCT_LEVELS + 1]; /* texel rows where levels begin, and end */
    struct qp_product_piece *piece;               /* for each place of a vector */
    size_t *slot; /* for each texel of a vector its first slot, and one more */
    int even;     /* slots of every slice; 0: they differ */

    struct qp_array *values, *columns, *spans;
    struct qp_kernel *product;
};

/* Chooses the layout and its sizes, without a device. Errors: QP_UNSUPPORTED, QP_NO_MEMORY. Owner:
 * the caller, by qp_product_destroy, after errors too. */
enum qp_status qp_product_plan(const struct qp_sparse *matrix, enum qp_product_layout layout,
                               int limit, struct qp_product *out);

/* The same in sliced ELL for another matrix of as many rows, which multiplies vectors of `like`:
 * one in sliced ELL, too. No row of it is cut, so none has more than 64 entries. */
enum qp_status qp_product_plan_like(const struct qp_sparse *matrix, const struct qp_product *like,
                                    int limit, struct qp_product *out);

/* Bytes on the device with `vectors` vectors. */
double qp_product_bytes(const struct qp_product *matrix, int vectors);

/* Makes the arrays of a plan, and after them its kernel, of fragments or a compute shader. Errors:
 * those of qp_array_create and qp_kernel_create. */
enum qp_status qp_product_load(struct qp_context *context, const struct qp_sparse *from,
                               struct qp_product *matrix);
enum qp_status qp_product_program(struct qp_context *context, bool computes,
                                  struct qp_product *matrix);
void qp_product_destroy(struct qp_product *matrix);

/* Text of the kernel: a built-in shader's name, and lines in front of it, which the caller frees,
 * with the kernel's inputs; NULL, with the sentence, if there is no memory. */
const char *qp_product_shader(const struct qp_product *matrix);
char *qp_product_lines(const struct qp_product *matrix, struct qp_kernel_desc *desc);

/* Writes the passes of y = A x, from `pass` on, and returns how many there are: levels + 1. They
 * change the part of x after its unknowns. */
int qp_product_passes(const struct qp_product *matrix, struct qp_array *x, struct qp_array *y,
                      struct qp_pass *pass);

/* Between the caller's unknowns and a vector. Errors: those of qp_array_write and qp_array_read. */
enum qp_status qp_product_write(const struct qp_product *matrix, const float *x,
                                struct qp_array *vector);
enum qp_status qp_product_read(const struct qp_product *matrix, const struct qp_array *vector,
                               float *x);

#endif
