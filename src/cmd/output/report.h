/* SPDX-License-Identifier: MIT */
/* Reports of checks for CI, as files. */
#ifndef QP_CMD_OUTPUT_REPORT_H
#define QP_CMD_OUTPUT_REPORT_H

#include <quadpass/check.h>

/* Writes what a function of check.h reports to a file, "-" for standard output; the commit is this
 * program's. Errors, after which there is no new file: those of the function; QP_BAD_INPUT with the
 * system's reason; QP_NO_MEMORY. */
enum qp_status report_write(const char *path,
                            enum qp_status (*report)(FILE *out, const struct qp_tally *tallies,
                                                     int count, const struct qp_report_desc *desc),
                            const struct qp_tally *tallies, int count,
                            const struct qp_report_desc *desc);

#endif
