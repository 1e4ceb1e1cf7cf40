/* SPDX-License-Identifier: MIT */
/* Checks of the caller's side: NULL pointers, enum values out of range, a forked process, and a
 * locale of the caller's own, which it has a right to. */
#ifndef QP_BASE_CALLER_H
#define QP_BASE_CALLER_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/status.h"

/* QP_BAD_USE, with a sentence that names function and argument, for a NULL pointer that must not be
 * NULL; several checks are one condition: QP_NEED(a) || QP_NEED(b). */
#define QP_NEED(argument) qp_need(__func__, #argument, argument)
/* The same for a result's place, which is empty from then on, an error of later checks too:
 * QP_NEED_OUT(out, NULL). */
#define QP_NEED_OUT(out, ...) (QP_NEED(out) || (*(out) = __VA_ARGS__, false))
enum qp_status qp_need(const char *function, const char *argument, const void *pointer);

/* names[number], or "none" for a number out of range. */
#define QP_NAME(names, number) qp_name(names, sizeof(names) / sizeof(names)[0], (long)(number))
const char *qp_name(const char *const names[], size_t count, long number);

/* Remembers the process that computes first. Errors: QP_BAD_USE in a process forked from it, where
 * the threads of OpenMP and of the driver are missing, and a wait for them never ends. */
enum qp_status qp_process_check(void);

/* A thread whose locale has no decimal point is put into the C locale from begin to end; calls
 * nest. False where there is no memory for that: then the locale is unchanged, and end is called
 * all the same. */
struct qp_plain_numbers {
    locale_t before, plain; /* 0 where nothing had to change */
};
bool qp_plain_numbers_begin(struct qp_plain_numbers *numbers);
void qp_plain_numbers_end(struct qp_plain_numbers *numbers);

#endif
