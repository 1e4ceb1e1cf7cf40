/* SPDX-License-Identifier: MIT */
/* Checks: the same walk over problems of awkward sizes. */
#ifndef QUADPASS_CHECK_H
#define QUADPASS_CHECK_H

#include <quadpass/bench.h>
#include <quadpass/custom.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Result of one variant over all cases. */
struct qp_tally {
    struct qp_record worst; /* the first case that failed, else the one nearest to its tolerance */
    int passed, failed, skipped;
};

/* Zero means default. */
struct qp_check_desc {
    const struct qp_custom *custom; /* operation whose problems are checked; NULL: those of make */
    /* Makes problem number `number`, of `problems`, at this size, of one system or as many as a
     * variant takes; the check destroys it. */
    enum qp_status (*make)(void *user, int number, int width, int height, int systems,
                           struct qp_problem *out);
    int problems;      /* at each size; 0: 1. With `custom` their number is the seed */
    int width, height; /* 0: the least, one row, one column, primes, no multiple of four, a power of
                        * two, one above, wide */
    int iterations;    /* 0: 1, 2 and 7 */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const char *no_device; /* reason of a NULL context, for the rows that are skipped */
    const volatile sig_atomic_t *interrupt; /* non-zero between walks: stop, keep what there is */
    /* After each case of each variant; `record` says which and how it went. */
    void (*on_case)(void *user, const struct qp_record *record);
    void *user;
};

/* Walks each of `count` variants through all cases; `tallies` has room for as many. A failed case
 * is a tally and QP_OK. Errors: as qp_walk (`desc` must not be NULL: it names the problems), and those of
 * `make`. Owner: none. Threads: the context's. */
enum qp_status qp_check(struct qp_context *context, const struct qp_variant *const variants[],
                        int count, const struct qp_check_desc *desc, struct qp_tally *tallies);

/* QP_FAIL if any case failed, QP_SKIP if none ran. Errors: none; QP_NO_VERDICT for NULL. Owner: none.
 * Threads: any. */
enum qp_verdict qp_tally_verdict(const struct qp_tally *tally);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
