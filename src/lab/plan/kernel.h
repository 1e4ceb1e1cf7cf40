/* SPDX-License-Identifier: MIT */
/* Entry of a CUDA kernel: the functions by which a recipe, in C, launches a kernel of a .cu file.
 * Entries are declared in each operation's kernels.h; C++ reads those headers and this one too. A
 * build without CUDA has the same entries, all of them zero. */
#ifndef QP_PLAN_KERNEL_H
#define QP_PLAN_KERNEL_H

#include <stdbool.h>

#include "toolkit/base/status.h"

/* Declares an entry, one a line: QP_ENTRY const struct qp_cuda_kernel qp_kernel_...; */
#ifdef __cplusplus
#define QP_ENTRY extern "C"
extern "C" {
#else
#define QP_ENTRY extern
#endif

enum { QP_LAUNCH_INPUTS = 12 };

struct qp_cuda;    /* toolkit/cuda/device.h */
struct qp_problem; /* quadpass/problem.h */

/* Arguments of a launch. Pointers are device memory, at the domain's first cell; arrays in QP_R64F
 * are doubles and need a cast. */
struct qp_launch {
    const struct qp_problem *problem;
    int width, height;               /* size of its grid, in cells */
    int answer_width, answer_height; /* size of x and out */

    /* Values from one row to the next, of x and out and of each input; their width if flat. */
    int pitch, input_pitch[QP_LAUNCH_INPUTS];
    int kind;      /* kind of the problem, counted as in its operation's list */
    int parameter; /* parameter of the problem */
    int block;     /* as --block says; 0: the kernel's own choice */
    int alpha;     /* async factor, of variants that have one */
    double weight; /* weight of this step; kernels in float round it once */
    const float *x;
    float *out; /* differs from x */
    const float *input[QP_LAUNCH_INPUTS];
    const void *user; /* the recipe's own */
    void *scratch;    /* as many bytes as the kernel asked for, 256 bytes aligned; NULL for none */
    /* Made by prepare, taken back by release; in variants that share textures, a struct
     * qp_shared_arrays (lab/engines/shared.h). */
    void *own;

    /* Weights of all steps that `launch` or `steps` takes, on the host. */
    const double *weights;

    /* True: `steps` leaves x the iterate before the last, since the change is measured. */
    bool changes;
    const struct qp_cuda *cuda; /* the device, and the stream to launch on */
};

/* Blocks of a launch, in the words of paper 5, section 5.1: m components, each of which a thread
 * block updates, and p multiprocessors, each of which holds d of them at once. */
struct qp_launch_blocks {
    int m, p, d;
    int threads;      /* threads of a block; 0: unknown */
    double occupancy; /* share of the threads that a multiprocessor could hold; set by the engine */
};

typedef enum qp_status qp_launcher(struct qp_launch *launch);

/* All but `launch` may be NULL. */
struct qp_cuda_kernel {
    /* A step: reads x and the inputs, writes all cells of out and nothing else. Does not wait. */
    qp_launcher *launch;

    /* Bytes of scratch memory, which depend on sizes, kind, user and cuda alone. */
    double (*scratch)(const struct qp_launch *launch);

    /* QP_UNSUPPORTED, with the reason, for sizes that this device cannot take however much memory
     * it has. Asked before there are arrays: x, out and scratch are NULL, as are inputs that the
     * problem lacks; its others point to no values. */
    qp_launcher *takes;

    /* Once, when all arrays are on the device: texture objects, limits of shared memory. */
    qp_launcher *prepare;

    /* Initialises scratch memory that launches read before any has written it. Called before the
     * warm-up launches, and again after them, when scratch memory is NaN. */
    qp_launcher *start;

    /* Launches all kernels that `steps` may launch, from x to out, since CUDA loads a kernel when
     * it is first launched. NULL: `launch` launches them all. */
    qp_launcher *warm_up;

    /* Status of all steps, after the device was waited for. */
    qp_launcher *finish;
    void (*release)(struct qp_launch *launch);

    /* Bytes of a log at the beginning of scratch memory, which is read with x and handed to the
     * operation's judge (explain). */
    double (*log_bytes)(const struct qp_launch *launch);

    /* A launch goes by its own sizes, pointers and problem alone, so that it may be for some rows
     * of the grid: then these are the rows' own, and the rows beside them are read from x as they
     * are. Launches for other rows may run at the same time, so none writes scratch memory. */
    bool by_rows;

    /* `count` steps at once, as `launch` with x and out changing roles between them; x may be
     * overwritten (but see `changes`), the last step is in out. NULL: one step at a time. */
    enum qp_status (*steps)(struct qp_launch *launch, int count);

    /* A step of all cells together, as `launch`, of variants whose steps update cells in another
     * order. Its change is measured in place of the last step's. */
    qp_launcher *together;

    enum qp_status (*components)(const struct qp_launch *launch, struct qp_launch_blocks *out);

    bool overwrites; /* launches change x as well, which is uploaded anew after the warm-up */
};

#ifdef __cplusplus
}
#endif
#endif
