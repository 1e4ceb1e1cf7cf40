/* SPDX-License-Identifier: MIT */
#include "toolkit/base/random.h"

static const uint64_t step = 0x9e3779b97f4a7c15u;

uint64_t qp_random_after(uint64_t state, uint64_t numbers)
{
    return state + numbers * step;
}

uint64_t qp_random_bits(uint64_t *state)
{
    return qp_random_mix(*state += step);
}

double qp_random(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(qp_random_bits(state) >> 11) * 0x1p-53);
}
