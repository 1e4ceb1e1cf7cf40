/* SPDX-License-Identifier: MIT */
/* The search of a space for its fastest configuration: by trying all, some at random, or by guesses
 * from those that were tried. The same space, seed and times lead to the same configurations in the
 * same order. */
#ifndef QP_TUNE_SEARCH_H
#define QP_TUNE_SEARCH_H

#include <stdint.h>

#include <quadpass/bench.h>

#include "tools/tune/space.h"

/* End of a configuration: not compiled, not run, too slow, with wrong numbers, or asking for more
 * than there is. */
enum qp_tried_end {
    QP_TRIED_CORRECT,
    QP_TRIED_COMPILE,
    QP_TRIED_RUNTIME,
    QP_TRIED_TIMEOUT,
    QP_TRIED_CORRECTNESS,
    QP_TRIED_CONSTRAINTS,
    QP_TRIED_ENDS
};

/* Seconds of a configuration beside its samples. */
enum { QP_TRIED_COMPILING, QP_TRIED_JUDGING, QP_TRIED_OTHER, QP_TRIED_TIMES };

/* A configuration that was tried. */
struct qp_tried {
    int configuration;
    enum qp_tried_end end;
    char why[256]; /* reason of one that is not correct: a sentence, with the cell */
    char when[40]; /* it began: ISO 8601, UTC */
    double times[QP_TRIED_TIMES];
    double samples[QP_MOST_REPEATS]; /* seconds of each timed run, in their order */
    int count;
};

enum qp_strategy { QP_GUIDED, QP_RANDOM, QP_EXHAUSTIVE, QP_STRATEGIES };

extern const char *const qp_strategies[QP_STRATEGIES];

struct qp_search {
    struct qp_tried *tried;
    int count, wrong;
    int best, rival;                           /* places in `tried`; -1: there is none */
    bool even, even_with_default;              /* the best cannot be told from them */
    bool whole;                                /* it was not interrupted */
    double spent;                              /* seconds of all that was tried */
    double model[QP_SPACE_TERMS], model_error; /* seconds of a term's unit; median, or NaN */
};

struct qp_search_desc {
    const struct qp_space *space;
    enum qp_strategy strategy;
    uint64_t seed;
    int runs;       /* configurations to try at most; 0: as many as there are */
    double seconds; /* time after which none is begun; 0: no limit */

    /* Tries a configuration, whose `count` is 0: compiles it, judges it and appends its first
     * sample. Later calls append one sample more, or none where a recorded space has no more.
     * Errors end the search; a wrong configuration is none. */
    enum qp_status (*attempt)(void *user, struct qp_tried *tried);

    /* Optional: configurations that are tried first, to be compiled ahead of it. */
    void (*ahead)(void *user, const int *configurations, int count);

    void (*on_run)(void *user, const struct qp_search *now); /* optional */
    void *user;
};

/* Searches until the budget is spent, then takes samples of the fastest in turn with the next one,
 * and with the default, until these can be told apart. An interrupt (toolkit/base/watch.h) ends it
 * with what is known. Errors: those of `attempt`, QP_NO_MEMORY; *out holds what was tried. Owner:
 * the caller, by qp_search_destroy. */
enum qp_status qp_search(const struct qp_search_desc *desc, struct qp_search *out);
void qp_search_destroy(struct qp_search *search);

/* Median of a configuration's samples in seconds; NaN of one that is not correct. */
double qp_tried_seconds(const struct qp_tried *tried);

#endif
