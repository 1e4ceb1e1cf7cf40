/* SPDX-License-Identifier: MIT */
/* The command quadpass: code that its commands share. No computing happens in this folder. */
#ifndef QP_CMD_CMD_H
#define QP_CMD_CMD_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include <quadpass/quadpass.h>

#include "toolkit/io/winner.h"
#include "tools/cmd/output/records.h"
#include "tools/tune/search.h"

enum exit_code { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NO_DEVICE = 3 };

enum { MOST_WORDS = 64, MOST_VARIANTS = 512, MOST_PARAMETERS = 64, MOST_FROM = 8, PAPERS = 5 };

struct options;
struct command;

/* Function of a command: takes its options, and leaves its exit code in the command. */
typedef enum qp_status command_function(struct options *options, struct command *command);

/* A command, as a row of the table in commands.c. */
struct command_row {
    const char *name;      /* "check"; NULL ends the table */
    command_function *run; /* by command_run */
    int set;               /* its options: IN_CHECK (options.h) */
    /* Sharing is leaving cores to other programs; what only tells needs little memory. */
    enum { COMMAND_TELLS, COMMAND_COMPUTES, COMMAND_SHARES } does;
    bool ranks;          /* runs mpi rows in several processes, so those above 0 have work in it */
    const char *summary; /* a line of the program's help */
    /* "[PATTERN...]" for the help, NULL for none; without dots no more than these. */
    const char *words;
    const char *purpose;                    /* sentences of its own help */
    void (*kinds)(char *text, size_t size); /* lines after its purpose; NULL: none */
    const char *examples;                   /* lines at the end of that help */
    const struct command_row *of_file;      /* its row for a kernel file; NULL: this one */
};

extern const struct command_row command_rows[];

/* The command argv[0] with these words, of a table; NULL: there is none. */
const struct command_row *command_find(const struct command_row *row, int argc, char **argv);

/* Reductions of all values, by --reduce. */
enum reduction {
    REDUCE_NOTHING,
    REDUCE_SUM,
    REDUCE_MEAN,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_NORM1,
    REDUCE_NORM2,
    REDUCE_LARGEST, /* magnitude */
    REDUCTIONS
};

/* Machines of kernel files, as bits of options.backends. */
enum backend { BACKEND_GL, BACKEND_CPU, BACKEND_COMPUTE, BACKEND_CUDA, BACKENDS };

