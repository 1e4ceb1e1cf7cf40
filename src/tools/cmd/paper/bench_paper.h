/* SPDX-License-Identifier: MIT */
/* `bench --paper N`: a paper's tables again, its figures beside ours. A table is lines, each a
 * grid, by columns, each a variant; every cell of ours is a checked record. */
#ifndef QP_CMD_PAPER_BENCH_PAPER_H
#define QP_CMD_PAPER_BENCH_PAPER_H

#include "tools/cmd/cmd.h"

enum {
    MOST_PAPER_LINES = 48,
    MOST_PAPER_VARIANTS = 64,
    PAPER_STEPS = 1000,
    PAPER_USUAL_STEPS = -1 /* as many as a benchmark without --paper takes */
};

/* A grid, and the variants that are measured on it: those from `first` to before `end`. */
struct paper_line {
    int width, height;  /* cells of all systems together */
    char problem[24];   /* its kind, as cmd_problem takes it */
    int parameter;      /* access's; negative: none */
    int block;          /* for variants that take one, as --block; 0: as always */
    int steps, repeats; /* for its runs, unless the user says so; 0: the bench's */
    int tag;            /* the paper's own word for it; 0: none */
    int first, end;
    int record;    /* number of its first variant's; the others' follow */
    bool left_out; /* for want of time */
};

struct paper_bench {
    const struct options *options;
    struct command *command; /* has the records, line by line, and the context */
    FILE *out;               /* where tables are printed */
    struct paper_line line[MOST_PAPER_LINES];
    int lines;   /* measured or left out; at first those that are to be */
    int planned; /* all of them */
    const struct qp_variant *variant[MOST_PAPER_VARIANTS];
    int variants;
    enum qp_status plan; /* QP_UNSUPPORTED: there is no room for all of it */
    /* Steps of each run, or PAPER_USUAL_STEPS; 0: as many as the minutes allow, at most
     * PAPER_STEPS. With steps and minutes as many lines of the same variants run as there is time
     * for, which grows with the cube of the width. */
    int steps;
    double minutes;   /* to be kept to; 0: all lines run, however long they take */
    int repeats;      /* timed runs; the median counts */
    int cuda_ordinal; /* the device's; negative: the first */
    enum qp_status (*after)(struct paper_bench *bench); /* measures more; NULL: nothing */
    int failed;                       /* measurements of `after` that failed by themselves */
    struct records_given given;       /* in place of runs; none: variants run */
    int given_threads, given_devices; /* where those ran: of CUDA two at most */
    const char *links; /* figures in Markdown lead to #LINKS and their record's number; NULL: not */
    int *taken;        /* number among the given ones of each record of the command */
    void *own;         /* the paper's, of one block; freed at the end */
};

/* Papers that are not described alone: what is to be measured, and the printing of it. */
enum qp_status paper2_print(const struct paper_bench *bench);
enum qp_status paper3_print(const struct paper_bench *bench);
void paper5_plan(struct paper_bench *bench);
enum qp_status paper5_print(const struct paper_bench *bench);

/* ---- Records in place of runs ---- */

/* Reads the files of --from. Errors: QP_BAD_INPUT, QP_NO_MEMORY. */
enum qp_status paper_read_given(struct paper_bench *bench);

/* Notes where the given records ran. */
void paper_look_at_given(struct paper_bench *bench);

/* Finds the records of all lines; one that has none is left out. Errors: no line has any, and
 * QP_NO_MEMORY. */
enum qp_status paper_take_given(struct paper_bench *bench);

/* Widest grid of at most this width that a variant from `first` on was given on; `most` if none
 * was: --size of a run made the grids smaller. */
int paper_given_width(const struct paper_bench *bench, const char *problem, int first, int most);

/* Prints a paper's tables of these records in Markdown, with links (paper_bench.links). Errors: no
 * record is of the paper, and QP_NO_MEMORY. */
enum qp_status paper_print_given(const struct options *options, int paper,
                                 const struct records_given *given, const char *links, FILE *out);

/* The link of a record of ours; below 0: it has none. */
int paper_link(const struct paper_bench *bench, const struct qp_record *record);

/* ---- For all of them ---- */

/* Notes that the plan has no room for more than so many of these, such as "variants". */
void paper_refuse(struct paper_bench *bench, int most, const char *what);

/* Nothing is added if no variant has this name; its cells are dashes then. */
void paper_add_variant(struct paper_bench *bench, const char *name);

/* The lesser side of --size where it is below `usual`, else this. */
int paper_side(const struct paper_bench *bench, int usual);

/* Adds a grid that has a problem, a size and a first variant, as a line of all variants from that
 * one on that were added so far; nothing if there are no such variants, or --size is smaller. */
void paper_add_grid(struct paper_bench *bench, const struct paper_line *grid);

/* True if this line was left out, or the run ended before it. */
bool paper_left_out(const struct paper_bench *bench, int line);

/* True for a failure that leaves the device and the others as they were; counts it. */
bool paper_failed_alone(struct paper_bench *bench, enum qp_status status);

/* The first line of that tag; -1 if there is none. */
int paper_tagged(const struct paper_bench *bench, int tag);

/* NULL without a line or a name, if the variant does not exist or does not belong to the line, or
 * the line was not measured. */
const struct qp_record *paper_record(const struct paper_bench *bench, int line, const char *name);

/* GLUP/s of such a record; NaN for NULL. */
double paper_rate(const struct qp_record *record);

/* Seconds that GNU Octave, in MATLAB's place, takes by its own clock for A \ b of so many unknowns
 * in single precision; NaN where it is not installed, or needs more than a minute. */
double octave_solve(int unknowns);

#endif
