/* SPDX-License-Identifier: MIT */
#include "engines/distances.h"

#include <stdlib.h>

#include "engines/change_kernels.h"

enum qp_status qp_distances_upload(struct qp_cuda *cuda, const double *wanted, int width,
                                   int height, struct qp_distances *out)
{
    const size_t bytes = (size_t)width * (size_t)height * sizeof *wanted;
    enum qp_status status = qp_cuda_allocate(cuda, bytes, "the answer wanted", &out->wanted);
    if (status == QP_OK)
        status = qp_cuda_upload(cuda, out->wanted, wanted, bytes);
    return status == QP_OK ? qp_cuda_allocate(cuda, 2 * (size_t)height * sizeof(double),
                                              "distances", &out->rows)
                           : status;
}

/* The largest of each row come back, and after them the sums of squares. */
enum qp_status qp_distance_tell(const struct qp_distances *distances, struct qp_cuda *cuda,
                                const struct qp_launch *launch, bool in_double, double *largest,
                                double *squares)
{
    struct qp_launch own = *launch;
    const size_t height = (size_t)launch->answer_height;
    double *rows = qp_alloc(2 * height, sizeof *rows, "distances of rows");
    own.input[0] = distances->wanted;
    own.scratch = distances->rows;
    own.kind = in_double;
    qp_cuda_select(cuda);
    enum qp_status status = rows != NULL ? qp_kernel_distance.launch(&own) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_cuda_download(cuda, rows, distances->rows, 2 * height * sizeof *rows);
    *largest = *squares = 0.0;
    for (size_t y = 0; y < height && status == QP_OK; y++) {
        *largest = rows[y] <= *largest ? *largest : rows[y]; /* NaN stays */
        *squares += rows[height + y];
    }
    free(rows);
    return status;
}

void qp_distances_free(struct qp_cuda *cuda, struct qp_distances *distances)
{
    qp_cuda_free(cuda, distances->wanted);
    qp_cuda_free(cuda, distances->rows);
    *distances = (struct qp_distances){0};
}
