/* SPDX-License-Identifier: MIT */
/* Launches of several steps at once: float, red-black order. */
#include "lab/ops/poisson5/cuda/temporal_steps.cuh"

namespace
{

template <>
const ladder ladders<float, true>[LADDERS] = {
    {6, {red_black_of<float, 12>, red_black_of<float, 8>, TWO_RED_BLACK(float)}},
    {4, {red_black_of<float, 8>, TWO_RED_BLACK(float)}},
    {2, {TWO_RED_BLACK(float)}}};

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_red_black = {LAUNCHES(float, true),
                                                            .together = together<float>};
