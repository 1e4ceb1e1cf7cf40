/* SPDX-License-Identifier: MIT */
/* Decimal to double by the algorithm of Eisel and Lemire (Lemire, Number parsing at a gigabyte per
 * second, Software: Practice and Experience 51, 2021): the first 128 bits of 5^q nearly always
 * decide how w 10^q = w 5^q 2^q is rounded to 53 bits. strtod reads the rest: subnormal and
 * infinite numbers, those whose digits after the 19th decide, and products that 128 bits leave
 * open. */
#include "toolkit/io/number.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
    LEAST = -342, /* w 10^q is 0 for a smaller q */
    MOST = 308,   /* w 10^q is infinite for a larger q */
    LIMBS = 31,   /* 32-bit limbs: 992 bits hold 5^308, and 128 bits of 2^991 / 5^342 */
    DIGITS = 19   /* decimal digits that w holds */
};

/* power[q - LEAST]: the first 128 bits of 5^q, cut off; for q from -27 to -1 one more. */
static wide power[MOST - LEAST + 1];

/* The first 128 bits of a whole number, which has its last limb first. */
static void store(const uint32_t *limb, int q)
{
    int top = LIMBS - 1;
    wide bits = 0;
    while (limb[top] == 0)
        top--;
    for (int k = top; k > top - 4; k--)
        bits = bits << 32 | (k >= 0 ? limb[k] : 0);
    const int zeros = __builtin_clz(limb[top]);
    if (zeros > 0)
        bits = bits << zeros | (top >= 4 ? limb[top - 4] >> (32 - zeros) : 0);
    power[q - LEAST] = bits + (q < 0 && q >= -27);
}

/* 5^q, and floor(2^991 / 5^-q), which divisions by 5 that are cut off lead to. */
static void make_powers(void)
{
    uint32_t up[LIMBS] = {1}, down[LIMBS] = {[LIMBS - 1] = 1u << 31};
    for (int q = 0; q <= -LEAST; q++) {
        uint64_t carry = 0, rest = 0;
        if (q <= MOST)
            store(up, q);
        if (q > 0)
            store(down, -q);
        for (int k = 0; k < LIMBS; k++) {
            carry += (uint64_t)up[k] * 5;
            up[k] = (uint32_t)carry;
            carry >>= 32;
            rest = rest << 32 | down[LIMBS - 1 - k];
            down[LIMBS - 1 - k] = (uint32_t)(rest / 5);
            rest %= 5;
        }
    }
}

/* The double nearest to w 10^q, w not 0; false where this does not decide. */
static bool round_product(uint64_t w, long q, double *value)
{
    enum { CUT = 64 - 52 - 3 };
    if (q < LEAST || q > MOST)
        return false;
    const int zeros = __builtin_clzll(w);
    const wide five = power[q - LEAST];
    wide product = (wide)(w << zeros) * (uint64_t)(five >> 64);
    if ((~(uint64_t)(product >> 64) & ((1 << CUT) - 1)) == 0)
        product += (wide)(w << zeros) * (uint64_t)five >> 64;
    const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    const int top = (int)(high >> 63);
    uint64_t bits = high >> (top + CUT);                         /* 54 */
    long exponent = ((217706 * (q + (1 << 16))) >> 16) - 217706; /* floor(q log2(10)) */
    exponent += 1086 + top - zeros;
    if (low <= 1 && q >= -4 && q <= 23 && (bits & 3) == 1 && bits << (top + CUT) == high)
        bits--; /* halfway between two doubles, of which this is the even one */
    bits = (bits + (bits & 1)) >> 1;
    exponent += (long)(bits >> 53);
    if ((low == UINT64_MAX && (q < -27 || q > 55)) || exponent <= 0 || exponent >= 0x7ff)
        return false;
    bits = (bits & (UINT64_MAX >> 12)) | (uint64_t)exponent << 52;
    memcpy(value, &bits, sizeof *value);
    return true;
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *qp_number_read(const char *text, double *value)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *at = text + (*text == '-' || *text == '+'), *point = NULL, *first = at;
    uint64_t w = 0;
    long q = 0, given = 0;
    int digits = 0;    /* in w */
    bool more = false; /* digits that are not 0, after them */
    for (; is_digit(*at) || (*at == '.' && point == NULL); at++) {
        if (*at == '.') {
            point = at;
        } else if (digits < DIGITS) {
            w = 10 * w + (uint64_t)(*at - '0');
            digits += w != 0;
            q -= point != NULL;
        } else {
            more |= *at != '0';
            q += point == NULL;
        }
    }
    if (at == first + (point != NULL))
        return NULL;
    if (*at == 'e' || *at == 'E') {
        const bool negative = at[1] == '-';
        at += 1 + (negative || at[1] == '+');
        if (!is_digit(*at))
            return NULL;
        for (; is_digit(*at); at++)
            given = given < 1000000 ? 10 * given + (*at - '0') : given;
        q += negative ? -given : given;
    }
    pthread_once(&once, make_powers);
    double got = 0.0, above = 0.0;
    const bool decides = w == 0 || (round_product(w, q, &got) &&
                                    (!more || (round_product(w + 1, q, &above) && got == above)));
    *value = !decides ? strtod(text, NULL) : *text == '-' ? -got : got;
    return at;
}
