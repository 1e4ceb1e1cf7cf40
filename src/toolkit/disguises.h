/* SPDX-License-Identifier: MIT */
/* Disguises of shaders, the twins of mutants: other texts that must give the same numbers. */
#ifndef QP_TOOLKIT_DISGUISES_H
#define QP_TOOLKIT_DISGUISES_H

#include <quadpass/kernel.h>

#include "toolkit/tokens.h"

enum qp_disguise {
    QP_DISGUISE_CONDITION, /* a function's body under a condition that is always true */
    QP_DISGUISE_LOOP,      /* a function's body in a loop of one round */
    QP_DISGUISE_PRODUCT,   /* a value times one */
    QP_DISGUISE_FUNCTION,  /* a fetch moved into a function */
    QP_DISGUISE_SWAP,      /* the operands of + swapped */
    QP_DISGUISE_NAMES,     /* functions and variables called otherwise */
    QP_DISGUISES
};

/* What is 1 in disguises and no driver knows: a number that a body's description gets, or what `line` defines. */
#define QP_DISGUISE_ONE "disguise_one"

/* A body or a fragment shader and its disguises, one after the other. */
struct qp_disguises {
    const struct qp_kernel_desc
        *desc;                     /* of a body: the types of its inputs; NULL: a whole shader */
    const char *text, *line, *top; /* `line` comes in front of what is at `top` */
    struct qp_tokens tokens;
    char *other; /* the disguise; its lines are the text's, but for `line` */
    size_t room, used;
    const char *from; /* what of the text comes next while it is written */
    int kind, at;     /* enum qp_disguise, and the token that is changed first */
};

/* Begins before the first disguise of a body, or with a line of a whole shader, such as "uniform float disguise_one;".
 * All must live as long. Errors: QP_NO_MEMORY, after which *out is all zero. Owner: the caller, by qp_disguises_close. */
enum qp_status qp_disguises_open(const char *text, const struct qp_kernel_desc *desc,
                                 const char *line, struct qp_disguises *out);
void qp_disguises_close(struct qp_disguises *disguises);

/* Writes the next disguise, which outside of macros changes one place, or all names. False after the last, and for a text that
 * has words of disguises itself. */
bool qp_disguises_next(struct qp_disguises *disguises);

/* In words: "the operands of + are swapped". */
const char *qp_disguise_words(int kind);

/* The line of the text that is changed. */
static inline int qp_disguise_line(const struct qp_disguises *disguises)
{
    return disguises->tokens.of[disguises->at].line;
}

#endif
