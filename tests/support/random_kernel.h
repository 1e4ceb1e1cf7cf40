/* SPDX-License-Identifier: MIT */
/* Kernels in the short form that nobody wrote: drawn from a seed, the same from the same one. They
 * compute real numbers that stay small, without NaN, and integers that may wrap. */
#ifndef QP_TESTS_RANDOM_KERNEL_H
#define QP_TESTS_RANDOM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quadpass/array.h>

enum { RANDOM_ARRAYS = 5, RANDOM_NUMBERS = 3, RANDOM_VALUES = 5, RANDOM_LETTERS = 1 << 14 };

/* All that a kernel file says but its functions. */
struct random_frame {
    enum qp_array_type type; /* float, double or int */
    int states, arrays, numbers, reach;
    struct {
        char name[8];
        enum qp_outside outside;
        double value;
    } array[RANDOM_ARRAYS]; /* the states first */
    struct {
        char name[8];
        int values;
        double value[RANDOM_VALUES];
    } number[RANDOM_NUMBERS];
    bool exact; /* it calls only functions whose bits are the same everywhere */
    bool wide;  /* it has vectors, parameters that are handed out, and functions of one name */
};

/* From 0 to n - 1. */
int random_draw(uint64_t *seed, int n);

void random_frame_draw(uint64_t *seed, struct random_frame *out);

/* The text of a kernel in a frame, head included. It reads every array, and at least one at the
 * frame's reach. Functions that it defines have `number` in their names. */
void random_kernel_draw(const struct random_frame *frame, int number, uint64_t *seed,
                        char text[RANDOM_LETTERS]);

#endif
