/* SPDX-License-Identifier: MIT */
/* A plan on CUDA: its arrays, and its rows as a part of a grid (cuda_rows.c). */
#ifndef QP_ENGINES_CUDA_H
#define QP_ENGINES_CUDA_H

#include "lab/plan/plan.h"
#include "toolkit/cuda/device.h"

enum { QP_CUDA_STEPS = 1024 /* at most, of one call of passes */ };

/* An array on the device. Its storage begins `lead` bytes into the allocation. */
struct qp_cuda_array {
    void *block;
    size_t lead, bytes;
};

struct qp_plan_cuda {
    struct qp_cuda *cuda;
    const struct qp_cuda_kernel *kernel;
    struct qp_cuda_array state[2]; /* source first */
    struct qp_cuda_array input[QP_INPUTS];
    struct qp_cuda_array scale;    /* with plan->measures_change */
    void *sums;                    /* likewise: a sum for each row */
    void *wanted, *distances;      /* with plan->wanted: that answer, and what comes of its rows */
    int step;                      /* number of the next one */
    double weights[QP_CUDA_STEPS]; /* weights of the steps asked for */
    void *scratch;
    size_t scratch_bytes;
    bool prepared, started; /* started: a step was asked for */
    struct qp_launch launch;
    struct qp_launch_blocks blocks; /* blocks of kernels that report them */

    /* Second stream, of parts: rows of borders travel there, and rows that need them are computed,
     * while the first one computes the interior. */
    struct qp_cuda side;
    /* Events: after the steps of the first stream, and after work of the second. */
    void *stepped, *arrived;
    bool aside; /* the second one has work that the first has not waited for */
};

void *qp_plan_cuda_first(const struct qp_layout *layout, const struct qp_cuda_array *array);

/* Makes the second stream and its events, in stage 3; ends them. Errors: QP_NO_MEMORY,
 * QP_DEVICE. */
enum qp_status qp_plan_cuda_fork(struct qp_plan_cuda *own);
void qp_plan_cuda_unfork(struct qp_plan_cuda *own);

/* The first stream waits for the second, if there is work on it. Errors: QP_DEVICE. */
enum qp_status qp_plan_cuda_join(struct qp_plan_cuda *own);

extern const struct qp_engine_rows qp_plan_cuda_rows; /* rows of qp_engine_cuda */

#endif
