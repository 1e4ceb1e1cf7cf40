/* SPDX-License-Identifier: MIT */
/* Pointer chase, which measures the latency of a load: one thread reads group after group, each at
 * the place that the load before returned. Nothing masks its waits. */
#include "lab/ops/access/access.cuh"

namespace
{

/* A step is a load and the product that makes an address of its value: u holds 2^23 + g, whose bits
 * are QP_ACCESS_CHASE_BITS + g, so that no conversion from float is needed in between. `origin` is
 * the address for bits of 0. */
template <bool L1>
__global__ void chase(const float *x, const float *u, float *out, unsigned cells, unsigned steps,
                      unsigned group)
{
    const unsigned bytes = group * sizeof(float);
    const unsigned long long origin =
        (unsigned long long)u - (unsigned long long)QP_ACCESS_CHASE_BITS * bytes;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned bits = QP_ACCESS_CHASE_BITS;
        for (unsigned i = 0; i < steps; i++) {
            const float *next = (const float *)(origin + (unsigned long long)bits * bytes);
            out[i] = __uint_as_float(bits) - 0x1p23f;
            bits = __float_as_uint(L1 ? *next : __ldcg(next));
        }
    }
    unsigned rest = steps + blockIdx.x * blockDim.x + threadIdx.x;
    if (rest < cells)
        out[rest] = x[rest];
}

template <bool L1> enum qp_status run(struct qp_launch *l)
{
    const unsigned cells = (unsigned)cells_of(l);
    const unsigned most = QP_ACCESS_CHASE_STEPS, steps = cells < most ? cells : most;
    chase<L1><<<blocks_in(cells - steps, BLOCK) + 1, BLOCK, 0, stream_of(l)>>>(
        l->x, l->input[0], l->out, cells, steps, (unsigned)l->parameter);
    return qp_cuda_check_launch("chase");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_chase = {.launch = run<true>};
const struct qp_cuda_kernel qp_kernel_access_chase_no_l1 = {.launch = run<false>};
