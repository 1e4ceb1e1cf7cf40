/* SPDX-License-Identifier: MIT */
/* A random kernel with what it is run over, as files that `quadpass run` takes; what it gives, by
 * the interpreter; and what others may give. */
#ifndef QP_TESTS_RANDOM_CASE_H
#define QP_TESTS_RANDOM_CASE_H

#include "support/support.h"

#include "support/random_kernel.h"

enum { RANDOM_CELLS = 40 * 30, RANDOM_PATH = 256 };

struct random_case {
    const struct random_frame *frame;
    uint64_t seed; /* seed of its frame */
    int number;    /* in the frame */
    unsigned kinds;
    char text[RANDOM_LETTERS];
    int steps, width, height;                     /* steps and size of the states */
    int wide[RANDOM_ARRAYS], high[RANDOM_ARRAYS]; /* size of each array */
    bool file[RANDOM_ARRAYS];                     /* false: an expression gives its values */
    double start[RANDOM_ARRAYS][RANDOM_CELLS];    /* rows from the bottom */
    double wanted[RANDOM_ARRAYS][RANDOM_CELLS], error[RANDOM_ARRAYS][RANDOM_CELLS];
};

/* Draws kernel `number` of a frame. */
void random_case_draw(const struct random_frame *frame, int number, uint64_t *seed,
                      struct random_case *out);

/* Writes k.frag and the files that it names into a folder, which is made. */
void random_case_write(const struct random_case *of, const char *folder_of);

/* Computes what it gives; fails the test where the interpreter cannot. */
void random_case_interpret(struct random_case *of);

/* ---- Judging (random_judge.c) ---- */

/* An answer of one way of computing. */
struct random_answer {
    const char *by;
    bool generated; /* by a program */
    bool tiles;     /* in tiles, which need a kernel's reach */
    int crash;      /* signal that ended it */
    bool refused;
    char sentence[1024]; /* if it was refused */
    double cells[RANDOM_ARRAYS][RANDOM_CELLS];
};

/* Counts of all answers so far. */
struct random_count {
    int answers, refused, differ;
    long unsettled; /* values that differ, and are left to compilers */
    long cells, exact, doubtful;
};

/* Compares an answer's states; says on standard error what differs, and of the first of a kind the
 * kernel's text. A refusal must be one that a kind of the kernel explains. */
void random_judge(const struct random_case *of, const struct random_answer *answer, int states,
                  struct random_count *count);

/* Names of kinds, for sentences. */
const char *random_kind_names(unsigned kinds);

#endif
