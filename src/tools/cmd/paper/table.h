/* SPDX-License-Identifier: MIT */
/* Tables of bench --paper as rows of cells: a paper's figure, a number, or a record of ours and
 * the value that a formula made of it. Writers print them: aligned for a terminal, or in
 * Markdown (--markdown), whose figures have three digits. */
#ifndef QP_CMD_PAPER_TABLE_H
#define QP_CMD_PAPER_TABLE_H

#include <stdio.h>

#include <quadpass/bench.h>

#include "tools/cmd/paper/papers.h"

enum { TABLE_COLUMNS = 20, TABLE_HEAD = 40 };

struct paper_bench;

/* A table under way: cells are written in their order, and a row ends with its last column. */
struct table {
    FILE *out;
    const struct paper_bench *bench;
    const struct qp_record *of; /* the record of the next cell's figure; NULL: it is not ours */
    bool markdown;
    int columns;
    int width[TABLE_COLUMNS]; /* on a terminal; negative: aligned left */
    char head[TABLE_COLUMNS][TABLE_HEAD], group[TABLE_COLUMNS][TABLE_HEAD];
    bool bare;  /* a terminal shows groups and no heads */
    int at;     /* column of the next cell */
    int gap;    /* characters after the words of a column that is aligned left */
    int blanks; /* characters of blank cells after the gap */
};

/* A table without columns, where the bench prints. */
struct table table_begin(const struct paper_bench *bench);

/* Adds columns, such as "-26 variant|9 GLUP/s@ours": each a width, a head, and the name of a group,
 * which is a line above the heads of all columns that have it. */
void table_columns(struct table *table, const char *columns);

/* Prints the heads, after all columns were added. */
void table_heads(struct table *table);

/* The three at once. */
struct table table_of(const struct paper_bench *bench, const char *columns);

/* ---- Cells ---- */

/* Words of one cell, or of several with bars between them; a cell without any is blank. */
void table_text(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Blank cells up to the end of the row. */
void table_end_row(struct table *table);

/* A number, or a dash for NaN. */
void table_number(struct table *table, int decimals, double value);

/* A paper's figure with the paper's digits; a dash where it has none. */
void table_theirs(struct table *table, const struct paper_table *theirs, int line,
                  const char *head);

/* A rate of ours, or a time with a mark before it: the verdict in its place if the record has no
 * time, a dash without a record, and a range if it is noisy (tools/cmd/output/figures.h). */
void table_rate(struct table *table, int decimals, const struct qp_record *record, double value);
void table_time(struct table *table, int decimals, const struct qp_record *record, double value,
                const char *mark);

/* A number that comes from a record alone. */
void table_number_of(struct table *table, int decimals, const struct qp_record *record,
                     double value);

/* A ratio of figures of these two records with its spread; without a second record a dash. */
void table_ratio(struct table *table, int decimals, const struct qp_record *record,
                 const struct qp_record *other, double ratio);

/* Ends a table that words follow: Markdown wants a blank line there. */
void table_end(struct table *table);

#endif
