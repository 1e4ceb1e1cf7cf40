/* SPDX-License-Identifier: MIT */
/* Transfers on the CPU: the device is one more array in the same memory, and its bus is memcpy. What
 * no device can exceed whose driver copies once in the host's memory. */
#include <stdlib.h>
#include <string.h>

#include "ops/transfer.h"

#define FLAT                            \
    {                                   \
        .format = QP_R32F, .flat = true \
    }
#define X                                                                       \
    {                                                                           \
        {                                                                       \
            .name = "x", .shape = FLAT, .fields = 1, .field = { QP_TRANSFER_X } \
        }                                                                       \
    }

static float *device(const struct qp_plan *plan)
{
    return plan->transfer->own;
}

static enum qp_status send(struct qp_plan *plan, const struct qp_piece *piece)
{
    memcpy(device(plan) + piece->first, plan->transfer->source + piece->first,
           piece->count * sizeof(float));
    return QP_OK;
}

/* The kernel: as many values at a time as vectors and their latency ask for. */
static enum qp_status compute(struct qp_plan *plan, const struct qp_piece *piece)
{
    enum { TOGETHER = 64 };
    for (size_t i = 0; i < piece->count; i += TOGETHER) {
        float *values = device(plan) + piece->first + i, sum[TOGETHER] = {0};
        size_t count = piece->count - i < TOGETHER ? piece->count - i : TOGETHER;
        memcpy(sum, values, count * sizeof *sum);
        for (int k = 0; k < QP_TRANSFER_ADDITIONS; k++) {
            for (int j = 0; j < TOGETHER; j++)
                sum[j] += 1.0f;
        }
        memcpy(values, sum, count * sizeof *sum);
    }
    return QP_OK;
}

static enum qp_status ask(struct qp_plan *plan, const struct qp_piece *piece)
{
    memcpy(plan->transfer->arrived + piece->first, device(plan) + piece->first,
           piece->count * sizeof(float));
    return QP_OK;
}

static enum qp_status finish(struct qp_plan *plan)
{
    (void)plan;
    return QP_OK;
}

static enum qp_status fetch(struct qp_plan *plan, float *texels)
{
    memcpy(texels, plan->empty, qp_layout_floats(&plan->layout) * sizeof *texels);
    qp_transfer_scatter(plan, device(plan), texels);
    return QP_OK;
}

static enum qp_status reset(struct qp_plan *plan, const float *texels)
{
    qp_transfer_gather(plan, texels, device(plan));
    return QP_OK;
}

static const struct qp_mover mover = {
    .send = send, .compute = compute, .ask = ask, .finish = finish, .fetch = fetch, .reset = reset};

static enum qp_status upload(struct qp_plan *plan)
{
    enum qp_status status = qp_transfer_open(plan, &mover);
    if (status == QP_OK)
        plan->transfer->own = qp_guarded_create(plan->transfer->count, "the device's array");
    return status == QP_OK && plan->transfer->own == NULL ? QP_NO_MEMORY : status;
}

static void destroy(struct qp_plan *plan)
{
    if (plan->transfer != NULL) {
        float *values = device(plan);
        qp_guarded_destroy(&values);
    }
    qp_transfer_close(plan);
}

static const struct qp_engine engine = {.upload = upload,
                                        .program = qp_transfer_program,
                                        .pass = qp_transfer_pass,
                                        .swap = qp_transfer_swap,
                                        .finish = qp_transfer_finish,
                                        .read = qp_transfer_read,
                                        .destroy = destroy};

static const struct qp_transfer once = {.way = QP_PLAIN};

const struct qp_recipe qp_transfer_reference = {.state = FLAT, .input = X};

const struct qp_recipe qp_transfer_memcpy = {
    .engine = &engine, .state = FLAT, .input = X, .transfer = &once};
