/* SPDX-License-Identifier: MIT */
/* Constants shared by the CUDA files of access. */
#ifndef QP_OPS_ACCESS_ACCESS_CUH
#define QP_OPS_ACCESS_ACCESS_CUH

#include "lab/engines/launch.cuh"
#include "lab/ops/access/kernels.h"

constexpr unsigned BLOCK = 256; /* threads of most kernels */

#endif
