/* SPDX-License-Identifier: MIT */
#include <quadpass/market.h>

#include <errno.h>
#include <string.h>

#include "io/output.h"

/* False, with errno set, on failure. */
static bool print(FILE *file, int rows, int columns, const double *value)
{
    bool good =
        fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns) > 0;
    for (size_t k = 0; good && k < (size_t)rows * (size_t)columns; k++)
        good = fprintf(file, "%.9g\n", value[k]) > 0;
    return good;
}

enum qp_status qp_market_write(const char *path, int rows, int columns, const double *value)
{
    struct qp_output output;
    bool good = qp_output_open(&output, path) && print(output.file, rows, columns, value);
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
