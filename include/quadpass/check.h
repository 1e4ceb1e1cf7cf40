/* SPDX-License-Identifier: MIT */
/* Checks: the same walk over problems of awkward sizes. */
#ifndef QUADPASS_CHECK_H
#define QUADPASS_CHECK_H

#include <stdio.h>

#include <quadpass/bench.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Result of one variant over all cases. */
struct qp_tally {
    struct qp_record worst; /* the first case that failed, else the one nearest to its tolerance */
    int passed, failed, skipped;
    double seconds; /* by the clock; variants that are checked together have equal shares */
};

/* Zero means default. */
struct qp_check_desc {
    /* Makes problem number `number`, of `problems`, at this size, of one system or as many as a
     * variant takes; the check destroys it. For a trial this is qp_trial_make (trial.h), and `user`
     * is the trial. */
    enum qp_status (*make)(void *user, int number, int width, int height, int systems,
                           struct qp_problem *out);
    int problems; /* at each size; 0: 1 */
    /* 0: the least, one row, one column, primes, no multiple of four, a power of two, one above,
     * wide. */
    int width, height;
    int iterations; /* 0: 1, 2 and 7 */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const char *no_device; /* reason of a NULL context, for the variants that are skipped */
    const volatile sig_atomic_t *interrupt; /* non-zero between walks: stop, keep what there is */
    /* Called after each case of each variant; `record` says which and how it went. */
    void (*on_case)(void *user, const struct qp_record *record);
    void *user;
};

/* Walks each of `count` variants through all cases; `tallies` has room for as many. A failed case
 * is a tally and QP_OK. Errors: as qp_walk (`desc` must not be NULL: it names the problems), and
 * those of `make`. Owner: none. Threads: the context's. */
enum qp_status qp_check(struct qp_context *context, const struct qp_variant *const variants[],
                        int count, const struct qp_check_desc *desc, struct qp_tally *tallies);

/* QP_FAIL if any case failed, QP_SKIP if none ran, QP_CANNOT_TELL where all passed and a trivial
 * kernel would, too (walk.h). Errors: none; QP_NO_VERDICT for NULL. Owner:
 * none. Threads: any. */
enum qp_verdict qp_tally_verdict(const struct qp_tally *tally);

/* Facts that a report gives beside its variants. Zero means default; strings that are NULL are left
 * out. */
struct qp_report_desc {
    const char *suite;  /* name of all variants together; NULL: "quadpass" */
    const char *device; /* device that ran the variants, such as qp_context_device's renderer */
    const char *driver; /* such as its version */
    const char *commit; /* commit of the sources that were checked */
    int planned;        /* variants that were to be checked; 0: those that were */
    const char *ended;  /* why some of them are missing, which counts as an error; NULL: none are */
    const char *seed;   /* seed of random inputs, such as "7" */
};

/* Writes the tallies of qp_check to an open file as JUnit XML, a test case a variant, for CI: a
 * failure has its reason, error and tolerance, a skip its reason. A bound has a remark and no
 * counter but that of all cases. Text that XML cannot hold becomes '?'. `desc` NULL means all
 * defaults. Errors: QP_BAD_INPUT with the system's reason; QP_BAD_USE for NULL, no variants unless
 * `ended` says why, and tallies that qp_check has not filled; QP_NO_MEMORY. Owner: none; the file
 * is flushed, and stays open. Threads: any. */
enum qp_status qp_report_junit(FILE *out, const struct qp_tally *tallies, int count,
                               const struct qp_report_desc *desc);

/* The same in the Test Anything Protocol, version 14. Errors: as qp_report_junit. Owner: none; the
 * file is flushed, and stays open. Threads: any. */
enum qp_status qp_report_tap(FILE *out, const struct qp_tally *tallies, int count,
                             const struct qp_report_desc *desc);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
