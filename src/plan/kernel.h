/* SPDX-License-Identifier: MIT */
/* A CUDA kernel as a recipe sees it. A recipe is C, kernels stand in .cu files, and what it launches
 * is an entry of an operation's own *_kernels.h: those headers and this one C++ reads too. A build
 * without CUDA has the same entries, all of them zero. */
#ifndef QP_PLAN_KERNEL_H
#define QP_PLAN_KERNEL_H

#include <stdbool.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QP_LAUNCH_INPUTS = 12 };

struct qp_cuda; /* cuda/device.h */

/* What a launcher is given. Pointers are device memory, at the domain's first cell; arrays in
 * QP_R64F are doubles and need a cast. */
struct qp_launch {
    int width, height;               /* of the problem's grid, in cells */
    int answer_width, answer_height; /* of x and out */

    /* Values from one row to the next, of x and out and of each input; of flat arrays their width. */
    int pitch, input_pitch[QP_LAUNCH_INPUTS];
    int kind;      /* of the problem, counted as in its operation's list */
    int parameter; /* of the problem */
    int block;     /* as --block says; 0: the kernel's own choice */
    float weight;
    const float *x;
    float *out; /* differs from x */
    const float *input[QP_LAUNCH_INPUTS];
    const void *user; /* the recipe's */
    void *scratch;    /* as many bytes as the kernel asked for, 256 bytes aligned; NULL for none */
    void *own;        /* what prepare made for itself, and release takes back; of rows that share
                         textures, a struct qp_shared_arrays (engines/shared.h) */
    const struct qp_cuda *cuda; /* the device, and the stream to launch on */
};

typedef enum qp_status qp_launcher(struct qp_launch *launch);

/* All but `launch` may be NULL. */
struct qp_kernel {
    /* One step: reads x and the inputs, writes all cells of out and nothing else. Does not wait. */
    qp_launcher *launch;

    /* Bytes of scratch memory, which depend on sizes, kind, user and cuda alone. */
    double (*scratch)(const struct qp_launch *launch);

    /* Once, when all arrays stand on the device: texture objects, limits of shared memory. */
    qp_launcher *prepare;

    /* Puts into scratch memory what launches look for there and none has written yet. Called before
     * those that warm up, and again behind them, when nothing but NaN stands there. */
    qp_launcher *start;

    /* When the device was waited for: did all steps find what they needed? */
    qp_launcher *finish;
    void (*release)(struct qp_launch *launch);

    /* Scratch memory begins with so many bytes of a log, which is read with x and handed to the
     * operation's explain. */
    double (*log_bytes)(const struct qp_launch *launch);

    /* So many steps at once, as `launch` with x and out changing roles between them; x may be
     * overwritten, the last step is in out. NULL: they are taken one by one. */
    enum qp_status (*steps)(struct qp_launch *launch, int count);
};

#ifdef __cplusplus
}
#endif
#endif
