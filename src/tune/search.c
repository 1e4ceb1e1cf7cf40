/* SPDX-License-Identifier: MIT */
#include "tune/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/status.h"
#include "base/watch.h"
#include "tune/guess.h"
#include "walk/samples.h"

const char *const qp_strategies[QP_STRATEGIES] = {"guided", "random", "exhaustive"};

/* Configurations that are planned at once, and at first by guesses; of so many others a guess is made each time; and runs
 * that the model is fitted to. */
enum { BATCH = 16, FIRST = 6, GUESSES = 128, MODEL_RUNS = 32 };

/* Samples that are enough of the two fastest if their spread is small, and seconds that the choice between them takes. */
enum { ENOUGH_SAMPLES = 5 };
static const double small_spread = 0.02, choice_seconds = 2.0;

struct state {
    const struct qp_search_desc *desc;
    struct qp_search *search;
    struct qp_guess *guess;
    int *
        order; /* places in space->valid: the default's, then all others in the order of the strategy */
    bool *taken; /* by place: planned or tried */
    int next;    /* of the order */
    int plan[BATCH], planned;
    double (*terms)[QP_SEARCH_TERMS]; /* of those tried */
    double chosen;                    /* seconds that the latest plan took */
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

static double model_seconds(const struct qp_search *search, const double *terms)
{
    double most = 1e-30;
    for (int k = 0; k < QP_SEARCH_TERMS; k++)
        most = fmax(most, search->model[k] * terms[k]);
    return most;
}

/* Returns the sum of squares of the logarithms of model / measured, whose median it keeps. */
static double model_misses(const struct state *s)
{
    double misses[MODEL_RUNS], sum = 0.0;
    int count = 0;
    for (int i = 0; i < s->search->count && count < MODEL_RUNS; i++) {
        const double seconds = qp_tried_seconds(&s->search->tried[i]);
        if (isnan(seconds))
            continue;
        misses[count] = fabs(log(model_seconds(s->search, s->terms[i]) / seconds));
        sum += misses[count] * misses[count];
        count++;
    }
    s->search->model_runs = count;
    s->search->model_error = expm1(qp_quantile(misses, count, 0.5));
    return sum;
}

/* Fits each term's cost in turn to the run that leaves the smallest misses if that term takes all of its time. */
static void fit_model(struct state *s)
{
    double *const cost = s->search->model, least = model_misses(s);
    for (int round = 0; round < 4 * QP_SEARCH_TERMS; round++) {
        const int k = round % QP_SEARCH_TERMS;
        double best = cost[k];
        for (int i = 0; i < s->search->count && i < MODEL_RUNS; i++) {
            const double seconds = qp_tried_seconds(&s->search->tried[i]);
            if (isnan(seconds) || s->terms[i][k] <= 0.0)
                continue;
            cost[k] = seconds / s->terms[i][k];
            const double misses = model_misses(s);
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
    double terms[QP_SEARCH_TERMS] = {0.0};
    if (s->desc->terms == NULL)
        return 0.0;
    s->desc->terms(s->desc->user, configuration, terms);
    return log(model_seconds(s->search, terms));
}

/* ---- What is tried next ---- */

static void take(struct state *s, int place)
{
    s->taken[place] = true;
    s->plan[s->planned++] = place;
}

/* The next place in order that is free, -1 after the last. */
static int next_free(struct state *s)
{
    while (s->next < s->desc->space->count && s->taken[s->order[s->next]])
        s->next++;
    return s->next < s->desc->space->count ? s->order[s->next] : -1;
}

/* Values that the guess knows: how much slower than by the model. A wrong one counts as the slowest. */
static void tell_guess(struct state *s)
{
    double slowest = 0.0;
    s->guess->count = 0;
    for (int wrong = 0; wrong < 2; wrong++) {
        for (int i = 0; i < s->search->count; i++) {
            const struct qp_tried *tried = &s->search->tried[i];
            const double value = log(qp_tried_seconds(tried)) - modelled(s, tried->configuration);
            if ((tried->end != QP_TRIED_CORRECT) != (wrong == 1))
                continue;
            slowest = wrong == 1 ? slowest : s->guess->count == 0 ? value : fmax(slowest, value);
            qp_guess_add(s->guess, tried->configuration, wrong == 1 ? slowest : value);
        }
    }
    const int known = s->search->count;
    qp_guess_fit(s->guess, known < 20 || known % 4 == 0);
}

struct choice {
    int place;
    double gain;
};

static void consider(const struct state *s, int place, double below, struct choice *best)
{
    const int configuration = place >= 0 ? s->desc->space->valid[place] : 0;
    if (place < 0 || s->taken[place])
        return;
    const double gain = qp_guess_gain(s->guess, configuration, modelled(s, configuration), below);
    if (gain > best->gain || best->place < 0)
        *best = (struct choice){place, gain};
}

/* The place with the largest expected gain, of those that differ from the fastest in one parameter, and of others. */
static void plan_guess(struct state *s)
{
    const struct qp_space *space = s->desc->space;
    struct choice best = {-1, 0.0};
    const struct qp_tried *fastest =
        s->search->best >= 0 ? &s->search->tried[s->search->best] : NULL;
    const double below = fastest != NULL ? log(qp_tried_seconds(fastest)) : 0.0;
    if (next_free(s) < 0)
        return;
    if (s->desc->terms != NULL && s->search->count <= MODEL_RUNS)
        fit_model(s);
    tell_guess(s);
    for (int k = 0; fastest != NULL && k < space->parameters; k++) {
        for (int i = 0; i < space->parameter[k].count; i++) {
            const int near = qp_space_with(space, fastest->configuration, k, i);
            consider(s, qp_space_find(space, near), below, &best);
        }
    }
    const int start = (int)(qp_random_bits(&s->random) % (uint64_t)space->count);
    for (int i = 0, guesses = 0; i < space->count && guesses < GUESSES; i++) {
        const int place = s->order[(start + i) % space->count];
        guesses += !s->taken[place];
        consider(s, place, below, &best);
    }
    take(s, best.place);
}

static void plan(struct state *s)
{
    const double began = qp_clock();
    const bool guided = s->desc->strategy == QP_GUIDED;
    s->planned = 0;
    if (guided && s->search->count > 0)
        plan_guess(s);
    else
        while (s->planned < (guided ? FIRST : BATCH) && next_free(s) >= 0)
            take(s, next_free(s));
    s->chosen = qp_clock() - began;
}

/* ---- Trying ---- */

/* As a file in milliseconds holds it, so that a run from a file decides the same. */
static double to_picoseconds(double seconds)
{
    return round(seconds * 1e12) / 1e12;
}

static double spent_on(const struct qp_tried *tried)
{
    double sum = tried->compiling + tried->judging + tried->between + tried->searching;
    for (int i = 0; i < tried->count; i++)
        sum += tried->samples[i];
    return sum;
}

static void find_best(struct qp_search *search)
{
    search->best = search->rival = -1;
    for (int i = 0; i < search->count; i++) {
        const double seconds = qp_tried_seconds(&search->tried[i]);
        if (isnan(seconds))
            continue;
        if (search->best < 0 || seconds < qp_tried_seconds(&search->tried[search->best])) {
            search->rival = search->best;
            search->best = i;
        } else if (search->rival < 0 || seconds < qp_tried_seconds(&search->tried[search->rival])) {
            search->rival = i;
        }
    }
}

/* One call of `attempt`; false: it ended the search, or there is no sample more. */
static bool sample(struct state *s, struct qp_tried *tried, enum qp_status *status)
{
    const double spent = spent_on(tried);
    const int count = tried->count;
    *status = s->desc->attempt(s->desc->user, tried);
    if (*status != QP_OK)
        return false;
    for (int i = count; i < tried->count; i++)
        tried->samples[i] = to_picoseconds(tried->samples[i]);
    s->search->spent += spent_on(tried) - spent;
    return tried->end == QP_TRIED_CORRECT && tried->count > count;
}

static enum qp_status try_planned(struct state *s, int place)
{
    struct qp_search *search = s->search;
    struct qp_tried *tried = &search->tried[search->count];
    enum qp_status status = QP_OK;
    *tried = (struct qp_tried){.configuration = s->desc->space->valid[place],
                               .searching = to_picoseconds(s->chosen)};
    s->chosen = 0.0;
    while (tried->count < QP_LEAST_SAMPLES && sample(s, tried, &status) && !qp_watch_wants_end())
        continue;
    if (status != QP_OK || (qp_watch_wants_end() && tried->count < QP_LEAST_SAMPLES))
        return status;
    if (s->desc->terms != NULL)
        s->desc->terms(s->desc->user, tried->configuration, s->terms[search->count]);
    search->count++;
    search->wrong += tried->end != QP_TRIED_CORRECT;
    find_best(search);
    if (s->desc->on_run != NULL)
        s->desc->on_run(s->desc->user, search);
    return QP_OK;
}

static bool is_over(const struct state *s)
{
    const double seconds = s->desc->seconds;
    return qp_watch_wants_end() || (s->desc->runs > 0 && s->search->count >= s->desc->runs) ||
           (seconds > 0.0 && s->search->spent >= seconds - fmin(choice_seconds, 0.1 * seconds));
}

static enum qp_status try_all(struct state *s)
{
    const struct qp_space *space = s->desc->space;
    enum qp_status status = QP_OK;
    do {
        int configurations[BATCH];
        plan(s);
        for (int i = 0; i < s->planned; i++)
            configurations[i] = space->valid[s->plan[i]];
        if (s->desc->ahead != NULL && s->planned > 0)
            s->desc->ahead(s->desc->user, configurations, s->planned);
        for (int i = 0; i < s->planned && status == QP_OK && !is_over(s); i++)
            status = try_planned(s, s->plan[i]);
    } while (status == QP_OK && s->planned > 0 && !is_over(s));
    return status;
}

/* ---- The choice between the two fastest ---- */

static bool is_narrow(const struct qp_tried *tried)
{
    return tried->count >= ENOUGH_SAMPLES && qp_spread(tried->samples, tried->count) < small_spread;
}

static enum qp_status choose(struct state *s)
{
    struct qp_search *search = s->search;
    const double limit = search->spent + choice_seconds;
    enum qp_status status = QP_OK;
    for (bool more = true; search->rival >= 0 && status == QP_OK; find_best(search)) {
        struct qp_tried *best = &search->tried[search->best],
                        *rival = &search->tried[search->rival];
        search->even = !(quantile(best, 0.75) < quantile(rival, 0.25));
        const bool enough = best->count >= ENOUGH_SAMPLES && rival->count >= ENOUGH_SAMPLES;
        if (!more || qp_watch_wants_end() || (enough && !search->even) ||
            (is_narrow(best) && is_narrow(rival)) || (enough && search->spent >= limit) ||
            (s->desc->seconds > 0.0 && search->spent >= s->desc->seconds))
            break;
        more = best->count < QP_MOST_REPEATS && sample(s, best, &status);
        if (status == QP_OK && rival->count < QP_MOST_REPEATS && sample(s, rival, &status))
            more = true;
        if (s->desc->on_run != NULL)
            s->desc->on_run(s->desc->user, search);
    }
    return status;
}

/* ---- The search ---- */

static void shuffle(struct state *s)
{
    const int count = s->desc->space->count;
    for (int i = 0; i < count; i++)
        s->order[i] = i;
    for (int i = count - 1; i > 1 && s->desc->strategy != QP_EXHAUSTIVE; i--) {
        const int other = 1 + (int)(qp_random_bits(&s->random) % (uint64_t)i), kept = s->order[i];
        s->order[i] = s->order[other];
        s->order[other] = kept;
    }
}

enum qp_status qp_search(const struct qp_search_desc *desc, struct qp_search *out)
{
    const int all = desc->space->count,
              runs = desc->runs > 0 && desc->runs < all ? desc->runs : all;
    struct state s = {.desc = desc, .search = out, .random = desc->seed};
    *out = (struct qp_search){.best = -1, .rival = -1, .model_error = NAN};
    out->tried = qp_alloc((size_t)runs, sizeof *out->tried, "configurations");
    s.order = qp_alloc((size_t)all, sizeof *s.order, "configurations");
    s.taken = qp_alloc_zero((size_t)all, sizeof *s.taken, "configurations");
    s.terms = qp_alloc_zero((size_t)runs, sizeof *s.terms, "a model");
    s.guess = qp_guess_create(desc->space);
    enum qp_status status = QP_NO_MEMORY;
    if (out->tried != NULL && s.order != NULL && s.taken != NULL && s.terms != NULL &&
        s.guess != NULL) {
        shuffle(&s);
        status = try_all(&s);
        if (status == QP_OK)
            status = choose(&s);
        out->whole = status == QP_OK && !qp_watch_wants_end();
    }
    free(s.order);
    free(s.taken);
    free(s.terms);
    free(s.guess);
    return status;
}

void qp_search_destroy(struct qp_search *search)
{
    free(search->tried);
    *search = (struct qp_search){.tried = NULL};
}

double qp_search_contrast(const struct qp_search *search, const struct qp_space *space,
                          int parameter)
{
    double best[QP_SPACE_VALUES], least = INFINITY, most = 0.0;
    int values = 0;
    for (int k = 0; k < space->parameter[parameter].count; k++)
        best[k] = INFINITY;
    for (int i = 0; i < search->count; i++) {
        const double seconds = qp_tried_seconds(&search->tried[i]);
        double *of = &best[qp_space_digit(space, search->tried[i].configuration, parameter)];
        *of = fmin(*of, isnan(seconds) ? INFINITY : seconds);
    }
    for (int k = 0; k < space->parameter[parameter].count; k++) {
        values += isfinite(best[k]);
        least = fmin(least, best[k]);
        most = isfinite(best[k]) ? fmax(most, best[k]) : most;
    }
    return values > 1 ? most / least : NAN;
}
