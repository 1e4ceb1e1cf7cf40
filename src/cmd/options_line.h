/* SPDX-License-Identifier: MIT */
/* Reading of a command line: which option a word means, and what it takes. argp prints the help. */
#ifndef QP_CMD_OPTIONS_LINE_H
#define QP_CMD_OPTIONS_LINE_H

#include "cmd/cmd.h"
#include "cmd/options_list.h"

/* Reads all words in order and hands each option and each other word (no row) to `take`, up to the
 * first that is refused. Names may be cut as long as one option of the command is meant; words may
 * come before options; after -- all are words. True: help or the version was asked for, and
 * printed. */
typedef void options_take(const struct option_row *row, const char *value, struct options *o);
bool options_line(int argc, char **argv, struct options *o, options_take *take);

/* Says what is wrong with the command line, the first time. Callers go on with any legal value, for
 * reading ends then: nothing but options_read leaves the program. */
__attribute__((format(printf, 2, 3))) void options_refuse(struct options *o, const char *format,
                                                          ...);

/* Refuses what options must not be together, files among them (options_check.c). */
void options_check(struct options *o);

/* ---- Values, read from text. A value that cannot be read is refused with a sentence that names
 * the option. ---- */

/* A whole number of at least `least`. */
int options_whole(const char *text, long least, const char *option, struct options *o);

double options_number(const char *text, const char *option, struct options *o);

/* N or WxH; WxH alone for an option that is named, with an example. */
void options_size(const char *text, const char *option, const char *such, int *width, int *height,
                  struct options *o);

int options_one_of(const char *text, const char *const names[], int count, const char *option,
                   struct options *o);

#endif
