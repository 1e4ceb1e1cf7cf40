/* SPDX-License-Identifier: MIT */
#include "tune/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "base/watch.h"
#include "tune/guess.h"
#include "walk/samples.h"

const char *const qp_strategies[QP_STRATEGIES] = {"guided", "random", "exhaustive"};

/* Configurations at random before the first guess; those that a guess is made of, beside the
 * neighbours of the best; and those that the model is fitted to. */
enum { FIRST = 6, GUESSES = 64, MODEL_RUNS = 32, ROUNDS = 4 };

/* Samples that are enough to decide between two, if they can be told apart or their spread is
 * small; and at most. */
enum { ENOUGH_SAMPLES = 5, MOST_SAMPLES = 20 };
static const double small_spread = 0.02;

/* Seconds of a budget that are kept to decide, a tenth at most. */
static const double choice_seconds = 2.0;

struct state {
    const struct qp_search_desc *desc;
    struct qp_search *search;
    struct qp_guess *guess;
    int *order; /* configurations: those tried, then the others, shuffled; first the default */
    uint64_t random;
};

static double quantile(const struct qp_tried *tried, double part)
{
    return tried->end == QP_TRIED_CORRECT ? qp_quantile(tried->samples, tried->count, part) : NAN;
}

double qp_tried_seconds(const struct qp_tried *tried)
{
    return quantile(tried, 0.5);
}

/* ---- The model ---- */

/* The largest of the space's terms of a configuration, each times its cost; 0 costs nothing yet. */
static double model_seconds(const struct state *s, int configuration)
{
    const struct qp_space *space = s->desc->space;
    double most = 1e-30;
    for (int k = 0; k < space->terms; k++)
        most = fmax(most, s->search->model[k] * qp_space_term(space, configuration, k));
    return most;
}

/* Returns the sum of squares of the logarithms of model / measured, whose median it keeps. */
static double model_misses(const struct state *s)
{
    double misses[MODEL_RUNS], sum = 0.0;
    int count = 0;
    for (int i = 0; i < s->search->count && i < MODEL_RUNS; i++) {
        const double seconds = qp_tried_seconds(&s->search->tried[i]);
        if (isnan(seconds))
            continue;
        misses[count] = fabs(log(model_seconds(s, s->search->tried[i].configuration) / seconds));
        sum += misses[count] * misses[count];
        count++;
    }
    s->search->model_error = expm1(qp_quantile(misses, count, 0.5));
    return sum;
}

/* Takes for each term's cost in turn the one that leaves the smallest misses of those with which it
 * is all of a run's time. */
static void fit_model(struct state *s)
{
    const struct qp_space *space = s->desc->space;
    double *const cost = s->search->model, least = model_misses(s);
    for (int round = 0; round < ROUNDS * space->terms; round++) {
        const int k = round % space->terms;
        double best = cost[k];
        for (int i = 0; i < s->search->count && i < MODEL_RUNS; i++) {
            const struct qp_tried *tried = &s->search->tried[i];
            cost[k] = qp_tried_seconds(tried) / qp_space_term(space, tried->configuration, k);
            const double misses = isfinite(cost[k]) ? model_misses(s) : INFINITY;
            best = misses < least ? cost[k] : best;
            least = fmin(misses, least);
        }
        cost[k] = best;
    }
    model_misses(s);
}

/* The logarithm of what the model says of a configuration; 0 without a model. */
static double modelled(const struct state *s, int configuration)
{
    return s->desc->space->terms > 0 ? log(model_seconds(s, configuration)) : 0.0;
}

/* ---- Guesses ---- */

/* Gives the guess, for each time, how much longer it is than the model's. A wrong configuration
 * counts as the slowest. */
