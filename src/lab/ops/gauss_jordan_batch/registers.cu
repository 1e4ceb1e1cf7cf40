/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA (registers.cuh): which kernel takes how many unknowns. */
#include "lab/ops/gauss_jordan_batch/registers.cuh"

namespace
{

enum qp_status launch(struct qp_launch *l)
{
    const int n = l->answer_width - 1, count = l->answer_height;
    void (*const run)(const struct qp_launch *l, int n, int count) =
        n <= 4    ? start<4, 1>
        : n <= 8  ? start<8, 1>
        : n < 12  ? start<12, 2>
        : n == 12 ? start<12, 2, true>
        : n <= 16 ? start<16, 4>
        : n <= 24 ? start<24, 8>
        : n <= 32 ? start<32, 16>
                  : qp_gauss_jordan_batch_start_large;
    run(l, n, count);
    return qp_cuda_check_launch("registers");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_gauss_jordan_batch_registers = {.launch = launch};
