/* SPDX-License-Identifier: MIT */
#include "base/layout.h"

#include <stdint.h>
#include <string.h>

int qp_format_channels(enum qp_format format)
{
    if (format == QP_RGBA32F_PAIRS || format == QP_RGBA32UI)
        return 2;
    return format == QP_RGBA32F || format == QP_RGBA16F ? 4 : 1;
}

const char *qp_format_name(enum qp_format format)
{
    static const char *const names[QP_FORMATS] = {
        "LUMINANCE32F", "R32F",   "RGBA32F",  "LUMINANCE16F", "RGBA16F",
        "R64F",         "RG32UI", "RGBA32UI", "RG32F",        "RGBA32F"};
    return names[format];
}

bool qp_format_has_words(enum qp_format format)
{
    return format == QP_RG32UI || format == QP_RGBA32UI;
}

bool qp_format_has_pairs(enum qp_format format)
{
    return format == QP_RG32F || format == QP_RGBA32F_PAIRS;
}

int qp_format_bytes(enum qp_format format)
{
    if (format == QP_R64F || qp_format_has_words(format) || qp_format_has_pairs(format))
        return 8;
    return format == qp_format_widened(format) ? 4 : 2;
}

enum qp_precision qp_format_precision(enum qp_format format)
{
    return qp_format_bytes(format) == sizeof(double) ? QP_DOUBLES : QP_FLOATS;
}

enum qp_format qp_format_widened(enum qp_format format)
{
    if (format == QP_LUMINANCE16F)
        return QP_LUMINANCE32F;
    return format == QP_RGBA16F ? QP_RGBA32F : format;
}

/* As a float 0x7fc96000, and as a half 0x7e4b. */
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
