/* SPDX-License-Identifier: MIT */
/* An interpreter of kernels in the short form, word by word, for tests of programs that are
 * generated. It shares no code with what writes them. Every operation is computed in double, and
 * rounded where its type is float. With each value goes how far a program may be off: 0 after
 * operations that have the same bits everywhere; more after the other functions; and INFINITY, in
 * doubt, where such a value decides a condition. */
#ifndef QP_TESTS_INTERPRETER_H
#define QP_TESTS_INTERPRETER_H

#include <stdbool.h>

#include <quadpass/array.h>
#include <quadpass/kernel.h>

/* An array: the states first. */
struct interpreter_array {
    const char *name;
    enum qp_outside outside;
    double value;      /* with QP_OUTSIDE_VALUE; of integers the nearest one counts */
    double *cells;     /* row by row; of a state what the last step gave */
    double *error;     /* error of a state: how far a program may be off */
    int width, height; /* size of an array that is no state; 0: the grid's */
};

struct interpreter_number {
    const char *name;
    /* Values: 1; 2, 3, 4: a vector; more: an array; doubles with arrays of doubles, else floats. */
    int values;
    const double *value;
};

struct interpreter_grid {
    enum qp_array_type type; /* type of all arrays: float, double, int or uint */
    int width, height, states, arrays, numbers;
    struct interpreter_array array[QP_KERNEL_INPUTS];
    struct interpreter_number number[QP_KERNEL_NUMBERS];
};

/* Runs `steps` steps. Returns NULL, or why it cannot, with a line of the text: words that the
 * interpreter does not know, or that the text may not have. */
const char *interpreter_run(const char *text, struct interpreter_grid *grid, int steps);

#endif
