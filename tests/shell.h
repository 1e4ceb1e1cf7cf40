/* SPDX-License-Identifier: MIT */
/* The command as a script runs it, in a scratch folder. */
#ifndef QP_TESTS_SHELL_H
#define QP_TESTS_SHELL_H

#include "support.h"

#define QUADPASS QP_BUILD_DIR "/quadpass"
#define GR       QP_SOURCE_DIR "/data/gr_30_30.mtx"

/* The folder of this group of tests, and both streams of the last run. */
extern char folder[], output[1 << 18];

/* Group set-up and tear-down. */
int make_folder(void **state);
int remove_folder(void **state);

/* A shell command with the built quadpass in its path; returns the exit code. */
int shell(const char *command);

/* The same, which must end with this code and print these words. */
void expect(const char *command, int code, const char *words);

/* Runs `quadpass ARGUMENTS` in the folder through a shell, which may add more. */
int run(const char *arguments);

/* Exit code 2, these words, and neither of the output files x.mtx and p.png. */
void assert_refused(const char *arguments, const char *words);

/* Of a file in the folder. */
bool exists(const char *name);
void write_file(const char *name, const char *text);

/* Skips the test where the command finds no device, fails it with REQUIRE=gl. */
void need_gl(void);

bool ends_with(const char *text, const char *end);

#endif
