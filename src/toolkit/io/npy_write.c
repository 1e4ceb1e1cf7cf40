/* SPDX-License-Identifier: MIT */
#include "toolkit/io/npy.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/output.h"

/* Magic, format 1.0, the length of the text as two bytes, and the text: blanks and a line end fill
 * it up so that the data begin at a multiple of 64 bytes, as NumPy has it. */
static bool print_header(FILE *file, const struct qp_matrix *matrix, int channels)
{
    enum { HEAD = 128, TEXT = HEAD - 10 };
    char text[TEXT + 1], rest[32] = "";
    if (channels == 1)
        snprintf(rest, sizeof rest, " %d", matrix->width);
    if (channels > 1)
        snprintf(rest, sizeof rest, " %d, %d", matrix->width / channels, channels);
    snprintf(text, sizeof text, "{'descr': '<f%d', 'fortran_order': False, 'shape': (%d,%s), }",
             (int)qp_value_bytes(matrix->precision), matrix->height, rest);
    return fwrite("\x93NUMPY\1\0", 1, 8, file) == 8 && putc(TEXT, file) != EOF &&
           putc(0, file) != EOF && fprintf(file, "%-*s\n", TEXT - 1, text) > 0;
}

/* The bits of a value from the least significant byte on, on a processor of any order. */
static bool put_value(FILE *file, const struct qp_matrix *matrix, size_t i)
{
    unsigned char bytes[8] = {0};
    uint64_t bits = 0;
    uint32_t word;
    const size_t count = qp_value_bytes(matrix->precision);
    if (matrix->precision == QP_DOUBLES) {
        memcpy(&bits, &matrix->doubles[i], sizeof bits);
    } else {
        memcpy(&word, &matrix->values[i], sizeof word);
        bits = word;
    }
    for (size_t k = 0; k < count; k++)
        bytes[k] = (unsigned char)(bits >> 8 * k);
    return fwrite(bytes, 1, count, file) == count;
}

/* False, with errno set, on failure; EINTR for an interrupt that comes meanwhile. */
static bool print(FILE *file, const struct qp_matrix *matrix, int channels)
{
    enum { LOOK_VALUES = 1 << 16 };
    const size_t count = (size_t)matrix->width * (size_t)matrix->height;
    const bool late =
        qp_watch_wants_end(); /* true: an interrupted run's answer, which is written whole */
    bool good = print_header(file, matrix, channels);
    for (size_t i = 0; good && i < count; i++) {
        if (i % LOOK_VALUES == 0 && !late && qp_watch_leaves((double)i / (double)count)) {
            errno = EINTR;
            return false;
        }
        good = put_value(file, matrix, i);
    }
    return good;
}

enum qp_status qp_npy_write(const char *path, const struct qp_matrix *matrix, int channels)
{
    struct qp_output output;
    const bool vector = channels == QP_NPY_VECTOR && matrix->width == 1;
    if ((!vector && !qp_npy_is_channels(channels)) || matrix->width < 1 || matrix->height < 1 ||
        (!vector && matrix->width % channels != 0))
        return qp_fail(QP_BAD_USE,
                       "%s: rows of %d values are not cells of %d channels; an array has 1, 2 or 4",
                       path, matrix->width, channels);
    qp_watch_left(); /* clears the mark of work left before this file */
    const bool good = qp_output_open(&output, path) && print(output.file, matrix, channels);
    const enum qp_status status = qp_output_close(&output, good ? NULL : strerror(errno));
    return qp_watch_left() ? qp_watch_fail() : status;
}
