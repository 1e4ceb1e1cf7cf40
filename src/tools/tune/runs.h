/* SPDX-License-Identifier: MIT */
/* Runs that the model of a split grid is made from, and judged by: a variant that shares its grid
 * between two unlike parts (lab/engines/parts/parts.h) is timed with grids of several heights by
 * each part alone, and with a few splits, in turn with a sweep of splits, which the model does not
 * use. */
#ifndef QP_TUNE_RUNS_H
#define QP_TUNE_RUNS_H

#include <quadpass/bench.h>

#include "lab/engines/parts/learned.h"
#include "tools/tune/model.h"

enum { QP_TUNE_RUNS = 40 };

/* Zero means default. */
struct qp_tuned_desc {
    const struct qp_variant *variant; /* must be given */
    const char *kind;                 /* the problem's; NULL: the first that the variant takes */
    int width, height;                /* must be given */
    int steps;                        /* a run's; 0: 32 */
    int repeats;                      /* 0: 5 */
    int depth, slow;                  /* as in struct qp_parts_desc */
    unsigned long long seed;          /* a random problem's */
    const char *no_device;            /* reason of a NULL context */
    const volatile sig_atomic_t *interrupt;
    void (*on_walk)(void *user, int done, int all); /* after each walk */
    void *user;
};

/* Kind of a timed run. */
enum qp_tuned_form { QP_TUNE_LOWER, QP_TUNE_UPPER, QP_TUNE_TOGETHER, QP_TUNE_SWEEP };

struct qp_tuned_split {
    enum qp_tuned_form what;
    int rows; /* rows of the grid of one part, or of the lower part, as the grid was cut */
    double measured, predicted; /* seconds of a step, median; NaN: neither */
    struct qp_record record;
};

struct qp_tuned {
    struct qp_model model;
    struct qp_learned learned; /* worth keeping */
    /* Numbers of the runs of the predicted best split, and of the fastest in the sweep. */
    int best, optimum;
    int count;
    struct qp_tuned_split run[QP_TUNE_RUNS]; /* runs of the sweep last, by rows */
};

/* Next number of devices to predict a time for, above `devices`: 4, 8 and 16, and then 0, for a
 * variant whose two parts were alike and ran on two devices. 0 at once for all others. */
int qp_tuned_next_devices(const struct qp_tuned *tuning, int devices);

/* Learns, predicts and measures. Errors: as qp_bench; QP_UNSUPPORTED where the variant shares no
 * grid, or where a run was skipped or interrupted; QP_DEVICE where one failed its check. Owner:
 * none. */
enum qp_status qp_tune(struct qp_context *context, const struct qp_tuned_desc *desc,
                       struct qp_tuned *out);

#endif
