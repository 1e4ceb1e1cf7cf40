/* SPDX-License-Identifier: MIT */
/* Distance of an answer of poisson5 from the wanted one. */
#ifndef QP_OPS_POISSON5_ACCURACY_H
#define QP_OPS_POISSON5_ACCURACY_H

#include <stddef.h>

/* max |u - wanted| / max |wanted|, or the plain difference where all that is wanted is 0; NaN if a
 * value of u is NaN. Paper 5 measures so, with `wanted` after QP_POISSON5_THESIS_STEPS steps in
 * double. (The largest relative error of a single cell, which it names as well, says nothing about
 * a spike: far away from it cells are 0 until enough steps have been taken, and 0 / 0 is no
 * number.) */
double qp_poisson5_distance(const double *u, const double *wanted, size_t count);

enum { QP_POISSON5_THESIS_STEPS = 4096 };

#endif
