/* SPDX-License-Identifier: MIT */
/* Shaders whose text is changed: disguises, which must give the same numbers, and their twins,
 * mutants, which must not. */
#ifndef QP_TOOLKIT_CHANGES_H
#define QP_TOOLKIT_CHANGES_H

#include <quadpass/kernel.h>

#include "toolkit/base/tokens.h"

enum qp_disguise {
    QP_DISGUISE_CONDITION, /* a function's body under a condition that is always true */
    QP_DISGUISE_LOOP,      /* a function's body in a loop of one round */
    QP_DISGUISE_PRODUCT,   /* a value times one */
    QP_DISGUISE_FUNCTION,  /* a fetch moved into a function */
    QP_DISGUISE_SWAP,      /* the operands of + swapped */
    QP_DISGUISE_NAMES,     /* functions and variables called otherwise */
    QP_DISGUISES
};

struct qp_changes;

/* Ways to change a text at a token. */
struct qp_change_ways {
    const char *avoids; /* texts with a word that begins so are not changed; NULL: all are */
    bool by_place; /* all ways at one token, then at the next, in macros too; else way by way */
    int count;
    struct {
        const char *words; /* "with the operands of + swapped" */
        /* Writes the text up to a change at token i and the change; false where there is none. */
        bool (*write)(struct qp_changes *changes, int i);
    } of[QP_DISGUISES];
};

/* enum qp_disguise, each of which changes one place, or all names; and mutants: nothing in place of
 * a call that fetches, then each of the four neighbours (mutants.c). Where what looks like a call
 * is none, a mutant may not compile. */
extern const struct qp_change_ways qp_disguises, qp_mutants;

/* A body or a fragment shader and its changes, one after the other. */
struct qp_changes {
    const struct qp_change_ways *ways;
    /* Description of a body: the types of its inputs; NULL: a whole shader. */
    const struct qp_kernel_desc *desc;
    const char *text; /* the text of `tokens` */
    const struct qp_tokens *tokens;
    char *other; /* the changed text, in the same lines */
    size_t room, used;
    const char *from; /* text that comes next while it is written */
    int number, kind; /* number of the change; its way */
    int at;           /* the token that is changed first */
};

/* Begins before the first change; `ways` NULL: there is none. The description must live as
 * long. Errors: QP_NO_MEMORY, after which *out is all zero. Owner: the caller, by
 * qp_changes_close. */
enum qp_status qp_changes_open(const char *text, const struct qp_kernel_desc *desc,
                               const struct qp_change_ways *ways, struct qp_changes *out);
void qp_changes_close(struct qp_changes *changes);

/* Writes the rest of the text, closes, and returns the text, which the caller frees. */
char *qp_changes_take(struct qp_changes *changes);

/* Likewise its tokens, as of qp_tokens_read. */
const struct qp_tokens *qp_changes_read(struct qp_changes *changes);

/* Writes the next changed text. False after the last. */
bool qp_changes_next(struct qp_changes *changes);

/* The line of the text that is changed. */
static inline int qp_change_line(const struct qp_changes *changes)
{
    return changes->tokens->of[changes->at].line;
}

/* ---- Writing ---- */

/* Writes the text up to here, from where it was left. */
void qp_changes_copy(struct qp_changes *changes, const char *until);

__attribute__((format(printf, 2, 3))) void qp_changes_add(struct qp_changes *changes,
                                                          const char *format, ...);

#endif
