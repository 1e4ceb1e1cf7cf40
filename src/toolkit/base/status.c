/* SPDX-License-Identifier: MIT */
#include "toolkit/base/status.h"

#include <quadpass/quadpass.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "toolkit/base/caller.h"

/* Long enough for a shader error with its source line and the driver's words. */
static _Thread_local char sentence[2048];

const char *qp_version(void)
{
    return QP_VERSION;
}

const char *qp_error(void)
{
    return sentence;
}

enum qp_status qp_fail(enum qp_status status, const char *format, ...)
{
    char text[sizeof sentence]; /* the arguments may point into the old sentence */
    struct qp_plain_numbers numbers;
    va_list arguments;
    va_start(arguments, format);
    qp_plain_numbers_begin(&numbers);
    vsnprintf(text, sizeof text, format, arguments);
    qp_plain_numbers_end(&numbers);
    va_end(arguments);
    memcpy(sentence, text, sizeof sentence);
    return status;
}

enum qp_status qp_fail_within(enum qp_status status, const char *format, ...)
{
    char prefix[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    return qp_fail(status, "%s: %s", prefix, qp_error());
}

static int too_many(size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size;
}

static void *no_memory(const char *what, size_t count, size_t size)
{
    qp_fail(QP_NO_MEMORY,
            "no memory for %s (%zu x %zu bytes); free some, or take a smaller problem", what, count,
            size);
    return NULL;
}

enum { LARGE = 1 << 21 /* bytes of a large page */ };

/* Asks for large pages, where the system has them: to touch small ones for the first time takes
 * longer than to fill them. Those at both ends may be shared with other blocks, which they do no
 * harm. */
static void *in_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t before = (uintptr_t)block % LARGE;
    if (bytes >= LARGE)
        (void)madvise((char *)block - before, (before + bytes + LARGE - 1) / LARGE * LARGE,
                      MADV_HUGEPAGE);
#endif
    return block;
}

void *qp_alloc(size_t count, size_t size, const char *what)
{
    void *block = too_many(count, size) ? NULL : malloc(count * size > 0 ? count * size : 1);
    return block != NULL ? in_large_pages(block, count * size) : no_memory(what, count, size);
}

void *qp_alloc_zero(size_t count, size_t size, const char *what)
{
    void *block = too_many(count, size) ? NULL : calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    return block != NULL ? in_large_pages(block, count * size) : no_memory(what, count, size);
}

char *qp_copy_text(const char *text, const char *what)
{
    char *copy = qp_alloc(strlen(text) + 1, 1, what);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

static void *alloc_aligned(size_t count, size_t size, size_t unit, const char *what)
{
    size_t bytes = (count * size + unit) / unit * unit; /* a multiple, as C11 asks for */
    void *block = too_many(count, 2 * size) ? NULL : aligned_alloc(unit, bytes);
    return block != NULL ? in_large_pages(block, bytes) : no_memory(what, count, size);
}

void *qp_alloc_line(size_t count, size_t size, const char *what)
{
    enum { LINE = 64 };
    return alloc_aligned(count, size, LINE, what);
}

float *qp_alloc_floats(size_t count, const char *what)
{
    return qp_alloc_line(count, sizeof(float), what);
}

float *qp_alloc_pages(size_t count, const char *what)
{
    enum { PAGE = 4096 };
    return alloc_aligned(count, sizeof(float), PAGE, what);
}
