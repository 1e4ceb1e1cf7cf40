/* SPDX-License-Identifier: MIT */
#include "tune/guess.h"

#include <math.h>

#include "base/status.h"

static const double noise = 3e-3; /* of a value, in parts of the variance */
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

static void set_decay(struct qp_guess *guess, int parameter, double decay)
{
    const int count = guess->space->parameter[parameter].count;
    guess->decay[parameter] = decay;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++)
            guess->alike[parameter][i][k] = exp(-decay * guess->apart[parameter][i][k]);
    }
}

struct qp_guess *qp_guess_create(const struct qp_space *space)
{
    struct qp_guess *guess = qp_alloc_zero(1, sizeof *guess, "guesses");
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

void qp_guess_add(struct qp_guess *guess, int configuration, double value)
{
    int at = guess->count;
    if (at == QP_GUESS_MOST) {
        at = 0;
        for (int i = 1; i < QP_GUESS_MOST; i++)
            at = guess->value[i] > guess->value[at] ? i : at;
    } else {
        guess->count++;
    }
    guess->value[at] = value;
    for (int k = 0; k < guess->space->parameters; k++)
        guess->digit[at][k] = qp_space_digit(guess->space, configuration, k);
}

/* Half of what parameters do is done together, and half by each alone. */
static double likeness(const struct qp_guess *guess, const int *a, const int *b)
{
    double product = 1.0, sum = 0.0;
    for (int k = 0; k < guess->space->parameters; k++) {
        product *= guess->alike[k][a[k]][b[k]];
        sum += guess->alike[k][a[k]][b[k]] / guess->space->parameters;
    }
    return 0.5 * product + 0.5 * sum;
}

/* Solves for element i of what L takes to `right`, of which the first i are solved. */
static double solve_next(const struct qp_guess *guess, const double *solved, int i, double right)
{
    for (int k = 0; k < i; k++)
        right -= guess->root[i][k] * solved[k];
    return right / guess->root[i][i];
}

/* Returns the logarithm of how likely the values are, with likelier reaches near 1. */
static double factor(struct qp_guess *guess)
{
    double ones[QP_GUESS_MOST], values[QP_GUESS_MOST];
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

void qp_guess_fit(struct qp_guess *guess, bool search)
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

double qp_guess_gain(const struct qp_guess *guess, int configuration, double shift, double below)
{
    int digit[QP_SPACE_PARAMETERS];
    double solved[QP_GUESS_MOST], value = guess->mean + shift, known = 0.0;
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
