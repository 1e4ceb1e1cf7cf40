/* SPDX-License-Identifier: MIT */
/* Kernel files inside the library. */
#ifndef QP_TOOLKIT_KERNEL_FILE_H
#define QP_TOOLKIT_KERNEL_FILE_H

#include <quadpass/kernel_file.h>
#include <quadpass/matrix.h>

#include <stdint.h>
#include <sys/types.h>

#include "toolkit/glsl/facts.h"

/* A value that a line `tuned` gives a program for a machine. */
struct qp_kernel_tuned {
    char target[QP_KERNEL_LETTERS], name[QP_KERNEL_LETTERS];
    double value[2]; /* the second is 0 but of two, as in 64x8 */
    int line;        /* 0: no line of the file's */
};

enum { QP_KERNEL_TUNED = 32 /* values of all lines, at most */ };

/* A file whose text is included, by its path from the working folder. */
struct qp_kernel_included {
    char *path;
    dev_t device;
    ino_t inode;
};

/* Path of included file number k, from 0 on; NULL after the last. Owner: the kernel file. */
const char *qp_kernel_file_included(const struct qp_kernel_file *file, int k);

enum {
    QP_KERNEL_INCLUDED = 64, /* files that one includes, and these include, at most */
    QP_KERNEL_DEPTH = 16     /* files that lead to one another, at most */
};

/* Order in which generated programs compute cells (thesis, chapters V and VII). */
enum qp_sync {
    QP_SYNC_JACOBI,
    QP_SYNC_ASYNC0,
    QP_SYNC_ASYNC1,
    QP_SYNC_ASYNC2,
    QP_SYNC_ASYNC3,
    QP_SYNC_RED_BLACK
};

/* Words of the orders above, in the same order. */
#define QP_SYNCS "jacobi async0 async1 async2 async3 red_black"

struct qp_kernel_sync {
    enum qp_sync number;
    int alpha, line; /* 0: not said */
};

/* Languages of kernel files, which the ending says: .comp, .cu, .c, and .frag or any other one. */
enum qp_kernel_language { QP_IN_FRAGMENTS, QP_IN_COMPUTE, QP_IN_CUDA, QP_IN_C };

enum qp_kernel_use { QP_USE_READ, QP_USE_WRITTEN, QP_USE_NUMBER };

/* A parameter of a kernel that is no fragment shader, after its width and height. */
struct qp_kernel_parameter {
    char name[QP_KERNEL_LETTERS];
    enum qp_kernel_use use;
    enum qp_array_type type; /* the number's, too */
    int number;              /* place of the input, state or number in the description */
    int line;
};

enum { QP_KERNEL_PARAMETERS = QP_KERNEL_INPUTS + QP_KERNEL_OUTPUTS + QP_KERNEL_NUMBERS };

/* A kernel in another language than fragments': its function, called `name`, takes the parameters
 * in their order: arrays that it reads, the states first, those that it writes, and numbers. */
struct qp_kernel_function {
    enum qp_kernel_language language;
    char name[QP_KERNEL_LETTERS];
    int group[2]; /* threads of a block across and up; 0: the head does not say it */
    int name_line, group_line;
    struct qp_kernel_parameter parameter[QP_KERNEL_PARAMETERS];
    int parameters;
};

struct qp_kernel_file_owner {
    struct qp_kernel_file file; /* the caller's, which comes first */
    struct qp_kernel_function function;
    char *path, *words; /* the latter is a copy of the text whose head is cut into words */
    char *led[QP_KERNEL_INPUTS + 2]; /* names of files that lead there from the working folder */
    const char *then;                /* the file that is next; NULL: none is said */
    int array_line[QP_KERNEL_INPUTS], number_line[QP_KERNEL_NUMBERS],
        schedule_line[QP_KERNEL_NUMBERS]; /* 0: not this file's */
    int unset_line; /* where the text reads a name that may be one of the head's, misspelt; or 0 */
    const struct qp_tokens *tokens; /* tokens of the text, with what is included */
    struct qp_kernel_included include[QP_KERNEL_INCLUDED]; /* each file once, in their order */
    int includes;
    struct qp_kernel_tuned tuned[QP_KERNEL_TUNED]; /* in their order */
    int tunings;
    struct qp_kernel_sync sync;
};

/* The array of this name in a head, which is added if that is asked for; NULL where it is not, or
 * has no room. */
struct qp_kernel_file_array *qp_kernel_file_array(struct qp_kernel_file_head *head,
                                                  const char *name, bool add);

/* The number of this name, likewise. */
struct qp_kernel_file_number *qp_kernel_file_number(struct qp_kernel_file_head *head,
                                                    const char *name);

/* Gives a name of a head these values, in place of those that it had. Errors: QP_BAD_INPUT for too
 * many. */
enum qp_status qp_kernel_file_schedule(struct qp_kernel_file_head *head, const char *name,
                                       const double *values, int count);

/* QP_BAD_USE for a head that a caller has filled in with a count, place or kind out of range. */
enum qp_status qp_kernel_file_check_head(const struct qp_kernel_file_head *head);

/* The shortest schedule of all files; without any one of INT_MAX values. */
const struct qp_kernel_file_schedule *qp_kernel_file_shortest(const struct qp_kernel_file *file);

/* True if a head sets a number or gives it a schedule. */
bool qp_kernel_file_gives(const struct qp_kernel_file_head *head, const char *name);

/* Reads a text in place of the file of that path. Errors: as of qp_kernel_read. */
enum qp_status qp_kernel_file_make(const char *path, const char *text, struct qp_kernel_file **out);

/* Adds what a line `tuned` says, whose value this is. Errors: QP_BAD_INPUT, as of
 * qp_kernel_file_say. */
enum qp_status qp_kernel_file_tune(struct qp_kernel_file_owner *owner, const char *value);

