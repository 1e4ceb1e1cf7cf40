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

enum { QP_CHANGE_WAYS = 13 /* at most */ };

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
        unsigned kind; /* enum qp_mutant */
    } of[QP_CHANGE_WAYS];
};

/* enum qp_disguise, each of which changes one place, or all names; and enum qp_mutant (spoil.h,
 * mutants.c), whose words are those of GLSL, C or CUDA alike: a text without a body's description
 * and calls of GLSL has no reads. Mutants leave out functions that nothing calls, and whatever may
 * keep a loop from ending. Where what looks like a call or an operand is none, a mutant may not
 * compile. */
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
    int begin, end;   /* first and last token of what a sentence says of it */
    unsigned kinds;   /* bits of the kinds that are wanted; 0: all */
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

/* Cuts two texts out of the changed one, after that was used: what was there before the change, and
 * what is there now. Both live as long as the changes, up to the next. */
void qp_changes_cut(struct qp_changes *changes, const char **was, const char **is);

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
