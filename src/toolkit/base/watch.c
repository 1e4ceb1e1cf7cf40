/* SPDX-License-Identifier: MIT */
#include "toolkit/base/watch.h"

#include <string.h>

const char *volatile qp_watch_library;

static _Thread_local struct qp_watch current;
static _Thread_local bool left;

static const char words[] = "interrupted";

struct qp_watch qp_watch_set(struct qp_watch watch)
{
    const struct qp_watch before = current;
    current = watch;
    return before;
}

struct qp_watch qp_watch_interrupt(const volatile sig_atomic_t *interrupt)
{
    struct qp_watch watch = current;
    if (interrupt != NULL)
        watch.interrupt = interrupt;
    return qp_watch_set(watch);
}

bool qp_watch_wants_end(void)
{
    return qp_is_interrupted(current.interrupt);
}

bool qp_watch_leaves(double part)
{
    if (current.on_part != NULL)
        current.on_part(current.user, part);
    if (!qp_watch_wants_end())
        return false;
    left = true;
    return true;
}

bool qp_watch_left(void)
{
    const bool was = left;
    left = false;
    return was;
}

void qp_watch_wait(double seconds)
{
    if (current.on_wait != NULL)
        current.on_wait(current.user, seconds);
}

enum qp_status qp_watch_fail(void)
{
    left = false;
    return qp_fail(QP_UNSUPPORTED, "%s", words);
}

bool qp_watch_is_sentence(const char *text)
{
    const size_t length = strlen(text), end = strlen(words);
    return length >= end && strcmp(text + length - end, words) == 0;
}
