/* SPDX-License-Identifier: MIT */
/* How far a state on a CUDA device is from an answer on the host. */
#ifndef QP_ENGINES_DISTANCES_H
#define QP_ENGINES_DISTANCES_H

#include <stdbool.h>

#include "cuda/device.h"
#include "plan/kernel.h"

/* Device memory: the answer, row after row, and what comes of each row. */
struct qp_distances {
    void *wanted, *rows;
};

/* Errors: QP_NO_MEMORY, QP_DEVICE; *out is to be freed all the same. */
enum qp_status qp_distances_upload(struct qp_cuda *cuda, const double *wanted, int width,
                                   int height, struct qp_distances *out);

/* Distance of the launch's x, answer_width x answer_height values: max |x - wanted| and the sum of
 * squares of that difference. NaN in x is NaN in both. Errors: QP_NO_MEMORY, QP_DEVICE. */
enum qp_status qp_distance_tell(const struct qp_distances *distances, struct qp_cuda *cuda,
                                const struct qp_launch *launch, bool in_double, double *largest,
                                double *squares);

/* Takes all-zero ones, and leaves them so. */
void qp_distances_free(struct qp_cuda *cuda, struct qp_distances *distances);

#endif
