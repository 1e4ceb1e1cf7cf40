/* SPDX-License-Identifier: MIT */
#include "tools/tune/search.h"

#include <math.h>
#include <stdlib.h>

#include "lab/walk/samples.h"
#include "toolkit/base/random.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"

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

/* ---- Guesses ---- */

enum { MOST_VALUES = 128 /* configurations that are kept; the highest values give way */ };

/* Guesses of configurations that were not tried, from those that were: a Gaussian process. Two
 * configurations are as alike as their values are near each other; how near is near, each
 * parameter's own reach, is what makes the known values most likely. */
struct guess {
    const struct qp_space *space;
    int count;
    int digit[MOST_VALUES][QP_SPACE_PARAMETERS];
    double value[MOST_VALUES];
    double decay[QP_SPACE_PARAMETERS];                                   /* 1 / reach */
    double apart[QP_SPACE_PARAMETERS][QP_SPACE_VALUES][QP_SPACE_VALUES]; /* 0 to 1 */
    double alike[QP_SPACE_PARAMETERS][QP_SPACE_VALUES][QP_SPACE_VALUES];
    double root[MOST_VALUES][MOST_VALUES]; /* Cholesky's L of the matrix of likeness */
    double weight[MOST_VALUES], mean, variance;
};

static const double noise = 3e-3; /* noise of a value, in parts of the variance */
static const double decays[] = {0.05, 0.3, 1.0, 3.0, 10.0};

/* A value's place from 0 to 1 among a parameter's numbers: by their ratios, or from 0 on by their
 * differences. */
static double place(const struct qp_space_parameter *p, int k)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        low = fmin(low, p->number[i]);
        high = fmax(high, p->number[i]);
    }
    const double shift = low > 0.0 ? 0.0 : 1.0 - low;
    return high > low
               ? log((p->number[k] + shift) / (low + shift)) / log((high + shift) / (low + shift))
               : 0.0;
}

static void set_decay(struct guess *guess, int parameter, double decay)
{
    const int count = guess->space->parameter[parameter].count;
    guess->decay[parameter] = decay;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++)
            guess->alike[parameter][i][k] = exp(-decay * guess->apart[parameter][i][k]);
    }
}

/* Owner: the caller, by free(); NULL without memory. */
static struct guess *guess_create(const struct qp_space *space)
{
    struct guess *guess = qp_alloc_zero(1, sizeof *guess, "guesses");
    for (int k = 0; guess != NULL && k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        for (int i = 0; i < p->count * p->count; i++) {
            const int a = i / p->count, b = i % p->count;
            const double apart = fabs(place(p, a) - place(p, b));
            guess->apart[k][a][b] = a == b ? 0.0 : isnan(apart) ? 1.0 : apart;
        }
        guess->space = space;
        set_decay(guess, k, 1.0);
    }
    return guess;
}

/* Adds a value; where all are kept that there is room for, the highest gives way. */
static void guess_add(struct guess *guess, int configuration, double value)
{
    int at = guess->count;
    if (at == MOST_VALUES) {
        at = 0;
        for (int i = 1; i < MOST_VALUES; i++)
            at = guess->value[i] > guess->value[at] ? i : at;
    } else {
        guess->count++;
    }
    guess->value[at] = value;
    for (int k = 0; k < guess->space->parameters; k++)
        guess->digit[at][k] = qp_space_digit(guess->space, configuration, k);
}

/* Half of what parameters do is done together, and half by each alone. */
static double likeness(const struct guess *guess, const int *a, const int *b)
{
    double product = 1.0, sum = 0.0;
    for (int k = 0; k < guess->space->parameters; k++) {
        product *= guess->alike[k][a[k]][b[k]];
        sum += guess->alike[k][a[k]][b[k]] / guess->space->parameters;
    }
    return 0.5 * product + 0.5 * sum;
}

