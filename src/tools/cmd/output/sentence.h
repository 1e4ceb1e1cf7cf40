/* SPDX-License-Identifier: MIT */
/* Sentences, with untrusted text in them: names of files, words as typed. */
#ifndef QP_CMD_OUTPUT_SENTENCE_H
#define QP_CMD_OUTPUT_SENTENCE_H

#include <stdio.h>

/* Looks at the words of a command line and at variables of the environment that sentences quote:
 * with a line break in one of them sentences keep to one line. */
void sentence_expect(int argc, char **argv);

/* Prints "WHO: TEXT" and ends the line. Characters that would control a terminal are written as in
 * C, such as \x1b; line breaks stay, for a shader's errors have lines. */
void sentence_print(FILE *out, const char *who, const char *text);

/* A name of a file, so written, in one line. */
void sentence_put_name(FILE *out, const char *name);

/* The lines of a text, numbered as in a driver's messages from this number on; 0: without
 * numbers. */
void sentence_put_lines(FILE *out, const char *text, int number);

/* The same as sentence_print to standard error, by "quadpass". */
__attribute__((format(printf, 1, 2))) void sentence_say(const char *format, ...);

/* Hint for a mistyped word, such as " (did you mean 'check'?)"; "" where none of the names is near
 * (toolkit/base/nearest.h). Valid until the next call. */
const char *sentence_hint(const char *text, const char *const names[], int count);

/* A copy for free() that is valid UTF-8, as JSON must be: each byte that belongs to no character is
 * U+FFFD. NULL without memory. */
char *sentence_valid(const char *text);

#endif
