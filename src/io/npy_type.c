/* SPDX-License-Identifier: MIT */
#include "io/npy_type.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

bool qp_npy_type_find(const char *name, struct qp_npy_type *type)
{
    const char order = name[0], kind = name[1], digit = name[1] != '\0' ? name[2] : '\0';
    if (strlen(name) != 3 || strchr("<>|", order) == NULL || strchr("biuf", kind) == NULL ||
        strchr(kind == 'b'   ? "1"
               : kind == 'f' ? "248"
                             : "1248",
               digit) == NULL ||
        (order == '|' && digit != '1'))
        return false;
    const bool wide = digit == '8' || (digit == '4' && kind != 'f');
    *type = (struct qp_npy_type){.kind = kind,
                                 .is_big = order == '>',
                                 .bytes = (unsigned)(digit - '0'),
                                 .precision = wide ? QP_DOUBLES : QP_FLOATS};
    return true;
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

/* A whole number; false beyond 2^53, above which doubles have gaps. */
static bool whole(const struct qp_npy_type *type, uint64_t bits, double *value)
{
    const uint64_t most = UINT64_C(1) << 53, sign = UINT64_C(1) << (8 * type->bytes - 1);
    const bool is_negative = type->kind == 'i' && (bits & sign) != 0;
    const uint64_t size = is_negative ? 2 * sign - bits : bits;
    *value = is_negative ? -(double)size : (double)size;
    return size <= most;
}

bool qp_npy_decode(const struct qp_npy_type *type, const unsigned char *bytes, double *value)
{
    uint64_t bits = 0;
    float single;
    for (unsigned i = 0; i < type->bytes; i++)
        bits = bits << 8 | bytes[type->is_big ? i : type->bytes - 1 - i];
    const uint32_t low = (uint32_t)bits;
    if (type->kind == 'b')
        *value = bits != 0;
    else if (type->kind != 'f')
        return whole(type, bits, value);
    else if (type->bytes == 2)
        *value = half(bits);
    else if (type->bytes == 4) {
        memcpy(&single, &low, sizeof single);
        *value = single;
    } else
        memcpy(value, &bits, sizeof *value);
    return true;
}
