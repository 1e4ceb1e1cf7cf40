/* SPDX-License-Identifier: MIT */
/* Constants shared by the CUDA files of access. */
#ifndef QP_OPS_ACCESS_ACCESS_CUH
#define QP_OPS_ACCESS_ACCESS_CUH

#include "engines/launch.cuh"
#include "ops/access/kernels.h"

constexpr unsigned BLOCK = 256; /* threads of most kernels */

#endif