static void tell_guess(struct state *s)
{
    const int count = s->search->count;
    double slowest = -INFINITY;
    s->guess->count = 0;
    for (int i = 0; i < 2 * count; i++) { /* the correct ones first */
        const struct qp_tried *tried = &s->search->tried[i % count];
        const double value = log(qp_tried_seconds(tried)) - modelled(s, tried->configuration);
        slowest = fmax(slowest, value);
        if (isnan(value) == (i >= count))
            qp_guess_add(s->guess, tried->configuration,
                         i < count           ? value
                         : isfinite(slowest) ? slowest
                                             : 0.0);
    }
    qp_guess_fit(s->guess, count < 20 || count % 4 == 0);
}

static bool are_neighbours(const struct qp_space *space, int a, int b)
{
    int apart = 0;
    for (int k = 0; k < space->parameters; k++)
        apart += qp_space_digit(space, a, k) != qp_space_digit(space, b, k);
    return apart == 1;
}

/* The place in order of the largest expected gain. */
static int guess_next(struct state *s)
{
    const int begin = s->search->count, rest = s->desc->space->count - begin,
              start = (int)(qp_random_bits(&s->random) % (uint64_t)rest);
    const struct qp_tried *best = s->search->best >= 0 ? &s->search->tried[s->search->best] : NULL;
    const double below = best != NULL ? log(qp_tried_seconds(best)) : 0.0;
    double most = -1.0;
    int next = begin;
    if (s->desc->space->terms > 0 && begin <= MODEL_RUNS)
        fit_model(s);
    tell_guess(s);
    for (int i = 0; i < rest; i++) {
        const int place = begin + (start + i) % rest, one = s->order[place];
        if (i >= GUESSES &&
            (best == NULL || !are_neighbours(s->desc->space, one, best->configuration)))
            continue;
        const double gain = qp_guess_gain(s->guess, one, modelled(s, one), below);
        next = gain > most ? place : next;
        most = fmax(most, gain);
    }
    return next;
}

/* ---- Runs ---- */

/* Makes a configuration the best or its rival if it is as fast as that. */
static void rank(struct qp_search *search, int i)
{
    const double seconds = qp_tried_seconds(&search->tried[i]);
    if (isnan(seconds))
        return;
    if (search->best < 0 || seconds < qp_tried_seconds(&search->tried[search->best])) {
        search->rival = search->best;
        search->best = i;
    } else if (search->rival < 0 || seconds < qp_tried_seconds(&search->tried[search->rival])) {
        search->rival = i;
    }
}

static double spent_on(const struct qp_tried *tried)
{
    double sum = 0.0;
    for (int i = 0; i < QP_TRIED_TIMES; i++)
        sum += tried->times[i];
    for (int i = 0; i < tried->count; i++)
        sum += tried->samples[i];
    return sum;
}

/* False: there is no sample more, or the search ends. */
static bool sample(struct state *s, struct qp_tried *tried, enum qp_status *status)
{
    const double spent = spent_on(tried);
    const int count = tried->count;
    *status = s->desc->attempt(s->desc->user, tried);
    s->search->spent += spent_on(tried) - spent;
    return *status == QP_OK && tried->end == QP_TRIED_CORRECT && tried->count > count;
}

static enum qp_status try_next(struct state *s)
{
    struct qp_search *search = s->search;
    struct qp_tried *tried = &search->tried[search->count];
    int *const place = &s->order[search->count], *next = place;
    enum qp_status status = QP_OK;
    if (s->desc->strategy == QP_GUIDED && search->count >= FIRST)
        next = &s->order[guess_next(s)];
    *tried = (struct qp_tried){.configuration = *next};
    *next = *place;
    *place = tried->configuration;
    while (tried->count < QP_LEAST_SAMPLES && !qp_watch_wants_end() && sample(s, tried, &status))
        continue;
    if (status != QP_OK || qp_watch_wants_end())
        return status;
    search->wrong += tried->end != QP_TRIED_CORRECT;
    rank(search, search->count++);
    if (s->desc->on_run != NULL)
        s->desc->on_run(s->desc->user, search);
    return QP_OK;
}

