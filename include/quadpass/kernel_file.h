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

/* Origin of an array's values: 0 to 1 from the left to the right; 1 in the middle and 0 elsewhere;
 * an expression in C, computed in double and rounded once, of the cell's numbers x and y, which are
 * 1 in the first cell. */
enum qp_kernel_file_origin {
    QP_MADE_NOT, /* but from a file, or nothing says it */
    QP_MADE_ZEROS,
    QP_MADE_ONES,
    QP_MADE_RANDOM,
    QP_MADE_GRADIENT,
    QP_MADE_IMPULSE,
    QP_MADE_EXPRESSION
};

/* An array that a head names. */
struct qp_kernel_file_array {
    char name[QP_KERNEL_LETTERS];
    const char *from; /* a file, or how it is made, as typed; NULL: not said */
    enum qp_kernel_file_origin made;
    /* Its own line says the outside. Where none does, an array of a kernel file has here the
     * outside of all. */
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
    bool has_outside; /* of all arrays: */
    enum qp_outside outside;
    double outside_value;
    char state[QP_KERNEL_OUTPUTS][QP_KERNEL_LETTERS];
    int states, steps, width, height;
    bool has_seed;
    unsigned long long seed;
    double tolerance;  /* of a step */
    const char *check; /* the reference's file */
    struct qp_kernel_file_schedule schedule[QP_KERNEL_NUMBERS];
    int schedules, scheduled_values; /* the latter of all, in: */
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
 *     //@ then b.frag              the next file in turn, relative to this one
 *     float kernel(vec2 here)
 *
 * Lines are in any order, before the first line of code, a #version too, among comments. The type
 * of all arrays is the kernel's: that of `TYPE kernel(vec2 here)`; of `void kernel(vec2 here)`,
 * which several states need, that of the first constructor that an output is assigned, `out0 =
 * ivec2(...)`, or else float. Of `vec2 place(float i)` it is likewise that of `value`. Its inputs
 * are the states, the arrays that the head names, and those of which the text has NAME_at( or
 * NAME_cell(, in this order; all but states have one value a cell. A whole shader writes floats:
 * one a cell, for all that the file says.
 *
 * Its numbers are those of lines `set`, then step_number and step_count where the text reads them
 * and nothing sets them (a whole shader declares them as uniform float), then those of lines
 * `schedule`.
 *
 * Files in turn: a step draws this file, then `next` on what this one wrote, and so on. Arrays and
 * numbers of one name are the same in all of them, and the first file that says something of one is
 * the one that counts. The first file has the steps, the seed, the tolerance and the reference, of
 * the first one that says them; sizes are each file's own. */
struct qp_kernel_file {
    const char *path, *text;
    bool is_short;
    struct qp_kernel_desc desc;
    struct qp_kernel_file_head head; /* names of files lead there from the working folder */
    int states, inputs;              /* of desc.input the first ones, and all */
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

/* Reads a kernel file, and the files in turn that it leads to, without compiling them. Errors:
 * QP_BAD_INPUT for a file that cannot be read,
 * has no function kernel() or main(), or one of another type than arrays have; and for a line of
 * the head, with file and line, among them a name that the text does not read; QP_NO_MEMORY; then
 * *out is NULL. Owner: the caller, by qp_kernel_file_destroy. Threads: any. */
enum qp_status qp_kernel_read(const char *path, struct qp_kernel_file **out);

/* Lets another head say what it says in place of the file's own: its lines replace those of the
 * same names, and its outside of all arrays replaces each array's. Of files in turn all get what
 * they read; the size is the first one's. `head` need not live on, but names of files in it must.
 * Errors: QP_BAD_USE for states, which the file alone says, and for a name that no text reads;
 * after which the file may only be destroyed. Owner: none. Threads: any. */
enum qp_status qp_kernel_file_override(struct qp_kernel_file *file,
                                       const struct qp_kernel_file_head *head);

/* Sets the numbers of step `step` of `steps`, counted from 0, in a list that begins as
 * file->number: step_number, step_count and those of schedules, of which the last value is that of
 * all later steps. Errors: none; NULL is left alone. Owner: none. Threads: any. */
void qp_kernel_file_step(const struct qp_kernel_file *file, int step, int steps,
                         struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]);

/* Puts *next, with the files in turn after it, after a file's last one, whose it is from here on.
 * Errors: QP_BAD_USE for the file itself; QP_BAD_INPUT for more than QP_KERNEL_TURNS files
 * together, for a state that two of them write as unlike types, and for a number that one of them
 * sets and another one schedules; after which all files may only be destroyed, *next where it is
 * not NULL. Owner: the file. Threads: any. */
enum qp_status qp_kernel_file_then(struct qp_kernel_file *file, struct qp_kernel_file **next);

/* Destroys all files in turn. Takes NULL and leaves *file NULL. Errors: none. Owner: none. Threads:
 * any. */
void qp_kernel_file_destroy(struct qp_kernel_file **file);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