/* Solves for element i of what L takes to `right`, of which the first i are solved. */
static double solve_next(const struct guess *guess, const double *solved, int i, double right)
{
    for (int k = 0; k < i; k++)
        right -= guess->root[i][k] * solved[k];
    return right / guess->root[i][i];
}

/* Returns the logarithm of how likely the values are, with likelier reaches near 1. */
static double factor(struct guess *guess)
{
    double ones[MOST_VALUES], values[MOST_VALUES];
    double of_ones = 0.0, of_both = 0.0, of_values = 0.0, likely = 0.0;
    const int n = guess->count;
    for (int i = 0; i < n; i++) {
        double rest = 1.0 + noise;
        for (int k = 0; k < i; k++) {
            guess->root[i][k] = solve_next(guess, guess->root[i], k,
                                           likeness(guess, guess->digit[i], guess->digit[k]));
            rest -= guess->root[i][k] * guess->root[i][k];
        }
        guess->root[i][i] = sqrt(fmax(rest, 1e-9));
        ones[i] = solve_next(guess, ones, i, 1.0);
        values[i] = solve_next(guess, values, i, guess->value[i]);
        of_ones += ones[i] * ones[i];
        of_both += ones[i] * values[i];
    }
    guess->mean = of_both / of_ones;
    for (int i = 0; i < n; i++) {
        guess->weight[i] = values[i] - guess->mean * ones[i];
        of_values += guess->weight[i] * guess->weight[i];
        likely -= log(guess->root[i][i]);
    }
    guess->variance = (of_values + 1e-6) / n;
    for (int k = 0; k < guess->space->parameters; k++)
        likely -= 0.05 * log(guess->decay[k]) * log(guess->decay[k]);
    return likely - 0.5 * n * log(guess->variance);
}

/* Makes guess_gain ready after values were added; `search`: for the likeliest reaches, too. */
static void guess_fit(struct guess *guess, bool search)
{
    double best = factor(guess);
    for (int k = 0; search && k < guess->space->parameters; k++) {
        double likeliest = guess->decay[k];
        for (size_t i = 0; i < sizeof decays / sizeof decays[0]; i++) {
            set_decay(guess, k, decays[i]);
            const double likely = factor(guess);
            if (likely > best) {
                best = likely;
                likeliest = decays[i];
            }
        }
        set_decay(guess, k, likeliest);
    }
    if (search)
        factor(guess);
}

/* Expected gain of a configuration over a value: how far below it the value is, where it is below
 * at all. `shift` is added to the values of this configuration. */
static double guess_gain(const struct guess *guess, int configuration, double shift, double below)
{
    int digit[QP_SPACE_PARAMETERS];
    double solved[MOST_VALUES], value = guess->mean + shift, known = 0.0;
    for (int k = 0; k < guess->space->parameters; k++)
        digit[k] = qp_space_digit(guess->space, configuration, k);
    for (int i = 0; i < guess->count; i++) {
        solved[i] = solve_next(guess, solved, i, likeness(guess, guess->digit[i], digit));
        value += solved[i] * guess->weight[i];
        known += solved[i] * solved[i];
    }
    const double wide = sqrt(guess->variance * fmax(1.0 - known, 1e-9)),
                 far = (below - value) / wide;
    return wide * (far * 0.5 * erfc(-far * sqrt(0.5)) + exp(-0.5 * far * far) / sqrt(2.0 * M_PI));
}

/* ---- A search under way ---- */

struct state {
    const struct qp_search_desc *desc;
    struct qp_search *search;
    struct guess *guess;
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

/* ---- The next configuration ---- */

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
            guess_add(s->guess, tried->configuration,
                      i < count           ? value
                      : isfinite(slowest) ? slowest
                                          : 0.0);
    }
    guess_fit(s->guess, count < 20 || count % 4 == 0);
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
        const double gain = guess_gain(s->guess, one, modelled(s, one), below);
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
    s.guess = guess_create(desc->space);
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
