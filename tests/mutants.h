/* SPDX-License-Identifier: MIT */
/* Shaders sabotaged one place at a time: a live copy of all of them, and what finds the places. */
#ifndef QP_TESTS_MUTANTS_H
#define QP_TESTS_MUTANTS_H

#include "support.h"

enum { MOST_TEXT = 8192 };

/* A shader of a row, to be sabotaged. */
struct victim {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
    const char *name;
    char text[MOST_TEXT];
};

/* Copies all shaders to a folder of this process that they are read live from; and the end of it. */
void mutants_begin(void);
int mutants_end(void);

/* The text as it was built in, which is never sabotaged. Comments become blanks, so that nothing in
 * them is found or counted. */
void mutants_read(const char *name, char text[MOST_TEXT]);
void mutants_write(const char *name, const char *text);

/* Writes the victim's shader with what stands from `begin` to `end` replaced. */
void mutants_strike(const struct victim *victim, const char *begin, const char *end,
                    const char *instead);

struct qp_result mutants_walk(const struct victim *victim, int steps);

/* Behind the closing bracket of the call that begins here. */
const char *mutants_end_of_call(const char *at);

#endif
