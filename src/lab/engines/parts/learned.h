/* SPDX-License-Identifier: MIT */
/* Splits that `quadpass model` has learned: how many rows of a grid are best given to the lower of
 * two unlike parts. A device and a variant have a file in the user's cache,
 * $XDG_CACHE_HOME/quadpass or else ~/.cache/quadpass. */
#ifndef QP_ENGINES_LEARNED_H
#define QP_ENGINES_LEARNED_H

#include <quadpass/context.h>
#include <quadpass/variant.h>

/* Seconds are those of a step. */
struct qp_learned {
    int width, height, depth; /* on which it was learned */
    int split;                /* rows of the lower part, 0 to height */
    double seconds;           /* expected with this split */
    double alone[2];          /* seconds of the lower and of the upper part with the whole grid */
};

/* True if this variant's file is there and whole. One that is damaged, another device's or
 * variant's, or of another version, is as none. */
bool qp_learned_read(const struct qp_context *context, const char *row, struct qp_learned *out);

/* Replaces the file as a whole, and makes the folder. Errors: QP_BAD_INPUT, QP_NO_MEMORY. */
enum qp_status qp_learned_write(const struct qp_context *context, const char *row,
                                const struct qp_learned *learned);

/* The split for a grid of `height` rows: the same share of them. */
int qp_learned_rows(const struct qp_learned *learned, int height);

#endif
