/* SPDX-License-Identifier: MIT */
/* Border: rows of cells under way from one part of a grid to its neighbour, by the shortest way
 * that both sides have. */
#ifndef QP_ENGINES_BORDER_H
#define QP_ENGINES_BORDER_H

#include <stddef.h>

#include <quadpass/walk.h>

#include "toolkit/base/status.h"

enum { QP_ON_HOST = -1 /* a side's device, where it is none of CUDA's */ };

/* Border of a double-buffered halo exchange: rows without gaps. In each exchange a side gives its
 * rows and then takes the other side's. Border k mod 2 serves exchange k; two exchanges later it is
 * free again, because the other side gives rows of exchange k + 1 only after it has taken those of
 * exchange k. */
struct qp_border {
    enum qp_borders way;
    int from, to; /* CUDA's numbers of both sides' devices, or QP_ON_HOST */
    void *values; /* on the host, or of QP_BORDERS_DEVICE and _PEERS on the giver's device */
    void *there;  /* event: all rows are; NULL where the giver is no CUDA device */
};

/* "none", "device", "peers", "locked", "host". */
const char *qp_borders_name(enum qp_borders way);

/* The way between devices; `apart`: as if none reached another's memory. Errors: QP_DEVICE. */
enum qp_status qp_borders_way(int from, int to, bool apart, enum qp_borders *way);

/* Memory and events of a border whose way and sides are filled in. Errors: QP_NO_MEMORY, QP_DEVICE;
 * free it in any case. */
enum qp_status qp_border_make(size_t bytes, struct qp_border *border);

/* When no side uses it any more. Takes one of zeros. */
void qp_border_free(struct qp_border *border);

/* On the host: waits until all rows are there. Errors: QP_DEVICE. */
enum qp_status qp_border_await(const struct qp_border *border);

#endif
