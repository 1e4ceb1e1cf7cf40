/* SPDX-License-Identifier: MIT */
/* `quadpass report`: claims and tables of the papers, with figures of records, as one page of HTML.
 * Records are read, measured ones too, so that the same records make the same page. */
#ifndef QP_CMD_REPORT_REPORT_H
#define QP_CMD_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "toolkit/base/own_files.h"
#include "tools/cmd/cmd.h"

extern const struct qp_own_file report_files[]; /* the page's lists, style and records */

enum { REPORT_SOURCES = 96, REPORT_DEVICES = 8, REPORT_FIELDS = 8 };

/* A file of records. */
struct report_source {
    char name[192];
    struct records_given given;
    int device;  /* number of its device: the same name, and the same processor */
    bool *shown; /* for each record: a figure of the page leads to it */
};

struct report {
    const struct options *options;
    struct report_source source[REPORT_SOURCES];
    int sources;
    int first[REPORT_DEVICES]; /* each device's first source */
    char name[REPORT_DEVICES][768];
    int devices;
    bool measured;   /* records were */
    bool ends_early; /* an interrupt came before all was measured */
    int code;        /* exit code of what was measured */
    char missing[512];
    FILE *out, *csv; /* the page, and its figures, a line each */
};

/* ---- Pieces of the page (write.c) ---- */

/* Text with its markup escaped, and markup that follows. */
void report_text(FILE *out, const char *text, const char *after);

const char *report_device(const struct report *report, int device);

/* Begins a link to a record; it ends with "</a>". */
void report_begin_link(const struct report *report, const struct report_source *source, int record);

/* A line of figures.csv: a figure's address, where it is, the figure, and its device. */
void report_figure(const struct report *report, const char *address, const char *place,
                   const char *row, const char *column, const char *figure, int source);

/* Next line of a list, cut at commas into its fields, of which the last keeps its own; false at the
 * end. `rest` is moved. */
bool report_line(char **rest, int fields, char *field[REPORT_FIELDS]);

/* A list that is built in, as text that may be changed, for free(); NULL without memory. */
char *report_list(const char *name);

/* A variant with its kind of problem and parameter, as in "access/cuda_simple stride 8". */
struct report_what {
    const struct qp_variant *variant;
    char kind[24]; /* "": any */
    int parameter; /* below 0: any */
};
struct report_what report_read_what(const char *text);

/* True if a record is of it. */
bool report_is(const struct qp_record *record, const struct report_what *what);

/* ---- Claims (claims.c) ---- */

void report_claims(const struct report *report);

/* True if these records judge the claim with these fields. */
enum { REPORT_CLAIM = 7 };
bool report_is_judged(const struct records_given *given, char *const field[REPORT_CLAIM]);

/* ---- Tables and places (tables.c) ---- */

/* All sections of a paper: its tables from each source, and each of its places. */
enum qp_status report_paper(const struct report *report, int paper);

/* ---- Measuring (measure.c) ---- */

/* Measures the papers' tables, and variants of other places and claims, into a file of records.
 * Interrupted it keeps those that are done, and says in `missing` what is not. */
enum qp_status report_measure(struct report *report, const char *path);

#endif