/* True if two can be told apart, or are even, or there is no time for more samples. */
static bool is_decided(const struct state *s, const struct qp_tried *best,
                       const struct qp_tried *other, bool *even)
{
    const int count = best->count < other->count ? best->count : other->count;
    const double spread =
        fmax(qp_spread(best->samples, best->count), qp_spread(other->samples, other->count));
    *even = !(quantile(best, 0.75) < quantile(other, 0.25) &&
              quantile(best, 0.0) < quantile(other, 0.0));
    return qp_watch_wants_end() || count >= MOST_SAMPLES ||
           (s->desc->seconds > 0.0 && s->search->spent >= s->desc->seconds) ||
           (count >= ENOUGH_SAMPLES && (!*even || spread < small_spread));
}

/* Takes samples of the fastest in turn with those of its rival, or of the default, until these two
 * are decided. */
static enum qp_status contest(struct state *s, bool with_default, bool *even)
{
    struct qp_search *search = s->search;
    enum qp_status status = QP_OK;
    *even = false;
    for (bool more = true; search->best >= 0 && status == QP_OK;) {
        const int place = with_default ? 0 : search->rival;
        struct qp_tried *best = &search->tried[search->best], *other = &search->tried[place];
        if (place < 0 || place == search->best || isnan(qp_tried_seconds(other)) ||
            is_decided(s, best, other, even) || !more)
            break;
        more = best->count < QP_MOST_REPEATS && sample(s, best, &status);
        if (status == QP_OK && other->count < QP_MOST_REPEATS && !qp_watch_wants_end())
            more = sample(s, other, &status) || more;
        search->best = search->rival = -1;
        for (int i = 0; i < search->count; i++)
            rank(search, i);
    }
    return status;
}

/* ---- The search ---- */

static void shuffle(struct state *s)
{
    const int count = s->desc->space->count;
    for (int i = 0; i < count; i++)
        s->order[i] = s->desc->space->valid[i];
    for (int i = count - 1; i > 1 && s->desc->strategy != QP_EXHAUSTIVE; i--) {
        const int other = 1 + (int)(qp_random_bits(&s->random) % (uint64_t)i), kept = s->order[i];
        s->order[i] = s->order[other];
        s->order[other] = kept;
    }
}

static enum qp_status run(struct state *s, int runs)
{
    const double seconds = s->desc->seconds > 0.0 ? s->desc->seconds : INFINITY,
                 limit = seconds - fmin(choice_seconds, 0.1 * seconds);
    enum qp_status status = QP_OK;
    shuffle(s);
    const bool all = s->desc->strategy != QP_GUIDED && isinf(seconds);
    if (s->desc->ahead != NULL)
        s->desc->ahead(s->desc->user, s->order, all || runs < FIRST ? runs : FIRST);
    while (status == QP_OK && s->search->count < runs && s->search->spent < limit &&
           !qp_watch_wants_end())
        status = try_next(s);
    if (status == QP_OK)
        status = contest(s, false, &s->search->even);
    if (status == QP_OK)
        status = contest(s, true, &s->search->even_with_default);
    s->search->whole = status == QP_OK && !qp_watch_wants_end();
    return status;
}

enum qp_status qp_search(const struct qp_search_desc *desc, struct qp_search *out)
{
    const int all = desc->space->count,
              runs = desc->runs > 0 && desc->runs < all ? desc->runs : all;
    struct state s = {.desc = desc, .search = out, .random = desc->seed};
    *out = (struct qp_search){.best = -1, .rival = -1, .model_error = NAN};
    out->tried = qp_alloc((size_t)runs, sizeof *out->tried, "configurations");
    s.order = qp_alloc((size_t)all, sizeof *s.order, "configurations");
    s.guess = qp_guess_create(desc->space);
    enum qp_status status = QP_NO_MEMORY;
    if (out->tried != NULL && s.order != NULL && s.guess != NULL)
        status = run(&s, runs);
    free(s.order);
    free(s.guess);
    return status;
}

void qp_search_destroy(struct qp_search *search)
{
    free(search->tried);
    *search = (struct qp_search){.tried = NULL};
}
