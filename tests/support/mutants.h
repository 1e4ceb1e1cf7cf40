/* SPDX-License-Identifier: MIT */
/* Shaders sabotaged one place at a time: a live copy of all of them, and what finds the places. */
#ifndef QP_TESTS_MUTANTS_H
#define QP_TESTS_MUTANTS_H

#include "support/support.h"

enum { MOST_TEXT = 12288 };

/* A shader of a variant, to be sabotaged. */
struct victim {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
    struct qp_result (*walk)(struct victim *victim); /* how it is judged; NULL: by one step */
    const char *name;
    char text[MOST_TEXT];
};

/* Group set-up and tear-down: *state as support_open_context leaves it, and a folder of this
 * process with copies of all shaders, which they are read live from. For mutants llvmpipe leaves
 * its optimiser out, which is half of the time to compile one. */
int mutants_copy_shaders(void **state);
int mutants_set_up(void **state);
int mutants_tear_down(void **state);

/* The text as it was built in, which is never sabotaged. Comments become blanks, so that nothing in
 * them is found or counted. */
void mutants_read(const char *name, char text[MOST_TEXT]);
void mutants_write(const char *name, const char *text);

/* Writes the victim's shader with its text from `begin` to `end` replaced. */
void mutants_strike(const struct victim *victim, const char *begin, const char *end,
                    const char *instead);

struct qp_result mutants_walk(const struct victim *victim, int steps);

/* How many mutants there were, and those that nothing noticed, since the test set both to 0. */
extern struct mutants_tally {
    int made, survived;
} mutants_tally;

/* Counts one more mutant; true if it is to run: of each test's mutants two do and then one in six,
 * with LONG=1 all. */
bool mutants_chosen(void);

/* Runs a mutant if it is chosen, whose text from `begin` to `end` is replaced: the walk must fail,
 * and not for a mutant that does not even compile, which proves nothing. */
void mutants_sabotage(struct victim *victim, const char *begin, const char *end,
                      const char *instead);

/* The same with the first such words; false if there are none. */
bool mutants_replace(struct victim *victim, const char *old, const char *instead);

/* The same with the call that begins here: nothing in its place, then the texels at `shifts`
 * offsets from there, each with the bracket that closes the call: " + vec2(1.0, 0.0))". */
void mutants_strike_call(struct victim *victim, const char *at, const char *const by[], int shifts);

/* Returns the place after the closing bracket of the call that begins here. */
const char *mutants_end_of_call(const char *at);

#endif
