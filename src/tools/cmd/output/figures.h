/* SPDX-License-Identifier: MIT */
/* Figures of timed runs in tables, with their spread: "+-3%" is a middle half of the samples that
 * is 3 % of the median wide. Above a fifth a figure is its range, and has no ratio. */
#ifndef QP_CMD_OUTPUT_FIGURES_H
#define QP_CMD_OUTPUT_FIGURES_H

#include <stdbool.h>

#include <quadpass/bench.h>

enum { FIGURE_SIZE = 64 };

/* NaN of a record that is NULL or has too few samples. */
double figure_spread(const struct qp_record *record);

/* True if the spread is above a fifth. */
bool figure_is_noisy(const struct qp_record *record);

/* Prints a value that is inversely proportional to the record's seconds, such as a rate, or
 * proportional (`is_time`): with these decimals, or as a range "LEAST-MOST" over all samples where
 * it is noisy. */
void figure_print(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                  double value, bool is_time);

/* Prints a ratio of two records' figures with the sum of their spreads, "1.62+-3%", without it
 * where it is unknown; a dash for NaN and of noisy ones. */
void figure_print_ratio(char text[FIGURE_SIZE], int decimals, const struct qp_record *record,
                        const struct qp_record *other, double ratio);

#endif
