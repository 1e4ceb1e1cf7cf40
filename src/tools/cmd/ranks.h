/* SPDX-License-Identifier: MIT */
/* Several processes, as mpirun starts them: number 0 alone prints, writes files, judges, and runs
 * variants that are no mpi variants; the others compute mpi variants with it, and end where there
 * are none. */
#ifndef QP_CMD_RANKS_H
#define QP_CMD_RANKS_H

#include "tools/cmd/cmd.h"

/* First of all: the streams of processes above 0 lead nowhere from here on. */
void ranks_begin(void);

/* Exit code of this process: those above 0 leave the judgement to it, since mpirun ends all at the
 * first that is not 0. */
int ranks_code(int code);

/* Joins the other processes, before variants are run, if one of these is an mpi variant; else ends
 * processes above 0, which leave the program here. No variants: it is not known yet which, but no
 * mpi variant. Errors: QP_UNSUPPORTED. */
enum qp_status ranks_join(const struct options *options, const struct qp_variant *const variants[],
                          int count);

/* Ends all processes with this exit code, after the library's sentence, if this one failed alone.
 * Does nothing if all agreed on the failure or there is one process. */
void ranks_end_all(enum qp_status status, int code);

/* Lets all processes have OpenGL contexts, or none of them, after ranks_join, and prints who has
 * which device. `why` (size bytes) says why they have none. */
enum qp_status ranks_share_context(const struct options *options, struct qp_context **context,
                                   char *why, size_t size);

/* Name for qp_context_desc of the device that this process takes: one of its machine's GPUs after
 * the other, by its number there; NULL, the usual one, where one is asked for or there are no
 * several. */
const char *ranks_device(const struct options *options, char name[16]);

#endif
