/* SPDX-License-Identifier: MIT */
#include "cmd/output/figures.h"

#include <math.h>
#include <stdio.h>

static const double noisy = 0.2;

enum { LEAST_SAMPLES = 3 };

double figure_spread(const struct qp_record *record)
{
    return record != NULL && record->sample_count >= LEAST_SAMPLES ? record->spread : NAN;
}

bool figure_is_noisy(const struct qp_record *record)
{
    return figure_spread(record) > noisy;
}

/* Two digits of the least are enough of a range. */
static int decimals_of(double least)
{
    return least >= 10.0 ? 0 : least >= 1.0 ? 1 : least >= 0.1 ? 2 : 3;
}

void figure_print(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                  double value, bool is_time)
{
    if (!figure_is_noisy(record) || isnan(value)) {
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
    snprintf(text, FIGURE_SIZE, "%.*f-%.*f", decimals_of(least), least, decimals_of(least), most);
}

void figure_print_ratio(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                        const struct qp_record *other, double ratio)
{
    const double spread = figure_spread(record) + figure_spread(other);
    if (isnan(ratio) || figure_is_noisy(record) || figure_is_noisy(other))
        snprintf(text, FIGURE_SIZE, "-");
    else if (isnan(spread))
        snprintf(text, FIGURE_SIZE, "%.*f", decimals, ratio);
    else
        snprintf(text, FIGURE_SIZE, "%.*f+-%.0f%%", decimals, ratio, ceil(100.0 * spread));
}
