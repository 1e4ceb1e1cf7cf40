/* SPDX-License-Identifier: MIT */
/* The picture of a model: times of both parts and of the whole against the rows of the lower part,
 * as in paper 5's figure 14, with what was measured. It is drawn by gnuplot, a program that is
 * looked for when it is needed. */
#ifndef QP_CMD_MODEL_PLOT_H
#define QP_CMD_MODEL_PLOT_H

#include "tune/runs.h"

/* QP_BAD_USE unless the name ends with .svg or .png ("-" is SVG) and gnuplot is on the PATH. NULL
 * is no picture. */
enum qp_status plot_check(const char *path);

/* Writes the picture, "-" to standard output; `lower` and `upper` name what the parts run. Errors,
 * after which there is no file: QP_BAD_INPUT with the system's reason or gnuplot's failure,
 * QP_NO_MEMORY. */
enum qp_status plot_write(const char *path, const struct qp_tuned *tuning, const char *title,
                          const char *lower, const char *upper);

#endif
