/* SPDX-License-Identifier: MIT */
/* Peak rates of a machine, the upper bounds (roofs) beside its measured rates. */
#ifndef QP_CMD_PAPER_PEAKS_H
#define QP_CMD_PAPER_PEAKS_H

#include <stdio.h>

struct qp_cuda;

/* GB of 10^9 bytes; NaN where nobody knows. */
struct peaks {
    double gflops, gbytes_per_s;
};

/* Peaks of one CPU thread, measured: fused multiply-adds in registers, and a = b + s c in arrays
 * that no cache holds, three floats of 4 bytes an element. Takes a fifth of a second. */
void peaks_of_cpu(struct peaks *out);

/* Peaks of a CUDA device, the first if `ordinal` is negative, computed from its attributes: two
 * flops a core and clock, two transfers a clock of its memory. */
void peaks_of_gpu(int ordinal, struct peaks *out);

/* Rate of STREAM's triad a = b + s c on all threads, in doubles that no cache holds, three values
 * of 8 bytes an element; GB/s, NaN without memory. Takes a fifth of a second. */
double peaks_triad(void);

/* Float cores of one of a device's multiprocessors. */
int peaks_cores(const struct qp_cuda *cuda);

/* Prints them with their meaning. */
void peaks_print(FILE *out, const struct peaks *cpu, const struct peaks *gpu);

#endif
