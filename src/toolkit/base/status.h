/* SPDX-License-Identifier: MIT */
/* Failures of the library: store one sentence for the thread, return the code. */
#ifndef QP_BASE_STATUS_H
#define QP_BASE_STATUS_H

#include <stddef.h>

#include <quadpass/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the sentence and returns `status`, so that failing is one line: return qp_fail(...). */
__attribute__((format(printf, 2, 3))) enum qp_status qp_fail(enum qp_status status,
                                                             const char *format, ...);

/* Puts "prefix: " before the stored sentence and returns `status`. */
__attribute__((format(printf, 2, 3))) enum qp_status qp_fail_within(enum qp_status status,
                                                                    const char *format, ...);

/* malloc and calloc that store a sentence naming `what` when they fail. */
void *qp_alloc(size_t count, size_t size, const char *what);
void *qp_alloc_zero(size_t count, size_t size, const char *what);

/* strdup likewise. */
char *qp_copy_text(const char *text, const char *what);

/* The same for what begins on a cache line, and for floats that do; free() takes it back. */
void *qp_alloc_line(size_t count, size_t size, const char *what);
float *qp_alloc_floats(size_t count, const char *what);

/* malloc for floats that share no page of memory with anything else, so that a device can lock
 * it. */
float *qp_alloc_pages(size_t count, const char *what);

#ifdef __cplusplus
}
#endif

#endif
