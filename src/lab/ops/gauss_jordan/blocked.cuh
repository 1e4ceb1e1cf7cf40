/* SPDX-License-Identifier: MIT */
/* Blocked elimination on CUDA: declarations shared by panels (panel.cu), back substitution
 * (back.cu) and the rest (blocked.cu). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_CUH
#define QP_OPS_GAUSS_JORDAN_BLOCKED_CUH

#include "lab/ops/gauss_jordan/memory.cuh"

namespace gauss_jordan
{

constexpr int COLUMNS = 64; /* columns of a panel; values of a row in a thread's registers */
constexpr int ROWS = 256;   /* rows of a thread block, one a thread */
constexpr int TILE = 128;   /* side of a product's tile */

/* The matrix on the device: unknowns, padded to a multiple of COLUMNS with those of an identity,
 * then the right-hand sides, padded likewise with zeros, then space for tiles that hang over the
 * edges. */
struct matrix {
    float *a;
    int pitch;    /* values from one row to the next */
    int n;        /* unknowns as given */
    int rows;     /* unknowns with padding */
    int width;    /* columns: rows and padded sides */
    float *lower; /* the panel, and then its L: a row for each column, from row k on */
    float *upper; /* the tile of U to the right of each panel's own, one after the other */
    int lower_pitch;
};

/* Rows 0 to COLUMNS - 1 of a panel, before and after its exchanges, counted from row k. */
struct exchanges {
    int from[COLUMNS]; /* which row came to stand here */
    int to[COLUMNS];   /* row that the one here went to; -1: it is still among the first COLUMNS */
};

/* Messages in global memory between thread blocks that are no cluster (panel.cu). */
struct board;
size_t board_bytes();

/* QP_UNSUPPORTED if a panel of so many rows is too high for the device. */
enum qp_status check_panel(const struct qp_launch *l, int rows);

__device__ inline float4 four(const float *from)
{
    return *(const float4 *)from;
}

/* ---- Panels ---- */

/* Allows panels their shared memory, and says in *ranks how many blocks may be launched as a
 * cluster; 0 without clusters. */
cudaError_t prepare_panel(const struct qp_launch *l, int *ranks);

/* Factors the panel in `lower`, columns k to k + COLUMNS - 1 of rows k and below, L U = P A: U and
 * L of the first rows go to a, all of L to lower; *moved and the log say where rows went. */
cudaError_t launch_panel(cudaStream_t stream, const matrix &m, int k, int ranks, exchanges *moved,
                         float4 *log, board *told);

/* ---- Products ---- */

/* How the product is computed: in floats, or by tensor cores, each float as two of 11 bits. */
enum product_form { FLOATS, TENSOR };

/* Allows the product by tensor cores its shared memory (tensor.cu). */
cudaError_t prepare_tensor();

/* Subtracts L U from so many tiles, the first at row k + COLUMNS and column `first`. */
void launch_tensor(const struct qp_launch *l, const matrix &m, int k, int first, dim3 tiles);

/* ---- Back substitution ---- */

/* Number of ints for the tickets and marks of launch_back. */
size_t back_tickets(const matrix &m);

/* Solves U x = y in place of y, and copies x to out. */
cudaError_t launch_back(const struct qp_launch *l, const matrix &m, int *tickets);

} // namespace gauss_jordan

#endif