/* The value of this name, or with NULL the first of any, that a file's head gives for a target;
 * NULL: none. */
const struct qp_kernel_tuned *qp_kernel_file_tuned(const struct qp_kernel_file *file,
                                                   const char *target, const char *name);

/* Takes what line number `line`, `sync`, says. Errors: likewise. */
enum qp_status qp_kernel_file_take_sync(struct qp_kernel_file_owner *owner, const char *value,
                                        int line);

const struct qp_kernel_sync *qp_kernel_file_sync(const struct qp_kernel_file *file);

/* ---- Kernels in other languages (kernel_file_function.c) ---- */

enum qp_kernel_language qp_kernel_file_language(const char *path);

/* The language's name in sentences, such as "C". */
const char *qp_kernel_file_called(enum qp_kernel_language language);

const struct qp_kernel_function *qp_kernel_file_function(const struct qp_kernel_file *file);

/* True for a kernel that is no fragment shader. */
bool qp_kernel_file_is_function(const struct qp_kernel_file *file);

/* Reads a kernel file as qp_kernel_read does, which takes fragment shaders alone, in any
 * language (kernel_file_turns.c). */
enum qp_status qp_kernel_file_read(const char *path, struct qp_kernel_file **out);

/* Takes what a line `kernel` or `group` says. Errors: QP_BAD_INPUT, as of qp_kernel_file_say. */
enum qp_status qp_kernel_file_take_function(struct qp_kernel_file_owner *owner, const char *word,
                                            const char *value, int line);

/* Finds the function and its parameters; and describes arrays and numbers by them. Errors:
 * QP_BAD_INPUT; the latter also QP_BAD_USE, for what another head says. */
enum qp_status qp_kernel_file_find_function(struct qp_kernel_file_owner *owner);
enum qp_status qp_kernel_file_describe_function(struct qp_kernel_file_owner *owner);

/* ---- Compute shaders (kernel_file_shader.c) ---- */

/* Finds the buffers and uniforms of a compute shader as the parameters of its function. Errors:
 * QP_BAD_INPUT. */
enum qp_status qp_kernel_file_find_shader(struct qp_kernel_file_owner *owner);

/* Text of a compute shader as a device compiles it: with the head's size of groups, where it has
 * none itself, and before each array a member of its block with `front` bytes. Lines keep their
 * numbers. Errors: QP_NO_MEMORY, after which *out is NULL. Owner: the caller, by free. */
enum qp_status qp_kernel_file_shader_text(const struct qp_kernel_file *file, int front, char **out);

/* ---- Values (kernel_file_values.c) ---- */

/* Words on a value that arrays of this type cannot hold, such as "beyond float ..."; NULL: they
 * can. */
const char *qp_kernel_file_refuses(enum qp_array_type type, double value);

/* Values of an array that is made, row by row from the bottom, channels side by side. */
struct qp_filled {
    enum qp_array_type type;
    bool is_state;
    int width, height, channels;
    enum qp_precision precision;
    void *values;
};

/* Makes values as the head says, random ones where it says nothing. Arrays of a file take their
 * number, from 0 on, as the seed above the file's, so that they differ. Random values of arrays but
 * states are floats, so that references of any form find them as they are; those stay below 1.
 * Errors: QP_BAD_INPUT for an expression; QP_NO_MEMORY. */
enum qp_status qp_kernel_file_values(const struct qp_kernel_file_array *array, uint64_t seed,
                                     const struct qp_filled *filled);

/* ---- The description (kernel_file.c) ---- */

/* True if the text, or that of a file in turn after it, reads a number of this name. */
bool qp_kernel_file_reads_number(const struct qp_kernel_file *file, const char *name);

/* Fills in what the text and the head say together. Errors: QP_BAD_INPUT, QP_BAD_USE. */
enum qp_status qp_kernel_file_describe(struct qp_kernel_file_owner *owner);

/* Fills in the description's numbers, and the first step's values (kernel_file_numbers.c). Errors:
 * QP_BAD_INPUT, QP_BAD_USE. */
enum qp_status qp_kernel_file_describe_numbers(struct qp_kernel_file_owner *owner);

/* ---- The text (kernel_file_text.c) ---- */

/* Fills in is_short, and what desc says of outputs, after the head was read; the number of states
 * is not yet compared. Errors: QP_BAD_INPUT. */
enum qp_status qp_kernel_file_find_form(struct qp_kernel_file_owner *owner);

/* Values of a cell of array k, as the text says them: `b_at(0.0, 0.0).rgb` and
 * `vec4 c = b_at(0.0, 0.0);` are 4, `float m = b_at(0.0, 0.0)` and a comparison 1. `otherwise`
 * where it does not, and of states; all but kernels of floats in the short form have 1. */
int qp_kernel_file_channels(const struct qp_kernel_file *file, int k, int otherwise);

/* Type of a number with this count of values: the type that a whole shader declares, or else the
 * one that so long a list makes. Errors: QP_BAD_INPUT for another number of values than it
 * declares. */
enum qp_status qp_kernel_file_type(const struct qp_kernel_file_owner *owner, const char *name,
                                   int values, struct qp_kernel_number *out);

/* QP_BAD_INPUT for a name that the text does not read, with the nearest that it has, or the numbers
 * of a whole shader; `gathers`: a short form's array is read by NAME_at, too. Sets unset_line. */
enum qp_status qp_kernel_file_check_read(const struct qp_kernel_file_owner *owner, const char *name,
                                         bool gathers);

/* Puts before the sentence the place of what a head says, or with line 0, which is another head's,
 * its word alone. */
enum qp_status qp_kernel_file_fail_at(const struct qp_kernel_file_owner *owner, int line,
                                      const char *word, const char *name);

#endif
