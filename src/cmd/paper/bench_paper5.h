/* SPDX-License-Identifier: MIT */
/* The parts of paper 5's tables: CPU baselines, transfers, hybrids. */
#ifndef QP_CMD_PAPER_BENCH_PAPER5_H
#define QP_CMD_PAPER_BENCH_PAPER5_H

#include "cmd/paper/bench_paper.h"

/* Figure 12. */
void paper5_plan_transfers(struct paper_bench *bench);
enum qp_status paper5_print_transfers(const struct paper_bench *bench);

/* Figures 14, 15 and 16 (left): models, measured by their own runs, whose records follow the others. */
enum qp_status paper5_model(struct paper_bench *bench);
enum qp_status paper5_print_models(const struct paper_bench *bench);

#endif
