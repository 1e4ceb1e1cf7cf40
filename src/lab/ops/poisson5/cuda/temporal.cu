/* SPDX-License-Identifier: MIT */
/* Launches of several steps at once: float, Jacobi. */
#include "lab/ops/poisson5/cuda/temporal_steps.cuh"

namespace
{

template <>
const ladder ladders<float, false>[LADDERS] = {
    {16, {rung_of<float, 16>, rung_of<float, 8>, FOUR(float)}},
    {4, {FOUR(float)}},
    {8, {rung_of<float, 8>, FOUR(float)}},
    {12, {rung_of<float, 12>, rung_of<float, 8>, FOUR(float)}}};

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_temporal = {LAUNCHES(float, false)};
