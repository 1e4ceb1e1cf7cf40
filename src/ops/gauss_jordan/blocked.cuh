/* SPDX-License-Identifier: MIT */
/* Blocked elimination on CUDA, what its two files share: panels (panel.cu) and all the
 * rest (blocked.cu). */
#ifndef QP_OPS_GAUSS_JORDAN_BLOCKED_CUH
#define QP_OPS_GAUSS_JORDAN_BLOCKED_CUH

#include "ops/gauss_jordan/memory.cuh"

namespace gauss_jordan
{

constexpr int COLUMNS = 64; /* of a panel; what a thread keeps of its row in registers */
constexpr int ROWS = 256;   /* of a block of threads, one each */
constexpr int TILE = 128;   /* of a product, each way */

/* The matrix, with unknowns made a multiple of COLUMNS by those of an identity, then the right-hand
 * sides, made one by zeros, then so much space that tiles may hang over its edges. */
struct matrix {
    float *a;
    int pitch;    /* values from one row to the next */
    int n;        /* unknowns as given */
    int rows;     /* and as made more */
    int width;    /* with sides */
    float *lower; /* the panel's L, a row of it for each column, from row k on */
    int lower_pitch;
};

/* Rows 0 to COLUMNS - 1 of a panel, before and after its exchanges, counted from row k. */
struct exchanges {
    int from[COLUMNS]; /* which row came to stand here */
    int to[COLUMNS];   /* where the row that stood here went to; -1: it is still among them */
};

/* What blocks of threads that are no cluster tell each other. */
struct board;
size_t board_bytes();

/* QP_UNSUPPORTED if a panel of so many rows is too high for the device. */
enum qp_status check_panel(const struct qp_launch *l, int rows);

__device__ inline float4 four(const float *from)
{
    return *(const float4 *)from;
}

/* ---- Panels ---- */

/* Blocks that may be launched as a cluster; 0 without clusters. */
int most_ranks(const struct qp_launch *l);

/* Factors columns k to k + COLUMNS - 1 of rows k and below, L U = P A: U and L of the first rows come
 * to stand in a, all of L in lower; *moved and the log say where rows went. */
cudaError_t launch_panel(const struct qp_launch *l, const matrix &m, int k, int ranks,
                         exchanges *moved, float4 *log, board *told);

/* ---- Back substitution ---- */

/* How many tickets it draws and marks, one after the other. */
size_t back_tickets(const matrix &m);

/* Puts x where y stood, U x = y, and into out. */
cudaError_t launch_back(const struct qp_launch *l, const matrix &m, int *tickets);

} // namespace gauss_jordan

#endif
