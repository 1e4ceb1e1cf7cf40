/* SPDX-License-Identifier: MIT */
/* References that are compiled once, though a test program asks for them again and again. */
#ifndef QP_TESTS_ONCE_H
#define QP_TESTS_ONCE_H

/* Lets the variable CC name a compiler that compiles each text once (tests/support/once_cc.c), and
 * keeps what it made in hidden files of the folder. Returns 0, or -1. */
int compile_once(const char *folder);

#endif
