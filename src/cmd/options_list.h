/* SPDX-License-Identifier: MIT */
/* The options of all commands, which commands each belongs to, and examples: one table. */
#ifndef QP_CMD_OPTIONS_LIST_H
#define QP_CMD_OPTIONS_LIST_H

/* Keys below 256 are letters that do for the name. */
enum {
    KEY_SIZE = 256,
    KEY_GRID,
    KEY_VARIANT,
    KEY_PROBLEM,
    KEY_ITERATIONS,
    KEY_REPEATS,
    KEY_SEED,
    KEY_DEVICE,
    KEY_PINGPONG,
    KEY_TARGET,
    KEY_GROUP,
    KEY_BLOCK,
    KEY_PARTS,
    KEY_DEPTH,
    KEY_SPLIT,
    KEY_SLOW,
    KEY_ALPHA,
    KEY_REQUIRE,
    KEY_JSON,
    KEY_CSV,
    KEY_JUNIT,
    KEY_TAP,
    KEY_MARKDOWN,
    KEY_KINDS,
    KEY_LONG,
    KEY_PAPER,
    KEY_BUDGET,
    KEY_STALL,
    KEY_WEIGHT,
    KEY_CONDITION,
    KEY_PARAMETER,
    KEY_TOLERANCE,
    KEY_MAX_ITERATIONS,
    KEY_REFINE,
    KEY_START,
    KEY_METHOD,
    KEY_DOUBLE,
    KEY_RHS,
    KEY_CHECKPOINT,
    KEY_EVERY,
    KEY_RESUME,
    KEY_PICTURE,
    KEY_TEXT,
    KEY_WRITE,
    KEY_INPUT,
    KEY_SET,
    KEY_OUTSIDE,
    KEY_STEPS,
    KEY_FRAMES,
    KEY_REDUCE,
    KEY_WATCH,
    KEY_CHECK,
    KEY_USAGE
};

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
    IN_HELP = 1 << 12, /* what every command has: --help and its like */
    IN_ALL = ~0
};

/* An option's help for one set of commands; others may have another text, in a row of their own. */
struct option_row {
    const char *name;  /* "size"; NULL: the letter alone */
    int key;           /* 0 ends the table */
    const char *value; /* what it takes, NULL for nothing */
    const char *text;  /* a colon at its end: --help goes on with the kinds of problem */
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

/* Its name, without dashes. */
const char *option_name(int key);

/* All commands that an option belongs to. */
int option_belongs(int key);

#endif
