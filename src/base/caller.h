/* SPDX-License-Identifier: MIT */
/* What a caller may get wrong or has a right to: pointers that are NULL, numbers that name nothing, a process
 * that was forked, a language of its own. */
#ifndef QP_BASE_CALLER_H
#define QP_BASE_CALLER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* QP_BAD_USE, with a sentence that names function and argument, for NULL in place of what is needed; so
 * several are one condition: QP_NEED(a) || QP_NEED(b). */
#define QP_NEED(argument) qp_need(__func__, #argument, argument)
enum qp_status qp_need(const char *function, const char *argument, const void *pointer);

/* names[number], or "none". */
#define QP_NAME(names, number) qp_name(names, sizeof(names) / sizeof(names)[0], (long)(number))
const char *qp_name(const char *const names[], size_t count, long number);

/* Remembers the process that computes first. Errors: QP_BAD_USE in one that was forked from it, for there the
 * threads of OpenMP and of the driver are missing, and whoever waits for them waits for ever. */
enum qp_status qp_process_check(void);

/* Where the calling thread's numbers have no point it is in the C locale from begin to end; nests. False where there
 * is no memory for that: then it is where it was, and end is called all the same. */
struct qp_plain_numbers {
    locale_t before, plain; /* 0 where nothing had to change */
};
bool qp_plain_numbers_begin(struct qp_plain_numbers *numbers);
void qp_plain_numbers_end(struct qp_plain_numbers *numbers);

#endif
