/* SPDX-License-Identifier: MIT */
/* Benchmarks: the same walk, repeated and interleaved. */
#ifndef QUADPASS_BENCH_H
#define QUADPASS_BENCH_H

#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Run-time choices of a variant: ping-pong, texture target, group and block sizes. */
struct qp_style {
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    int group_x, group_y; /* group of a compute shader; 0: the fastest */
    /* Texels each way of variants that draw in blocks, 0: 64, or less where the matrix is smaller;
     * or rows of threads in a thread block, 0: the variant's own choice. */
    int block;
    struct qp_parts_desc parts; /* cut of the grid, for variants that compute it in parts */
};

/* Timed runs of a variant, at most. */
enum { QP_MOST_REPEATS = 100 };

/* A row of a table of results; docs/measurements/ holds such records alone. */
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
    int group_x, group_y;  /* group of a compute shader, else 0 */
    struct qp_style style; /* style of an OpenGL variant */
    double error_rms;      /* the worst of the repeats */
    char problem[16];      /* kind of the problem */
    double updates;        /* cells of all systems in one iteration, or the operation's own count */
    int block;             /* block size of variants that have blocks, else 0 */
    double occupancy;      /* as in struct qp_result */
    struct qp_parts_desc parts;      /* parts as the grid was cut, for variants in parts; else 0 */
    struct qp_marked_cell cell;      /* the problem's marked cell */
    double vertices;                 /* drawn in one iteration; 0 for variants that draw nothing */
    int parameter;                   /* the problem's parameter; 0 for operations without one */
    int threads;                     /* as in struct qp_result */
    int sample_count;                /* timed runs, after the warm-up */
    double samples[QP_MOST_REPEATS]; /* seconds of each, in their order */
    /* (third quartile - first) / median of these, by linear interpolation; NaN below three. */
    double spread;
    /* The least clock of an NVIDIA GPU's multiprocessors, read right after each run; else 0. */
    double clock_mhz;
    /* Reasons that the driver gave for a lower clock, if there is one: bits that qp_throttle_name
     * names. */
    unsigned throttled;
    /* Steps and cells of the first timed run that were compared with the reference, of variants
     * that take too long to be judged whole; 0: all. */
    int judged_steps;
    double judged_cells;
};

/* Zero means default. */
struct qp_bench_desc {
    int iterations; /* 0: about 2^24 updates, at least 10 steps and at most 200 */
    /* Runs of each variant, at most QP_MOST_REPEATS; 0: until its spread is below 2 % or its share
     * of the time is over. */
    int repeats;
    /* No warm-up of a GPU's clock, for runs whose times do not count: all their steps are
     * checked. */
    bool cold;
    /* Problems that start from zeros start from random values, which cost a GPU more power; not
     * those of variants that race. */
    bool random_start;
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const struct qp_style *styles; /* a style for each variant; NULL: the three members above */
    const char *no_device;         /* reason of a NULL context, for the variants that are skipped */
    const volatile sig_atomic_t *interrupt; /* non-zero: stop, keep the walks that are whole */
    /* Called after each walk; without `repeats` `all` grows as variants turn out to be noisy. */
    void (*on_walk)(void *user, int done, int all);
    void *user;
    /* Seconds of a variant's walks after its first, without `repeats`: then three samples are
     * enough, and else five, or nine of short runs; 0: 1. */
    double share;
};

/* Name of a bit of qp_record.throttled, from 0 on, such as "power cap"; NULL for a number out of
 * range. Errors: none. Owner: the library, for ever. Threads: any. */
const char *qp_throttle_name(int bit);

/* Walks all variants in turn, each on its own problem (several may share one), then all again that
 * want more samples, so that a machine that slows down slows all of them. Every run is checked.
 * Where all steps of a run are alike, and too many of them to check each time, the variant is
 * judged after all of them on a small grid and on patches of this one; or, if its operation judges
 * no patches, after two launches and one step more, and over the last launch. All timed runs must
 * agree bit for bit, or lie between their bounds if the variant races. A variant whose check failed
 * has NaN for its rates. `records` has room for `count` variants; `desc` NULL means all defaults.
 * Errors: as qp_walk; then no record has a verdict but those of whole walks. Owner: none. Threads:
 * the context's. */
enum qp_status qp_bench(struct qp_context *context, const struct qp_variant *const variants[],
                        struct qp_problem *const problems[], int count,
                        const struct qp_bench_desc *desc, struct qp_record *records);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
