/* SPDX-License-Identifier: MIT */
/* Variants of a check: several processes may take them, and share what came out. */
#ifndef QP_CMD_CHECK_VARIANTS_H
#define QP_CMD_CHECK_VARIANTS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "tools/cmd/cmd.h"
#include "tools/cmd/solve/check_solves.h"

/* Result of a variant, in memory that all processes share. */
struct check_outcome {
    atomic_int owner; /* the process that has taken the variant; 0: none */
    atomic_bool done;
    struct qp_tally tally;
    struct solved solved;
};

enum { MOST_JOBS = 16 };

struct check_variants {
    const struct qp_variant *const *variant;
    int count;
    struct check_outcome *outcome; /* an outcome for each variant */
    pid_t helper[MOST_JOBS];       /* other processes, 0 once they have ended */
    int helpers;
    bool is_helper; /* this process is one */
};

/* Processes for these variants: --jobs, or one for four processors where there is enough to do. */
int check_jobs(const struct options *options, int count);

/* Begins `jobs` processes, this one among them; returns in each. Nothing may have been computed
 * before. Without memory or processes there are fewer; QP_NO_MEMORY if none can share anything. */
enum qp_status check_variants_begin(const struct qp_variant *const variants[], int count, int jobs,
                                    struct check_variants *out);

/* Takes variant number `first`, or else another one that nobody has; -1: there is none. Variants of
 * MPI are for the first process. */
int check_variants_take(struct check_variants *variants, int first);

/* Waits a moment. Variants whose process has ended without a result are free again. */
void check_variants_wait(struct check_variants *variants);

/* Ends the other processes: at once, or when they have seen an interrupt, after two seconds at
 * most. */
void check_variants_stop(struct check_variants *variants, bool interrupted);
void check_variants_destroy(struct check_variants *variants);

/* Makes an interrupted variant a skip, unless a case has failed already. */
void check_leave(struct qp_tally *tally, const struct qp_variant *variant);

/* Tally for a report, whose verdicts come from the counts. A skip that was required to run is a
 * failure. */
struct qp_tally check_for_report(const struct qp_tally *tally, enum qp_verdict verdict);

/* Prints the line of a variant; `cases`: of a kernel file, else NULL. */
void check_print_row(FILE *table, int name_width, const struct check_outcome *outcome,
                     enum qp_verdict verdict, const struct records_cases *cases);

#endif
