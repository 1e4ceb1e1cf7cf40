/* SPDX-License-Identifier: MIT */
/* The picture of a model: times of both parts and of the whole against the rows of the lower part,
 * as in paper 5's figure 14, with what was measured. */
#ifndef QP_CMD_MODEL_PLOT_H
#define QP_CMD_MODEL_PLOT_H

#include "tune/runs.h"

/* Writes the picture, "-" to standard output; `lower` and `upper` name what the parts run. Errors:
 * those of svg_end. */
enum qp_status plot_write(const char *path, const struct qp_tuned *tuning, const char *title,
                          const char *lower, const char *upper);

#endif
