/* SPDX-License-Identifier: MIT */
/* Tests that set OpenMP's number of threads, or count those of the process. */
#ifndef QP_TESTS_THREADS_H
#define QP_TESTS_THREADS_H

#include <omp.h>

#include "support/support.h"

/* Set-up and tear-down of a test, which puts the number back however the test ends. */
int threads_note(void **state);
int threads_restore(void **state);

#define THREADS_TEST(test) TEST(test, .setup_func = threads_note, .teardown_func = threads_restore)

/* Set-up of a group whose unknowns are so few that threads would wait longer than they add. */
int threads_one(void **state);

/* Threads of this process now. */
int threads_count(void);

/* The same once this number is reached, or a fifth of a second later: the kernel takes a task away
 * a little after its thread has been joined. */
int threads_count_until(int expected);

#endif
