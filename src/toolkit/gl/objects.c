/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/objects.h"

#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>

struct life {
    void *object;
    uint64_t number; /* in the order of births */
    enum qp_object_kind kind;
    struct qp_context *context;
    void (*abandon)(void *object);
    struct life *next, **link; /* link: the pointer that leads here */
};

static struct {
    pthread_mutex_t lock;
    void *tree;         /* tree of all entries, by their objects (tsearch) */
    struct life *first; /* in the list of all: the latest */
    uint64_t born;      /* so far */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Entries, under the lock ---- */

static int compare(const void *one, const void *other)
{
    const uintptr_t a = (uintptr_t)((const struct life *)one)->object,
                    b = (uintptr_t)((const struct life *)other)->object;
    return (a > b) - (a < b);
}

/* NULL for an object that is not known. */
static struct life *find(const void *object)
{
    const struct life wanted = {.object = (void *)object};
    struct life **found = tfind(&wanted, &table.tree, compare);
    return found != NULL ? *found : NULL;
}

static void drop(struct life *life)
{
    tdelete(life, &table.tree, compare);
    *life->link = life->next;
    if (life->next != NULL)
        life->next->link = life->link;
    free(life);
}

/* ---- Objects ---- */

enum qp_status qp_object_born(void *object, enum qp_object_kind kind, struct qp_context *context,
                              void (*abandon)(void *object))
{
    struct life *life = qp_alloc_zero(1, sizeof *life, "the table of contexts and objects");
    if (life == NULL)
        return QP_NO_MEMORY;
    pthread_mutex_lock(&table.lock);
    *life = (struct life){object, table.born++, kind, context, abandon, table.first, &table.first};
    const bool kept = tsearch(life, &table.tree, compare) != NULL;
    if (kept && life->next != NULL)
        life->next->link = &life->next;
    if (kept)
        table.first = life;
    pthread_mutex_unlock(&table.lock);
    if (kept)
        return QP_OK;
    free(life);
    return qp_fail(QP_NO_MEMORY, "no memory for the table of contexts and objects");
}

bool qp_object_gone(const void *object)
{
    pthread_mutex_lock(&table.lock);
    struct life *life = find(object);
    if (life != NULL)
        drop(life);
    pthread_mutex_unlock(&table.lock);
    return life != NULL;
}

void qp_objects_forget(const struct qp_context *context)
{
    pthread_mutex_lock(&table.lock);
    for (struct life *life = table.first, *next; life != NULL; life = next) {
        next = life->next;
        if (life->context == context) {
            life->abandon(life->object);
            drop(life);
        }
    }
    pthread_mutex_unlock(&table.lock);
}

bool qp_object_is_older(const void *object, const void *other)
{
    pthread_mutex_lock(&table.lock);
    const struct life *one = find(object), *two = find(other);
    const bool older = one != NULL && two != NULL && one->number < two->number;
    pthread_mutex_unlock(&table.lock);
    return older;
}

static const char *const names[QP_OBJECT_KINDS] = {"a context",   "an array",   "a kernel",
                                                   "a list",      "a download", "a texture pool",
                                                   "a reduction", "a mask",     "a depth"};

struct qp_context *qp_object_context(const void *object, enum qp_object_kind kind, const char *what)
{
    struct qp_context *context = NULL;
    if (object == NULL) {
        qp_fail(QP_BAD_USE, "'%s' is NULL, and %s is needed", what, names[kind]);
        return NULL;
    }
    pthread_mutex_lock(&table.lock);
    const struct life *life = find(object);
    if (life != NULL && life->kind == kind)
        context = life->context;
    pthread_mutex_unlock(&table.lock);
    if (context == NULL)
        qp_fail(QP_BAD_USE,
                "'%s' is not %s that lives: it was destroyed,%s or it is something else", what,
                names[kind], kind != QP_OBJECT_CONTEXT ? " or its context was," : "");
    return context;
}

enum qp_status qp_object_check(const void *object, enum qp_object_kind kind,
                               const struct qp_context *context, const char *what)
{
    const struct qp_context *own = qp_object_context(object, kind, what);
    if (own == NULL)
        return QP_BAD_USE;
    if (context != NULL && own != context)
        return qp_fail(QP_BAD_USE, "'%s' is %s of another context", what, names[kind]);
    return QP_OK;
}

enum qp_status qp_context_check(const struct qp_context *context)
{
    return context != NULL ? qp_object_check(context, QP_OBJECT_CONTEXT, NULL, "context") : QP_OK;
}
