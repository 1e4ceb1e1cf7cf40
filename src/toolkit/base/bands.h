/* SPDX-License-Identifier: MIT */
/* Bands of rows on all cores: work on a grid whose rows can be done in any order. */
#ifndef QP_BASE_BANDS_H
#define QP_BASE_BANDS_H

#include <stddef.h>

/* Does rows `first` up to `end`; returns a number of which the largest counts. */
typedef double qp_band(void *user, size_t first, size_t end);

/* Does all `rows`, of `across` cells each; returns the largest number, -INFINITY for no rows. Bands
 * depend on these sizes alone, and begin at multiples of qp_band_rows: what is summed band by band
 * has the same bits on any number of threads. A grid of one band starts no threads, nor does a
 * forked process. An interrupt leaves nothing out. */
double qp_bands(size_t rows, size_t across, qp_band *work, void *user);

/* Rows of a band, at least one. */
size_t qp_band_rows(size_t across);

#endif