/* All options of all commands; zero means not given. */
struct options {
    const struct command_row *commands, *command; /* the table, and the row of this one */
    int width, height;                            /* --size */
    int grid_width, grid_height;                  /* --grid */
    int shown;                                    /* draw: --width, in pixels; 0: the usual */
    const char *variant;
    const char *problem; /* a kind that some operation has */
    bool all_problems;   /* bench: all kinds, one after the other, instead */
    int iterations;
    int repeats;
    int jobs; /* check: processes; 0: as many as the machine has room for */
    unsigned long long seed;
    bool seed_given, seed_drawn;
    bool fixed;                        /* check: --fixed */
    const struct records_cases *cases; /* check: of a kernel file; NULL: of the table */
    const char *device;
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    int group_x, group_y;            /* --group; 0: the fastest */
    int block;                       /* --block; 0: the usual */
    struct qp_parts_desc parts;      /* --parts, --depth, --split, --slow */
    int parameter;                   /* --parameter; below 0: the usual */
    int parameters[MOST_PARAMETERS]; /* bench: a list of parameters */
    int parameter_count;             /* length of that list; 0: no list */
    bool all_parameters;             /* bench: all parameters of each kind */
    bool all_pingpongs, all_targets, all_groups,
        all_blocks; /* bench: every style, target, group, block */
    bool require_gl, require_cuda, require_blas;
    const char *json, *csv;
    const char *junit, *tap;     /* check: reports for CI */
    bool kinds, wordy;           /* list: --kinds, --long */
    bool markdown;               /* list, bench --paper */
    bool all;                    /* demo: every variant */
    int paper;                   /* bench: whose tables, 1 to PAPERS; 0 for none */
    const char *from[MOST_FROM]; /* bench --paper: files of records */
    int from_count;              /* number of these files; 0: variants run */
    double budget;               /* bench --paper: minutes; tune: seconds */
    bool lines_only;             /* bench --paper: no measurements after its lines */
    const char *papers;          /* report: digits and commas; NULL: all */
    bool quick, measured_only;   /* report */
    int runs;                    /* tune: configurations; 0: all */
    enum qp_strategy strategy;   /* tune */
    const char *simulate;        /* tune: a recorded space */
    bool list;                   /* tune: print the space */
    double stall;                /* under mpirun: seconds without progress; 0: the usual */
    double weight, tolerance, condition;
    int max_iterations;
    bool refine, in_double;
    const char *method, *precondition; /* solve: by name */
    const char *machine;               /* generate, tune: --target */
    bool print;                        /* generate: the kernel file, and no program */
    const char *output, *start, *picture, *rhs;
    const char *checkpoint, *resume;
    double every;                    /* seconds; tiny: always; 0: the usual */
    const char *folder;              /* shaders: where to write them */
    bool text;                       /* shaders, walk: show their texts */
    struct qp_kernel_file_head head; /* a kernel file's: what options say in place of its own */
    int each;                        /* run: --every, in steps; 0: at the end alone */
    const char *frames;              /* run: a folder, or "-" */
    enum reduction reduction;
    unsigned backends; /* a kernel file's; 0: OpenGL's fragments */
    /* Its processes': seconds of a step, and GiB of data; 0: the usual ones. */
    double time_limit, memory_limit;
    bool disguise;     /* check: of a kernel file, other texts that must give the same */
    bool mutants;      /* check: of a kernel file, texts that its reference must fail */
    bool no_tries;     /* check: no other inputs for those that it does not */
    bool prove;        /* info: computes what is known */
    bool precision;    /* info: measures functions of kernels */
    bool untuned;      /* nothing is as the tuner found it */
    bool styled;       /* how variants run is asked for, such as by --pingpong */
    bool no_reference; /* a kernel file's: what its head names is left out */
    bool watch;        /* run: again at each save */
    bool fast;         /* kernel files: without `precise` */
    bool judged;       /* run: --check, by head.check or what the file names */
    const char *words[MOST_WORDS]; /* names, patterns, files */
    int word_count;
    char command_line[1024];       /* as typed, for the records */
    char tuned[QP_WINNER_LETTERS]; /* solve: the variant as the tuner found it; "": it did not */
    bool told;                     /* help or the version was asked for, and printed */
    bool refused;                  /* bad usage; the sentence is out */
    /* Standard output, or standard error where an output takes that; on a terminal it folds
     * lines. */
    FILE *table;
};

/* Set in processes above 0 (tools/cmd/ranks.h): they write no files, and bad usage is not theirs to
 * judge. */
extern bool options_silent;

/* Reads the options of the command argv[0], which there is. Returns -1, or the exit code to leave
 * with when everything has been printed: 2 on bad usage, 0 on --help. Strings point into argv. */
int options_parse(const struct command_row *commands, int argc, char **argv, struct options *out);

/* The same, and leaves. */
void options_read(const struct command_row *commands, int argc, char **argv, struct options *out);

/* A command while it runs. */
struct command {
    struct options *options;
    struct qp_context *context; /* destroyed at the end; NULL: none was opened */
    char why[512];              /* reason of a NULL context (command_open) */
    struct qp_record *records;  /* results so far; they move as there are more */
    int count;                  /* length of that list */
    int verdicts[QP_VERDICTS];  /* number of variants with each verdict */
    int code;                   /* exit code of a command that goes well */
};

/* Reads the options of the command argv[0], which there is, lets it run, destroys its context and
 * records, and prints the sentence of an error; returns the exit code. */
int command_run(int argc, char **argv);

/* Ends a command with this exit code, after any sentence: QP_OK. */
enum qp_status command_end(struct command *command, int code);

/* Opens the command's context if any variant needs one, or if it is asked for. A device asked for
 * by name must be there; without OpenGL otherwise there is none, and `why` says so, for the
 * variants that are skipped then. */
