/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/passes.h"

#include <stdlib.h>
#include <string.h>

enum { SWAP = -1 };

/* A pass in the list's block; or a pair to be swapped by a copy, or one of whose sets is to be
 * attached. The values of the step's names follow it. */
struct listed {
    struct qp_gl_pass pass;
    struct qp_pingpong *pair; /* NULL for a pass */
    int set;                  /* set to attach; or SWAP */
    size_t bytes;             /* from its begin to the next one's */
    struct qp_step_value value[];
};

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
    const size_t bytes = (size_t)pass->step->names * sizeof *pass->values;
    struct listed *listed = append(list, sizeof *listed + bytes);
    if (listed == NULL)
        return;
    listed->pass = *pass;
    memcpy(listed->value, pass->values, bytes);
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

static void run(struct qp_context *context, struct listed *listed)
{
    if (listed->pair == NULL) {
        listed->pass.values = listed->value; /* the block may have moved since */
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
