/* SPDX-License-Identifier: MIT */
/* Paper 1's remark that each band may be looped over separately with BLAS. BLAS has no product of
 * two vectors cell by cell (axpy multiplies by one number), but a product of a band matrix with a
 * vector: with no diagonal above the main one and none below it is just that. */
#include "have.h"
#include "lab/baseline/baseline.h"
#include "lab/baseline/cuda.h"
#include "lab/baseline/openblas.h"

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/ops/spmv/spmv.h"

#if QP_HAVE_BLAS
#include <cblas.h>

/* y = b - A x, band by band, in the target's own cells, then x' = x + w y / DD. */
static void sweep(const struct qp_sweep *s)
{
    const struct baseline_openblas *blas = baseline_openblas();
    const float *diagonal = s->input[QP_JACOBI9_DD], *b = s->input[QP_JACOBI9_B];
    const int cells = s->width * s->height;
    *s->threads = 1; /* as baseline_openblas leaves it */
    blas->scopy(cells, b, 1, s->out, 1);
    for (int band = QP_JACOBI9_DD; band < QP_JACOBI9_BANDS; band++) {
        const float *shifted = s->x + qp_band_dx(band) + (long)qp_band_dy(band) * s->width;
        blas->sgbmv(CblasColMajor, CblasNoTrans, cells, cells, 0, 0, -1.0f, s->input[band], 1,
                    shifted, 1, 1.0f, s->out, 1);
    }
    for (int i = 0; i < cells; i++)
        s->out[i] = s->x[i] + (float)s->weight * s->out[i] / diagonal[i];
}

static const struct qp_lent lent = {
    .library = "BLAS", .sweep = sweep, .open = baseline_open_openblas};
#else
static const struct qp_lent lent = {.library = "BLAS"};
#endif

void baseline_lend(void)
{
    qp_lent_jacobi9_blas = lent;
    baseline_lend_lapack();
    baseline_lend_cublas();
    baseline_lend_mpi();
#if QP_HAVE_CUDA
    qp_lent_reduce_cub.kernel = &baseline_kernel_cub;
    qp_lent_gauss_jordan_cusolver.kernel = &baseline_kernel_cusolver;
    qp_lent_spmv_cusparse.kernel = &baseline_kernel_cusparse;
#endif
}

int baseline_cub_version(void)
{
#if QP_HAVE_CUDA
    return baseline_cub_number;
#else
    return 0;
#endif
}
