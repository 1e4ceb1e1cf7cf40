/* SPDX-License-Identifier: MIT */
/* The options of all commands in one table: which commands each belongs to, its help, and how its
 * value is taken; and what reads command lines by it. */
#ifndef QP_CMD_OPTIONS_H
#define QP_CMD_OPTIONS_H

#include "tools/cmd/cmd.h"

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
    IN_REPORT = 1 << 16,
    IN_HELP = 1 << 12, /* every command has them: --help and its like */
    IN_ALL = ~0
};

/* An option on a command line, as the function that takes it gets it. */
struct option_given {
    const struct option_row *row; /* tells how it is taken */
    const char *name;             /* for sentences: "--size" */
    const char *value;            /* NULL for an option without */
    bool all;                     /* the value is "all", and the option has that */
    void *place;                  /* member for the value */
    struct options *options;
};

typedef void option_taker(const struct option_given *given);

/* An option's help for one set of commands; others may have another text, in a row of their own. */
struct option_row {
    const char *name;  /* "size", which says what it is; NULL: the letter alone */
    char letter;       /* short form of the name; 0: none */
    const char *value; /* name of what it takes, NULL for nothing */
    const char *text;  /* NULL ends the table; --help adds the kinds of problem after a colon */
    int commands;
    /* NULL: this and all below are as in the nearest row above of this name; --help has none. */
    option_taker *take;
    size_t place;               /* the member of struct options that the value becomes */
    const char *const *choices; /* names that the value may be */
    int count;                  /* number of these names */
    size_t all;                 /* member that is true where the value is "all"; 0: it has none */
    bool style;                 /* the tuner's choice gives way to it */
};

extern const struct option_row option_rows[];

/* Takers that store a value as it is: true, text (one of the choices, if there are any), the name
 * of an output, a whole number of at least 1, a count whose 0 is none, a positive number, the place
 * among the choices. */
option_taker take_flag, take_text, take_output, take_whole, take_count, take_number, take_choice;

/* Takers of one option each, or of a few alike. */
option_taker take_size, take_grid, take_group, take_problem, take_parameter, take_seed,
    take_condition, take_tolerance, take_device, take_require, take_paper, take_papers, take_from,
    take_seconds, take_head, take_check, take_blend, take_reduce, take_backends;

/* Takes QUADPASS_REQUIRE as --require is taken. */
void options_take_environment(struct options *o);

/* True for rows of one option; and all commands that a row's option belongs to. */
bool option_is_same(const struct option_row *a, const struct option_row *b);
int option_belongs(const struct option_row *option);

/* Says what is wrong with the command line, the first time. Callers go on, for reading ends then:
 * nothing but options_read leaves the program. */
__attribute__((format(printf, 2, 3))) void options_refuse(struct options *o, const char *format,
                                                          ...);

/* The place of a text among these names; 0 once it is refused. */
int options_one_of(const char *text, const char *const names[], int count, const char *option,
                   struct options *o);

/* Refuses what options must not be together, files among them (options_check.c). */
void options_check(struct options *o);

#endif
