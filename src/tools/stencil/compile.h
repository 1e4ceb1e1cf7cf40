/* SPDX-License-Identifier: MIT */
/* The system's compiler, run on what is in a scratch folder; and processes that compute what was
 * compiled, so that one that crashes becomes a sentence. */
#ifndef QP_STENCIL_COMPILE_H
#define QP_STENCIL_COMPILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "toolkit/base/status.h"

enum { QP_SCRATCH_LETTERS = 4096 - 128, QP_COMPILER_WORDS = 16 };

struct qp_scratch {
    char folder[QP_SCRATCH_LETTERS]; /* "": none */
    int lock;                        /* lock of toolkit/io/output.h */
};

/* Makes a folder in $TMPDIR or /tmp, and removes those that killed processes have left there.
 * Errors: QP_BAD_INPUT. Owner: the caller, by qp_scratch_remove, which takes "" and leaves it. */
enum qp_status qp_scratch_make(struct qp_scratch *out);
void qp_scratch_remove(struct qp_scratch *scratch);

/* Cuts $CC, or cc, into words, which `text` holds; returns how many. And $CFLAGS, or these. */
int qp_compiler_words(char text[1024], const char *words[QP_COMPILER_WORDS]);
int qp_compiler_flags(const char *usual, char text[1024], const char *words[QP_COMPILER_WORDS]);

/* Runs a tool, which makes a file, and waits for it. `what` begins the sentences: "heat.c does not
 * compile". Errors: QP_BAD_INPUT for a tool that fails, with its first error, or makes no such
 * file; QP_BAD_USE for one that is not there; QP_UNSUPPORTED for an interrupt, which ends it and
 * its children. */
enum qp_status qp_compile(const char *const argv[], const char *made, const char *what);

/* ---- Processes, which are 0 where there is none ---- */

/* Finds a program's file as the system does; false: it is not there. */
bool qp_process_find(const char *program, struct stat *out);

/* Starts a program with these files as its first ones, in a group of processes of its own, which no
 * terminal's Ctrl-C reaches, and which an interrupt ends with all children. Returns the system's
 * error. Owner: the caller, by qp_process_end. */
int qp_process_start(const char *path, const char *const argv[], const int files[], int count,
                     pid_t *out);

/* Limits of what is not ours: seconds of one answer, and GiB of data; 0: none. */
struct qp_allowance {
    double seconds, gib;
};

/* Lets a process, 0 for this one, take no more data than so many bytes beyond what it has: what it
 * allocates and may write. Shared memory is not counted. Where /proc is missing it does nothing. */
void qp_process_limit(pid_t process, double bytes);

/* Waits until a process answers over a link or has ended, and reports meanwhile which part of the
 * work is done; below 0: reports nothing. Errors: QP_UNSUPPORTED for an interrupt; QP_DEVICE,
 * without a sentence, after `limit` seconds in which the process kept a processor busy, so that it
 * does not pay for a loaded machine, or ten times as many by the clock, for it may sleep; 0:
 * never. */
enum qp_status qp_process_wait(pid_t process, int link, double limit, double part);

/* Ends a process where it has not ended by itself, and all of its group; returns how it did, as
 * waitpid. */
int qp_process_end(pid_t *process);

#endif
