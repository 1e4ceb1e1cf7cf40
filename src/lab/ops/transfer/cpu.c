/* SPDX-License-Identifier: MIT */
/* Transfers on the CPU: the device is one more array in the same memory, and its bus is memcpy. The
 * rate is an upper bound for every device whose driver copies once in the host's memory. */
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/ops/transfer/transfer.h"

static float *device(const struct qp_plan *plan)
{
    return qp_transfer_own(plan)->own;
}

static enum qp_status send(struct qp_plan *plan, const struct qp_piece *piece)
{
    memcpy(device(plan) + piece->first, qp_transfer_own(plan)->source + piece->first,
           piece->count * sizeof(float));
    return QP_OK;
}

/* The kernel: works on as many values at a time as vectors and their latency need. */
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
    memcpy(qp_transfer_own(plan)->arrived + piece->first, device(plan) + piece->first,
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
    memcpy(texels, plan->empty, qp_layout_bytes(&plan->layout));
    qp_transfer_scatter(plan, device(plan), texels);
    return QP_OK;
}

static enum qp_status reset(struct qp_plan *plan, const float *texels)
{
    qp_transfer_gather(plan, texels, device(plan));
    return QP_OK;
}

static enum qp_status open_device(struct qp_plan *plan)
{
    qp_transfer_own(plan)->own =
        qp_guarded_create(qp_transfer_own(plan)->count, "the device's array");
    return qp_transfer_own(plan)->own != NULL ? QP_OK : QP_NO_MEMORY;
}

static void close_device(struct qp_plan *plan)
{
    float *values = device(plan);
    qp_guarded_destroy(&values);
}

const struct qp_mover qp_mover_cpu = {.open = open_device,
                                      .close = close_device,
                                      .send = send,
                                      .compute = compute,
                                      .ask = ask,
                                      .finish = finish,
                                      .fetch = fetch,
                                      .reset = reset};

static const struct qp_transfer once = {.way = QP_TRANSFER_PLAIN};

const struct qp_recipe qp_transfer_cpu[] = {
    {.name = "transfer/reference",
     .backend = QP_CPU,
     .layout = "one array",
     .place = "the judge of all variants",
     .sentence =
         "a copy in double; itself judged by one in whole numbers, from the last row to the first",
     .engine = &qp_engine_reference,
     QP_TRANSFER_STANDS(QP_FLAT)},

    {.name = "transfer/memcpy",
     .backend = QP_CPU,
     .layout = "one array",
     .place = "the obvious C",
     .sentence = "the device is one more array in the host's memory, and memcpy the bus: the roof "
                 "of all variants that copy on the host",
     .engine = &qp_engine_transfer,
     QP_TRANSFER_STANDS(QP_FLAT),
     .own = &once},

    {0},
};
