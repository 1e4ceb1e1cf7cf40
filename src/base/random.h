/* SPDX-License-Identifier: MIT */
#ifndef QP_BASE_RANDOM_H
#define QP_BASE_RANDOM_H

#include <stdint.h>

/* Sebastiano Vigna's splitmix64: the same numbers for the same seed on every machine. The state is
 * one word, the seed itself at first. */
uint64_t qp_random_bits(uint64_t *state);

/* State after `numbers` numbers: any core can begin anywhere. */
uint64_t qp_random_after(uint64_t state, uint64_t numbers);

/* Uniform in [low, high). */
double qp_random(uint64_t *state, double low, double high);

#endif
