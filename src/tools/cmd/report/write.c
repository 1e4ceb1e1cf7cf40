/* SPDX-License-Identifier: MIT */
/* Pieces that all sections of the page write, and the lists that they read. */
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/output/svg.h"
#include "tools/cmd/report/report.h"

void report_text(FILE *out, const char *text, const char *after)
{
    svg_put_text(out, text);
    fputs(after, out);
}

const char *report_device(const struct report *report, int device)
{
    return report->name[device];
}

void report_begin_link(const struct report *report, const struct report_source *source, int record)
{
    source->shown[record] = true;
    fprintf(report->out, "<a href=\"#r%d-%d\">", (int)(source - report->source), record);
}

/* A field of a CSV: quotes around it, and none in it; then what ends it. */
static void put_field(FILE *out, const char *text, const char *end)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        fputc(*text == '"' ? '\'' : *text, out);
    fprintf(out, "\"%s", end);
}

void report_figure(const struct report *report, const char *address, const char *place,
                   const char *row, const char *column, const char *figure, int source)
{
    const char *const fields[] = {address, place, row, column, figure};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        put_field(report->csv, fields[i], ",");
    const struct report_source *from = source >= 0 ? &report->source[source] : NULL;
    put_field(report->csv, from != NULL ? report_device(report, from->device) : "the paper", ",");
    put_field(report->csv, from != NULL ? from->given.date : "", "\n");
}

bool report_line(char **rest, int fields, char *field[REPORT_FIELDS])
{
    char *line;
    do {
        line = strsep(rest, "\n");
    } while (line != NULL && line[0] == '\0');
    for (int k = 0; k < fields && line != NULL; k++) {
        static char nothing[1];
        char *next = k + 1 < fields ? strsep(&line, ",") : line;
        field[k] = next != NULL ? next : nothing;
        if (line == NULL)
            line = nothing;
    }
    return line != NULL;
}

char *report_list(const char *name)
{
    const struct qp_own_file *file = qp_own_file_find(report_files, name);
    char *text = file->name != NULL ? malloc((size_t)file->size + 1) : NULL;
    if (text == NULL)
        return NULL;
    memcpy(text, file->text, file->size);
    text[file->size] = '\0';
    return text;
}

/* ---- Records ---- */

struct report_what report_read_what(const char *text)
{
    struct report_what what = {.parameter = -1};
    char name[96] = "";
    sscanf(text, "%95s %23s %d", name, what.kind, &what.parameter);
    what.variant = qp_variant_find(name);
    return what;
}

bool report_is(const struct qp_record *record, const struct report_what *what)
{
    return record->variant == what->variant &&
           (what->kind[0] == '\0' || strcmp(record->problem, what->kind) == 0) &&
           (what->parameter < 0 || record->parameter == what->parameter);
}
