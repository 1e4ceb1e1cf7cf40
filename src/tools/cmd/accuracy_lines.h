/* SPDX-License-Identifier: MIT */
/* Lines and records that `accuracy` writes where answers are compared with exact ones. */
#ifndef QP_CMD_ACCURACY_LINES_H
#define QP_CMD_ACCURACY_LINES_H

#include "tools/cmd/cmd.h"

/* A line: a run of a variant, and how far its answer is from the exact one. */
struct accuracy_line {
    const char *what, *variant, *problem;
    int width, height;
    double steps, seconds;
    double wanted;      /* error that the steps are for; 0: none */
    double error;       /* largest difference / largest value; NaN: there is no answer */
    double condition;   /* estimate of the matrix's; 0: nobody looked */
    const char *reason; /* why there is no answer; NULL: nobody knows */
    bool computed;      /* steps by theory, seconds by their measured time */
};

/* Prints the head of such a table. */
void accuracy_head(FILE *table);

/* Prints a line, and adds its record. Errors: QP_NO_MEMORY. */
enum qp_status accuracy_add(FILE *table, cJSON *records, const struct accuracy_line *line);

/* Ends such a table: writes the records, if there are any, deletes them, and sets the exit code.
 * Returns the status. */
enum qp_status accuracy_end(struct command *command, enum qp_status status, cJSON *records);

#endif
