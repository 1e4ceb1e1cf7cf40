/* SPDX-License-Identifier: MIT */
/* The file of a checkpoint: a header, facts and parts as stored, and a hash of all that at its
 * end. */
#ifndef QP_SOLVE_CHECKPOINT_FILE_H
#define QP_SOLVE_CHECKPOINT_FILE_H

#include "lab/solve/checkpoint/archive.h"

/* Begins a file's bytes. */
void qp_checkpoint_file_begin(struct qp_archive *archive);

/* Ends them and writes the file, which replaces an earlier one once it is on the disk. Errors:
 * QP_BAD_INPUT, QP_NO_MEMORY; then an earlier file is as it was. */
enum qp_status qp_checkpoint_file_write(struct qp_archive *archive, const char *path);

/* Reads a file up to the end of its header. Errors: QP_BAD_INPUT for one that cannot be read, is
 * none, was cut or damaged, or comes from another version or kind of machine; QP_NO_MEMORY. The
 * caller frees archive->bytes. */
enum qp_status qp_checkpoint_file_read(const char *path, struct qp_archive *archive);

#endif
