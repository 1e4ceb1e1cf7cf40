/* SPDX-License-Identifier: MIT */
/* Tables on a terminal: lines that are folded and verdicts in colour. A pipe gets plain text. */
#ifndef QP_CMD_OUTPUT_TERMINAL_H
#define QP_CMD_OUTPUT_TERMINAL_H

#include <stdio.h>

#include <quadpass/walk.h>

/* A stream in front of standard output or error that folds lines at the terminal's width, between
 * words and better between columns; the same stream where there is no terminal. There is one for
 * the program's life. */
FILE *terminal_stream(FILE *stream);

/* Makes no stream count as a terminal from here on. */
void terminal_refuse(void);

/* Columns of the terminal that a stream goes to, 100 if it does not say; 0: there is none. */
int terminal_columns(const FILE *stream);

/* A verdict's name, `width` columns wide: green, red, yellow or dim on a terminal, unless NO_COLOR
 * is set or TERM is dumb. It is valid until the next call. */
const char *terminal_verdict(const FILE *stream, enum qp_verdict verdict, int width);

/* Watches standard output; to be called first. If it cannot be written in the end, any command's
 * exit code is 2, with a sentence; and no file is opened in place of a standard stream that is
 * closed. */
void terminal_watch_output(void);

#endif
