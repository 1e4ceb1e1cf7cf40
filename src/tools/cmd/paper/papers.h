/* SPDX-License-Identifier: MIT */
/* The papers' own figures: the files docs/papers/paper*.csv, built into the command. */
#ifndef QP_CMD_PAPER_PAPERS_H
#define QP_CMD_PAPER_PAPERS_H

#include <stddef.h>

#include <quadpass/status.h>

#include "toolkit/base/own_files.h"

extern const struct qp_own_file paper_files[]; /* "paper3-table5.csv" */

enum { PAPER_COLUMNS = 8, PAPER_LINES = 48, PAPER_BYTES = 4096 };

/* A table as printed: a head of column names and lines of as many cells, which are words, numbers
 * or empty (the paper has no figure there). */
struct paper_table {
    char text[PAPER_BYTES]; /* the pointers point into it, so a table is never copied */
    int columns, lines;
    char *head[PAPER_COLUMNS];
    char *cell[PAPER_LINES][PAPER_COLUMNS];
};

/* Cuts a line at any of these characters into cells, of which those beyond are empty; returns how
 * many there are, though no more than `most` are kept. */
int paper_cut(char *line, const char *at, char *cell[], int most);

/* From text of so many bytes; `name` is for the sentence. QP_BAD_INPUT for lines of another length
 * than the head and for more than fits. */
enum qp_status paper_parse(const char *name, const char *text, size_t size,
                           struct paper_table *out);

/* An embedded table by its file's name. */
enum qp_status paper_read(const char *name, struct paper_table *out);

/* The line whose first cells are these (`second` may be NULL); -1 if there is none. */
int paper_line(const struct paper_table *table, const char *first, const char *second);

/* The cell of a line below that head; empty if line is -1, or no column is called so. */
const char *paper_cell(const struct paper_table *table, int line, const char *head);

/* The same cell as a number; NaN if it is none. */
double paper_number(const struct paper_table *table, int line, const char *head);

#endif
