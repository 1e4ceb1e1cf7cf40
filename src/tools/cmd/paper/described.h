/* SPDX-License-Identifier: MIT */
/* Tables as data: docs/papers/paperN.table says which variants run on which grids, and what each
 * cell shows. A line is a word and the rest, which bars cut into parts; '#' begins a comment.
 * Lines before the first `table NAME` are a head of them all.
 *
 *   rows VARIANT|...           are measured on the grids below
 *   line SHAPE|FIELD|...       a line of the table; fields that name variants are measured, too
 *   lines NAME                 those of another table
 *   grid KIND [KEY=N] SIZE...  where those above are measured that no grid before took. Keys are
 *                              steps, repeats, block and p (parameters, N-N). A size is N, WxH,
 *                              or <N: as large as --size allows, and not twice
 *   > WORDS                    above the table
 *   theirs FILE                the paper's own figures
 *   columns WIDTH HEAD@GROUP|...   as in table.h; `columns*` are repeated for each width
 *   across WIDTH...            these widths; without it those of the table's own grids
 *   at WIDTH                   the width of cells that are not repeated
 *   cells SHAPE|CELL|...       of such a line; `cells*` are repeated
 *   ran SHAPE                  lines whose first field has no record and is no number are left out
 *   end                        words follow the table
 *   bare                       a terminal shows groups and no heads
 *   plot X Y...|AXIS|AXIS      columns that a report draws, by their numbers: the first across
 *   down                       lines are repeated for each grid that was measured, of the table
 *                              or of the last one before it that has any
 *
 * In words, heads and cells $1 to $9 are the line's fields, $n, $h, $c and $p the grid's width,
 * height, cells and parameter, and other names numbers that the program gives, or figures of the
 * table's own file at that width. A cell is words, or:
 *
 *   =theirs ROW HEAD           the paper's figure; ROW is the first word of its line, or A/B the
 *                              first two, after FILE: where it is not in the table's own file
 *   =number DIGITS ROW HEAD    the same as a number
 *   =share DIGITS ROW OF HEAD  over that of another line
 *   =value DIGITS+ PRODUCT     of numbers, such as 3*4/5; with the plus two digits more below 0.1
 *   =rate DIGITS PRODUCT MEASURE VARIANT   so many times glups, gflops, gbytes_per_s,
 *                              vertices (a second) or step (seconds of one)
 *   =ratio DIGITS MEASURE VARIANT OVER
 *   =judged DIGITS MEASURE VARIANT OVER   the same, with the verdict of one that has no time
 *   =faster DIGITS MEASURE VARIANT OVER   by how many percent
 *   =saved DIGITS MEASURE VARIANT OVER    a part of one, without a spread
 *   =time DIGITS+ VARIANT      seconds of one step, with the same plus
 *   =seconds DIGITS STEPS VARIANT   of so many steps, marked ~ where others were taken
 *   =steps VARIANT             that were taken */
#ifndef QP_CMD_PAPER_DESCRIBED_H
#define QP_CMD_PAPER_DESCRIBED_H

#include "tools/cmd/paper/bench_paper.h"

/* A number that a description may use; lists end with a NULL name. */
struct described_value {
    const char *name;
    double value;
    int width; /* the grid it is for; 0: any */
};

#define DESCRIBED(name, value) \
    {                          \
        name, value, 0         \
    }

/* Plans a table, or with NULL all of the paper; `values` may be NULL. */
void described_plan(struct paper_bench *bench, const char *name,
                    const struct described_value *values);

/* Prints the same. */
void described_print(const struct paper_bench *bench, const char *name,
                     const struct described_value *values);

/* The paper's own figure, as cells of that table name it (=number); NaN if there is none. */
double described_figure(const struct paper_bench *bench, const char *name, const char *row,
                        const char *head);

/* A product of numbers, such as 3*4/5. */
double described_product(const char *text);

/* The first measured line of a table; -1 if there is none. */
int described_line(const struct paper_bench *bench, const char *name);

#endif
