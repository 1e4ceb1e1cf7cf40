/* SPDX-License-Identifier: MIT */
#include "toolkit/base/caller.h"

#include <errno.h>
#include <langinfo.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum qp_status qp_need(const char *function, const char *argument, const void *pointer)
{
    if (pointer != NULL)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s: '%s' is NULL, and is needed", function, argument);
}

const char *qp_name(const char *const names[], size_t count, long number)
{
    const bool known = number >= 0 && (size_t)number < count && names[number] != NULL;
    return known ? names[number] : "none";
}

/* Ids of this process and of the one that computed first. They differ only in a child of fork(),
 * where a handler sets this process's id: a system call for it at every use would take as long as a
 * small pass. */
static int first_process, this_process;

static void note_child(void)
{
    this_process = (int)getpid();
}

static void note_first(void)
{
    first_process = this_process = (int)getpid();
    pthread_atfork(NULL, NULL, note_child);
}

enum qp_status qp_process_check(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, note_first);
    if (first_process == this_process)
        return QP_OK;
    return qp_fail(
        QP_BAD_USE,
        "process %d was forked from %d, which has computed with Quadpass before: its threads "
        "and devices did not come along; fork first, or call exec in the child",
        this_process, first_process);
}

/* Takes the whole C locale, which the C library has ready. A mixture of it and the thread's own
 * would have to be made, and where LOCPATH is set glibc leaks a little each time. */
bool qp_plain_numbers_begin(struct qp_plain_numbers *numbers)
{
    *numbers = (struct qp_plain_numbers){0};
    if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0)
        return true;
    numbers->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (numbers->plain == (locale_t)0)
        return false;
    numbers->before = uselocale(numbers->plain);
    return true;
}

void qp_plain_numbers_end(struct qp_plain_numbers *numbers)
{
    const int error = errno;
    if (numbers->plain != (locale_t)0) {
        uselocale(numbers->before);
        freelocale(numbers->plain);
    }
    *numbers = (struct qp_plain_numbers){0};
    errno = error;
}
