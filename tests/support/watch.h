/* SPDX-License-Identifier: MIT */
/* The command as a person sees it, who watches a terminal and presses Ctrl-C. */
#ifndef QP_TESTS_WATCH_H
#define QP_TESTS_WATCH_H

#include "support/shell.h"

/* How a watched command ended. */
struct watched {
    int code, signal; /* -1 where it was the other one */
    double seconds;   /* from the signal, or from the beginning where none was sent */
};

/* Runs `quadpass ARGUMENTS` in the group's folder, both streams on a terminal of 100 columns. Once
 * it handles that and `sign`, if not NULL, was printed, it gets the signal. What was printed is in
 * output. */
struct watched watch(const char *arguments, const char *sign, int number);

#endif
