/* SPDX-License-Identifier: MIT */
/* A kernel file on another machine than OpenGL's fragments: its program is compiled when it is
 * needed, kept in the user's cache, and computes in a process of its own, so that one that crashes
 * becomes a sentence. */
#ifndef QP_STENCIL_MACHINE_H
#define QP_STENCIL_MACHINE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "toolkit/io/winner.h"
#include "tools/stencil/compile.h"
#include "tools/stencil/stencil.h"

/* ---- Programs (build.c) ---- */

enum { QP_BUILD_NAME = 64 };

struct qp_build {
    int file;                      /* open, to be executed; 0: none */
    double seconds;                /* time that compiling took; 0: the cache had it */
    char tuned[QP_WINNER_LETTERS]; /* the tuner's values that this is built with; "": none */
    char note[512];                /* trouble with the cache, for whoever prints; "": none */
    char *text;                    /* text that its process compiles itself; NULL: none */
};

/* Makes the program of a stencil for "c", "compute" or "cuda", unless the user's cache has it.
 * Processes may do so at once: who needs many lets several processes make them, and finds them in
 * the cache. Errors: QP_UNSUPPORTED for what this computer has not: a device, a library, by name;
 * and for an interrupt; QP_BAD_USE for a compiler that is not there; QP_BAD_INPUT for one that
 * fails; QP_NO_MEMORY. Owner: the caller, by qp_build_forget, which takes what is all zero. */
enum qp_status qp_build_make(const struct qp_stencil *stencil, const char *target,
                             struct qp_build *out);
void qp_build_forget(struct qp_build *build);

/* Makes the program of a kernel file that is no fragment shader, anew each time, for what it
 * includes is not known (file.c). Errors: likewise; QP_UNSUPPORTED also without a compiler. */
enum qp_status qp_build_file(const struct qp_kernel_file *file, struct qp_build *out);

/* Gives the program of a compute shader the text of this file in place of the one that it has, and
 * says whether it is another one (shader.c). Errors: QP_NO_MEMORY. */
enum qp_status qp_build_take_shader(const struct qp_kernel_file *file, struct qp_build *build,
                                    bool *is_other);

/* Compiles a compute shader for the driver's words. Errors: those of qp_program_make; QP_NO_DEVICE
 * for a context without compute shaders. */
enum qp_status qp_build_try_shader(struct qp_context *context, const struct qp_kernel_file *file);

/* The name of what the tuner finds for a stencil's program here, which the cache keeps for the
 * target; and adds that to the stencil's file, `values` then names it, else it is "". Errors: as of
 * qp_build_make. */
enum qp_status qp_build_name(const struct qp_stencil *stencil, const char *target,
                             char name[QP_BUILD_NAME]);
enum qp_status qp_build_tune(struct qp_stencil *stencil, const char *target,
                             char values[QP_WINNER_LETTERS]);

/* ---- Processes (machine.c) ---- */

enum { QP_MACHINE_SIZES = 4 };

struct qp_machine {
    const struct qp_kernel_file *kernel;
    int width, height;
    size_t bytes;    /* bytes of one array as the kernel writes it */
    size_t shared;   /* bytes of what both processes see: an array of doubles, and all numbers */
    void *cells;     /* cells of one array as the kernel has it, row by row from the bottom */
    double *numbers; /* numbers of the next step in C and CUDA, in the kernel's order */
    pid_t process;   /* 0: it has ended, and the machine may only be closed */
    int link, log;
    int steps; /* steps that were asked for, for sentences */
    struct qp_allowance limits;
    bool is_fast; /* steps of a kernel in C or CUDA are not looked at */
    int at_once;  /* steps that it takes in one go */
    int sizes[QP_MACHINE_SIZES]
             [2];   /* sizes of checks, beside the usual ones: those of its tiles, up to {0, 0} */
    char name[124]; /* such as "2 threads" */
};

/* Starts a process for grids of this size, with the numbers of the kernel file, which must live as
 * long; a device below 0 is the first. Its data are limited beside arrays of the grid. Errors,
 * here and below, after which the process has ended: QP_BAD_INPUT for a program that crashes or
 * finds no memory within its limit; QP_DEVICE for one that is at its limit of seconds;
 * QP_NO_MEMORY; QP_UNSUPPORTED for what it cannot do, with its own sentence, and for an interrupt.
 * Owner: the caller, by qp_machine_close, which takes what is all zero. */
enum qp_status qp_machine_open(const struct qp_build *build, const struct qp_kernel_file *kernel,
                               int width, int height, int device, const struct qp_allowance *limits,
                               struct qp_machine *out);
void qp_machine_close(struct qp_machine *machine);

/* Copies machine->cells to an array of the kernel's, by its number; or a state to them. */
enum qp_status qp_machine_put(struct qp_machine *machine, int array);
enum qp_status qp_machine_get(struct qp_machine *machine, int state);

/* Compiles what up to `steps` steps need; takes that number of steps, and need not wait for them;
 * waits. */
enum qp_status qp_machine_load(struct qp_machine *machine, int steps);
enum qp_status qp_machine_take(struct qp_machine *machine, int steps);
enum qp_status qp_machine_finish(struct qp_machine *machine);

/* ---- CUDA's kernels (cubin.c) ---- */

/* Writes a text's kernels as devices run them to a file of this path; options are NVRTC's, such as
 * "-arch=sm_90". Errors: QP_UNSUPPORTED without NVRTC; QP_BAD_INPUT with the first line that it
 * says, or for a file that cannot be written. */
enum qp_status qp_cubin_compile(const char *name, const char *text, const char *const options[],
                                int count, const char *path);

/* Compiles the kernels of a program's folder to steps.cubin, which its Makefile puts into the
 * program. Errors: likewise. */
enum qp_status qp_cubin_add(const char *folder, const char *arch);

/* Kernels of a text for the first device, unless the user's cache has it. Errors: also those of
 * qp_scratch_make, QP_NO_MEMORY. Owner: the caller, by qp_build_forget. */
enum qp_status qp_cubin_make(const char *name, const char *text, struct qp_build *out);

/* ---- The cache (cache.c) ---- */

/* Opens what the user's cache has for this key as out->file, if it is whole and nobody else can
 * have written it; 0: it has none, and out->note says why one is not taken. The path is where one
 * would be kept; "": there is no cache. */
void qp_cache_open(uint64_t key, char path[PATH_MAX], struct qp_build *out);

/* Opens what was compiled, and puts a copy there, whole or not at all; the oldest files beyond 256
 * MB go. Errors: QP_BAD_INPUT for a program that is not there. */
enum qp_status qp_cache_put(const char *program, const char *path, struct qp_build *out);

#endif
