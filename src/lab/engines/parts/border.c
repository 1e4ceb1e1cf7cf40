/* SPDX-License-Identifier: MIT */
#include "lab/engines/parts/border.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/caller.h"
#include "toolkit/cuda/streams.h"

/* A device that reaches the other one's memory takes rows from there; others meet on the host. */
enum qp_status qp_borders_way(int from, int to, bool apart, enum qp_borders *way)
{
    bool reaches;
    *way = from == QP_ON_HOST && to == QP_ON_HOST ? QP_BORDERS_HOST : QP_BORDERS_LOCKED;
    if (from == QP_ON_HOST || to == QP_ON_HOST || apart)
        return QP_OK;
    const enum qp_status status = qp_cuda_reach(to, from, &reaches);
    if (reaches)
        *way = from == to ? QP_BORDERS_DEVICE : QP_BORDERS_PEERS;
    return status;
}

static enum qp_status make_values(size_t bytes, struct qp_border *border)
{
    switch (border->way) {
    case QP_BORDERS_LOCKED:
        return qp_cuda_pin(bytes, &border->values);
    case QP_BORDERS_DEVICE:
    case QP_BORDERS_PEERS: {
        struct qp_cuda device = {.ordinal = border->from};
        return qp_cuda_allocate(&device, bytes, "rows for neighbours", &border->values);
    }
    default:
        border->values = qp_alloc(bytes, 1, "rows for neighbours");
        return border->values != NULL ? QP_OK : QP_NO_MEMORY;
    }
}

enum qp_status qp_border_make(size_t bytes, struct qp_border *border)
{
    enum qp_status status = make_values(bytes, border);
    if (status == QP_OK && border->from != QP_ON_HOST)
        status = qp_cuda_event_make(border->from, &border->there);
    return status;
}

void qp_border_free(struct qp_border *border)
{
    if (border->way == QP_BORDERS_LOCKED)
        qp_cuda_unpin(border->values);
    else if (border->way == QP_BORDERS_DEVICE || border->way == QP_BORDERS_PEERS)
        qp_cuda_free(&(struct qp_cuda){.ordinal = border->from}, border->values);
    else
        free(border->values);
    qp_cuda_event_free(&border->there);
    memset(border, 0, sizeof *border);
}

enum qp_status qp_border_await(const struct qp_border *border)
{
    return border->there != NULL ? qp_cuda_await(border->there) : QP_OK;
}

const char *qp_borders_name(enum qp_borders way)
{
    static const char *const names[QP_BORDERS] = {"none", "device", "peers", "locked", "host"};
    return QP_NAME(names, way);
}
