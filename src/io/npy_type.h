/* SPDX-License-Identifier: MIT */
/* Types of elements that are read from .npy files. */
#ifndef QP_IO_NPY_TYPE_H
#define QP_IO_NPY_TYPE_H

#include <quadpass/matrix.h>

struct qp_npy_type {
    char name[4]; /* NumPy's: "<f4" */
    unsigned bytes;
    enum qp_precision precision; /* that holds every value exactly */
};

/* NULL for a type that is not read. */
const struct qp_npy_type *qp_npy_type_find(const char *name);

/* One element, of bytes from the least significant on, on a processor of any order. */
double qp_npy_decode(const struct qp_npy_type *type, const unsigned char *bytes);

#endif
