/* SPDX-License-Identifier: MIT */
/* The options of all commands, which commands each belongs to, and examples: one table. */
#ifndef QP_CMD_OPTIONS_LIST_H
#define QP_CMD_OPTIONS_LIST_H

#include <stdbool.h>

/* Commands, as a set. */
enum {
    IN_LIST = 1 << 0,
    IN_INFO = 1 << 1,
    IN_CHECK = 1 << 2,
    IN_BENCH = 1 << 3,
    IN_ACCURACY = 1 << 4,
    IN_WALK = 1 << 5,
    IN_SOLVE = 1 << 6,
    IN_INVERT = 1 << 7,
    IN_DEMO = 1 << 8,
    IN_SHADERS = 1 << 9,
    IN_MODEL = 1 << 10,
    IN_RUN = 1 << 11,
    IN_GENERATE = 1 << 13,
    IN_TUNE = 1 << 14,
    IN_DRAW = 1 << 15,
    IN_HELP = 1 << 12, /* every command has them: --help and its like */
    IN_ALL = ~0
};

/* An option's help for one set of commands; others may have another text, in a row of their own. */
struct option_row {
    const char *name;  /* "size", which says what it is; NULL: the letter alone */
    char letter;       /* short form of the name; 0: none */
    const char *value; /* name of what it takes, NULL for nothing */
    const char *text;  /* NULL ends the table; --help adds the kinds of problem after a colon */
    int commands;
};

extern const struct option_row option_rows[];

/* The table of commands, which ends with a NULL name. */
struct option_command {
    const char *name;
    int set;
    const char *examples; /* lines for its help */
};

extern const struct option_command option_commands[];

/* A command's line; one without any options but help if the table lacks it. */
const struct option_command *option_command(const char *name);

/* True for rows of one option; and all commands that a row's option belongs to. */
bool option_is_same(const struct option_row *a, const struct option_row *b);
int option_belongs(const struct option_row *option);

#endif
