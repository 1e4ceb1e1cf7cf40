/* SPDX-License-Identifier: MIT */
/* Records of runs as JSON and CSV; the contract names every key. */
#ifndef QP_CMD_OUTPUT_RECORDS_H
#define QP_CMD_OUTPUT_RECORDS_H

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include <quadpass/bench.h>
#include <quadpass/spoil.h>

#include "lab/plan/op.h"

/* Mutants that a check's reference does not notice, each with options of other inputs that show it,
 * if there is one in all tries. */
enum { RECORDS_WITH = 512 };
struct records_survivor {
    const char *kind;
    char *place, *was, *is; /* FILE:LINE, and the change */
    char *text;             /* text of the program with this number */
    int draw;
    char with[RECORDS_WITH]; /* "": no input was found */
};
struct records_mutants {
    struct qp_spoil_result all;
    struct records_survivor *survivor;
    int count, tries;
    int failed; /* tries in which the kernel itself is wrong, and the first of them */
    char failed_with[RECORDS_WITH];
};

/* Frees the survivors with their texts. */
void records_forget(struct records_mutants *mutants);

/* A case of a kernel file's check; `x` is below 0 where no cells were compared. */
struct records_case {
    int width, height, steps;
    double error, tolerance;
    enum qp_verdict verdict;
    int x, y, channel;
    const char *state;
    double got, wanted; /* values of the worst cell, in that channel of that state */
};

/* All cases of one variant, in their order. */
enum { RECORDS_CASES = 128 };
struct records_judged {
    struct records_case at[RECORDS_CASES];
    int count;
};

/* Cases of a kernel file's check: how they were drawn, what the file's head says of its own
 * judging, and what came out. */
enum { RECORDS_FRESH = 3 };
struct records_cases {
    bool is_fresh;                         /* drawn anew by the seed */
    unsigned long long seed;               /* seed of all random inputs */
    struct qp_size size[RECORDS_FRESH];    /* beside the fixed ones; no width: there are none */
    int fresh_steps;                       /* steps likewise; 0: none */
    double tolerance;                      /* the head's; 0: the usual */
    struct qp_size own;                    /* the head's; no width: all that are judged */
    int steps;                             /* the head's; 0: the usual */
    const struct records_judged *judged;   /* each record's; NULL: no check */
    const struct records_mutants *mutants; /* NULL: none were made */
};

/* The head of a record file: the command, the machine and the time. Strings may be NULL (written as
 * null). */
struct records_head {
    const char *device;                /* GL_RENDERER */
    const char *driver;                /* GL_VERSION */
    const char *command;               /* as typed */
    const struct records_cases *cases; /* NULL: no check of a kernel file */
};

/* The processor, such as "AMD EPYC, 2 threads"; not every architecture names its model. */
enum { RECORDS_CPU = 240 };
void records_cpu(char text[RECORDS_CPU]);

/* ---- Records of runs (records_runs.c) ---- */

/* Writes records of runs to either file or both. JSON is {"quadpass": version, "device", "driver",
 * "cpu", "commit", "command", "date", "records": [...]}, a record a line; where a kernel file is
 * judged it has "seed", "fresh", "by_head" and, where they were made, "mutants" after "date", and
 * records of its check have "cases" and "worst" at their end. Numbers that are not finite become
 * null. CSV is one header line, a record's columns, then the head's, so that each row is complete;
 * null becomes an empty field; needs, samples and reasons are joined by "+". "-" is standard
 * output. Errors, after which that file is not there: QP_BAD_INPUT with the system's reason,
 * QP_NO_MEMORY. */
enum qp_status records_write(const char *json, const char *csv, const struct records_head *head,
                             const struct qp_record *records, int count);

/* Records of files, and words of the last one's head. */
struct records_given {
    struct qp_record *record; /* for free() */
    int count;
    int unknown; /* rows that are left out: no such variant, or a time without a size or steps */
    char device[512], driver[256], cpu[RECORDS_CPU], command[1024];
    char version[32], commit[64], date[32];
};

/* Adds a file's records of variants that are known, with their samples and the members that are
 * written as they are: NaN, 0 or "" where one is null or not there. Errors: QP_BAD_INPUT,
 * QP_NO_MEMORY. */
enum qp_status records_read(const char *path, struct records_given *given);

/* The same of a text that ends with a NUL; `name` is for the sentence. */
enum qp_status records_read_text(const char *name, const char *text, struct records_given *given);

/* ---- Records of other commands ---- */

/* Writes `rows`, an array of objects of the same keys, to either file or both, and deletes it. JSON
 * is the head with these as "records", without a head (NULL) the array alone. CSV is as above; its
 * columns are those of `model`, which is deleted too, or of the first row (NULL). Fails with
 * QP_NO_MEMORY for NULL rows. */
enum qp_status records_write_rows(const char *json, const char *csv,
                                  const struct records_head *head, cJSON *model, cJSON *rows);

/* A writer that takes any tree, deletes it, and fails with QP_NO_MEMORY for NULL. */
enum qp_status records_write_tree(const char *path, cJSON *tree);

/* The head as an object, a variant's needs as an array; NULL without memory. */
cJSON *records_head(const struct records_head *head);
cJSON *records_needs(const struct qp_variant *variant);

/* Values of a tree: null for a text that is NULL and for a number that is not finite. Text that is
 * not UTF-8 becomes so. NULL without memory. */
cJSON *records_string(const char *text);
cJSON *records_number(double value);

/* Both take the value, and delete it on failure; a key must outlive the tree. They take NULL for
 * what could not be allocated, so that a chain of these with && fails where memory did. */
bool records_add(cJSON *object, const char *key, cJSON *value);
bool records_append(cJSON *array, cJSON *value);

/* An array of `count` values that `make` makes of `all` and their numbers; NULL without memory. */
cJSON *records_list(int count, cJSON *(*make)(const void *all, int number), const void *all);

/* An array of the names of bits that are set, of 31 at most; NULL without memory. */
cJSON *records_bits(unsigned bits, const char *(*name)(int bit));

/* `tree` if all of it could be built; else it is deleted, and NULL. */
cJSON *records_keep(bool good, cJSON *tree);

/* Writes a text to a file, and frees it; it may be NULL for want of memory. */
enum qp_status records_write_text(const char *path, char *text);

/* Reads the tree of a file of at most so many bytes, which the caller deletes; NULL where it is not
 * JSON. Errors: QP_BAD_INPUT with the system's reason, or for a larger file. */
enum qp_status records_read_tree(const char *path, size_t most, cJSON **tree);

/* A text in an object; "" where there is none. */
const char *records_text(const cJSON *object, const char *key);

/* ---- Texts of record trees, of whole lines, for free(); NULL without memory (records_text.c)
 * ---- */

/* Closes the stream whose text this is; the text, or NULL without memory. */
char *records_finish(FILE *out, char **text, bool good);

/* A line for each record of an array of objects, and for each member of the object around it. */
char *records_print_json(const cJSON *tree);

/* A line of keys, those of `model`, or of the first row (NULL), and of the head, which may be NULL;
 * then one for each row. */
char *records_print_csv(const cJSON *head, const cJSON *model, const cJSON *rows);

#endif
