/* SPDX-License-Identifier: MIT */
/* The command: measures, reads records, writes the page and its figures. */
#include "tools/cmd/report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/status.h"
#include "toolkit/io/output.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/sentence.h"

/* ---- Sources ---- */

/* Adds a file that was read, and finds its device. */
static enum qp_status add_source(struct report *report, const char *name,
                                 const struct records_given *given)
{
    struct report_source *source = &report->source[report->sources];
    int device = 0;
    while (device < report->devices) {
        const struct records_given *first = &report->source[report->first[device]].given;
        if (strcmp(first->device, given->device) == 0 && strcmp(first->cpu, given->cpu) == 0)
            break;
        device++;
    }
    if (device == REPORT_DEVICES)
        return qp_fail(QP_UNSUPPORTED,
                       "%s: the records are of more than %d devices; leave out some", name,
                       REPORT_DEVICES);
    if (device == report->devices)
        report->first[report->devices++] = report->sources;
    *source = (struct report_source){.given = *given, .device = device};
    snprintf(source->name, sizeof source->name, "%s", name);
    source->shown = calloc((size_t)given->count + 1, sizeof *source->shown);
    report->sources++;
    if (report->options->from_count > 0 && strcmp(given->version, qp_version()) != 0)
        sentence_say("%s: written by quadpass %s, and this is %s: what it calls differently is "
                     "not found",
                     name, given->version[0] != '\0' ? given->version : "of no version",
                     qp_version());
    if (given->unknown > 0)
        sentence_say("%s: %d records are left out: no such variant, or a time without a size or "
                     "steps",
                     name, given->unknown);
    return source->shown != NULL ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for the records");
}

/* Reads a file, or with a text one that is built in. */
static enum qp_status read_source(struct report *report, const char *name, const char *text)
{
    struct records_given given = {.record = NULL};
    if (report->sources == REPORT_SOURCES)
        return qp_fail(QP_UNSUPPORTED, "report takes %d files of records at most", REPORT_SOURCES);
    enum qp_status status =
        text != NULL ? records_read_text(name, text, &given) : records_read(name, &given);
    if (status == QP_OK && given.count == 0)
        status = qp_fail(QP_BAD_INPUT, "%s: it has no record of a variant of this quadpass", name);
    if (status == QP_OK)
        status = add_source(report, name, &given);
    else
        free(given.record);
    return status;
}

static enum qp_status read_built_in(struct report *report)
{
    enum qp_status status = QP_OK;
    for (const struct qp_own_file *file = report_files; file->name != NULL && status == QP_OK;
         file++) {
        const char *end = strrchr(file->name, '.');
        if (end == NULL || strcmp(end, ".json") != 0)
            continue;
        char *text = report_list(file->name), name[128];
        snprintf(name, sizeof name, "docs/%s", file->name);
        status = text != NULL ? read_source(report, name, text)
                              : qp_fail(QP_NO_MEMORY, "no memory for %s", name);
        free(text);
    }
    return status;
}

/* Names each device, with its processor where another is called alike, as software is. */
static void name_devices(struct report *report)
{
    for (int k = 0; k < report->devices; k++) {
        const struct records_given *given = &report->source[report->first[k]].given;
        bool alike = given->device[0] == '\0';
        for (int other = 0; other < report->devices; other++)
            alike = alike ||
                    (other != k &&
                     strcmp(report->source[report->first[other]].given.device, given->device) == 0);
        snprintf(report->name[k], sizeof report->name[k], "%s%s%s", given->device,
                 alike && given->device[0] != '\0' ? ", " : "", alike ? given->cpu : "");
    }
}

static enum qp_status read_sources(struct report *report, const char *measured)
{
    const struct options *options = report->options;
    enum qp_status status = measured != NULL ? read_source(report, measured, NULL) : QP_OK;
    for (int i = 0; i < options->from_count && status == QP_OK; i++)
        status = read_source(report, options->from[i], NULL);
    if (status == QP_OK && options->from_count == 0)
        status = read_built_in(report);
    name_devices(report);
    return status;
}

/* ---- The page ---- */

