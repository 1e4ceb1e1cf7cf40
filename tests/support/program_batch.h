/* SPDX-License-Identifier: MIT */
/* Many generated programs as one: kernels of one frame differ in their bodies alone, so the machine
 * is compiled once, with all bodies in it, by the program's own Makefile. */
#ifndef QP_TESTS_PROGRAM_BATCH_H
#define QP_TESTS_PROGRAM_BATCH_H

#include <stdbool.h>
#include <stdio.h>

/* Joins folder/0/c, folder/1/c ..., those that `has` names, to folder/all/c, whose program takes
 * the number of its kernel from the variable BODY; its reference is that of the first one. Every
 * other variant has small tiles. Fails the test where kernels differ in more than bodies. */
void program_batch_write(const char *folder, const bool *has, int bodies, int variant);

/* Builds all programs all/c in folders of `folder`, on two cores, and does not wait; and waits.
 * Programs that are not built are not there. */
FILE *program_batch_build(const char *folder);
void program_batch_wait(FILE *builds);

#endif
