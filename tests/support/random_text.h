/* SPDX-License-Identifier: MIT */
/* Texts of random kernels: expressions, with the names that can be seen where they are. */
#ifndef QP_TESTS_RANDOM_TEXT_H
#define QP_TESTS_RANDOM_TEXT_H

#include <stdio.h>

#include "support/random_kernel.h"

enum { MOST_SEEN = 16 };

/* A text under way, and the names that can be seen where it is. */
struct writer {
    const struct random_frame *frame;
    uint64_t *seed;
    FILE *out;
    int number, names, helpers, loops, margin;
    bool in_kernel, all_read, moves; /* moves: a function that assigns an offset is there */
    int locals, local[MOST_SEEN];    /* a0, a1 ... */
    int fixed;                       /* the first of them, which nothing assigns */
    int vectors, vector[MOST_SEEN];
    int offsets; /* floats that are whole numbers: text, and how far from 0 they are */
    struct {
        char text[24];
        int far;
    } offset[MOST_SEEN];
    unsigned arrays_read, numbers_read, used; /* used: odd kinds */
};

static inline int draw(struct writer *w, int n)
{
    return random_draw(w->seed, n);
}

static inline bool is_double(const struct writer *w)
{
    return w->frame->type == QP_ARRAY_DOUBLE;
}

static inline bool is_unsigned(const struct writer *w)
{
    return w->frame->type == QP_ARRAY_UINT;
}

static inline bool is_whole(const struct writer *w)
{
    return w->frame->type == QP_ARRAY_INT || is_unsigned(w);
}

/* The type's name. */
const char *random_type(const struct writer *w);

/* A number of cells that is at most so far from 0, as a float. */
void random_put_offset(struct writer *w, int most);

/* Puts one of the head's numbers. */
void random_put_number(struct writer *w, int k);

/* An expression of the arrays' type; operators are at most so deep. */
void random_put_value(struct writer *w, int depth);

void random_put_condition(struct writer *w, int depth);

/* A form such as "max(@, #)": its signs @ become expressions, # literals, ? conditions, ! the sign
 * ?, and ~ the letters of a double. */
void random_put_form(struct writer *w, const char *form, int depth);

/* Functions that odd statements call, and an odd statement of one of the frame's kinds, which
 * assigns one of the variables; nothing without such a kind (random_odd.c). */
void random_put_odd_functions(struct writer *w);
void random_put_odd(struct writer *w);

/* Name of an own function. */
void random_put_own_name(struct writer *w, int k);

/* A form whose signs $ become i, and # j. */
void random_put_named(struct writer *w, const char *form, int i, int j);

#endif
