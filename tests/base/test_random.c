/* SPDX-License-Identifier: MIT */
/* Random numbers are those of splitmix64, from the seed 0 on. */
#include "support/support.h"

#include "toolkit/base/random.h"

TEST(bits_are_splitmix64s)
{
    static const uint64_t wanted[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f};
    uint64_t seed = 0;
    for (int i = 0; i < COUNT(wanted); i++) {
        uint64_t ahead = qp_random_after(0, (uint64_t)i);
        assert_true(ahead == seed);
        assert_true(qp_random_bits(&seed) == wanted[i]);
    }
}

/* The first 53 bits say where between the ends a number lies. */
TEST(numbers_lie_between_the_ends)
{
    uint64_t seed = 0, same = 0;
    for (int i = 0; i < 1000; i++) {
        const double part = (double)(qp_random_bits(&same) >> 11) * 0x1p-53;
        assert_true(part >= 0.0 && part < 1.0);
        assert_true(qp_random(&seed, -3.0, 5.0) == -3.0 + 8.0 * part);
    }
}
