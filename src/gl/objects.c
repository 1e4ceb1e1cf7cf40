/* SPDX-License-Identifier: MIT */
#include "gl/objects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

struct entry {
    void *object;    /* NULL: free */
    uint64_t number; /* in the order of births */
    enum qp_object_kind kind;
    struct qp_context *context;
    void (*abandon)(void *object);
};

/* Open addressing: an object stands at its home or behind it, with no free place between. At most half of the places,
 * a power of two, are taken. */
static struct {
    pthread_mutex_t lock;
    struct entry *at;
    size_t places, taken;
    uint64_t born; /* so far */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Places, under the lock ---- */

static size_t home(const void *object)
{
    const uint64_t spread = (uint64_t)((uintptr_t)object >> 4) * 0x9e3779b97f4a7c15u;
    return (size_t)(spread >> 32) & (table.places - 1);
}

/* Where the object stands, or the free place for it; the table is not empty. */
static struct entry *find(const void *object)
{
    size_t i = home(object);
    while (table.at[i].object != NULL && table.at[i].object != object)
        i = (i + 1) & (table.places - 1);
    return &table.at[i];
}

static enum qp_status make_room(void)
{
    if (2 * (table.taken + 1) <= table.places)
        return QP_OK;
    const size_t before = table.places, wanted = before > 0 ? 2 * before : 64;
    struct entry *old = table.at, *new = qp_alloc_zero(wanted, sizeof *new, "a table of objects");
    if (new == NULL)
        return QP_NO_MEMORY;
    table.at = new;
    table.places = wanted;
    for (size_t i = 0; i < before; i++) {
        if (old[i].object != NULL)
            *find(old[i].object) = old[i];
    }
    free(old);
    return QP_OK;
}

/* Frees a place, and moves up those behind it that had to stand further from home for it. */
static void clear(size_t hole)
{
    const size_t mask = table.places - 1;
    for (size_t i = (hole + 1) & mask; table.at[i].object != NULL; i = (i + 1) & mask) {
        if (((i - home(table.at[i].object)) & mask) >= ((i - hole) & mask)) {
            table.at[hole] = table.at[i];
            hole = i;
        }
    }
    table.at[hole] = (struct entry){0};
    table.taken--;
}

static void drop_empty_table(void)
{
    if (table.taken > 0)
        return;
    free(table.at);
    table.at = NULL;
    table.places = 0;
}

/* ---- Objects ---- */

enum qp_status qp_object_born(void *object, enum qp_object_kind kind, struct qp_context *context,
                              void (*abandon)(void *object))
{
    pthread_mutex_lock(&table.lock);
    const enum qp_status status = make_room();
    if (status == QP_OK) {
        *find(object) = (struct entry){object, table.born++, kind, context, abandon};
        table.taken++;
    }
    pthread_mutex_unlock(&table.lock);
    return status;
}

bool qp_object_gone(const void *object)
{
    pthread_mutex_lock(&table.lock);
    const bool known = table.taken > 0 && find(object)->object == object;
    if (known)
        clear((size_t)(find(object) - table.at));
    drop_empty_table();
    pthread_mutex_unlock(&table.lock);
    return known;
}

/* A place that is freed is looked at again, for another one may have moved up. */
void qp_objects_forget(const struct qp_context *context)
{
    pthread_mutex_lock(&table.lock);
    for (size_t i = 0; i < table.places; i += table.at[i].context != context) {
        const struct entry entry = table.at[i];
        if (entry.context == context) {
            clear(i);
            entry.abandon(entry.object);
        }
    }
    drop_empty_table();
    pthread_mutex_unlock(&table.lock);
}

bool qp_object_is_older(const void *object, const void *other)
{
    pthread_mutex_lock(&table.lock);
    const struct entry *one = table.taken > 0 ? find(object) : NULL,
                       *two = table.taken > 0 ? find(other) : NULL;
    const bool older =
        one != NULL && one->object != NULL && two->object != NULL && one->number < two->number;
    pthread_mutex_unlock(&table.lock);
    return older;
}

static const char *const names[QP_OBJECT_KINDS] = {"a context",   "an array",   "a kernel",
                                                   "a list",      "a download", "a shelf",
                                                   "a reduction", "a mask",     "a depth"};

struct qp_context *qp_object_context(const void *object, enum qp_object_kind kind, const char *what)
{
    struct qp_context *context = NULL;
    if (object == NULL) {
        qp_fail(QP_BAD_USE, "'%s' is NULL, and %s is needed", what, names[kind]);
        return NULL;
    }
    pthread_mutex_lock(&table.lock);
    if (table.taken > 0 && find(object)->object == object && find(object)->kind == kind)
        context = find(object)->context;
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
