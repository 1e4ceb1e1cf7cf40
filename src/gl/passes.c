/* SPDX-License-Identifier: MIT */
#include "gl/passes.h"

#include <stdlib.h>
#include <string.h>

enum { SWAP = -1 };

/* A pass in the list's block; or a pair to be swapped by a copy, or one of whose sets is to be
 * attached. The values of the step's names follow it, and then the numbers of those that have a
 * list. */
struct listed {
    struct qp_gl_pass pass;
    struct qp_pingpong *pair; /* NULL for a pass */
    int set;                  /* set to attach; or SWAP */
    size_t bytes;             /* from its begin to the next one's */
    struct qp_step_value value[];
};

/* Numbers in the list of a name's value. */
static size_t count_numbers(const struct qp_step *step, int name)
{
    switch (step->name[name].type) {
    case QP_DOUBLE_2:
        return 2;
    case QP_VECTOR_3:
    case QP_DOUBLE_3:
        return 3;
    case QP_VECTOR_4:
    case QP_DOUBLE_4:
        return 4;
    default:
        return (size_t)step->name[name].elements;
    }
}

static size_t count_bytes(const struct qp_gl_pass *pass)
{
    size_t bytes = sizeof(struct listed) + (size_t)pass->step->names * sizeof *pass->values;
    for (int i = 0; i < pass->step->names; i++)
        bytes += pass->values[i].list != NULL ? count_numbers(pass->step, i) * sizeof(double) : 0;
    return bytes;
}

static bool make_room(struct qp_passes *list, size_t bytes)
{
    const size_t room = 2 * (list->used + bytes);
    if (list->used + bytes <= list->room)
        return true;
    char *block = qp_alloc(room, 1, "a list of passes");
    if (block == NULL)
        return false;
    if (list->used > 0)
        memcpy(block, list->block, list->used);
    free(list->block);
    list->block = block;
    list->room = room;
    return true;
}

/* Appends a pass without its values; NULL where the list has failed. */
static struct listed *append(struct qp_passes *list, size_t bytes)
{
    if (list->status != QP_OK)
        return NULL;
    if (!make_room(list, bytes)) {
        list->status = QP_NO_MEMORY;
        return NULL;
    }
    struct listed *listed = (struct listed *)(void *)(list->block + list->used);
    list->used += bytes;
    listed->bytes = bytes;
    listed->pair = NULL;
    return listed;
}

void qp_passes_add(struct qp_passes *list, const struct qp_gl_pass *pass)
{
    const int names = pass->step->names;
    struct listed *listed = append(list, count_bytes(pass));
    if (listed == NULL)
        return;
    listed->pass = *pass;
    memcpy(listed->value, pass->values, (size_t)names * sizeof *pass->values);
    double *numbers = (double *)(void *)&listed->value[names];
    for (int i = 0; i < names; i++) {
        const double *from = pass->values[i].list;
        const size_t count = from != NULL ? count_numbers(pass->step, i) : 0;
        if (count > 0)
            memcpy(numbers, from, count * sizeof *numbers);
        numbers += count;
    }
}

/* Appends what is to happen to a pair between two passes. */
static void append_pair(struct qp_passes *list, struct qp_pingpong *pair, int set)
{
    struct listed *listed = append(list, sizeof *listed);
    if (listed == NULL)
        return;
    listed->pair = pair;
    listed->set = set;
}

static struct qp_surface surface_of(struct qp_passes *list, struct qp_pingpong *pair, int set)
{
    if (pair->style == QP_REATTACH || pair->style == QP_COPY)
        append_pair(list, pair, set);
    return qp_pingpong_place(pair, set);
}

struct qp_surface qp_passes_target(struct qp_passes *list, struct qp_pingpong *pair)
{
    return surface_of(list, pair, 1 - pair->source);
}

struct qp_surface qp_passes_source(struct qp_passes *list, struct qp_pingpong *pair)
{
    return surface_of(list, pair, pair->source);
}

void qp_passes_swap(struct qp_passes *list, struct qp_pingpong *pair)
{
    if (pair->style == QP_COPY)
        append_pair(list, pair, SWAP);
    else
        qp_pingpong_swap(pair);
}

/* Points the pass to its values, and these to their numbers: the block may have moved since. */
static void find_values(struct listed *listed)
{
    const struct qp_step *step = listed->pass.step;
    double *numbers = (double *)(void *)&listed->value[step->names];
    listed->pass.values = listed->value;
    for (int i = 0; i < step->names; i++) {
        if (listed->value[i].list == NULL)
            continue;
        listed->value[i].list = numbers;
        numbers += count_numbers(step, i);
    }
}

static void run(struct qp_context *context, struct listed *listed)
{
    if (listed->pair == NULL) {
        find_values(listed);
        qp_step_run(context, &listed->pass);
    } else if (listed->set == SWAP) {
        qp_pingpong_swap(listed->pair);
    } else {
        qp_pingpong_attach(listed->pair, listed->set);
    }
}

enum qp_status qp_passes_run(struct qp_context *context, struct qp_passes *list)
{
    const enum qp_status status = list->status;
    for (size_t at = 0; at < list->used && status == QP_OK;) {
        struct listed *listed = (struct listed *)(void *)(list->block + at);
        run(context, listed);
        at += listed->bytes;
    }
    list->used = 0;
    list->status = QP_OK;
    return status;
}

struct qp_passes *qp_passes_of(struct qp_context *context)
{
    if (context->passes == NULL)
        context->passes = qp_alloc_zero(1, sizeof *context->passes, "a list of passes");
    return context->passes;
}

void qp_passes_destroy(struct qp_passes **list)
{
    if (*list != NULL)
        free((*list)->block);
    free(*list);
    *list = NULL;
}
