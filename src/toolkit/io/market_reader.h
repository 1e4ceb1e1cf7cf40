/* SPDX-License-Identifier: MIT */
/* Reading of a Matrix Market file: lines in words, numbers, the header, and the data after it. */
#ifndef QP_IO_MARKET_READER_H
#define QP_IO_MARKET_READER_H

#include <quadpass/market.h>

#include <stdio.h>

#include "toolkit/io/input.h"
#include "toolkit/io/market_places.h"

/* ---- Text in blocks, and usual lines of data in it (market_lines.c) ---- */

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
    size_t line; /* line of its piece, from 1 */
};

/* Part of a block that one thread reads. */
struct qp_market_piece {
    const char *at, *end; /* whole lines; `at` goes on to the first that is not taken */
    size_t lines, count;  /* lines taken, blank ones and comments included, and entries in them */
    struct qp_market_entry entry[QP_MARKET_BLOCK / 2 + 2];
};

struct qp_market_input {
    FILE *file;
    int error; /* the system's, which ended the file */
    int threads;
    struct qp_market_piece *piece; /* a piece a thread */
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

/* ---- The reader ---- */

/* A matrix on its way in. A line of data makes one entry, or two where it is mirrored. */
struct qp_market_file {
    struct qp_input_file file;
    struct qp_market_input text;
    size_t number; /* the current line's, from 1; after the last, the missing one's */
    bool over;     /* at the end of the file */
    size_t words;  /* number of words on that line; word[] holds the first few */
    char *word[5];
    bool returns; /* a carriage return alone ended a line */
    enum qp_market_numbers numbers;
    int mirror;    /* a mirror image has the value times this: 1, -1 of skew-symmetric ones; or 0 */
    int side;      /* the stored triangle's: lower 1 or upper -1; 0 before it is seen */
    bool repeated; /* some place comes more than once */
    size_t lines;  /* lines of data that the size line promises */
    size_t room;   /* lines of data there is memory for */
    size_t done;   /* lines of data read */
    size_t added;  /* lines of data at the place of another one */
    struct qp_market_places places;
    struct qp_market market;
    enum qp_status status; /* why a function answered false */
    char cut[QP_MARKET_LINE + 1];
};

/* All answer false after a failure: its code is in->status, and qp_error() says why. */

/* Stores "file:line: reason". */
__attribute__((format(printf, 2, 3))) bool qp_market_refuse(struct qp_market_file *in,
                                                            const char *format, ...);

/* Reads one line, which at the end of the file has no words, and cuts it in place. */
bool qp_market_cut_line(struct qp_market_file *in);

/* The next line that is neither blank nor a comment; without words after the last one. */
bool qp_market_next_line(struct qp_market_file *in);

/* Refuses a line of another number of words; `form` says what to write. */
bool qp_market_expect(struct qp_market_file *in, size_t words, const char *form);

bool qp_market_whole(struct qp_market_file *in, const char *word, const char *what, long long least,
                     long long most, long long *number);

/* A row or a column. */
bool qp_market_whole_place(struct qp_market_file *in, const char *word, const char *what, int most,
                           long long *number);

/* A finite decimal number of the kind that the header says. */
bool qp_market_value(struct qp_market_file *in, char *word, double *value);

/* The header and the size line. */
bool qp_market_head(struct qp_market_file *in);

#endif
