/* SPDX-License-Identifier: MIT */
/* Kernels in the short form that nobody wrote: drawn from a seed, the same from the same one. They
 * compute real numbers that stay small, without NaN, and integers that may wrap; but for kinds of
 * texts that are odd, which a frame names. */
#ifndef QP_TESTS_RANDOM_KERNEL_H
#define QP_TESTS_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <quadpass/array.h>

enum { RANDOM_ARRAYS = 5, RANDOM_NUMBERS = 3, RANDOM_LENGTH = 5, RANDOM_LETTERS = 1 << 14 };

/* Odd kinds of texts and values, as bits. */
enum random_kind {
    RANDOM_SIZES = 1 << 0,       /* arrays of another size than the states */
    RANDOM_DIGITS = 1 << 1,      /* numbers of 17 digits */
    RANDOM_OUTSIDES = 1 << 2,    /* an outside that the type rounds or does not hold; -0.0 */
    RANDOM_VALUES = 1 << 3,      /* values of arrays that need all bits of their type */
    RANDOM_BRACKETS = 1 << 4,    /* (a) = 1.0 */
    RANDOM_MOVED = 1 << 5,       /* offsets that are assigned or counted */
    RANDOM_EFFECTS = 1 << 6,     /* an assignment or a count inside an expression */
    RANDOM_UNORDERED = 1 << 7,   /* several, on one variable */
    RANDOM_ALIASED = 1 << 8,     /* a variable handed out twice in a call */
    RANDOM_HANDED = 1 << 9,      /* components of a vector handed out */
    RANDOM_INFINITE = 1 << 10,   /* infinities, and what is no number */
    RANDOM_SMALL = 1 << 11,      /* numbers at the lower end of their type */
    RANDOM_NAMES = 1 << 12,      /* names that C has */
    RANDOM_MACROS = 1 << 13,     /* names that generated programs have */
    RANDOM_REMAINDERS = 1 << 14, /* divisions of integers of any sign, zero too */
    RANDOM_LITERALS = 1 << 15,   /* literals of a double kernel without a suffix */
    RANDOM_LOOPS = 1 << 16,      /* loops of more than 65535 rounds */
    RANDOM_WRITES = 1 << 17,     /* assignments to cells, which no kernel may have */
    RANDOM_UNSIGNED = 1 << 18,   /* unsigned integers */
    RANDOM_KINDS = 19
};

/* All that a kernel file says but its functions. */
struct random_frame {
    enum qp_array_type type; /* float, double, int or uint */
    unsigned kinds;
    int states, arrays, numbers, reach;
    struct {
        char name[8];
        enum qp_outside outside;
        double value;
    } array[RANDOM_ARRAYS]; /* the states first */
    struct {
        char name[8];
        int values;
        double value[RANDOM_LENGTH];
    } number[RANDOM_NUMBERS];
    bool exact; /* it calls only functions whose bits are the same everywhere */
    bool wide;  /* it has vectors, parameters that are handed out, and functions of one name */
};

/* From 0 to n - 1. */
int random_draw(uint64_t *seed, int n);

/* A kind's name, by the number of its bit. */
const char *random_kind_name(int bit);

/* A frame of any of these odd kinds, or of none. */
void random_frame_draw(uint64_t *seed, unsigned kinds, struct random_frame *out);

/* Writes a kernel in a frame: its lines `state`, `outside` and `set`, and its functions. It reads
 * every array, and at least one at the frame's reach. Functions that it defines have `number` in
 * their names. Returns the frame's kinds that the functions have. */
unsigned random_kernel_draw(const struct random_frame *frame, int number, uint64_t *seed,
                            FILE *out);

#endif
