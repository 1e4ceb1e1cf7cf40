/* SPDX-License-Identifier: MIT */
#include "io/npy_type.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct qp_npy_type types[] = {{"<f4", 4, QP_FLOATS}, {"<f8", 8, QP_DOUBLES},
                                           {"<f2", 2, QP_FLOATS}, {"<i4", 4, QP_DOUBLES},
                                           {"|u1", 1, QP_FLOATS}, {"|b1", 1, QP_FLOATS}};

const struct qp_npy_type *qp_npy_type_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) == 0)
            return &types[i];
    }
    return NULL;
}

/* IEEE 754's half: a sign, 5 bits of exponent biased by 15, 10 bits of fraction. */
static double half(uint64_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                        : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 & 1 ? -size : size;
}

double qp_npy_decode(const struct qp_npy_type *type, const unsigned char *bytes)
{
    uint64_t bits = 0;
    float single;
    double value;
    for (unsigned i = type->bytes; i > 0; i--)
        bits = bits << 8 | bytes[i - 1];
    const uint32_t low = (uint32_t)bits;
    if (type->name[1] != 'f')
        return type->name[1] == 'i' ? (int32_t)low : type->name[1] == 'b' ? low != 0 : (double)low;
    if (type->bytes == 2)
        return half(bits);
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return type->bytes == 4 ? single : value;
}
