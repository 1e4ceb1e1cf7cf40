/* SPDX-License-Identifier: MIT */
/* Kernel files inside the library: what their texts say without a head. */
#ifndef QP_TOOLKIT_KERNEL_FILE_H
#define QP_TOOLKIT_KERNEL_FILE_H

#include <quadpass/kernel_file.h>

#include "base/text.h"
#include "toolkit/tokens.h"

struct qp_kernel_file_owner {
    struct qp_kernel_file file; /* the caller's, which comes first */
    char *path, *text, *words;  /* the last is a copy of the text whose head is cut into words */
    char *led[QP_KERNEL_INPUTS + 1]; /* names of files that lead there from the working folder */
    int array_line[QP_KERNEL_INPUTS], number_line[QP_KERNEL_NUMBERS]; /* 0: not this file's */
    struct qp_tokens tokens; /* of `words`, inside lines of the preprocessor too */
};

/* ---- The text (kernel_file_text.c) ---- */

/* Fills in is_short, and what desc says of outputs; the number of states is not yet compared. Errors: QP_BAD_INPUT. */
enum qp_status qp_kernel_file_find_form(struct qp_kernel_file_owner *all);

/* True if the text has this name, or, of `gathers` in the short form, NAME_at, NAME_cell or NAME_size. */
bool qp_kernel_file_reads(const struct qp_kernel_file_owner *all, const char *name, bool gathers);

/* QP_BAD_INPUT for a name that the text does not read, with the nearest that it has. */
enum qp_status qp_kernel_file_reads_no(const struct qp_kernel_file_owner *all, const char *name);

/* The next array from word *i on, which the text reads by NAME_at( or NAME_cell( and is no function of its own; false after
 * the last. *i begins as 0. */
bool qp_kernel_file_next_gather(const struct qp_kernel_file_owner *all, int *i,
                                char name[QP_KERNEL_LETTERS]);

/* The type of a number of so many values: what a whole shader declares, or else what so many make. Errors: QP_BAD_INPUT for
 * another number of values than it declares. */
enum qp_status qp_kernel_file_type(const struct qp_kernel_file_owner *all, const char *name,
                                   int values, struct qp_kernel_number *out);

#endif
