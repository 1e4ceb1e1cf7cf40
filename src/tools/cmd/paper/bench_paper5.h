/* SPDX-License-Identifier: MIT */
/* The parts of paper 5's tables, in the thesis's order: each plans lines of runs and prints what
 * they gave. Lines are known by their tags. */
#ifndef QP_CMD_PAPER_BENCH_PAPER5_H
#define QP_CMD_PAPER_BENCH_PAPER5_H

#include "tools/cmd/paper/bench_paper.h"
#include "tools/tune/runs.h"

enum paper5_tag {
    PAPER5_UNTAGGED,
    PAPER5_COPY,      /* a copy on the device, of its size */
    PAPER5_AGAINST_N, /* figures 7 to 10, against n */
    PAPER5_AGAINST_T  /* the same, against T */
};

/* The variant of the thesis's tuned kernel. */
extern const char paper5_tuned[];

/* Flops and bytes of an update as the thesis counts them; the bytes of float that any program must
 * move. */
extern const double paper5_flops, paper5_bytes, paper5_least_bytes;

/* The figure of that name in the thesis's text. */
double paper5_figure(const struct paper_bench *bench, const char *name);

/* Number of CUDA devices, here or where records were made; two at most. */
int paper5_devices(const struct paper_bench *bench);

/* Number of the processor's threads, here or where records were made. */
int paper5_threads(const struct paper_bench *bench);

/* Table 1. */
void paper5_plan_machines(struct paper_bench *bench);
void paper5_print_machines(const struct paper_bench *bench);

/* Rate of a large copy on the device, in GB/s read and written; NaN where none was measured. */
double paper5_streaming(const struct paper_bench *bench);

/* Figures 7 to 10. */
void paper5_plan_sizes(struct paper_bench *bench);
void paper5_print_sizes(const struct paper_bench *bench);

/* Figure 12. */
void paper5_plan_transfers(struct paper_bench *bench);
void paper5_print_transfers(const struct paper_bench *bench);

/* Figures 14, 15 and 16 (left): models as both devices are, and with the lower one made slower. */
struct paper5_models {
    struct qp_tuned tuning[2];
    int count;
    char reason[512]; /* why models are not there */
};

/* Measures them by their own runs, whose records follow the others; the second `wanted` times
 * apart. */
enum qp_status paper5_model(struct paper_bench *bench, double wanted, struct paper5_models *models);
void paper5_print_models(const struct paper_bench *bench, const struct paper5_models *models);

#endif
