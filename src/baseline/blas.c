/* SPDX-License-Identifier: MIT */
/* Paper 1's remark that each band may be looped over separately with BLAS. BLAS has no product of
 * two vectors cell by cell (axpy multiplies by one number), but a product of a band matrix with a
 * vector: with no diagonal above the main one and none below it is just that. */
#include "baseline/baseline.h"
#include "have.h"

#include "ops/jacobi9.h"

#if QP_HAVE_BLAS
#include <cblas.h>

/* y = b - A x, band by band, in the target's own cells, then x' = x + w y / DD. */
static void sweep(const struct qp_sweep *s)
{
    const float *diagonal = s->input[QP_DD], *b = s->input[QP_B];
    const int cells = s->width * s->height;
    cblas_scopy(cells, b, 1, s->out, 1);
    for (int band = QP_DD; band < QP_BANDS; band++) {
        const float *shifted = s->x + qp_band_dx(band) + (long)qp_band_dy(band) * s->width;
        cblas_sgbmv(CblasColMajor, CblasNoTrans, cells, cells, 0, 0, -1.0f, s->input[band], 1,
                    shifted, 1, 1.0f, s->out, 1);
    }
    for (int i = 0; i < cells; i++)
        s->out[i] = s->x[i] + s->weight * s->out[i] / diagonal[i];
}

/* One thread: OpenBLAS splits no product of so few bands anyway, and its idle threads would spin
 * where OpenMP and llvmpipe want the cores. */
void baseline_lend(void)
{
    baseline_choose_kernels();
    openblas_set_num_threads(1);
    qp_lent_jacobi9_blas.sweep = sweep;
    baseline_lend_lapack();
    baseline_lend_cublas();
    baseline_lend_cub();
    baseline_lend_cusolver();
}
#else
void baseline_lend(void)
{
    qp_lent_jacobi9_blas.sweep = NULL;
    baseline_lend_lapack();
    baseline_lend_cublas();
    baseline_lend_cub();
    baseline_lend_cusolver();
}
#endif
