/* SPDX-License-Identifier: MIT */
/* The system's compiler, run on what is in a scratch folder. */
#ifndef QP_STENCIL_COMPILE_H
#define QP_STENCIL_COMPILE_H

#include "base/status.h"

enum { QP_SCRATCH_LETTERS = 4096 - 64, QP_COMPILER_WORDS = 16 };

/* Makes a folder in $TMPDIR or /tmp, and removes those that killed processes have left there. Errors: QP_BAD_INPUT. Owner:
 * the caller, by qp_scratch_remove, which takes "" and leaves it. */
enum qp_status qp_scratch_make(char folder[QP_SCRATCH_LETTERS]);
void qp_scratch_remove(char folder[QP_SCRATCH_LETTERS]);

/* Cuts $CC, or cc, into words, which `text` holds; returns how many. */
int qp_compiler_words(char text[1024], const char *words[QP_COMPILER_WORDS]);

/* Runs a tool and waits for it; what it prints goes to the file `log`. `what` begins the sentences: "heat.c does not compile".
 * Errors: QP_BAD_INPUT for a tool that fails, with its first error; QP_BAD_USE for one that is not there; QP_UNSUPPORTED for an
 * interrupt, which ends it and its children. */
enum qp_status qp_compile(const char *const argv[], const char *log, const char *what);

#endif
