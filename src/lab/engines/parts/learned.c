/* SPDX-License-Identifier: MIT */
#include "lab/engines/parts/learned.h"

#if defined(_OPENMP)
#include <omp.h>
#else
#define omp_get_max_threads() 1
#endif
#include <stdio.h>

#include "toolkit/io/winner.h"

enum { DEVICE_NAME = 200 };

/* The device's name and the other part's threads: "llvmpipe (...), 2 threads". */
static void name_device(const struct qp_context *context, char name[DEVICE_NAME])
{
    const char *renderer = context != NULL ? qp_context_device(context)->renderer : "no device";
    snprintf(name, DEVICE_NAME, "%.160s, %d threads", renderer, omp_get_max_threads());
}

bool qp_learned_read(const struct qp_context *context, const char *row, struct qp_learned *out)
{
    char device[DEVICE_NAME], values[QP_WINNER_LETTERS];
    struct qp_learned learned;
    name_device(context, device);
    const bool good = qp_winner_read(row, device, values) &&
                      sscanf(values, "size=%dx%d depth=%d split=%d seconds=%lf alone=%lf,%lf",
                             &learned.width, &learned.height, &learned.depth, &learned.split,
                             &learned.seconds, &learned.alone[0], &learned.alone[1]) == 7 &&
                      learned.width > 0 && learned.height > 0 && learned.depth > 0 &&
                      learned.split >= 0 && learned.split <= learned.height;
    if (good)
        *out = learned;
    return good;
}

enum qp_status qp_learned_write(const struct qp_context *context, const char *row,
                                const struct qp_learned *learned)
{
    char device[DEVICE_NAME], values[QP_WINNER_LETTERS];
    name_device(context, device);
    snprintf(values, sizeof values, "size=%dx%d depth=%d split=%d seconds=%.6e alone=%.6e,%.6e",
             learned->width, learned->height, learned->depth, learned->split, learned->seconds,
             learned->alone[0], learned->alone[1]);
    return qp_winner_write(row, device, values);
}

int qp_learned_rows(const struct qp_learned *learned, int height)
{
    return (int)((double)learned->split / learned->height * height + 0.5);
}
