/* SPDX-License-Identifier: MIT */
#include "toolkit/glsl/changes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Letters that are added for each token, and at one place of all ten times as many. */
enum { MOST_AT_TOKEN = 96 };

enum qp_status qp_changes_open(const char *text, const struct qp_kernel_desc *desc,
                               const struct qp_change_ways *ways, struct qp_changes *out)
{
    *out = (struct qp_changes){.ways = ways, .desc = desc, .tokens = qp_tokens_read(text)};
    if (out->tokens == NULL)
        return QP_NO_MEMORY;
    out->text = out->from = out->tokens->text;
    const int count = out->tokens->all;
    out->number = ways != NULL ? -1 : 0;
    for (int i = 0; ways != NULL && ways->avoids != NULL && i < count; i++) {
        if (strncmp(out->tokens->of[i].at, ways->avoids, strlen(ways->avoids)) == 0)
            out->number = ways->count * count;
    }
    /* a call may come three times */
    out->room = 3 * strlen(text) + MOST_AT_TOKEN * (size_t)count + 1024;
    out->other = qp_alloc(out->room, 1, "a changed shader");
    if (out->other == NULL)
        qp_changes_close(out);
    return out->other != NULL ? QP_OK : QP_NO_MEMORY;
}

void qp_changes_close(struct qp_changes *changes)
{
    qp_tokens_release(&changes->tokens);
    free(changes->other);
    *changes = (struct qp_changes){0};
}

bool qp_changes_next(struct qp_changes *changes)
{
    const struct qp_change_ways *ways = changes->ways;
    const int tokens = ways->by_place ? changes->tokens->all : changes->tokens->count;
    while (++changes->number < ways->count * tokens) {
        changes->kind = ways->by_place ? changes->number % ways->count : changes->number / tokens;
        changes->at = ways->by_place ? changes->number / ways->count : changes->number % tokens;
        changes->used = 0;
        changes->from = changes->text;
        changes->begin = changes->end = changes->at;
        if ((changes->kinds == 0 || (changes->kinds >> ways->of[changes->kind].kind & 1) != 0) &&
            ways->of[changes->kind].write(changes, changes->at)) {
            qp_changes_copy(changes, changes->text + strlen(changes->text));
            return true;
        }
    }
    return false;
}

void qp_changes_cut(struct qp_changes *changes, const char **was, const char **is)
{
    const struct qp_token *begin = &changes->tokens->of[changes->begin];
    const char *end = qp_token_end(&changes->tokens->of[changes->end]);
    char *now = changes->other + (begin->at - changes->text),
         *then = changes->other + changes->used - strlen(end);
    *then++ = '\0';
    snprintf(then, changes->room - (size_t)(then - changes->other), "%.*s", (int)(end - begin->at),
             begin->at);
    *is = now;
    *was = then;
}

void qp_changes_add(struct qp_changes *changes, const char *format, ...)
{
    const size_t room = changes->room - changes->used;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(changes->other + changes->used, room, format, arguments);
    va_end(arguments);
    changes->used += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

void qp_changes_copy(struct qp_changes *changes, const char *until)
{
    qp_changes_add(changes, "%.*s", (int)(until - changes->from), changes->from);
    changes->from = until;
}

char *qp_changes_take(struct qp_changes *changes)
{
    char *other = changes->other;
    qp_changes_copy(changes, changes->text + strlen(changes->text));
    changes->other = NULL;
    qp_changes_close(changes);
    return other;
}

const struct qp_tokens *qp_changes_read(struct qp_changes *changes)
{
    char *text = qp_changes_take(changes);
    const struct qp_tokens *tokens = qp_tokens_read(text);
    free(text);
    return tokens;
}