/* Puts `name` and a text of a head, if there is one. */
static void put_row(FILE *out, const char *name, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(out, "<dt>%s</dt><dd>", name);
    report_text(out, text, "</dd>\n");
}

static void put_record(const struct report *report, int source, int number)
{
    const struct qp_record *record = &report->source[source].given.record[number];
    const double spread = figure_spread(record);
    const bool batch = record->systems > qp_variant_systems(record->variant);
    const int part = cmd_part(qp_op_find(record->variant->op), record->systems);
    fprintf(report->out, "<li id=\"r%d-%d\"><code>quadpass bench %s --size %dx%d --problem ",
            source, number, record->variant->name, part * record->width,
            batch ? record->systems : part * record->height);
    report_text(report->out, record->problem, "");
    if (record->parameter != 0)
        fprintf(report->out, " --parameter %d", record->parameter);
    if (record->block > 0)
        fprintf(report->out, " --block %d", record->block);
    fprintf(report->out, " --iterations %d</code>", record->iterations);
    if (record->systems > 1)
        fprintf(report->out, ", %d systems of %d × %d", record->systems, record->width,
                record->height);
    if (isnan(record->seconds))
        fputs(": not timed", report->out);
    else
        fprintf(report->out, ": %.4g s for all steps, %.3g GLUP/s", record->seconds, record->glups);
    if (record->seconds_min > 0.0)
        fprintf(report->out, ", the least %.4g", record->seconds_min);
    if (record->sample_count > 1)
        fprintf(report->out, ", %d runs", record->sample_count);
    if (!isnan(spread))
        fprintf(report->out, ", middle half %.1f %% wide", 100.0 * spread);
    if (!isnan(record->error))
        fprintf(report->out, "; error %.2g of %.2g", record->error, record->tolerance);
    fprintf(report->out, ", %s", qp_verdict_name(record->verdict));
    if (record->reason[0] != '\0') {
        fputs(": ", report->out);
        report_text(report->out, record->reason, "");
    }
    fputs("</li>\n", report->out);
}

/* A file of records with its machine, and those that figures lead to. */
static void put_source(const struct report *report, int number)
{
    const struct report_source *source = &report->source[number];
    const struct records_given *given = &source->given;
    fprintf(report->out, "<h3 id=\"s%d\">", number);
    report_text(report->out, source->name, "</h3>\n<dl>\n");
    put_row(report->out, "device", given->device);
    put_row(report->out, "driver", given->driver);
    put_row(report->out, "processor", given->cpu);
    put_row(report->out, "date", given->date);
    put_row(report->out, "quadpass", given->version);
    put_row(report->out, "commit", given->commit);
    put_row(report->out, "command", given->command);
    fputs("</dl>\n<ul class=\"records\">\n", report->out);
    for (int i = 0; i < given->count; i++) {
        if (source->shown[i])
            put_record(report, number, i);
    }
    fputs("</ul>\n", report->out);
}

static void put_devices(const struct report *report)
{
    fputs("<p>Devices, each with the newest of its runs here:</p>\n<ol type=\"A\">\n", report->out);
    for (int device = 0; device < report->devices; device++) {
        const struct report_source *newest = &report->source[report->first[device]];
        for (int k = 0; k < report->sources; k++) {
            const struct report_source *other = &report->source[k];
            if (other->device == device && strcmp(other->given.date, newest->given.date) > 0)
                newest = other;
        }
        fprintf(report->out, "<li><a href=\"#s%d\">", (int)(newest - report->source));
        report_text(report->out, report_device(report, device), "</a>, ");
        report_text(report->out, newest->given.cpu, "");
        fprintf(report->out, ", %.10s</li>\n", newest->given.date);
    }
    fputs("</ol>\n", report->out);
}

