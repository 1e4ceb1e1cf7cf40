/* SPDX-License-Identifier: MIT */
/* Tests of the command from outside: what it prints and how it ends. */
#ifndef QP_TESTS_SHELL_H
#define QP_TESTS_SHELL_H

#include "support.h"

enum { SHELL_OUTPUT = 1 << 18 };

/* What the last command printed on both streams. */
extern char shell_output[SHELL_OUTPUT];

/* A shell command with the built quadpass in its path; returns its exit code. */
int shell_run(const char *command);

/* The same, which must end with this code and print these words. */
void shell_expect(const char *command, int code, const char *words);

/* Skips the test, or fails it with REQUIRE=gl, where quadpass finds no device. */
void shell_need_gl(void);

#endif
