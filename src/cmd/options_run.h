/* SPDX-License-Identifier: MIT */
/* The options of `quadpass run` alone. */
#ifndef QP_CMD_OPTIONS_RUN_H
#define QP_CMD_OPTIONS_RUN_H

#include "cmd/cmd.h"
#include "cmd/output/outputs.h"

enum { MOST_NUMBERS_OF_ONE = 64 }; /* that --set takes under one name */

/* An option of another command is left alone. */
void options_take_run(const char *name, const char *value, struct options *o);

/* Refuses names that are given twice, and options that need others. */
void options_check_run(struct options *o);

/* Adds the files that run reads, which no output may be. */
void options_add_run_inputs(const struct options *o, struct outputs *outputs);

/* What stands behind the name in NAME=VALUE. */
const char *options_value_of(const char *pair);

/* The kinds of arrays that are made, in the order of inputs.c; and whether a value of --input is one: its number, or
 * -1 for a file. */
enum made { MADE_ZEROS, MADE_ONES, MADE_RANDOM, MADE_GRADIENT, MADE_IMPULSE, MADE_KINDS };
int options_made(const char *value);

/* Numbers with commas between them; returns how many, 0 for a text that is none or holds more than `most`. */
int options_numbers(const char *text, double *values, int most);

/* Such as "sum". */
const char *options_reduction(enum reduction reduction);

#endif
