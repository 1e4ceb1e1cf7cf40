/* SPDX-License-Identifier: MIT */
/* Moving n = width * height values between the host's memory and the device's:
 *
 *     round: there and back      up: x to the device
 *     overlap: there, + 1 many times, and back      down: x from the device
 *
 * Every value arrives as it was, or as a sum that float holds, so that all variants are exact. A
 * step moves the array once more; the answer stays. Bytes are those that cross the bus, once each
 * way. */
#include "lab/ops/transfer/transfer.h"

#include <math.h>

#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/base/whole.h"

static const struct qp_kind kinds[QP_TRANSFER_KINDS + 1] = {
    [QP_TRANSFER_ROUND] = {.name = "round", .what = "x to the device and back", .settles = true},
    [QP_TRANSFER_UP] = {.name = "up", .what = "x to the device", .settles = true},
    [QP_TRANSFER_DOWN] = {.name = "down",
                          .what = "x, which is there, from the device",
                          .settles = true},
    [QP_TRANSFER_OVERLAP] = {.name = "overlap",
                             .what = "x to the device, 1024 additions to each value, and back",
                             .settles = true},
};

static const struct qp_field fields[QP_TRANSFER_STORED] = {{.name = "x"}, {.name = "arrived"}};

static struct qp_cost cost(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const int kind = qp_problem_kind(problem);
    const int ways = kind == QP_TRANSFER_ROUND || kind == QP_TRANSFER_OVERLAP ? 2 : 1;
    return (struct qp_cost){.bytes = ways * (double)sizeof(float), .flops = recipe->flops};
}

/* ---- Stage 9: the reference ---- */

static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    (void)old;
    const size_t width = (size_t)problem->width;
    const double more =
        qp_problem_kind(problem) == QP_TRANSFER_OVERLAP ? QP_TRANSFER_ADDITIONS : 0.0;
    const float *x = problem->field[QP_TRANSFER_X].values;
    for (size_t i = first * width; i < end * width; i++)
        new[i] = x[i] + more;
    return 0.0;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    qp_step_by_rows(problem, step_rows, old, new, scale);
}

/* The judge of the reference: row by row from the last one, in whole units of 2^-13. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)old, (void)scale;
    const long more =
        qp_problem_kind(problem) == QP_TRANSFER_OVERLAP ? QP_TRANSFER_ADDITIONS * 8192L : 0;
    for (int y = problem->height - 1; y >= 0; y--) {
        size_t row = (size_t)y * (size_t)problem->width;
        const float *x = problem->field[QP_TRANSFER_X].values + row;
        for (int column = 0; column < problem->width; column++)
            new[row + (size_t)column] = (double)(lrintf(x[column] * 8192.0f) + more) / 8192.0;
    }
}

/* ---- Stage 1 ---- */

/* Multiples of 2^-13 from -1 to 1: 1024 more are still held by the 24 bits of a float. */
static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    uint64_t state = desc->seed;
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        problem->field[QP_TRANSFER_X].values[i] =
            (float)(floor(qp_random(&state, -8192.0, 8192.0)) / 8192.0);
        problem->field[QP_TRANSFER_ARRIVED].values[i] = 0.0f;
    }
    return QP_OK;
}

/* 16 KiB, 1, 16 and 128 MiB: from what starting a transfer costs to what the bus does. */
static const struct qp_size bench_sizes[] = {
    {256, 16}, {1024, 256}, {4096, 1024}, {8192, 4096}, {0}};

static int bench_steps(const struct qp_problem *problem)
{
    bool computes = qp_problem_kind(problem) == QP_TRANSFER_OVERLAP;
    return qp_clamp((computes ? 0x1p20 : 0x1p23) / (double)qp_problem_cells(problem), 4, 100);
}

static const struct qp_runs runs = {.sizes = qp_usual_sizes,
                                    .steps = qp_usual_steps,
                                    .bench_sizes = bench_sizes,
                                    .bench_steps = bench_steps};

const struct qp_op qp_op_transfer = {
    .name = "transfer",
    .kinds = kinds,
    .equation = "arrived = x, or of overlap x + 1 + ... + 1",
    .state = QP_TRANSFER_ARRIVED,
    .fields = QP_TRANSFER_STORED,
    .field = fields,
    .runs = &runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = qp_rounds_nothing,
    .cost = cost,
};
