/* SPDX-License-Identifier: MIT */
/* Checks of a command's outputs before it runs: each can be written, and none has the same file as
 * another output or an input. */
#ifndef QP_CMD_OUTPUT_OUTPUTS_H
#define QP_CMD_OUTPUT_OUTPUTS_H

#include <quadpass/status.h>

enum { MOST_OUTPUTS = 12, MOST_INPUTS = 192 /* words, arrays, and files that one includes */ };

/* Names that are NULL are left out, wherever they are. */
struct outputs {
    struct {
        const char *what; /* such as "--json" */
        const char *path; /* "-" for standard output */
    } output[MOST_OUTPUTS];
    const char *input[MOST_INPUTS]; /* "-" for standard input */
    int inputs;
};

void outputs_add_input(struct outputs *outputs, const char *path);

/* QP_BAD_USE with a sentence if two of them share a file or one cannot be written. */
enum qp_status outputs_check(const struct outputs *outputs);

#endif
