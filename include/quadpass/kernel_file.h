/* SPDX-License-Identifier: MIT */
/* Kernel files: a shader whose first comments say what it is run over, so that one file is the
 * whole description of a kernel. */
#ifndef QUADPASS_KERNEL_FILE_H
#define QUADPASS_KERNEL_FILE_H

#include <quadpass/pass.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    QP_KERNEL_ELEMENTS = 64,    /* values of a number, at most */
    QP_KERNEL_SCHEDULED = 1024, /* values of all schedules together, at most */
    QP_KERNEL_LETTERS = 64,     /* bytes of a name, with its end */
    QP_KERNEL_TURNS = 8         /* files in turn, at most */
};

/* Origin of an array's values. An expression is in C, of the cell's numbers x and y, which are 1 in
 * the first cell; it is computed in double and rounded once. */
enum qp_kernel_file_origin {
    QP_MADE_NOT, /* the values are from a file, or not said */
    QP_MADE_ZEROS,
    QP_MADE_ONES,
    QP_MADE_RANDOM,
    QP_MADE_GRADIENT, /* 0 to 1 from the left to the right */
    QP_MADE_IMPULSE,  /* 1 in the middle and 0 elsewhere */
    QP_MADE_EXPRESSION
};

/* An array that a head names. */
struct qp_kernel_file_array {
    char name[QP_KERNEL_LETTERS];
    const char *from; /* a file, or how it is made, as typed; NULL: not said */
    enum qp_kernel_file_origin made;
    /* True if its own line says the outside. Without such a line, an array of a kernel file has the
     * outside of all arrays here. */
    bool has_outside;
    enum qp_outside outside;
    double outside_value; /* with QP_OUTSIDE_VALUE */
};

/* A number that a head names. */
struct qp_kernel_file_number {
    char name[QP_KERNEL_LETTERS];
    int values;
    double value[QP_KERNEL_ELEMENTS];
};

/* A number with another value in each step: those of the head from scheduled[first] on. */
struct qp_kernel_file_schedule {
    char name[QP_KERNEL_LETTERS];
    int first, values;
};

/* The lines of a head, in their order. Zero means not said. */
struct qp_kernel_file_head {
    struct qp_kernel_file_array array[QP_KERNEL_INPUTS];
    int arrays;
    struct qp_kernel_file_number number[QP_KERNEL_NUMBERS];
    int numbers;
    bool has_outside; /* the head sets the outside of all arrays */
    enum qp_outside outside;
    double outside_value;
    char state[QP_KERNEL_OUTPUTS][QP_KERNEL_LETTERS];
    int states, steps, width, height;
    bool has_seed;
    unsigned long long seed;
    double tolerance;  /* tolerance of a step */
    const char *check; /* the reference's file */
    struct qp_kernel_file_schedule schedule[QP_KERNEL_NUMBERS];
    int schedules, scheduled_values; /* number of schedules, and of values in all of them */
    double scheduled[QP_KERNEL_SCHEDULED];

    /* Points of a file with place(), which no line says. */
    int points; /* 0: as many as the first array that is no state has cells, or else the state */
    enum qp_pass_blend blend;
};