enum qp_status command_open(struct command *command, const struct qp_variant *const variants[],
                            int count);

/* Opens it for a variant that has to run, or for NULL OpenGL's. Errors: QP_NO_DEVICE too, where a
 * variant draws and there is none. */
enum qp_status command_open_for(struct command *command, const struct qp_variant *variant);

/* Function for qp_bench_desc.on_walk, whose user is the name of the work. */
void command_show_walk(void *what, int done, int all);

/* QP_OK in place of the failure of work that an interrupt ended. */
enum qp_status command_unless_interrupted(enum qp_status status);

/* Benchmarks variants, each on its own problem, and adds their records to the command's. An
 * interrupt ends it with QP_OK, and without records where no variant ran. */
enum qp_status command_bench(struct command *command, const struct qp_variant *const variants[],
                             struct qp_problem *const problems[], int count,
                             const struct qp_bench_desc *desc);

/* Adds a record. Errors: QP_NO_MEMORY. */
enum qp_status command_add(struct command *command, const struct qp_record *record);

/* Counts the verdicts of records of several tables, `count` variants in each. A variant counts
 * once: as failed if it failed in any table, as skipped if it ran in none. */
void command_count(struct command *command, const struct qp_record *records, int tables, int count);

/* Writes the command's records as cmd_write_records does; none where an interrupt left none. */
enum qp_status command_write(struct command *command);

/* Ends a command that measured, unless it failed: says how much was done if an interrupt ended it,
 * such as 3 of 8 "variants" (0: nobody knows of how many), prints the counts, and sets the exit
 * code. Returns the status. */
enum qp_status command_finish(struct command *command, enum qp_status status, int done, int all,
                              const char *what);

/* QP_BAD_USE, QP_BAD_INPUT: two outputs are one file, or one is an input: of those that a kernel
 * file's head names too, itself, or what it includes (NULL: there is no kernel file). */
enum qp_status options_check_files(const struct options *options,
                                   const struct qp_kernel_file *file);

/* True for several ways to run a variant, one after the other. */
bool options_compare(const struct options *options);

/* True if -o is a picture of all frames, an animation. */
bool options_animates(const struct options *options);

/* True for a word that ends in .frag, .comp, .cu or .c. */
bool options_is_kernel_file(const char *word);

/* Names as --backend and --reduce take them. */
const char *options_backend(enum backend backend);
const char *options_reduction(enum reduction reduction);

/* True if --device or QUADPASS_DEVICE asks for one by name. */
bool options_names_device(const struct options *options);

/* The commands; cmd_walk_file walks a kernel file. */
command_function cmd_list, cmd_info, cmd_check, cmd_bench, cmd_accuracy, cmd_walk, cmd_walk_file,
    cmd_shaders, cmd_run, cmd_generate, cmd_tune, cmd_solve, cmd_invert, cmd_model, cmd_draw,
    cmd_report, cmd_demo;

/* Lines for the help of `draw`: a kind each. */
void cmd_draw_kinds(char *text, size_t size);

/* bench --paper, and bench FILE.frag */
enum qp_status cmd_bench_paper(struct command *command);
enum qp_status cmd_bench_file(struct command *command);

/* `accuracy` of variants that step towards the solution of Poisson's equation: prints how near each
 * variant gets to the exact discrete solution, what a fixed number of steps loses, and how many
 * steps and seconds each method takes to 1e-6; writes --json and --csv. */
enum qp_status accuracy_poisson(struct command *command, const struct qp_variant *const variants[],
                                int count);

/* `accuracy` of variants that solve a linear system of this kind whole: how far their solutions are
 * from the exact one, plain and refined in double, and the seconds; writes --json and --csv. */
enum qp_status accuracy_solved(struct command *command, const struct qp_variant *const variants[],
                               int count, const char *kind);

/* ---- Helpers ---- */

/* Prints the library's sentence to standard error and returns its exit code. */
int cmd_failed(enum qp_status status);

/* QP_BAD_USE: no variant is called so, with the name that may be meant, or that it is an
 * operation's. */
