/* SPDX-License-Identifier: MIT */
/* Double precision in shared memory (paper 5, 3.2), as `tuned_sync` otherwise. */
#include "lab/ops/poisson5/cuda/tile.cuh"

namespace
{

using namespace poisson5;

constexpr int ALL = 1024; /* rows at once: as many as there are */

/* The trick: low and high words in arrays of their own, so that neighbours' words are in
 * neighbouring banks of four bytes. In 2009 half a warp's doubles met in a bank two by two; since
 * banks serve a double as two halves of a warp, they do so no longer. */
template <int COLUMNS, int ROWS> struct hilo_tile {
    using value = double;
    static constexpr int ACROSS = COLUMNS, UP = ROWS, THREADS = COLUMNS;
    int low[UP + 2][ACROSS + 2], high[UP + 2][ACROSS + 2];

    __device__ void put(int r, int c, double v)
    {
        low[r][c] = __double2loint(v);
        high[r][c] = __double2hiint(v);
    }
    __device__ double get(int r, int c) const
    {
        return __hiloint2double(high[r][c], low[r][c]);
    }
};

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_double_plain =
    tiles_kernel<tile<double, 64, 8>, ALL, ALL>;
const struct qp_cuda_kernel qp_kernel_poisson5_double_hilo =
    tiles_kernel<hilo_tile<64, 8>, ALL, ALL>;
