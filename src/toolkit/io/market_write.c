/* SPDX-License-Identifier: MIT */
#include <quadpass/market.h>

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/output.h"

/* The middle of the interval of numbers that are read as this double. Below a power of two doubles
 * are twice as close as above it, so the middle is not the double itself there, but an eighth of a
 * unit more. Among all decimals with a given number of digits, the one nearest to the middle is
 * read as the double if any is. */
static long double middle_of(double value)
{
    int exponent;
    const bool is_power = fabs(frexp(value, &exponent)) == 0.5 && fabs(value) > DBL_MIN;
    return is_power ? value + value * 0x1p-55L : value;
}

/* The fewest digits that strtod reads back as the same double. A decimal of at most 15 digits
 * survives the way through a double of full precision: so if any such one is read as `value`,
 * %.15Lg prints it, for %Lg leaves zeros at the end away; and 17 digits always do. A subnormal
 * double holds fewer digits, so all counts are tried. */
static bool print_value(FILE *file, double value)
{
    enum { SURVIVE = 15, ALWAYS = 17 };
    char text[40];
    int digits = fpclassify(value) == FP_SUBNORMAL ? 1 : SURVIVE;
    do {
        snprintf(text, sizeof text, "%.*Lg\n", digits, middle_of(value));
    } while (digits++ < ALWAYS && strtod(text, NULL) != value);
    return fputs(text, file) >= 0;
}

/* Writes header and values. False, with errno set, on failure; EINTR for an interrupt that comes
 * meanwhile. */
static bool print(FILE *file, int rows, int columns, const double *value)
{
    enum { LOOK_VALUES = 4096 };
    const size_t count = (size_t)rows * (size_t)columns;
    const bool late =
        qp_watch_wants_end(); /* true: an interrupted solve's answer, which is written whole */
    bool good =
        fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns) > 0;
    for (size_t k = 0; good && k < count; k++) {
        if (k % LOOK_VALUES == 0 && !late && qp_watch_leaves((double)k / (double)count)) {
            errno = EINTR;
            return false;
        }
        good = print_value(file, value[k]);
    }
    return good;
}

/* Numbers are those of the C locale, whatever the host program's is. */
static bool print_plainly(FILE *file, int rows, int columns, const double *value)
{
    struct qp_plain_numbers numbers;
    const bool good = qp_plain_numbers_begin(&numbers) && print(file, rows, columns, value);
    qp_plain_numbers_end(&numbers);
    return good;
}

static enum qp_status check(const char *path, int rows, int columns, const double *value)
{
    if (rows < 1 || columns < 1)
        return qp_fail(QP_BAD_USE, "%s: %d x %d values are no matrix; both must be at least 1",
                       path, rows, columns);
    for (size_t k = 0; k < (size_t)rows * (size_t)columns; k++) {
        if (!isfinite(value[k]))
            return qp_fail(QP_BAD_INPUT,
                           "%s: row %zu, column %zu is %g, which a Matrix Market file cannot hold",
                           path, k % (size_t)rows + 1, k / (size_t)rows + 1, value[k]);
    }
    return QP_OK;
}

enum qp_status qp_market_write(const char *path, int rows, int columns, const double *value)
{
    struct qp_output output;
    if (QP_NEED(path) || QP_NEED(value))
        return QP_BAD_USE;
    enum qp_status status = check(path, rows, columns, value);
    if (status != QP_OK)
        return status;
    qp_watch_left(); /* clears the mark of work left before this file */
    bool good = qp_output_open(&output, path) && print_plainly(output.file, rows, columns, value);
    status = qp_output_close(&output, good ? NULL : strerror(errno));
    return qp_watch_left() ? qp_watch_fail() : status;
}
