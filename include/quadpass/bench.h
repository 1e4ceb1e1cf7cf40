/* SPDX-License-Identifier: MIT */
/* Benchmarks: the same walk, repeated and interleaved. */
#ifndef QUADPASS_BENCH_H
#define QUADPASS_BENCH_H

#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Run-time choices of a row: ping-pong, texture target, group and block sizes. */
struct qp_style {
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    int group_x, group_y; /* of compute shaders; 0: the fastest */
    int block; /* texels each way of rows that draw in blocks, 0: 64, or less where the matrix is
                  smaller; or rows of threads in a thread block, 0: the row's own choice */
    struct qp_parts_desc parts; /* of rows that compute a grid in parts */
};

/* One row of a table; docs/measurements/ holds nothing else. */
struct qp_record {
    const struct qp_variant *variant;
    int width, height, systems, iterations;
    double seconds; /* median over the repeats, all iterations, without set-up and transfers */
    double seconds_min;
    double upload_seconds, readback_seconds; /* medians */
    double glups; /* 1e9 updates of cells a second, all systems together */
    double gbytes_per_s;
    double gflops; /* by the paper's own convention */
    struct qp_cost cost;
    double error, tolerance; /* the worst of the repeats */
    enum qp_verdict verdict;
    char reason[512];
    int group_x, group_y;  /* of compute shaders, else 0 */
    struct qp_style style; /* of OpenGL rows */
    double error_rms;      /* the worst of the repeats */
    char problem[16];      /* kind of the problem */
    double updates;   /* of one iteration: cells of all systems, or the operation's own count */
    int block;        /* of rows that have blocks, else 0 */
    double occupancy; /* as in struct qp_result */
    struct qp_parts_desc parts; /* of rows in parts, as the grid was cut, else 0 */
    struct qp_marked_cell cell; /* of the problem */
    double vertices;            /* drawn in one iteration; 0 for rows that draw nothing */
    int parameter;              /* of the problem; 0 for operations without */
};

/* Zero means default. */
struct qp_bench_desc {
    int iterations;    /* 0: about 2^24 updates, at least 10 steps and at most 200 */
    int repeats;       /* 0: 5, or 3 of a row that takes longer than 5 seconds for them */
    bool cold;         /* no warm-up of a GPU's clock, for runs whose times do not count: all their
                     * steps are checked */
    bool random_start; /* problems that start from zeros start from random values, which cost a GPU
                        * more power; not those of rows that race */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const struct qp_style *styles; /* one for each row, in place of the three above; NULL: those */
    const char *no_device;         /* reason of a NULL context, for the rows that are skipped */
    const volatile sig_atomic_t *interrupt; /* non-zero: stop, keep the walks that are whole */
    void (*on_walk)(void *user, int done, int all); /* after each walk */
    void *user;
};

/* Walks all variants in turn, each on its own problem (several may share one), then all again, so
 * that a machine that slows down slows all of them. Every run is checked. Where all steps of a run are alike, and
 * too many of them to check each time, a run of two launches and one step more is checked first;
 * all timed ones must agree bit for bit, or lie between their bounds if the row races. A row whose
 * check failed has NaN for its rates. `records` has room for `count` rows; `desc` NULL stands for all defaults.
 * Errors: as qp_walk; then no record has a verdict but those of whole walks. Owner: none. Threads: the
 * context's. */
enum qp_status qp_bench(struct qp_context *context, const struct qp_variant *const variants[],
                        struct qp_problem *const problems[], int count,
                        const struct qp_bench_desc *desc, struct qp_record *records);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
