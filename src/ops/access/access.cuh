/* SPDX-License-Identifier: MIT */
/* What the launchers of access share. */
#ifndef QP_OPS_ACCESS_ACCESS_CUH
#define QP_OPS_ACCESS_ACCESS_CUH

#include "engines/launch.cuh"
#include "ops/access/kernels.h"

constexpr unsigned BLOCK = 256; /* threads of most kernels */

#endif