static void put_beginning(const struct report *report)
{
    char *style = report_list("tools/site.css");
    fprintf(report->out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Then and now - Quadpass</title>\n<link rel=\"icon\" href=\"data:,\">\n"
            "<style>\n%s</style>\n</head>\n<body>\n<nav aria-label=\"Page\">"
            "<a href=\"#claims\">Claims</a>",
            style != NULL ? style : "");
    free(style);
    for (int paper = 1; paper <= PAPERS; paper++)
        fprintf(report->out, " <a href=\"#p%d\">Paper %d</a>", paper, paper);
    fputs(" <a href=\"#records\">Records</a></nav>\n<main>\n<h1 id=\"report\">Then and now</h1>\n"
          "<p>Five papers and lectures claimed what is fast on graphics cards, from 2004 to 2024 "
          "(<a href=\"#p1\">1</a> to <a href=\"#p5\">5</a>). Here are their claims and their "
          "tables, and beside them what their programs, written again and checked, do today. A "
          "figure of ours leads to its record, with the command that repeats it. A link on a "
          "number of a claim or a name of a table is its address; -2-4 at the end of a table's "
          "is that of the figure in row 2, column 4.</p>\n",
          report->out);
}

static enum qp_status put_page(const struct report *report)
{
    enum qp_status status = QP_OK;
    put_beginning(report);
    if (report->ends_early) {
        fputs("<p><b>Interrupted.</b> Not measured: ", report->out);
        report_text(report->out, report->missing, ".</p>\n");
    }
    put_devices(report);
    report_claims(report);
    for (int paper = 1; paper <= PAPERS && status == QP_OK; paper++)
        status = report_paper(report, paper);
    fputs("<h2 id=\"records\">Records</h2>\n<p>Seconds are medians of all steps, without set-up "
          "and transfers; an error is the largest difference from the reference.</p>\n",
          report->out);
    for (int k = 0; k < report->sources; k++)
        put_source(report, k);
    fputs("</main>\n</body>\n</html>\n", report->out);
    return status;
}

/* Writes figures.csv, and the page beside it into the file that is open. */
static enum qp_status write_figures(struct report *report, const char *path)
{
    struct qp_output csv;
    char sentence[1024];
    if (!qp_output_open(&csv, path))
        return qp_output_close(&csv, strerror(errno));
    report->csv = csv.file;
    fputs("address,place,row,column,figure,device,date\n", report->csv);
    const enum qp_status status = put_page(report);
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    const enum qp_status closed = qp_output_close(&csv, status != QP_OK ? sentence : NULL);
    return status != QP_OK ? qp_fail(status, "%s", sentence) : closed;
}

/* Writes both files; the page only where its figures could be written. */
static enum qp_status write_page(struct report *report, const char *page, const char *figures)
{
    struct qp_output html;
    char sentence[1024];
    if (!qp_output_open(&html, page))
        return qp_output_close(&html, strerror(errno));
    report->out = html.file;
    const enum qp_status status = write_figures(report, figures);
    if (status == QP_OK)
        return qp_output_close(&html, NULL);
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    qp_output_close(&html, sentence);
    return qp_fail(status, "%s", sentence);
}

/* ---- The command ---- */

static void end(struct report *report)
{
    for (int k = 0; k < report->sources; k++) {
        free(report->source[k].given.record);
        free(report->source[k].shown);
    }
    free(report);
}

static enum qp_status make(struct report *report)
{
    const struct options *options = report->options;
    const char *folder = options->folder != NULL ? options->folder : "report";
    char page[1024], figures[1024], records[1024];
    snprintf(page, sizeof page, "%s/index.html", folder);
    snprintf(figures, sizeof figures, "%s/figures.csv", folder);
    if (snprintf(records, sizeof records, "%s/records.json", folder) >= (int)sizeof records)
        return qp_fail(QP_BAD_USE, "-o: the name of the folder is too long");
    enum qp_status status = qp_output_folder(folder);
    if (status == QP_OK && !options->measured_only)
        status = report_measure(report, records);
    if (status == QP_OK)
        status = read_sources(report, report->measured ? records : NULL);
    if (status == QP_OK)
        status = write_page(report, page, figures);
    if (status == QP_OK)
        fprintf(options->table, "%s: %d files of records, of %d devices\n", page, report->sources,
                report->devices);
    return status;
}

enum qp_status cmd_report(struct options *options, struct command *command)
{
    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the report");
    report->options = options;
    const enum qp_status status = make(report);
    command->code = report->ends_early ? EXIT_FAILED : report->code;
    end(report);
    return status;
}
