/* SPDX-License-Identifier: MIT */
/* Files as other programs write them, kept together in a text: tests/io/market/written.txt says
 * how. */
#ifndef QP_TESTS_WRITTEN_H
#define QP_TESTS_WRITTEN_H

/* Writes each file of a text of tests/io/market into the folder, and hands on its path and what is
 * expected of it; returns their number. The file is gone after that. */
int each_written(const char *text, const char *folder,
                 void (*check)(const char *path, const char *expected));

/* Reads a matrix by the end of its name, .mtx or .npy, and returns "ROWS x COLUMNS: VALUE ...", all
 * values row by row in this form, such as "%.9g"; or the sentence that refuses it. The text is good
 * until the next call. */
const char *content_of(const char *path, const char *form);

#endif
