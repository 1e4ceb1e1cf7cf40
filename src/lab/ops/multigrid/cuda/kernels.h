/* SPDX-License-Identifier: MIT */
/* Kernels of multigrid. They take the problem's matrix themselves, and no inputs. */
#ifndef QP_OPS_MULTIGRID_CUDA_KERNELS_H
#define QP_OPS_MULTIGRID_CUDA_KERNELS_H

#include "lab/plan/kernel.h"
#include "toolkit/cuda/device.h"

QP_ENTRY const struct qp_cuda_kernel qp_kernel_multigrid_float; /* also of refined schemes */
QP_ENTRY const struct qp_cuda_kernel qp_kernel_multigrid_double;

/* ---- Grids on a device: the arrays of the CPU's solver (multigrid.h), copied as they are ---- */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    QP_MULTIGRID_CUDA_GRIDS = 32,
    QP_MULTIGRID_CUDA_WEIGHTS = 6 /* interpolation: low, high; restriction: four */
};

/* A direction of a grid: node i interpolates with two weights of the coarser grid's nodes at[i]
 * and at[i] + 1; coarse node k takes weight 2 + j of the nodes 2 k + low - 1 + j. */
struct qp_multigrid_cuda_line {
    int nodes, low;
    int pitch; /* from weight to weight */
    const int *at;
    const void *weight;
};

/* Values are floats or doubles; vectors are pointed to at node (0, 0), and there are zeros around
 * them. */
struct qp_multigrid_cuda_grid {
    struct qp_multigrid_cuda_line across, up;
    int pitch; /* from row to row of vectors, and from line to line of a row of the matrix */
    double radius;
    const int *row;   /* number of the row of the matrix that a row of nodes has */
    const void *rows; /* each of nine lines, and the diagonal's inverse */
    void *b, *x, *smooth, *residual;
    void *block[3]; /* memory of all that */
};

struct qp_multigrid_cuda {
    int grids;
    struct qp_multigrid_cuda_grid grid[QP_MULTIGRID_CUDA_GRIDS]; /* the finest first; it has no x */
    struct qp_multigrid_cuda_grid *table;                        /* the same on the device */
    double *inverse;
    double weight[3]; /* the smoother's */
    int steps;
    bool full, refined;
    /* Refined schemes have the finest rows in double, each of nine lines of its width; the
     * right-hand side without gaps; and the power of two by which residuals are multiplied. */
    double *fine, *right, scale;
};

/* Grids of the problem on a device, in double or float, for a recipe's `own`. Errors: those of
 * qp_multigrid_make, QP_NO_MEMORY, QP_DEVICE. Free it in any case. */
enum qp_status qp_multigrid_cuda_make(struct qp_cuda *cuda, const struct qp_problem *problem,
                                      const void *own, bool doubles, struct qp_multigrid_cuda *out);
void qp_multigrid_cuda_free(struct qp_cuda *cuda, struct qp_multigrid_cuda *grids);

#ifdef __cplusplus
}
#endif
#endif
