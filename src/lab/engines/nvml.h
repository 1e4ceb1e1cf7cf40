/* SPDX-License-Identifier: MIT */
/* Clock of an NVIDIA GPU, as the driver's own library NVML reports it. The library is loaded at
 * the first question; no build needs it. */
#ifndef QP_ENGINES_NVML_H
#define QP_ENGINES_NVML_H

#include <stdbool.h>

#include <quadpass/context.h>
#include <quadpass/variant.h>

/* Reads the present clock of the multiprocessors of the GPU that runs variants of this backend, and
 * the reasons for a lower one as bits (qp_throttle_name). False where there is none of NVIDIA's, no
 * NVML, or no way to find the GPU among several; of variants on several GPUs it is the first. The
 * context, which may be NULL, is current. */
bool qp_nvml_read(struct qp_context *context, enum qp_backend backend, double *mhz,
                  unsigned *reasons);

#endif
