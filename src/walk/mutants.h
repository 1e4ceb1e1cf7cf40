/* SPDX-License-Identifier: MIT */
/* Shaders spoiled one fetch at a time, as texts. */
#ifndef QP_WALK_MUTANTS_H
#define QP_WALK_MUTANTS_H

#include <quadpass/spoil.h>

#include "toolkit/tokens.h"

struct qp_fetch_word;

/* A shader's text and its mutants, one after the other. */
struct qp_mutants {
    bool
        is_body; /* NAME_at and NAME_cell are spoiled; else texture2DRect, texture and texelFetch */
    struct qp_tokens tokens;
    char *text, *other; /* the whole one, and the mutant */
    char *was, *is;     /* its call, before and after */
    size_t room;        /* of each of them */
    const struct qp_fetch_word *word;
    int call, way; /* the token of that word */
};

/* Begins before the first mutant of a text, which is copied. Errors: QP_NO_MEMORY, after which *out is all zero. Owner: the
 * caller, by qp_mutants_close. */
enum qp_status qp_mutants_open(const char *text, bool is_body, struct qp_mutants *out);
void qp_mutants_close(struct qp_mutants *mutants);

/* Writes the next mutant: nothing in place of a call, then each of the four neighbours. It may not compile, where what looks
 * like a call is none. False behind the last. */
bool qp_mutants_next(struct qp_mutants *mutants);

/* Counts the mutant, says so to `desc`, and keeps the sentence about the first that nothing noticed. */
void qp_mutants_count(const struct qp_mutants *mutants, const char *shader, bool noticed,
                      const char *reason, const struct qp_spoil_desc *desc,
                      struct qp_spoil_result *out);

/* Walks all mutants of a row by this function, and counts those that it fails (spoil.c). Errors: the function's;
 * QP_NO_MEMORY. */
struct qp_result;
typedef enum qp_status qp_spoil_walk(void *user, const struct qp_variant *variant,
                                     struct qp_result *out);
enum qp_status qp_spoil_by(const struct qp_variant *variant, qp_spoil_walk *walk, void *user,
                           const struct qp_spoil_desc *desc, struct qp_spoil_result *out);

#endif
