/* SPDX-License-Identifier: MIT */
/* Text of a Matrix Market file in blocks, and usual lines of data in it. */
#ifndef QP_IO_MARKET_LINES_H
#define QP_IO_MARKET_LINES_H

#include <quadpass/market.h>

#include <stdio.h>

enum {
    QP_MARKET_LINE = 65535, /* most bytes of a line; with its end 64 KiB */
    QP_MARKET_BLOCK =
        1024 * 1024 /* bytes of a block, for each thread; no line of data has less than two */
};

/* Numbers that a header allows. */
enum qp_market_numbers { QP_MARKET_REAL, QP_MARKET_INTEGER, QP_MARKET_UNSIGNED };

/* A line of data; row and column count from 1. */
struct qp_market_entry {
    double value;
    int row, column;
    size_t line; /* of its piece, from 1 */
};

/* Part of a block that one thread reads. */
struct qp_market_piece {
    const char *at, *end; /* whole lines; `at` goes on to the first that is not taken */
    size_t lines, count;  /* lines taken, blank ones and comments included, and entries in them */
    struct qp_market_entry entry[QP_MARKET_BLOCK / 2 + 2];
};

struct qp_market_input {
    FILE *file;
    int error; /* of the system, which ended the file */
    int threads;
    struct qp_market_piece *piece; /* one a thread */
    char *block;
    size_t held;          /* bytes in the block */
    const char *at, *end; /* whole lines of the block that are not read yet */
};

/* Takes all cores for large files; `bytes` SIZE_MAX: nobody knows. False without memory, which
 * free(text->piece) frees. */
bool qp_market_input_begin(struct qp_market_input *text, FILE *file, size_t bytes);

/* Fills the block, whose whole lines are read: there are none at the end of the file, and its last
 * line gets an end. A line that is longer than the block comes in part. */
void qp_market_input_fill(struct qp_market_input *text);

/* Takes usual lines in all threads: those before the first of another kind are in as many pieces as
 * it returns, and read. The reader word by word decides if the next line is legal. */
int qp_market_input_take(struct qp_market_input *text, const struct qp_market *market,
                         enum qp_market_numbers kind);

#endif
