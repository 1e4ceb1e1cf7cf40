/* SPDX-License-Identifier: MIT */
/* Launches of several steps at once: double, in both orders. */
#include "lab/ops/poisson5/cuda/temporal_steps.cuh"

namespace
{

template <>
const ladder ladders<double, false>[LADDERS] = {{8, {rung_of<double, 8>, FOUR(double)}},
                                                {4, {FOUR(double)}}};

template <>
const ladder ladders<double, true>[LADDERS] = {
    {4, {red_black_of<double, 8>, TWO_RED_BLACK(double)}}, {2, {TWO_RED_BLACK(double)}}};

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_temporal_double = {LAUNCHES(double, false)};
const struct qp_cuda_kernel qp_kernel_poisson5_red_black_double = {LAUNCHES(double, true),
                                                                   .together = together<double>};
