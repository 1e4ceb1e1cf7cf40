/* SPDX-License-Identifier: MIT */
/* The judge of whole solves of Poisson's equation: its discrete solution by sine transforms, exact
 * but for rounding. */
#include "have.h"
#include "lab/baseline/baseline.h"

#include <math.h>

#include "toolkit/base/status.h"

#if QP_HAVE_FFTW
#include <fftw3.h>

/* 2 - 2 cos(pi k / (cells + 1)) = 4 sin^2 of half of it, without cancellation: eigenvalue k of the
 * second difference in one direction, from 1. */
static double eigenvalue(int k, int cells)
{
    const double half = sin(0.5 * 3.14159265358979323846 * k / (cells + 1));
    return 4.0 * half * half;
}

/* A = S diag(lambda) S / (4 (w + 1) (h + 1)), S the sine transform (DST-I) of both directions, its
 * own inverse but for that factor. */
enum qp_status baseline_poisson(int width, int height, const double *rhs, double *u)
{
    const size_t cells = (size_t)width * (size_t)height;
    fftw_plan plan =
        fftw_plan_r2r_2d(height, width, u, u, FFTW_RODFT00, FFTW_RODFT00, FFTW_ESTIMATE);
    if (plan == NULL)
        return qp_fail(QP_NO_MEMORY, "FFTW could not plan a transform of %d x %d", width, height);
    for (size_t i = 0; i < cells; i++)
        u[i] = rhs[i];
    fftw_execute(plan);
    const double scale = 4.0 * (width + 1.0) * (height + 1.0);
    for (int y = 0; y < height; y++) {
        const double up = eigenvalue(y + 1, height);
        for (int x = 0; x < width; x++)
            u[(size_t)y * (size_t)width + (size_t)x] /= scale * (up + eigenvalue(x + 1, width));
    }
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return QP_OK;
}
#else
enum qp_status baseline_poisson(int width, int height, const double *rhs, double *u)
{
    (void)width, (void)height, (void)rhs, (void)u;
    return qp_fail(QP_UNSUPPORTED, "built without FFTW");
}
#endif
