/* SPDX-License-Identifier: MIT */
/* What a command is to write, looked at before it runs: each output can be made, and none stands in
 * another's place or in that of a file that is read. */
#ifndef QP_CMD_OUTPUT_OUTPUTS_H
#define QP_CMD_OUTPUT_OUTPUTS_H

#include <quadpass/status.h>

enum { MOST_OUTPUTS = 8 };

/* Names that are NULL are left out. */
struct outputs {
    struct {
        const char *what; /* such as "--json" */
        const char *path; /* "-" for standard output */
    } output[MOST_OUTPUTS];
    int count;
    const char *input[MOST_OUTPUTS]; /* "-" for standard input */
    int inputs;
};

void outputs_add(struct outputs *outputs, const char *what, const char *path);
void outputs_add_input(struct outputs *outputs, const char *path);

/* QP_BAD_USE with a sentence if two of them get into each other's way or one cannot be written. */
enum qp_status outputs_check(const struct outputs *outputs);

#endif
