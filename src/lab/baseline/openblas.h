/* SPDX-License-Identifier: MIT */
/* OpenBLAS, which is looked for when it is first wanted: it starts a thread for every processor as
 * soon as it is loaded, and each takes 128 MiB of address space, again and again until it gets
 * them. */
#ifndef QP_BASELINE_OPENBLAS_H
#define QP_BASELINE_OPENBLAS_H

#include <stddef.h>

#include "toolkit/base/status.h"

/* CBLAS's and OpenBLAS's own functions, and Fortran's of LAPACK, whose last argument is the length
 * of a text. */
struct baseline_openblas {
    void (*set_threads)(int threads);
    int (*processors)(void);
    char *(*core)(void);
    void (*choose_quit)(void), (*choose_init)(void); /* or NULL */
    void (*scopy)(int n, const float *x, int step_x, float *y, int step_y);
    void (*sgbmv)(int order, int transposed, int rows, int columns, int below, int above,
                  float alpha, const float *a, int height, const float *x, int step_x, float beta,
                  float *y, int step_y);
    void (*sgesv)(const int *n, const int *sides, float *a, const int *height, int *order, float *b,
                  const int *height_b, int *info);
    void (*sgetrf)(const int *rows, const int *columns, float *a, const int *height, int *order,
                   int *info);
    double (*dlange)(const char *norm, const int *rows, const int *columns, const double *a,
                     const int *height, double *work, size_t length);
    void (*dgesv)(const int *n, const int *sides, double *a, const int *height, int *order,
                  double *b, const int *height_b, int *info);
    void (*dgecon)(const char *norm, const int *n, const double *a, const int *height,
                   const double *norm_a, double *inverse, double *work, int *more_work, int *info,
                   size_t length);
};

/* OpenBLAS on one thread, with kernels of the processor's own generation; NULL with a sentence if
 * it is not installed, or has no address space. */
const struct baseline_openblas *baseline_openblas(void);

/* Loads it and returns a status, for variants that are lent a sweep. */
enum qp_status baseline_open_openblas(void);

#endif
