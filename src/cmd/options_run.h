/* SPDX-License-Identifier: MIT */
/* The options of `quadpass run` alone. */
#ifndef QP_CMD_OPTIONS_RUN_H
#define QP_CMD_OPTIONS_RUN_H

#include "cmd/cmd.h"
#include "cmd/output/outputs.h"

/* An option of another command is left alone. */
void options_take_run(const char *name, const char *value, struct options *o);

/* Refuses options that need others. */
void options_check_run(struct options *o);

/* True if -o is a picture of all frames, an animation. */
bool options_animates(const struct options *o);

/* Adds the files that a shader of one's own reads, those that a head names among them, which no
 * output may be. */
void options_add_files(const struct options *o, const struct qp_kernel_file_head *head,
                       struct outputs *outputs);

/* True for a word that ends in .frag. */
bool options_is_kernel_file(const char *word);

/* The name, such as "cpu". */
const char *options_backend(enum backend backend);

/* Name of a reduction, such as "sum". */
const char *options_reduction(enum reduction reduction);

#endif
