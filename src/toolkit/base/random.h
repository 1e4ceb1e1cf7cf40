/* SPDX-License-Identifier: MIT */
#ifndef QP_BASE_RANDOM_H
#define QP_BASE_RANDOM_H

#include <stdint.h>

/* Scatters the bits of a word: the last steps of splitmix64, and a hash. */
static inline uint64_t qp_random_mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

/* Sebastiano Vigna's splitmix64: the same numbers for the same seed on every machine. The state is
 * one word, the seed itself at first. */
uint64_t qp_random_bits(uint64_t *state);

/* State after `numbers` numbers: any core can begin anywhere. */
uint64_t qp_random_after(uint64_t state, uint64_t numbers);

/* Uniform in [low, high). */
double qp_random(uint64_t *state, double low, double high);

#endif
