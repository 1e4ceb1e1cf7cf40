/* SPDX-License-Identifier: MIT */
/* Types of elements that are read from .npy files. */
#ifndef QP_IO_NPY_TYPE_H
#define QP_IO_NPY_TYPE_H

#include <stdbool.h>

#include <quadpass/matrix.h>

struct qp_npy_type {
    char kind;   /* NumPy's letter: b, i, u or f */
    bool is_big; /* the most significant byte comes first */
    unsigned bytes;
    enum qp_precision precision; /* that holds every value that is read exactly */
};

/* By NumPy's name, such as "<f4"; false for a type that is not read. */
bool qp_npy_type_find(const char *name, struct qp_npy_type *type);

/* One element, on a processor of any order; false for an integer beyond 2^53, whose nearest double
 * *value is. */
bool qp_npy_decode(const struct qp_npy_type *type, const unsigned char *bytes, double *value);

#endif
