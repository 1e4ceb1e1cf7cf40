/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of layouts: packed arrays whose every float says what it is, and where the
 * header of layouts wants each. The expectations go from texels to cells; layout.c goes from cells
 * to texels. */
#ifndef QP_TESTS_TEXELS_H
#define QP_TESTS_TEXELS_H

#include "support/support.h"

#include "toolkit/base/layout.h"

/* All layouts of an array, and awkward sizes. */
struct texels_array {
    struct qp_shape shape;
    int slots;
};
extern const struct texels_array texels_arrays[21];
extern const int texels_sizes[12][2];

/* No two cells of an array hold the same value, and no cell holds a padding. */
float texels_value(int slot, int cell);
float texels_padding(int slot);

/* A packed array: every slot its own values (NULL: none computed yet) and its own padding. The
 * caller frees it. */
float *texels_pack(const struct qp_layout *layout, int cells, bool computed);

/* The outermost texels; a flat array is a single row, with none above and below. */
bool texels_on_rim(const struct qp_layout *layout, int index);

/* Meaning of one float of the storage, by the header; not for batches. */
enum part { GUARD, PADDING, CELL };
struct texels_meaning {
    enum part part;
    int slot, cell; /* the cell's place in the row-major matrix */
};
struct texels_meaning texels_meaning(const struct qp_layout *layout, int index);

#endif
