/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "tools/cmd/output/pixels.h"

enum { MOST_BYTES = 8192 };

/* The cyclic redundancy code of PNG and zlib, a bit at a time. */
static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t code = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        code ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            code = code >> 1 ^ (code & 1 ? 0xedb88320 : 0);
    }
    return ~code;
}

/* Makes the checksum of each whole chunk right: length, name, data, checksum, the numbers of four
 * bytes. */
static void mend(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        const size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                              (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > size - at - 12)
            return;
        const uint32_t code = checksum(bytes + at + 4, length + 4);
        for (int k = 0; k < 4; k++)
            bytes[at + 8 + length + (size_t)k] = (uint8_t)(code >> (24 - 8 * k));
        at += 12 + length;
    }
}

/* A step of 65535 is left of each value. */
static void write_and_read(const struct qp_matrix *m, int channels)
{
    char *bytes = NULL;
    size_t size = 0;
    struct qp_matrix back;
    double low, high;
    FILE *old = stdout;
    fflush(old);
    stdout = open_memstream(&bytes, &size);
    PROMISE(stdout != NULL && pixels_write("-", m, channels, 1, &low, &high) == QP_OK);
    fclose(stdout);
    stdout = old;
    PROMISE(low == 0.0 && high == 1.0);
    PROMISE(pixels_read(fuzz_file((uint8_t *)bytes, size), channels, &back) == QP_OK);
    PROMISE(back.width == m->width && back.height == m->height);
    for (size_t i = 0; i < (size_t)m->width * (size_t)m->height; i++)
        PROMISE(fabs(back.values[i] - m->values[i]) <= 0x1p-17);
    qp_matrix_destroy(&back);
    free(bytes);
}

static void read_picture(const uint8_t *bytes, size_t size, int channels)
{
    enum { SMALL = 1 << 16 };
    struct qp_matrix m;
    const enum qp_status status = pixels_read(fuzz_file(bytes, size), channels, &m);
    if (status != QP_OK) {
        PROMISE(status == QP_BAD_INPUT || status == QP_NO_MEMORY);
        PROMISE(m.values == NULL && m.width == 0 && strchr(qp_error(), ':') != NULL);
        return;
    }
    for (size_t i = 0; i < (size_t)m.width * (size_t)m.height; i++)
        PROMISE(m.values[i] >= 0.0f && m.values[i] <= 1.0f);
    if ((long)m.width * m.height < SMALL)
        write_and_read(&m, channels);
    qp_matrix_destroy(&m);
}

void fuzz_png(const uint8_t *bytes, size_t size)
{
    static uint8_t mended[MOST_BYTES];
    for (int channels = 1; channels <= 4; channels += 3)
        read_picture(bytes, size, channels);
    if (size > MOST_BYTES)
        return;
    memcpy(mended, bytes, size);
    mend(mended, size);
    for (int channels = 1; channels <= 4; channels += 3)
        read_picture(mended, size, channels);
}
