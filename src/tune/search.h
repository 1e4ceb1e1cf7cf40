/* SPDX-License-Identifier: MIT */
/* The search of a space for its fastest configuration: by trying all, some at random, or by guesses from those that were
 * tried. The same space, seed and times lead to the same configurations in the same order. */
#ifndef QP_TUNE_SEARCH_H
#define QP_TUNE_SEARCH_H

#include <quadpass/bench.h>

#include "tune/space.h"

/* How a configuration ended; names are T4's. */
enum qp_tried_end {
    QP_TRIED_CORRECT,
    QP_TRIED_COMPILE,     /* it was not compiled */
    QP_TRIED_RUNTIME,     /* it could not be run */
    QP_TRIED_TIMEOUT,     /* it took too long */
    QP_TRIED_CORRECTNESS, /* its numbers are not those of the default */
    QP_TRIED_CONSTRAINTS, /* it asks for more than there is */
    QP_TRIED_ENDS
};

/* A configuration that was tried. */
struct qp_tried {
    int configuration;
    enum qp_tried_end end;
    char why[256]; /* a sentence, with the cell; "" if it is correct */
    char when[40]; /* it began: ISO 8601, UTC */
    double compiling, judging, between, searching; /* seconds; `between`: other work */
    double samples[QP_MOST_REPEATS];               /* seconds of each timed run, in their order */
    int count;
};

enum qp_strategy { QP_GUIDED, QP_RANDOM, QP_EXHAUSTIVE, QP_STRATEGIES };

extern const char *const qp_strategies[QP_STRATEGIES];

enum { QP_SEARCH_TERMS = 4 };

struct qp_search {
    struct qp_tried *tried;
    int count, wrong;
    int best, rival; /* places in `tried`; -1: there is none */
    bool even;       /* the two cannot be told apart */
    bool whole;      /* it was not interrupted */
    double spent;    /* seconds of all that was tried */
    double model[QP_SEARCH_TERMS],
        model_error; /* seconds of a term's unit; median error, NaN without a model */
    int model_runs;  /* that it was fitted to */
};

struct qp_search_desc {
    const struct qp_space *space;
    enum qp_strategy strategy;
    uint64_t seed;
    int runs;       /* configurations to try at most; 0: as many as there are */
    double seconds; /* none is begun after these; 0: no limit */

    /* Tries a configuration, whose `count` is 0: compiles it, judges it and appends its first sample. Later calls append
     * one sample more, or none where a recorded space has no more. Errors end the search; a wrong configuration is none. */
    enum qp_status (*attempt)(void *user, struct qp_tried *tried);

    /* Optional: terms of the time of a configuration, such as fetches, bytes, operations and launches, of which the
     * largest, each times a cost that is fitted, is the model of time. */
    void (*terms)(void *user, int configuration, double out[QP_SEARCH_TERMS]);

    /* Optional: configurations that are likely to come next, to be compiled meanwhile. */
    void (*ahead)(void *user, const int *configurations, int count);

    void (*on_run)(void *user,
                   const struct qp_search *now); /* optional; after each call of attempt */
    void *user;
};

/* Searches until the budget is spent, then takes samples of the two fastest in turn until these can be told apart. An
 * interrupt (base/watch.h) ends it with what is known. Errors: those of `attempt`, QP_NO_MEMORY; *out holds what was tried.
 * Owner: the caller, by qp_search_destroy. */
enum qp_status qp_search(const struct qp_search_desc *desc, struct qp_search *out);
void qp_search_destroy(struct qp_search *search);

/* Median of a configuration's samples: seconds; NaN for one that is not correct. */
double qp_tried_seconds(const struct qp_tried *tried);

/* How much a parameter matters: the best time of the value whose best time is the longest / the best time of all. NaN if
 * fewer than two values were tried. */
double qp_search_contrast(const struct qp_search *search, const struct qp_space *space,
                          int parameter);

#endif
