/* SPDX-License-Identifier: MIT */
#include <quadpass/market.h>

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"

/* The fewest digits that strtod reads back as the same double. A decimal of at most 15 digits survives
 * the way through a double of full precision: so if any such one is read as `value`, %.15g prints it,
 * for %g leaves zeros at the end away; and 17 digits always do. A subnormal double holds fewer
 * digits, so all counts are tried. */
static bool print_value(FILE *file, double value)
{
    enum { SURVIVE = 15, ALWAYS = 17 };
    char text[40];
    int digits = fpclassify(value) == FP_SUBNORMAL ? 1 : SURVIVE;
    do {
        snprintf(text, sizeof text, "%.*g\n", digits, value);
    } while (digits++ < ALWAYS && strtod(text, NULL) != value);
    return fputs(text, file) >= 0;
}

/* False, with errno set, on failure. */
static bool print(FILE *file, int rows, int columns, const double *value)
{
    bool good =
        fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns) > 0;
    for (size_t k = 0; good && k < (size_t)rows * (size_t)columns; k++)
        good = print_value(file, value[k]);
    return good;
}

/* Numbers are those of the C locale, whatever the host program's is. */
static bool print_plainly(FILE *file, int rows, int columns, const double *value)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    locale_t before = uselocale(plain);
    const bool good = print(file, rows, columns, value);
    const int error = errno;
    uselocale(before);
    freelocale(plain);
    errno = error;
    return good;
}

enum qp_status qp_market_write(const char *path, int rows, int columns, const double *value)
{
    struct qp_output output;
    bool good = qp_output_open(&output, path) && print_plainly(output.file, rows, columns, value);
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
