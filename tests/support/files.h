/* SPDX-License-Identifier: MIT */
/* The project's own files, for tests that read the house rules off them. */
#ifndef QP_TESTS_FILES_H
#define QP_TESTS_FILES_H

#include <stddef.h>
#include <stdio.h>

/* Faults of the test under way: all are named before it fails. Some tests also try that out, on
 * files called x.c that are not there. */
extern int faults;
#define fault(...) (faults++, print_error(__VA_ARGS__))

/* A whole stream as a string that the caller frees. */
char *slurp(FILE *stream);

/* Runs a command for its exit status and its output, which the caller frees. */
int run_for(const char *command, char **output);

/* Hands on the path, below the repository's root, and the text of each file that matches the
 * pattern, braces and all; at least `least` of them. Fails if there was a fault. */
void each_file(const char *pattern, size_t least,
               void (*check)(const char *path, const char *text));

/* Returns the place after this character of C, or after the literal of one line that is there. */
const char *skip_literal(const char *at);

/* Number of the entries of a folder, hidden ones left out. */
int files_in(const char *path);

/* First and last test of a group, which leaves as many files open as it found. */
void files_note_open(void **state);
void files_are_closed(void **state);

#endif
