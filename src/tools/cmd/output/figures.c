/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/figures.h"

#include <math.h>
#include <stdio.h>

#include "lab/walk/samples.h"

static const double noisy = 0.2;

double figure_spread(const struct qp_record *record)
{
    return record != NULL && record->sample_count >= QP_LEAST_SAMPLES ? record->spread : NAN;
}

bool figure_is_noisy(const struct qp_record *record)
{
    return figure_spread(record) > noisy;
}

/* Prints a value with these decimals and no zero before the point: a range must fit its column. */
static int print_end(char *text, size_t size, int decimals, double value)
{
    char digits[FIGURE_SIZE];
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    return snprintf(text, size, "%s", digits + (digits[0] == '0' && digits[1] == '.'));
}

/* Prints two digits of the least, which are enough of a range. */
static void print_range(char text[FIGURE_SIZE], double least, double most)
{
    const int decimals = least >= 10.0 ? 0 : (int)fmin(1.0 - floor(log10(least)), 9.0),
              used = print_end(text, FIGURE_SIZE - 1, decimals, least);
    text[used] = '-';
    print_end(text + used + 1, (size_t)(FIGURE_SIZE - used - 1), decimals, most);
}

void figure_print(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                  double value, bool is_time)
{
    if (!figure_is_noisy(record) || isnan(value) || value == 0.0) {
        snprintf(text, FIGURE_SIZE, "%.*f", decimals, value);
        return;
    }
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < record->sample_count; i++) {
        const double part = record->samples[i] / record->seconds,
                     figure = is_time ? value * part : value / part;
        least = fmin(least, figure);
        most = fmax(most, figure);
    }
    print_range(text, least, most);
}

void figure_print_ratio(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                        const struct qp_record *other, double ratio)
{
    const double spread =
        record != other ? figure_spread(record) + figure_spread(other) : NAN; /* 1 of itself */
    if (isnan(ratio) || figure_is_noisy(record) || figure_is_noisy(other))
        snprintf(text, FIGURE_SIZE, "-");
    else if (isnan(spread))
        snprintf(text, FIGURE_SIZE, "%.*f", decimals, ratio);
    else
        snprintf(text, FIGURE_SIZE, "%.*f+-%.0f%%", decimals, ratio, ceil(100.0 * spread));
}