/* A kernel file that was read. Its kernel is `desc`, of the name `path`:
 *
 *     //@ outside clamp            of all arrays: zero, clamp, wrap or a number
 *     //@ outside f=zero           of one
 *     //@ input f=gradient         zeros, ones, random, gradient, impulse; or a .mtx, .npy or .png,
 *                                  relative to this file
 *     //@ input f=(x * sin(y))     or an expression in brackets
 *     //@ set rate=0.2             a number; 0.1,0.2 is a vec2
 *     //@ schedule span=1,2,4      a number with another value in each step
 *     //@ state u v                what the outputs out0, out1 are in the next step; one output is
 *                                  called x
 *     //@ steps 10
 *     //@ size 64x48
 *     //@ seed 3                   of random arrays
 *     //@ tolerance 1e-6           of a step, in parts of the largest magnitude
 *     //@ check heat_ref.c         a reference in C, relative to this file
 *     //@ tuned cuda threads=64    of a program that is generated for a machine, such as c or mpi
 *     //@ sync async2 alpha=6      of one for c or cuda: jacobi, async0 to async3 or red_black
 *     //@ include ease.glsl        functions of another file, relative to this one
 *     //@ then b.frag              the next file in turn, relative to this one
 *     float kernel(vec2 here)
 *
 * Lines are in any order, before the first line of code, a #version too, among comments. All arrays
 * have the kernel's type: TYPE in `TYPE kernel(vec2 here)`. For `void kernel(vec2 here)`, which
 * several states need, it is the type of the first constructor that an output is assigned, `out0 =
 * ivec2(...)`, or else float; for `vec2 place(float i)` likewise, of `value`. Its inputs are the
 * states, the arrays that the head names, and those of which the text has NAME_at( or NAME_cell(,
 * in this order; all but states have one value a cell. A whole shader writes floats, one a cell, as
 * far as the file says.
 *
 * Its numbers are those of lines `set`, then step_number and step_count where the text reads them
 * and nothing sets them (a whole shader declares them as uniform float), then those of lines
 * `schedule`.
 *
 * Included files come before the first line of code of `text`, in whole shaders after the lines
 * #version and #extension at the beginning; each once, after those that it includes itself. They
 * have no other lines `//@`, and no #version. A comment `//# FILE:LINE` in `text` says that the
 * next line is that line of FILE, which leads from the folder of `path`, and without FILE of this
 * file; sentences of kernels made of `desc` name such places.
 *
 * Files in turn: a step draws this file, then `next` on what this one wrote, and so on. Arrays and
 * numbers of one name are the same in all of them; for each, the first file that says something
 * about it counts. The first file has the steps, the seed, the tolerance and the reference, each
 * from the first file that says it; every file has its own size. */
struct qp_kernel_file {
    const char *path, *text;
    bool is_short;
    struct qp_kernel_desc desc;
    struct qp_kernel_file_head head; /* paths are relative to the working folder */
    int states, inputs; /* number of states, the first in desc.input, and of all inputs */
    struct qp_kernel_file_array array[QP_KERNEL_INPUTS]; /* in the order of desc.input */
    /* Numbers in the order of desc.number, of step 0 of 1. */
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    struct qp_kernel_file *next; /* the file in turn after it; NULL: none */
    bool places;                 /* the short form draws points: it has place() and no kernel() */
};

/* Adds to a head what a line `//@ WORD VALUE` says. `value` is not copied if it is a file's name.
 * Errors: QP_BAD_INPUT for an unknown word (with the nearest), a value that the word does not take,
 * and one that is said twice; the sentence begins with the word. Owner: none. Threads: any. */
enum qp_status qp_kernel_file_say(struct qp_kernel_file_head *head, const char *word,
                                  const char *value);

/* Reads a kernel file, what it includes, and the files in turn that it leads to, without compiling
 * them. Errors: QP_BAD_INPUT for a file that cannot be read, that has no function kernel() or
 * main(), or whose kernel() has a type that no array has; for over 64 included files, 16 deep, a
 * text of 1 MiB, or a circle; and for a wrong line of the head, with file and line, such as a name
 * that the text does not read; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by
 * qp_kernel_file_destroy. Threads: any. */
enum qp_status qp_kernel_read(const char *path, struct qp_kernel_file **out);

/* Lets another head say what it says in place of the file's own: its lines replace those of the
 * same names, and its outside of all arrays replaces each array's. All files in turn get what they
 * read; the size is the first one's. `head` need not live on, but names of files in it must.
 * Errors: QP_BAD_USE for states, which the file alone says, and for a name that no text reads;
 * after which the file may only be destroyed. Owner: none. Threads: any. */
enum qp_status qp_kernel_file_override(struct qp_kernel_file *file,
                                       const struct qp_kernel_file_head *head);

/* Sets the numbers of step `step` of `steps`, counted from 0, in a list that begins as
 * file->number: step_number, step_count and those of schedules, of which the last value is that of
 * all later steps. Errors: none; NULL is left alone. Owner: none. Threads: any. */
void qp_kernel_file_step(const struct qp_kernel_file *file, int step, int steps,
                         struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]);

/* Appends *next, with the files in turn after it, to the files in turn of `file`, which owns them
 * from here on. Errors: QP_BAD_USE for the file itself; QP_BAD_INPUT for more than QP_KERNEL_TURNS
 * files together, for a state that two of them write as unlike types, and for a number that one of
 * them sets and another one schedules; after which all files may only be destroyed, *next where it
 * is not NULL. Owner: the file. Threads: any. */
enum qp_status qp_kernel_file_then(struct qp_kernel_file *file, struct qp_kernel_file **next);

/* Destroys all files in turn. Takes NULL and leaves *file NULL. Errors: none. Owner: none. Threads:
 * any. */
void qp_kernel_file_destroy(struct qp_kernel_file **file);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
