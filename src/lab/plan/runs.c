/* SPDX-License-Identifier: MIT */
/* Runs of a check and of a benchmark, where an operation does not say otherwise. */
#include "../templates/sizes.h"
#include "lab/plan/op.h"
#include "toolkit/base/whole.h"

const struct qp_size qp_usual_sizes[] = {USUAL_SIZES, {0}};

const int qp_usual_steps[] = {1, 2, 7, 0};

static const struct qp_size bench_sizes[] = {
    {256, 256}, {512, 512}, {1024, 1024}, {2048, 2048}, {0}};

/* 2^24 updates, in 10 to 200 steps. */
static int bench_steps(const struct qp_problem *problem)
{
    return qp_clamp(0x1p24 / ((double)problem->width * problem->height * problem->systems), 10,
                    200);
}

/* Steps of variants that fuse some. */
static int launch(const struct qp_recipe *recipe)
{
    (void)recipe;
    return 8;
}

const struct qp_runs qp_usual_runs = {.sizes = qp_usual_sizes,
                                      .steps = qp_usual_steps,
                                      .bench_sizes = bench_sizes,
                                      .bench_steps = bench_steps,
                                      .launch = launch};
