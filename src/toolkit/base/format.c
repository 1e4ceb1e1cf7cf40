/* SPDX-License-Identifier: MIT */
#include "toolkit/base/layout.h"

#include <stdint.h>
#include <string.h>

/* Representation of a value on the device where it differs from the host's. */
enum build { PLAIN, HALF, WORDS, PAIRS };

static const struct {
    const char *name;
    int channels, bytes; /* values of a texel, bytes of a value */
    enum build build;
    enum qp_number_kind kind;
} formats[QP_FORMATS] = {
    [QP_LUMINANCE32F] = {"LUMINANCE32F", 1, 4, PLAIN, QP_FRACTIONS},
    [QP_R32F] = {"R32F", 1, 4, PLAIN, QP_FRACTIONS},
    [QP_RGBA32F] = {"RGBA32F", 4, 4, PLAIN, QP_FRACTIONS},
    [QP_LUMINANCE16F] = {"LUMINANCE16F", 1, 2, HALF, QP_FRACTIONS},
    [QP_RGBA16F] = {"RGBA16F", 4, 2, HALF, QP_FRACTIONS},
    [QP_R64F] = {"R64F", 1, 8, PLAIN, QP_FRACTIONS},
    [QP_RG32UI_WORDS] = {"RG32UI", 1, 8, WORDS, QP_FRACTIONS},
    [QP_RGBA32UI_WORDS] = {"RGBA32UI", 2, 8, WORDS, QP_FRACTIONS},
    [QP_RG32F_PAIRS] = {"RG32F", 1, 8, PAIRS, QP_FRACTIONS},
    [QP_RGBA32F_PAIRS] = {"RGBA32F", 2, 8, PAIRS, QP_FRACTIONS},
    [QP_RG32F] = {"RG32F", 2, 4, PLAIN, QP_FRACTIONS},
    [QP_R16F] = {"R16F", 1, 2, HALF, QP_FRACTIONS},
    [QP_RG16F] = {"RG16F", 2, 2, HALF, QP_FRACTIONS},
    [QP_R32I] = {"R32I", 1, 4, PLAIN, QP_INTEGERS},
    [QP_RG32I] = {"RG32I", 2, 4, PLAIN, QP_INTEGERS},
    [QP_RGBA32I] = {"RGBA32I", 4, 4, PLAIN, QP_INTEGERS},
    [QP_R32UI] = {"R32UI", 1, 4, PLAIN, QP_UNSIGNED},
    [QP_RG32UI] = {"RG32UI", 2, 4, PLAIN, QP_UNSIGNED},
    [QP_RGBA32UI] = {"RGBA32UI", 4, 4, PLAIN, QP_UNSIGNED},
};

int qp_format_channels(enum qp_format format)
{
    return formats[format].channels;
}

const char *qp_format_name(enum qp_format format)
{
    return formats[format].name;
}

bool qp_format_has_words(enum qp_format format)
{
    return formats[format].build == WORDS;
}

bool qp_format_has_pairs(enum qp_format format)
{
    return formats[format].build == PAIRS;
}

int qp_format_bytes(enum qp_format format)
{
    return formats[format].bytes;
}

enum qp_number_kind qp_format_kind(enum qp_format format)
{
    return formats[format].kind;
}

enum qp_precision qp_format_precision(enum qp_format format)
{
    return formats[format].bytes == sizeof(double) ? QP_DOUBLES : QP_FLOATS;
}

enum qp_format qp_format_widened(enum qp_format format)
{
    static const enum qp_format wide[QP_FORMATS] = {[QP_LUMINANCE16F] = QP_LUMINANCE32F,
                                                    [QP_R16F] = QP_R32F,
                                                    [QP_RG16F] = QP_RG32F,
                                                    [QP_RGBA16F] = QP_RGBA32F};
    return formats[format].build == HALF ? wide[format] : format;
}

/* Rounds to 0x7fc96000 as a float and to 0x7e4b as a half. */
static const uint64_t unwritten_bits = 0x7ff92c0000000000;

double qp_unwritten(void)
{
    double value;
    memcpy(&value, &unwritten_bits, sizeof value);
    return value;
}

bool qp_is_unwritten(double value)
{
    return memcmp(&value, &unwritten_bits, sizeof value) == 0;
}
