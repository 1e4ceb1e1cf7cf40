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

/* The 1 of disguises: a uniform of OpenGL's own, whose value no compiler knows. Passes never set another depth range. */
#define QP_DISGUISE_ONE "gl_DepthRange.far"

/* A body or a fragment shader and its disguises, one after the other. */
struct qp_disguises {
    const struct qp_kernel_desc
        *desc; /* of a body: the types of its inputs; NULL: a whole shader */
    const char *text;
    struct qp_tokens tokens;
    char *other; /* the disguise, in the same lines */
    size_t room, used;
    const char *from; /* what of the text comes next while it is written */
    int kind, at;     /* enum qp_disguise, and the token that is changed first */
};

/* Begins before the first disguise. Text and description must live as long. Errors: QP_NO_MEMORY, after which *out is all zero.
 * Owner: the caller, by qp_disguises_close. */
enum qp_status qp_disguises_open(const char *text, const struct qp_kernel_desc *desc,
                                 struct qp_disguises *out);
void qp_disguises_close(struct qp_disguises *disguises);

/* Writes the next disguise, which outside of macros changes one place, or all names. False after the last, and for a text that
 * has words of disguises itself. */
bool qp_disguises_next(struct qp_disguises *disguises);

/* In words: "with the operands of + swapped". */
const char *qp_disguise_words(int kind);

/* The line of the text that is changed. */
static inline int qp_disguise_line(const struct qp_disguises *disguises)
{
    return disguises->tokens.of[disguises->at].line;
}

#endif
