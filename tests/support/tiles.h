/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of arrays with tiles: arrays in pairs, one whole and one of small tiles,
 * with the same cells. */
#ifndef QP_TESTS_TILES_H
#define QP_TESTS_TILES_H

#include "support/support.h"

enum {
    TILES_LIMIT = 16,
    TILES_WIDTH = 50,
    TILES_HEIGHT = 37,
    TILES_CELLS = TILES_WIDTH * TILES_HEIGHT,
    TILES_BYTES = TILES_CELLS * 16
};

struct tiles_pair {
    struct qp_array *whole, *tiled;
};

/* An array as if the device's rectangle_limit were this. */
struct qp_array *tiles_make(struct qp_context *context, const struct qp_array_desc *desc,
                            const void *values, int limit);

struct tiles_pair tiles_make_pair(struct qp_context *context, struct qp_array_desc desc,
                                  const void *values);
void tiles_destroy_pair(const struct tiles_pair *pair);

/* TILES_WIDTH x TILES_HEIGHT floats, with -3.3 outside where it is a value. */
struct qp_array_desc tiles_grid(enum qp_outside outside);

/* Multiples of an eighth, whose sums and products with small integers are exact, however a device
 * adds and multiplies. */
void tiles_fill(float *values, int count, int seed);

/* All types and channels whose texels differ in kind. */
struct tiles_kind {
    enum qp_array_type type;
    int channels;
    size_t cell_bytes;
};
extern const struct tiles_kind tiles_kinds[9];
bool tiles_has(const struct qp_context *context, const struct tiles_kind *kind);

/* Small integers of this type, up to `most`. */
void tiles_fill_kind(const struct tiles_kind *kind, void *values, int seed, int most);

/* Fails the test, with these words, unless all bytes are the same. */
void tiles_expect_same(const struct tiles_pair *pair, const char *what);

/* Runs a pass over the whole arrays, then over the tiled ones. Inputs and outputs take the places
 * of the pass's first ones. */
void tiles_run(struct qp_pass pass, const struct tiles_pair *input, int inputs,
               const struct tiles_pair *output, int outputs);

#endif
