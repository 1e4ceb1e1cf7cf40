/* SPDX-License-Identifier: MIT */
/* Arrays of the nine-band Jacobi kernels, and the update of one cell. */
#ifndef QP_OPS_JACOBI9_KERNELS_CUH
#define QP_OPS_JACOBI9_KERNELS_CUH

#include "lab/engines/launch.cuh"
#include "lab/ops/jacobi9/kernels.h"

namespace jacobi9
{

/* A block's threads, in a row: paper 3, section 7. */
constexpr int THREADS = 64;

/* The recipe's inputs, in its order. DL comes last: a variant that does without leaves it out. */
enum { DD, LL, LD, LU, DU, UL, UD, UU, B, DL, INPUTS };

template <typename T> struct arrays {
    const T *a[INPUTS];
};

template <typename T> arrays<T> inputs_of(const struct qp_launch *l)
{
    arrays<T> all;
    for (int i = 0; i < INPUTS; i++)
        all.a[i] = (const T *)l->input[i];
    return all;
}

/* A grid of blocks that are `up` rows high each. */
inline enum qp_status check_height(const struct qp_launch *l, int up)
{
    constexpr int HIGHEST = 65535;
    if ((l->height - 1) / up < HIGHEST)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED, "CUDA stacks %d blocks at most, %d rows each, not %d rows",
                   HIGHEST, up, l->height);
}

/* Cell i of x', where x(j) is cell j of x and the next row is `row` values away. */
template <typename T, typename Read>
__device__ T update(const arrays<T> &in, Read x, T weight, int i, int row)
{
    const T *const *a = in.a;
    T sum = a[LL][i] * x(i - row - 1) + a[LD][i] * x(i - row) + a[LU][i] * x(i - row + 1) +
            a[DL][i] * x(i - 1) + a[DU][i] * x(i + 1) + a[UL][i] * x(i + row - 1) +
            a[UD][i] * x(i + row) + a[UU][i] * x(i + row + 1);
    return x(i) * (T(1) - weight) + weight * (a[B][i] - sum) / a[DD][i];
}

} // namespace jacobi9

#endif
