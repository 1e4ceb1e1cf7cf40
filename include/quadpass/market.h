/* SPDX-License-Identifier: MIT */
/* Matrix Market files: how matrices and vectors come in and solutions go out. */
#ifndef QUADPASS_MARKET_H
#define QUADPASS_MARKET_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The entries of a matrix as a file gives them; symmetric matrices have both triangles. `dense`
 * files (array format) hold every entry column by column, value[column * rows + row], and row and
 * column are NULL; sparse ones (coordinate format) are entry k at (row[k], column[k]), counted from
 * 0, in the file's order, each followed by its mirror image, no place twice: entries that a file
 * has at one place are added, and all are sorted by rows then; without entries the arrays are NULL.
 * Every value is a finite double. The caller owns it.
 *
 * A matrix that a program fills in itself is checked before anything is computed, by all functions
 * that take it: arrays that are not there, sizes below 1, places outside, places twice and values
 * that are not finite are QP_BAD_INPUT. Values beyond float are welcome where it is solved. */
struct qp_market {
    int rows;
    int columns;
    size_t count;
    bool dense;
    int *row;
    int *column;
    double *value;
};

/* Reads a Matrix Market file: coordinate or array; real, integer or unsigned-integer; general,
 * symmetric or skew-symmetric, of which one triangle is stored, lower or upper; `path` "-" is
 * standard input. Numbers have a point whatever the locale, and are the nearest doubles. All
 * cores read a file above 50 MB, with the same result. Errors: QP_BAD_INPUT with file, line number
 * and reason, among them more than this machine's memory, before anything large is allocated;
 * QP_NO_MEMORY; QP_BAD_USE for NULL; then *out is all zero. Owner: the caller, by
 * qp_market_destroy. Threads: any. */
enum qp_status qp_market_read(const char *path, struct qp_market *out);

/* Writes a dense rows x columns matrix (both at least 1), column by column as in `value`, as "array
 * real general", each with the fewest digits that are read back as the same double (17 at most),
 * with a point whatever the locale; `path` "-" is standard output. Errors: QP_BAD_INPUT with the
 * system's reason, or for a value that is not finite, which the format has no word for;
 * QP_NO_MEMORY; QP_BAD_USE for NULL and sizes below 1; then a file that was there is as it was, and
 * no new one is made. Owner: none. Threads: any. */
enum qp_status qp_market_write(const char *path, int rows, int columns, const double *value);

/* Frees the arrays and leaves an all-zero matrix; takes NULL and all-zero ones. Errors: none.
 * Owner: none. Threads: any. */
void qp_market_destroy(struct qp_market *market);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
