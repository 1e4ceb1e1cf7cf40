/* SPDX-License-Identifier: MIT */
/* Texts of kernel files, read from a file of this process's own. */
#ifndef QP_TESTS_KERNEL_TEXT_H
#define QP_TESTS_KERNEL_TEXT_H

#include <quadpass/kernel_file.h>

/* The file's path, from the group's set-up on. */
extern char kernel_text_path[];

/* Set-up and tear-down of a group. */
int kernel_text_open(void **state);
int kernel_text_close(void **state);

/* Writes the text into the file and reads it as a kernel; NULL if its words are wrong, with the
 * sentence. */
struct qp_kernel_file *kernel_text_read(const char *text);

#endif