enum qp_status cmd_unknown_variant(const char *name);

/* Reads the kernel files that the words name, as files in turn. Errors: those of qp_kernel_read and
 * qp_kernel_file_then. Owner: the caller, by qp_kernel_file_destroy. */
enum qp_status cmd_read_files(const struct options *options, struct qp_kernel_file **out);

/* Reads kernel files likewise, unless *out is one, whose head gives way to the options. Errors:
 * those of qp_kernel_read; QP_BAD_USE for options that do not fit it. Owner: the caller, by
 * qp_kernel_file_destroy. */
enum qp_status cmd_kernel_file(const struct options *options, const char *path,
                               struct qp_kernel_file **out);

/* The variants that match the words (all variants if there are none) and have the problem asked
 * for; returns how many, -1 with a message if a word matches nothing or no variant is left. */
int cmd_select(const struct options *options, const struct qp_variant *variants[]);

/* True if this variant's skip counts as a failure (--require, QUADPASS_REQUIRE). */
bool cmd_is_required(const struct options *options, const struct qp_variant *variant);

enum { CMD_DEVICE = 512 };

/* OpenGL's device, and after it CUDA's where variants ran on one that OpenGL does not have; "" for
 * neither. */
void cmd_device(struct qp_context *context, const struct qp_record *records, int count,
                char text[CMD_DEVICE]);

/* The head of records that ran on this context, which may be NULL. */
struct records_head cmd_head(const struct options *options, const struct qp_context *context);

/* Writes --json and --csv if asked for: records of runs, or other rows, which it deletes
 * (records_write_rows). */
enum qp_status cmd_write_rows(const struct options *options, const struct qp_context *context,
                              cJSON *rows);
enum qp_status cmd_write_records(const struct options *options, struct qp_context *context,
                                 const struct qp_record *records, int count);

/* The kind of problem asked for, or the first that one of these variants, of one operation,
 * takes. */
const char *cmd_kind(const struct options *options, const struct qp_variant *const variants[],
                     int count);

/* A problem of this operation; `kind` NULL is its default. */
enum qp_status cmd_problem(const struct options *options, const char *op, const char *kind,
                           int width, int height, int systems, struct qp_problem *out);

/* The record of a variant whose operation has no problem of the size asked for, with the library's
 * sentence. */
struct qp_record cmd_skipped(const struct qp_variant *variant, const struct options *options);

/* Makes the record of a variant one that is wrong, which has no speed. */
void cmd_fail(struct qp_record *record, const char *reason);

/* Characters that hold the names of these variants, and at least 30. */
int cmd_name_width(const struct qp_variant *const variants[], int count);

/* Number of variants, from the first on, of the same operation. */
int cmd_same_operation(const struct qp_variant *const variants[], int count);

/* Divisor of the width and height of four systems that share the cells of one (bench_table.c). */
int cmd_part(const struct qp_op *op, int systems);

/* A size and kind for many variants of one operation: a problem of one system and, if a variant
 * takes them, of four. In equal shares the four have half the width and height each, so that all
 * variants update as many cells: paper 1's convention. Where no kind is asked for, variants of the
 * roof (qp_kind.roof), the upper bound for the others, have a problem of their own kind. */
struct cmd_problems {
    struct qp_problem one, four, roof;
    struct qp_problem *of[MOST_VARIANTS]; /* each variant's own */
};

enum qp_status cmd_problems_create(const struct options *options, const char *kind, int width,
                                   int height, bool equal_shares,
                                   const struct qp_variant *const variants[], int count,
                                   struct cmd_problems *out);
void cmd_problems_destroy(struct cmd_problems *problems);

/* The contract's last line from counts of verdicts, bounds, where there are any, in the line above;
 * returns the exit code. */
int cmd_count(FILE *table, const int verdicts[QP_VERDICTS]);

/* True if one of these records was timed. */
bool cmd_any_ran(const struct qp_record *records, int count);

/* Non-zero once Ctrl-C was pressed; a second one ends the program at once. */
extern volatile sig_atomic_t cmd_interrupted;
void cmd_catch_interrupt(void);

#endif
