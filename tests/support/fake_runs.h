/* SPDX-License-Identifier: MIT */
/* Runs that compute nothing, for tests of what the command asks for and prints: functions of the
 * library are answered here (tools/wraps.sh) with numbers that can be checked by hand, and
 * each call prints a line that begins with '>'. */
#ifndef QP_TESTS_FAKE_RUNS_H
#define QP_TESTS_FAKE_RUNS_H

#include "support/support.h"
#include "toolkit/cuda/device.h"
#include "tools/cmd/solve/check_solves.h"

/* Orders for the runs to come; all zero: everything runs and passes, on no device of OpenGL's. */
struct fake_orders {
    const char *failing;  /* variant that is wrong */
    int failing_width;    /* width of problems on which it is wrong; 0: on all */
    const char *absent;   /* part of the names of variants that are skipped */
    const char *refused;  /* operation that has no problem of the size asked for */
    int interrupted;      /* number of the run, from 1, during which Ctrl-C is pressed; 0: none */
    bool unfinished;      /* Ctrl-C comes before any walk of that run is whole */
    bool refuses;         /* the run reports the interrupt as its own failure */
    double slowness;      /* factor of all times; 0: 1 */
    double latency;       /* seconds that each run takes beside its steps */
    double tick;          /* seconds from one look at the clock to the next */
    double lower;         /* seconds of a step a row of the lower of two parts; 0: 3e-6 */
    double sluggish;      /* times as long as it should that part takes where it is slowed; 0: 1 */
    double octave;        /* seconds that Octave takes, for 1000 unknowns; 0: there is none */
    int octave_most;      /* unknowns that it can take */
    int ordinal;          /* number of CUDA's device */
    double occupancy;     /* occupancy of it, by each variant */
    enum qp_status ends;  /* status that each run ends with */
    int ending;           /* number of the only run that ends so, from 1; 0: each run */
    const char *sentence; /* sentence of that status */
    bool opens;           /* there is a device of OpenGL's, "a lamp" */
    struct qp_cuda *card; /* CUDA's device; NULL: there is none */
    int cards;            /* number of devices that it lists, with one; 0: that one */
    /* Answers, whose arrays are handed over. */
    struct qp_tally *tally;   /* tally of the checks */
    struct solved *solved;    /* solves after the checks; NULL: there is no direct solver */
    struct qp_answer *answer; /* answer of qp_solve_system */
    struct qp_dense_solution *solution; /* answer of qp_invert */
};

extern struct fake_orders fake;

/* Makes the record of a variant that shares its grid between two parts that of a model known by
 * hand. */
void fake_split(struct qp_record *record, int height);

/* Factor of a variant's time and error in a style, from 1 to 3: by its name, so that a new variant
 * changes no other's. */
double fake_factor(const char *row, const struct qp_style *style);

/* Gives the record five samples with a spread from 0 to 3 per cent by the variant's name, but noisy
 * ones to one variant in eight. */
void fake_samples(struct qp_record *r);

/* Takes the library's or the command's place; the Makefile looks for lines that begin so. */
#define ANSWER(type, name, ...)      \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

/* Masks versions and machines, and joins lines of progress "1 of 3" and "2 of 3" to "1..2 of 3". */
void fake_shorten(char *text);

/* Runs a command with these words after its name and without orders of an earlier one being left
 * over; returns what it printed on both streams and, in the last line, its exit code. */
const char *fake_command(int (*command)(int argc, char **argv), const char *line);

/* The two, for several commands one after the other: their texts are kept until they are
 * compared. */
void fake_append(int (*command)(int argc, char **argv), const char *line);
void fake_compare_all(const char *name);

/* Like fake_append, but keeps only how the text differs from that of the table `whole`. */
void fake_append_beside(const char *whole, int (*command)(int argc, char **argv), const char *line);

/* Lines of the text after "+" that the table `whole` has not, and of the table after "-" that the
 * text has not: the first and the last of more than two that follow each other. Variants that
 * passed, failed and were skipped are counted from the table's on. */
const char *fake_beside(const char *whole, const char *text);

/* Runs the command again and again, the device being lost in its first run, its second ...: that
 * ends it, with a sentence and its code. Returns how many runs there were that could be lost. */
int fake_endings(int (*command)(int argc, char **argv), const char *line);

/* Fails if commands that `run` gives their orders and runs hold more memory or files after each
 * time. */
void fake_leaves_nothing(void (*run)(void));

/* Fails unless the text is that of tests/cmd/tables/NAME.txt; leaves it in the build folder, to be
 * looked at and copied where it is meant to change. */
void fake_compare(const char *name, const char *text);

#endif
