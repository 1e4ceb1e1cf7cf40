/* SPDX-License-Identifier: MIT */
/* What the launchers of access share. */
#ifndef QP_OPS_ACCESS_CUH
#define QP_OPS_ACCESS_CUH

#include "ops/access_kernels.h"
#include "ops/launch.cuh"

constexpr unsigned BLOCK = 256; /* threads of most kernels */

#endif
